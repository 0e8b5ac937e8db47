"""GET /v1/dreams and /v1/dreams/{id}."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dreams.models import Dream
from dreams.status import Status
from dreamsvc.ids import DREAM, new_id
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.dreams.conftest import MakeClient, of_store

NOW = timezone.now().replace(microsecond=0)


def make(tenant: Tenant, store: MemoryStore, count: int = 1, **columns: Any) -> list[Dream]:
    """Dreams a minute apart, the oldest first."""
    made = []
    for age in reversed(range(count)):
        at = NOW - timedelta(minutes=age)
        given = {"workspace": tenant.workspace, "primary_store_id": store.id, "inputs": of_store(store)["inputs"]}
        made.append(Dream.objects.create(id=new_id(DREAM, at=at), created_at=at, **{**given, **columns}))
    return made


ENDED: dict[str, Any] = {"status": Status.CANCELED, "ended_at": NOW}


def ids(answer: Any) -> list[str]:
    assert answer.status == 200, answer.body
    return [dream["id"] for dream in answer.body["data"]]


def test_get(api: ApiClient, alice: Tenant, store: MemoryStore) -> None:
    (dream,) = make(alice, store)
    assert api.get(f"/v1/dreams/{dream.id}").body["id"] == dream.id


def test_a_failed_dream_shows_its_error(api: ApiClient, alice: Tenant, store: MemoryStore) -> None:
    failed: dict[str, Any] = {"status": Status.FAILED, "ended_at": NOW, "error_type": "conflict"}
    (coded,) = make(alice, store, error_message="moved", error_code="memory_changed_during_dream", **failed)
    (plain,) = make(alice, store, error_message="moved", **failed)
    error = {"type": "conflict", "message": "moved"}
    assert api.get(f"/v1/dreams/{plain.id}").body["error"] == error
    assert api.get(f"/v1/dreams/{coded.id}").body["error"] == {**error, "code": "memory_changed_during_dream"}


def test_outputs_only_when_completed(api: ApiClient, alice: Tenant, store: MemoryStore) -> None:
    output: dict[str, Any] = {"output_store_id": store.id, "ended_at": NOW}
    (done,) = make(alice, store, status=Status.COMPLETED, files_touched=["/a.md"], **output)
    (unnamed,) = make(alice, store, status=Status.COMPLETED, **output)
    (canceled,) = make(alice, store, status=Status.CANCELED, **output)
    shown = {"type": "memory_store", "memory_store_id": store.id}
    assert api.get(f"/v1/dreams/{done.id}").body["outputs"] == [{**shown, "files_touched": ["/a.md"]}]
    assert api.get(f"/v1/dreams/{unnamed.id}").body["outputs"] == [shown]
    assert api.get(f"/v1/dreams/{canceled.id}").body["outputs"] == []


@pytest.mark.parametrize("path", ["/v1/dreams/drm_0", "/v1/dreams/x", f"/v1/dreams/drm_{'0' * 32}"])
def test_unknown(api: ApiClient, path: str) -> None:
    assert (api.get(path).status, api.get(path).error["type"]) == (404, "not_found_error")


def test_another_workspaces(client: MakeClient, alice: Tenant, bob: Tenant, store: MemoryStore) -> None:
    (dream,) = make(alice, store)
    assert client(bob.admin).get(f"/v1/dreams/{dream.id}").status == 404
    assert ids(client(bob.admin).get("/v1/dreams")) == []


def test_newest_first_in_pages(api: ApiClient, alice: Tenant, store: MemoryStore) -> None:
    newest_first = [dream.id for dream in reversed(make(alice, store, 5))]
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        answer = api.get("/v1/dreams", query)
        seen += ids(answer)
        assert answer.body["has_more"] == (answer.body["next_page"] is not None)
        if not answer.body["has_more"]:
            break
        query["page"] = answer.body["next_page"]
    assert seen == newest_first
    assert ids(api.get("/v1/dreams", {"after_id": newest_first[1]})) == newest_first[2:]
    assert ids(api.get("/v1/dreams", {"before_id": newest_first[2]})) == newest_first[:2]


def test_filters(api: ApiClient, alice: Tenant, store: MemoryStore) -> None:
    (pending,) = make(alice, store, identity_id="idn_a", template_id="tmpl_a")
    (canceled,) = make(alice, store, **ENDED)
    (archived,) = make(alice, store, archived_at=NOW, **ENDED)
    other = MemoryStore.objects.create(workspace=alice.workspace, name="other")
    (elsewhere,) = make(alice, other)
    everything = {pending.id, canceled.id, elsewhere.id}
    assert set(ids(api.get("/v1/dreams"))) == everything
    assert set(ids(api.get("/v1/dreams", {"include_archived": "true"}))) == everything | {archived.id}
    assert ids(api.get("/v1/dreams", {"statuses": "canceled"})) == [canceled.id]
    assert set(ids(api.get("/v1/dreams?statuses[]=pending&statuses[]=canceled"))) == everything
    assert set(ids(api.get("/v1/dreams", {"memory_store_id": store.id}))) == {pending.id, canceled.id}
    assert ids(api.get("/v1/dreams", {"identity_id": "idn_a", "template_id": "tmpl_a"})) == [pending.id]
    assert ids(api.get("/v1/dreams", {"identity_id": "idn_b"})) == []
    assert ids(api.get("/v1/dreams", {"created_at[gt]": NOW.isoformat()})) == []
    assert set(ids(api.get("/v1/dreams", {"created_at[gte]": NOW.isoformat()}))) == everything


@pytest.mark.parametrize(
    "query",
    [
        "statuses=done", "statuses=", "limit=0", "limit=101", "limit=x", "limit=1&limit=2", "page=x", "after_id=drm_x",
        "include_archived=1", "created_at[gt]=yesterday", "colour=red", "page=x&after_id=y", "created_at=2026-01-01",
    ],
)  # fmt: skip
def test_a_bad_query_names_its_key(api: ApiClient, db: None, query: str) -> None:
    answer = api.get(f"/v1/dreams?{query}")
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error"), answer.body
    assert answer.error["param"] in query


def test_beta_is_tolerated(api: ApiClient, db: None) -> None:
    assert api.get("/v1/dreams?beta=true").status == 200


def test_list_takes_a_constant_number_of_queries(
    api: ApiClient, alice: Tenant, store: MemoryStore, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make(alice, store, 3)
    api.get("/v1/dreams")
    with django_assert_num_queries(2):
        api.get("/v1/dreams", {"limit": 100})
    make(alice, store, 97)
    with django_assert_num_queries(2):
        assert len(ids(api.get("/v1/dreams", {"limit": 100}))) == 100
