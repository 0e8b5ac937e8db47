"""GET /v1/memory_stores."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from identities.models import Identity, Mount, Template
from memorystores.models import MemoryStore
from memorystores.services.stores import store_archive, store_create, store_delete
from tests.conftest import ApiClient, Tenant

URL = "/v1/memory_stores"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def make(tenant: Tenant, *names: str, **fields: Any) -> list[MemoryStore]:
    """Stores made a day apart, in the order of the names."""
    return [
        store_create(
            workspace_id=tenant.workspace.id,
            fields={"name": name},
            admin=True,
            at=DAY + timedelta(days=number),
            **fields,
        )
        for number, name in enumerate(names)
    ]


@pytest.fixture
def listed(client: Callable[..., ApiClient], alice: Tenant) -> Callable[..., list[str]]:
    """The names that a query finds, over all pages."""

    def names(**query: Any) -> list[str]:
        found: list[str] = []
        page: dict[str, str] = {}
        for _ in range(10):
            body = client(alice.read).get(URL, {**query, **page}).body
            found += [row["name"] for row in body["data"]]
            assert (body["next_page"] is None) == (body["has_more"] is False)
            if not body["has_more"]:
                return found
            page = {"page": body["next_page"]}
        raise AssertionError("the list does not end")

    return names


def test_newest_first_over_pages(alice: Tenant, bob: Tenant, listed: Callable[..., list[str]]) -> None:
    make(alice, *"abcde")
    make(bob, "bobs")
    assert listed() == listed(limit=1) == listed(limit=2) == ["e", "d", "c", "b", "a"]


def test_archived_only_when_asked_deleted_never(alice: Tenant, listed: Callable[..., list[str]]) -> None:
    live, archived, deleted = make(alice, "live", "archived", "deleted")
    store_archive(workspace_id=alice.workspace.id, store_id=archived.id)
    store_delete(workspace_id=alice.workspace.id, store_id=deleted.id)
    assert listed() == listed(include_archived="false") == [live.name]
    assert listed(include_archived="true") == ["archived", "live"]


def test_filters(alice: Tenant, listed: Callable[..., list[str]]) -> None:
    make(alice, "a", "b", "c")
    make(alice, "auto", system_managed=True)
    assert listed(name="b") == ["b"]
    assert listed(name="B") == []
    assert listed(system_managed="true") == ["auto"]
    assert listed(system_managed="false") == ["c", "b", "a"]
    assert listed(**{"created_at[gte]": "2026-03-02T00:00:00Z"}) == ["c", "b"]
    assert listed(**{"created_at[gt]": "2026-03-02T00:00:00Z", "created_at[lt]": "2026-03-04T00:00:00"}) == ["c"]
    assert listed(**{"created_at[lte]": "2026-03-01T01:00:00+01:00", "name": "a"}) == ["a"]


def test_after_and_before_an_id(client: Callable[..., ApiClient], alice: Tenant) -> None:
    rows = make(alice, *"abcde")
    api = client(alice.read)
    after = api.get(URL, {"after_id": rows[3].id, "limit": 2}).body
    assert ([row["name"] for row in after["data"]], after["has_more"]) == (["c", "b"], True)
    assert (after["first_id"], after["last_id"]) == (rows[2].id, rows[1].id)
    before = api.get(URL, {"before_id": rows[1].id, "limit": 2}).body
    assert ([row["name"] for row in before["data"]], before["has_more"]) == (["d", "c"], True)


@pytest.mark.parametrize(
    "query",
    [
        {"include_archived": "yes"},
        {"system_managed": "1"},
        {"created_at[gte]": "yesterday"},
        {"limit": 0},
        {"limit": 101},
        {"page": "x"},
        {"after_id": "mem_1"},
        {"colour": "red"},
        {"view": "full"},
    ],
)
def test_refuses(client: Callable[..., ApiClient], alice: Tenant, query: dict[str, Any]) -> None:
    answer = client(alice.read).get(URL, query)
    assert (answer.status, answer.error["param"]) == (400, next(iter(query)))


def test_the_number_of_queries_does_not_grow(
    client: Callable[..., ApiClient], alice: Tenant, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    template = Template.objects.create(workspace=alice.workspace, name="helper")
    for row in make(alice, *"abcde"):
        identity = Identity.objects.create(workspace=alice.workspace, external_id=row.name)
        Mount.objects.create(identity=identity, template=template, store=row, access="read_write")
    with django_assert_num_queries(2):  # the key, the page
        body = client(alice.read).get(URL).body
    assert [row["binding_info"]["identity_template_count"] for row in body["data"]] == [1] * 5


def test_nobody_gets_nothing(client: Callable[..., ApiClient], bob: Tenant, alice: Tenant) -> None:
    make(alice, "a")
    assert client(None).get(URL).status == 401
    assert client(bob.read).get(URL).body == {
        "data": [],
        "has_more": False,
        "first_id": None,
        "last_id": None,
        "next_page": None,
    }
