"""POST …/memory_versions/{id}/redact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from memorystores import redaction
from memorystores.models import Content, Memory, MemoryVersion
from tests.conftest import Answer, ApiClient, Tenant
from tests.memorystores.conftest import Store


def redact(store: Store, version_id: str) -> Answer:
    return store.api.post(f"{store.url}/memory_versions/{version_id}/redact")


def superseded(store: Store, path: str = "a", text: str = "secret") -> str:
    """A version that is no head any more."""
    memory = store.add(path, text)
    store.edit(memory, content=f"no {text}")
    version: str = memory["memory_version_id"]
    return version


def has_text(text: str) -> bool:
    return Content.objects.filter(text=text).exists()


def test_forgets_what_the_version_held(store: Store, alice: Tenant) -> None:
    version = superseded(store)
    before = store.api.get(f"{store.url}/memory_versions/{version}").body
    answer = redact(store, version)
    assert answer.status == 200
    redacted_at = answer.body["redacted_at"]
    assert redacted_at.endswith("Z")
    nothing = dict.fromkeys(("path", "content", "content_sha256", "content_size_bytes"))
    key = {"type": "api_actor", "api_key_id": alice.keys["admin"].id}
    after = {**before, **nothing, "redacted": True, "redacted_at": redacted_at, "redacted_by": key}
    assert answer.body == {**after, "also_in": []}
    assert store.api.get(f"{store.url}/memory_versions/{version}").body == after
    assert not has_text("secret")


def test_again_is_unchanged(store: Store) -> None:
    version = superseded(store)
    first = redact(store, version)
    again = redact(store, version)
    assert (again.status, again.body) == (200, first.body)


def test_the_store_and_its_memories_stay_as_they_are(store: Store) -> None:
    version = superseded(store)
    before = store.row()
    redact(store, version)
    assert store.row() == before
    assert store.api.get(f"{store.url}/memories", {"view": "full"}).body["data"][0]["content"] == "no secret"


def test_the_current_version_of_a_live_memory_is_refused(store: Store) -> None:
    memory = store.add("a", "secret")
    answer = redact(store, memory["memory_version_id"])
    assert (answer.status, answer.error["param"]) == (400, "memory_version_id")
    store.remove(memory)
    assert redact(store, memory["memory_version_id"]).status == 200
    assert not has_text("secret")


def test_a_deletion_forgets_its_path(store: Store) -> None:
    store.remove(store.add("a", "text"))
    deletion = store.versions()[0]
    answer = redact(store, deletion["id"])
    assert (answer.body["operation"], answer.body["path"]) == ("deleted", None)
    assert has_text("text")


def test_names_who_holds_the_text_still(store: Store, new_store: Callable[..., Store]) -> None:
    version = superseded(store)
    live = store.add("b", "secret")
    elsewhere = new_store()
    other = superseded(elsewhere)
    body = redact(store, version).body
    assert body["also_in"] == [
        {
            "memory_version_id": live["memory_version_id"],
            "memory_id": live["id"],
            "memory_store_id": store.id,
        },
        {
            "memory_version_id": other,
            "memory_id": MemoryVersion.objects.get(id=other).memory_id,
            "memory_store_id": elsewhere.id,
        },
    ]
    assert redact(store, version).body["also_in"] == body["also_in"]
    assert has_text("secret")
    store.edit(live, content="new")
    assert [each["memory_version_id"] for each in redact(store, live["memory_version_id"]).body["also_in"]] == [other]
    assert redact(elsewhere, other).body["also_in"] == []
    assert not has_text("secret")


def test_another_workspaces_text_is_its_own(
    store: Store, client: Callable[..., ApiClient], alice: Tenant, bob: Tenant
) -> None:
    api = client(bob.admin)
    bobs = Store(api, api.post("/v1/memory_stores", {"name": "n"}).body["id"])
    bobs.add("a", "secret")
    assert redact(store, superseded(store)).body["also_in"] == []
    assert list(Content.objects.filter(text="secret").values_list("workspace_id", flat=True)) == [bob.workspace.id]


def test_a_deleted_store_does_not_hold_on_to_the_text(store: Store, new_store: Callable[..., Store]) -> None:
    deleted = new_store()
    superseded(deleted)
    deleted.add("b", "secret")
    deleted.api.delete(deleted.url)
    body = redact(store, superseded(store)).body
    assert body["also_in"] == []
    assert not has_text("secret")
    assert not Memory.objects.filter(store_id=deleted.id, path="/b").exists()
    assert MemoryVersion.objects.filter(store_id=deleted.id, path__isnull=True).count() == 2


def test_the_answer_kept_for_a_repeated_request_goes_too(store: Store) -> None:
    made = store.api.post(f"{store.url}/memories", {"path": "a", "content": "secret"}, idempotency_key="k").body
    store.edit(made, content="new")
    redact(store, made["memory_version_id"])
    again = store.api.post(f"{store.url}/memories", {"path": "a", "content": "secret"}, idempotency_key="k")
    assert (again.status, again.error["type"]) == (409, "memory_path_conflict_error")
    assert not has_text("secret")


def test_unknown(store: Store, new_store: Callable[..., Store]) -> None:
    for version in (superseded(new_store()), "memver_" + "0" * 32):
        assert redact(store, version).status == 404


def test_others(client: Callable[..., ApiClient], store: Store, alice: Tenant, bob: Tenant, charlie: str) -> None:
    url = f"{store.url}/memory_versions/{superseded(store)}/redact"
    statuses = [client(key).post(url).status for key in (bob.admin, alice.write, charlie, None)]
    assert statuses == [404, 403, 403, 401]
    assert store.api.post(url, {"reason": "x"}).status == 400
    assert has_text("secret")


@pytest.fixture
def cleared() -> Iterator[list[redaction.Redacted]]:
    """What the apps above are told; their own clearers run as well."""
    told: list[redaction.Redacted] = []
    redaction.register(told.append)
    yield told
    redaction._clearers.remove(told.append)


def test_the_apps_above_are_told(store: Store, alice: Tenant, cleared: list[redaction.Redacted]) -> None:
    first, second = superseded(store), superseded(store, "b")
    memory_ids = [MemoryVersion.objects.get(id=id).memory_id for id in (first, second)]
    redact(store, first)
    redact(store, second)
    redact(store, second)
    assert cleared == [
        redaction.Redacted(alice.workspace.id, store.id, memory_ids[0], first, "/a", "secret", gone=False),
        redaction.Redacted(alice.workspace.id, store.id, memory_ids[1], second, "/b", "secret", gone=True),
    ]


def test_a_clearer_that_fails_undoes_the_redaction(store: Store) -> None:
    version = superseded(store)

    def fail(redacted: redaction.Redacted) -> None:
        raise LookupError(redacted.version_id)

    redaction.register(fail)
    try:
        with pytest.raises(LookupError):
            redact(store, version)
    finally:
        redaction._clearers.remove(fail)
    assert has_text("secret")
    assert MemoryVersion.objects.get(id=version).redacted_at is None


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the files of SQLite")
@pytest.mark.django_db(transaction=True)
def test_the_text_is_in_no_file_any_more(store: Store) -> None:
    memory = store.add("a", "a secret of the files")
    store.edit(memory, content="else")
    redact(store, memory["memory_version_id"])
    file = Path(connection.settings_dict["NAME"])
    assert [each for each in file.parent.glob(f"{file.name}*") if b"a secret of the files" in each.read_bytes()] == []
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)
