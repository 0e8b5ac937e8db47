from __future__ import annotations

from collections.abc import Callable

from memorystores.models import MemoryVersion, Operation
from tests.conftest import ApiClient
from tests.identities.conftest import Made, PairIds

Store = Callable[..., str]


def write(store_id: str, *revisions: int) -> None:
    """Versions as writes leave them; the rest of a write is not looked at here."""
    for revision in revisions:
        MemoryVersion.objects.create(
            store_id=store_id,
            store_revision=revision,
            memory_id=f"mem_{revision}",
            operation=Operation.MODIFIED,
            path=f"/{revision}.md",
            actor_type="api_actor",
            actor_id="apikey_1",
        )


def test_a_pair_without_one(api: ApiClient, pair: PairIds) -> None:
    answer = api.get(f"{pair.url}/default_memory")
    assert (answer.status, answer.error["code"]) == (404, "default_memory_not_found")


def test_shows_what_the_first_session_made(api: ApiClient, reader: ApiClient, made: Made, pair: PairIds) -> None:
    made("sessions", **pair.key)
    body = reader.get(f"{pair.url}/default_memory").body
    assert (body["revision"], body["system_managed"], body["name"]) == (1, True, "Ana with helper")
    assert [each["memory_store_id"] for each in body["history"]] == [body["memory_store_id"]]
    assert (body["predecessor_writes"], body["predecessor_write_count"]) == ([], 0)


def test_shows_writes_that_its_predecessor_got_since(api: ApiClient, pair: PairIds, store: Store) -> None:
    old = store("old")
    write(old, 1, 2)
    new = store("new", derived_from=old, derived_revision=2)
    api.put(f"{pair.url}/default_memory", {"memory_store_id": new})
    assert api.get(f"{pair.url}/default_memory").body["predecessor_writes"] == []
    write(old, 3, 4)
    body = api.get(f"{pair.url}/default_memory").body
    shown = [(each["store_revision"], each["path"], each["operation"]) for each in body["predecessor_writes"]]
    assert shown == [(4, "/4.md", "modified"), (3, "/3.md", "modified")]
    assert body["predecessor_write_count"] == 2


def test_only_the_workspace_sees_it(bobs: ApiClient, made: Made, pair: PairIds) -> None:
    made("sessions", **pair.key)
    assert bobs.get(f"{pair.url}/default_memory").status == 404
