from __future__ import annotations

from collections.abc import Callable

import pytest

from identities.models import Mount
from identities.services.mounts import MAX_READ_ONLY
from memorystores.services.stores import store_archive, store_delete
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import PairIds

Store = Callable[..., str]


def test_mounts_read_only(api: ApiClient, pair: PairIds, store: Store) -> None:
    store_id = store("shared")
    answer = api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    assert answer.status == 200
    assert answer.body | {"created_at": ""} == {
        "memory_store_id": store_id,
        **pair.key,
        "access": "read_only",
        "system_managed": False,
        "name": "shared",
        "status": "active",
        "entry_count": 0,
        "created_at": "",
    }


def test_again_is_unchanged(api: ApiClient, pair: PairIds, store: Store) -> None:
    body = {"memory_store_id": store()}
    first = api.post(f"{pair.url}/memory_stores", body)
    assert api.post(f"{pair.url}/memory_stores", body).body == first.body
    assert Mount.objects.count() == 1


def test_the_default_stays_the_default(api: ApiClient, pair: PairIds, store: Store) -> None:
    body = {"memory_store_id": store()}
    api.put(f"{pair.url}/default_memory", body)
    assert api.post(f"{pair.url}/memory_stores", body).body["access"] == "read_write"


def test_ten_at_most(api: ApiClient, pair: PairIds, store: Store) -> None:
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store()})
    ids = [store(f"s{n}") for n in range(MAX_READ_ONLY + 1)]
    answers = [api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id}) for store_id in ids]
    assert [answer.status for answer in answers] == [200] * MAX_READ_ONLY + [400], "the default does not count"
    assert answers[-1].error["param"] == "memory_store_id"
    assert api.post(f"{pair.url}/memory_stores", {"memory_store_id": ids[0]}).status == 200, "it has this one"


def test_only_live_stores_of_the_workspace(
    api: ApiClient, pair: PairIds, store: Store, alice: Tenant, bob: Tenant
) -> None:
    archived, deleted = store(), store()
    store_archive(workspace_id=alice.workspace.id, store_id=archived)
    store_delete(workspace_id=alice.workspace.id, store_id=deleted)
    cases = {archived: 400, deleted: 404, store(workspace_id=bob.workspace.id): 404, "memstore_none": 404}
    for store_id, status in cases.items():
        answer = api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
        assert (answer.status, answer.error["param"]) == (status, "memory_store_id")
    assert not Mount.objects.exists()


@pytest.mark.parametrize("body", [{}, {"memory_store_id": 5}, {"memory_store_id": "a", "access": "read_write"}])
def test_a_bad_body_is_refused(api: ApiClient, pair: PairIds, body: dict[str, object]) -> None:
    assert api.post(f"{pair.url}/memory_stores", body).status == 400


def test_the_pair_must_be_live_and_ours(api: ApiClient, bobs: ApiClient, pair: PairIds, store: Store) -> None:
    body = {"memory_store_id": store()}
    assert bobs.post(f"{pair.url}/memory_stores", body).status == 404
    assert api.post(f"/v1/identities/idn_x/templates/{pair.template_id}/memory_stores", body).status == 404
    assert api.post(f"/v1/identities/{pair.identity_id}/templates/tmpl_x/memory_stores", body).status == 404
    api.post(f"/v1/identities/{pair.identity_id}/disable")
    assert api.post(f"{pair.url}/memory_stores", body).status == 400


def test_readers_may_not(reader: ApiClient, pair: PairIds, store: Store) -> None:
    assert reader.post(f"{pair.url}/memory_stores", {"memory_store_id": store()}).status == 403
