"""Query strings: strict values, known keys, ranges and arrays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from dreamsvc.models import ApiKey
from tests.conftest import Answer, ApiClient, Tenant
from tests.platform.probe import ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]


@pytest.fixture
def items(alice: Tenant) -> None:
    """One row per year from 2020 to 2024, named by it; 2022 is archived."""
    for year in range(2020, 2025):
        row = ApiKey.objects.create(workspace=alice.workspace, name=str(year), scope="read", digest=str(year))
        ApiKey.objects.filter(id=row.id).update(created_at=datetime(year, 1, 1, tzinfo=UTC))
    ApiKey.objects.filter(name="2022").update(revoked_at=timezone.now())
    ApiKey.objects.filter(name="2023").update(scope="write")


def names(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [row["name"] for row in answer.body["data"] if row["name"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["2024", "2023", "2021", "2020"]),
        ("include_archived=true", ["2024", "2023", "2022", "2021", "2020"]),
        ("include_archived=false", ["2024", "2023", "2021", "2020"]),
        ("created_at[gt]=2023-01-01T00:00:00Z", ["2024"]),
        ("created_at[gte]=2023-01-01T00:00:00Z&created_at[lte]=2024-01-01T00:00:00Z", ["2024", "2023"]),
        ("created_at%5Blt%5D=2021-01-01T00:00:00Z", ["2020"]),
        ("created_at[lt]=2021-01-01T01:00:00%2B01:00", ["2020"]),
        ("created_at[lte]=2021-01-01T00:00:00", ["2021", "2020"]),
        ("name=2021", ["2021"]),
        ("name=", []),
        ("names=2020&names=2024&names=none", ["2024", "2020"]),
        ("names[]=2020&names=2024", ["2024", "2020"]),
        ("scopes=write", ["2023"]),
        ("scopes=write&scopes=admin", ["2023"]),
        ("scopes[]=write&scopes[]=write", ["2023"]),
        ("scopes%5B%5D=write", ["2023"]),
        ("scope=write", ["2023"]),
        ("beta=true", ["2024", "2023", "2021", "2020"]),
        ("beta=true&beta=x", ["2024", "2023", "2021", "2020"]),
    ],
)
def test_what_a_query_finds(items: None, alice: Tenant, client: Connect, query: str, expected: list[str]) -> None:
    assert names(client(alice.read).get(f"{ITEMS}?{query}&limit=100")) == expected


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("include_archived=True", "include_archived"),
        ("include_archived=1", "include_archived"),
        ("include_archived=", "include_archived"),
        ("include_archived=true&include_archived=true", "include_archived"),
        ("created_at[gt]=yesterday", "created_at[gt]"),
        ("created_at[gt]=2023-01-01", "created_at[gt]"),
        ("created_at[gt]=2023-13-01T00:00:00Z", "created_at[gt]"),
        ("created_at[gt]=2023-01-01T00:00:00+01:00", None),  # a plus is a space here
        ("created_at[gt]=", "created_at[gt]"),
        ("created_at[gt]=0001-01-01T00:00:00%2B14:00", "created_at[gt]"),
        ("created_at[eq]=2023-01-01T00:00:00Z", "created_at[eq]"),
        ("created_at=2023-01-01T00:00:00Z", "created_at"),
        ("scopes=root", "scopes"),
        ("scopes=", "scopes"),
        ("scopes=read&scopes=root", "scopes"),
        ("scopes[]=root", "scopes"),
        ("scopes=read,write", "scopes"),
        ("scope=read&scope=write", "scope"),
        ("name=a&name=b", "name"),
        ("unknown=1", "unknown"),
        ("Limit=1", "Limit"),
        ("beta[]=1", "beta[]"),
        ("x=1&limit=0", "x"),
    ],
)
def test_a_bad_query(items: None, alice: Tenant, client: Connect, query: str, param: str | None) -> None:
    answer = client(alice.read).get(f"{ITEMS}?{query}")
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")
    if param:
        assert answer.error["param"] == param
        assert answer.error["message"].startswith(f"{param}: ")


def test_a_query_of_too_many_keys_tells_no_setting(items: None, alice: Tenant, client: Connect) -> None:
    answer = client(alice.read).get(f"{ITEMS}?{'&'.join(['limit=1'] * 2000)}")
    assert answer.status == 400
    assert answer.error["message"] == "the query has too many parameters"


def test_lists_keys_are_unknown_elsewhere(alice: Tenant, client: Connect) -> None:
    assert client(alice.write).post(ITEMS, {"name": "a"}, {"limit": 1}).error["param"] == "limit"
    assert client(alice.read).get(f"{ITEMS}/x", {"scopes": "read"}).error["param"] == "scopes"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {}),
        ("shout=true&times=3", {"shout": "True", "times": "3"}),
        ("shout=false", {"shout": "False"}),
        ("since=2026-01-02T03:04:05", {"since": "2026-01-02 03:04:05+00:00"}),
        ("beta=1&times=1", {"times": "1"}),
    ],
)
def test_a_query_serializer(alice: Tenant, client: Connect, query: str, expected: dict[str, str]) -> None:
    assert client(alice.read).get(f"{ITEMS}/x?{query}").body["query"] == expected


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("shout=yes", "shout"),
        ("shout=", "shout"),
        ("times=0", "times"),
        ("times=4", "times"),
        ("times=1.0", "times"),
        ("times=1&times=1", "times"),
        ("times=--1", "times"),
        ("times=" + "1" * 5000, "times"),
        ("since=now", "since"),
        ("limit=1", "limit"),
    ],
)
def test_a_query_serializer_is_strict(alice: Tenant, client: Connect, query: str, param: str) -> None:
    answer = client(alice.read).get(f"{ITEMS}/x?{query}")
    assert (answer.status, answer.error["param"]) == (400, param)
