"""POST /v1/memory_stores/{id}/archive."""

from __future__ import annotations

from collections.abc import Callable

from identities.models import Identity, Mount, Template
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def test_archives_once(store: Store) -> None:
    before = store.row()
    first = store.api.post(f"{store.url}/archive").body
    assert first["status"] == "archived"
    assert first["archived_at"] == first["updated_at"] > before["updated_at"]
    assert store.api.post(f"{store.url}/archive", {}).body == first


def test_closed_to_writes_open_to_reads_and_deletes(store: Store) -> None:
    kept, gone = store.add("kept"), store.add("gone")
    store.api.post(f"{store.url}/archive")
    memories = f"{store.url}/memories"
    for answer in (
        store.api.post(memories, {"path": "new", "content": ""}),
        store.edit(kept, content="new"),
        store.edit(kept, pinned=True),
        store.edit(kept, metadata={"k": "v"}),
    ):
        assert (answer.status, answer.error["param"]) == (400, "memory_store_id")
    assert store.api.get(f"{memories}/{kept['id']}").body == kept
    assert store.remove(gone).status == 200
    assert [row["path"] for row in store.api.get(memories).body["data"]] == ["/kept"]
    assert store.api.post(f"{store.url}/memory_versions/{gone['memory_version_id']}/redact").status == 200


def test_a_mounted_store_is_refused(store: Store, alice: Tenant) -> None:
    identity = Identity.objects.create(workspace=alice.workspace, external_id="ana")
    template = Template.objects.create(workspace=alice.workspace, name="helper")
    row = MemoryStore.objects.get(id=store.id)
    mount = Mount.objects.create(identity=identity, template=template, store=row, access="read_only")
    answer = store.api.post(f"{store.url}/archive")
    assert (answer.status, answer.error["type"]) == (409, "conflict_error")
    assert answer.error["param"] == "memory_store_id"
    assert answer.headers["x-should-retry"] == "false"
    mount.delete()
    assert store.api.post(f"{store.url}/archive").status == 200


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    url = f"{store.url}/archive"
    assert [client(key).post(url).status for key in (bob.admin, charlie, None)] == [404, 403, 401]
    assert store.api.post(url, {"name": "x"}).status == 400
    assert store.row()["status"] == "active"
