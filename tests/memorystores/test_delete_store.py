"""DELETE /v1/memory_stores/{id}, and what the sweep removes afterwards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from identities.models import Identity, Mount, Template
from memorystores.models import Content, Memory, MemoryStore, MemoryVersion
from memorystores.purge import purge_deleted_stores, purge_orphan_content
from memorystores.services.contents import contents_upsert
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import STORES, Store


def test_is_gone_at_once(store: Store) -> None:
    memory = store.add("a")
    answer = store.api.delete(store.url)
    assert (answer.status, answer.body) == (200, {"id": store.id, "type": "memory_store_deleted", "deleted": True})
    version = memory["memory_version_id"]
    for path in ("", "/memories", f"/memories/{memory['id']}", "/memory_versions", f"/memory_versions/{version}"):
        assert store.api.get(store.url + path).status == 404, path
    assert store.api.post(store.url, {"name": "x"}).status == 404
    assert store.api.post(f"{store.url}/search", {"query": "x"}).status == 404
    assert store.edit(memory, content="x").status == 404
    assert store.remove(memory).status == 404
    assert store.api.post(f"{store.url}/memory_versions/{version}/redact").status == 404
    assert store.api.delete(store.url).status == 404
    assert store.api.get(STORES, {"include_archived": "true"}).body["data"] == []


def test_a_mounted_store_is_refused(store: Store, alice: Tenant) -> None:
    identity = Identity.objects.create(workspace=alice.workspace, external_id="ana")
    template = Template.objects.create(workspace=alice.workspace, name="helper")
    row = MemoryStore.objects.get(id=store.id)
    Mount.objects.create(identity=identity, template=template, store=row, access="read_only")
    answer = store.api.delete(store.url)
    assert (answer.status, answer.error["type"], answer.headers["x-should-retry"]) == (409, "conflict_error", "false")
    assert answer.error["param"] == "memory_store_id"
    assert store.api.get(store.url).status == 200


def test_others(client: Callable[..., ApiClient], store: Store, alice: Tenant, bob: Tenant, charlie: str) -> None:
    statuses = [client(key).delete(store.url).status for key in (bob.admin, alice.write, charlie, None)]
    assert statuses == [404, 403, 403, 401]
    assert store.api.get(store.url).status == 200


def test_a_body_is_refused(store: Store) -> None:
    assert store.api.request("DELETE", store.url, body={"force": True}).status == 400
    assert store.api.request("DELETE", store.url, body={}).status == 200


def test_the_sweep_removes_it_in_bounded_steps(store: Store, new_store: Callable[..., Store]) -> None:
    other = new_store()
    kept = other.add("a", "shared")
    for number in range(5):
        store.add(f"{number}", "shared")
    store.remove(store.add("gone"))
    store.api.delete(store.url)
    steps = []
    while removed := purge_deleted_stores(limit=3):
        steps.append(removed)
    assert steps == [3, 2, 3, 3, 1, 1]  # 5 memories, 7 versions, the store
    assert list(MemoryStore.objects.values_list("id", flat=True)) == [other.id]
    assert list(Memory.objects.values_list("id", flat=True)) == [kept["id"]]
    assert MemoryVersion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_texts_nobody_holds_go_after_an_hour(store: Store, new_store: Callable[..., Store], alice: Tenant) -> None:
    new_store().add("a", "kept")
    store.add("a", "kept")
    store.add("b", "orphan")
    store.api.delete(store.url)
    while purge_deleted_stores():
        pass
    contents_upsert(workspace_id=alice.workspace.id, texts=["just upserted"])
    assert purge_orphan_content() == 0
    Content.objects.exclude(text="just upserted").update(touched_at=timezone.now() - timedelta(minutes=61))
    assert purge_orphan_content() == 1
    assert set(Content.objects.values_list("text", flat=True)) == {"kept", "just upserted"}


def test_a_text_that_only_a_version_holds_stays(store: Store) -> None:
    store.edit(store.add("a", "old"), content="new")
    Content.objects.update(touched_at=timezone.now() - timedelta(hours=2))
    assert purge_orphan_content() == 0
