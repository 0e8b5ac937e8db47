from __future__ import annotations

from collections.abc import Callable

from memorystores.models import MemoryStore
from tests.conftest import ApiClient
from tests.identities.conftest import PairIds


def test_unmounts_and_keeps_the_store(api: ApiClient, pair: PairIds, store: Callable[..., str]) -> None:
    store_id = store()
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    answer = api.delete(f"{pair.url}/memory_stores/{store_id}")
    assert answer.status == 200
    assert answer.body == {"id": store_id, "type": "memory_store_binding_deleted", "deleted": True}
    assert api.get(f"{pair.url}/memory_stores").body["data"] == []
    assert MemoryStore.objects.filter(id=store_id, archived_at=None, deleted_at=None).exists()
    assert api.delete(f"{pair.url}/memory_stores/{store_id}").status == 404


def test_the_default_is_a_conflict(api: ApiClient, pair: PairIds, store: Callable[..., str]) -> None:
    store_id = store()
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
    answer = api.delete(f"{pair.url}/memory_stores/{store_id}")
    assert (answer.status, answer.headers["x-should-retry"]) == (409, "false")
    assert api.get(f"{pair.url}/default_memory").body["memory_store_id"] == store_id


def test_a_disabled_identity_may_lose_one(api: ApiClient, pair: PairIds, store: Callable[..., str]) -> None:
    store_id = store()
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    api.post(f"/v1/identities/{pair.identity_id}/disable")
    assert api.delete(f"{pair.url}/memory_stores/{store_id}").status == 200


def test_only_writers_of_the_workspace(
    api: ApiClient, bobs: ApiClient, reader: ApiClient, pair: PairIds, store: Callable[..., str]
) -> None:
    store_id = store()
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    assert bobs.delete(f"{pair.url}/memory_stores/{store_id}").status == 404
    assert reader.delete(f"{pair.url}/memory_stores/{store_id}").status == 403
    assert len(api.get(f"{pair.url}/memory_stores").body["data"]) == 1
