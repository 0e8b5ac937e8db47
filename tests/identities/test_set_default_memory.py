from __future__ import annotations

from collections.abc import Callable

from identities.models import Mount
from memorystores.models import MemoryStore
from memorystores.services.stores import store_archive
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import PairIds

Store = Callable[..., str]


def test_sets_the_first_one(api: ApiClient, pair: PairIds, store: Store) -> None:
    store_id = store("notes")
    answer = api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
    assert answer.status == 200
    assert (answer.body["memory_store_id"], answer.body["revision"]) == (store_id, 1)
    assert api.get(f"{pair.url}/default_memory").body == answer.body


def test_replaces_and_raises_the_revision(api: ApiClient, pair: PairIds, store: Store) -> None:
    one, two = store("one"), store("two")
    api.put(f"{pair.url}/default_memory", {"memory_store_id": one})
    moved = api.put(f"{pair.url}/default_memory", {"memory_store_id": two, "expected_memory_store_id": one})
    back = api.put(f"{pair.url}/default_memory", {"memory_store_id": one})
    assert (moved.body["revision"], back.body["revision"]) == (2, 3), "there and back is a change too"
    history = [(each["revision"], each["memory_store_id"]) for each in back.body["history"]]
    assert history == [(3, one), (2, two), (1, one)]
    assert Mount.objects.count() == 1
    assert MemoryStore.objects.filter(archived_at=None, deleted_at=None).count() == 2, "replaced stores stay"


def test_the_default_already_is_unchanged(api: ApiClient, pair: PairIds, store: Store) -> None:
    body = {"memory_store_id": store()}
    first = api.put(f"{pair.url}/default_memory", body)
    assert api.put(f"{pair.url}/default_memory", body).body == first.body


def test_another_default_than_expected_is_a_conflict(api: ApiClient, pair: PairIds, store: Store) -> None:
    one, two = store(), store()
    body = {"memory_store_id": two, "expected_memory_store_id": one}
    assert api.put(f"{pair.url}/default_memory", body).status == 409, "there is none"
    api.put(f"{pair.url}/default_memory", {"memory_store_id": two})
    answer = api.put(f"{pair.url}/default_memory", {"memory_store_id": one, "expected_memory_store_id": one})
    assert (answer.status, answer.error["param"]) == (409, "expected_memory_store_id")
    assert api.get(f"{pair.url}/default_memory").body["memory_store_id"] == two


def test_what_is_done_already_can_be_asked_for_again(api: ApiClient, pair: PairIds, store: Store) -> None:
    one, two = store(), store()
    api.put(f"{pair.url}/default_memory", {"memory_store_id": one})
    body = {"memory_store_id": two, "expected_memory_store_id": one}
    first = api.put(f"{pair.url}/default_memory", body)
    assert (first.status, api.put(f"{pair.url}/default_memory", body).body) == (200, first.body)


def test_a_read_only_store_is_promoted(api: ApiClient, pair: PairIds, store: Store) -> None:
    one, two = store(), store()
    for store_id in (one, two):
        api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    api.put(f"{pair.url}/default_memory", {"memory_store_id": one})
    api.put(f"{pair.url}/default_memory", {"memory_store_id": two})
    mounts = api.get(f"{pair.url}/memory_stores").body["data"]
    assert [(each["memory_store_id"], each["access"]) for each in mounts] == [(two, "read_write")]


def test_what_a_person_chose_is_not_the_systems(api: ApiClient, pair: PairIds, store: Store) -> None:
    api.post("/v1/sessions", pair.key)
    assert api.get(f"{pair.url}/default_memory").body["system_managed"] is True
    answer = api.put(f"{pair.url}/default_memory", {"memory_store_id": store()})
    assert answer.body["system_managed"] is False


def test_needs_a_live_store_of_the_workspace(
    api: ApiClient, pair: PairIds, store: Store, alice: Tenant, bob: Tenant
) -> None:
    archived = store()
    store_archive(workspace_id=alice.workspace.id, store_id=archived)
    for store_id, status in {archived: 400, store(workspace_id=bob.workspace.id): 404, "x": 404}.items():
        answer = api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
        assert (answer.status, answer.error["param"]) == (status, "memory_store_id")
    assert api.get(f"{pair.url}/default_memory").status == 404


def test_only_writers_of_the_workspace(
    api: ApiClient, bobs: ApiClient, reader: ApiClient, pair: PairIds, store: Store
) -> None:
    body = {"memory_store_id": store()}
    assert bobs.put(f"{pair.url}/default_memory", body).status == 404
    assert reader.put(f"{pair.url}/default_memory", body).status == 403
    api.post(f"/v1/templates/{pair.template_id}/archive")
    assert api.put(f"{pair.url}/default_memory", body).status == 400
