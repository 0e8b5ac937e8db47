from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.conftest import ApiClient
from tests.identities.conftest import Made

NAMES = ("ana", "bo", "cy")


@pytest.fixture
def ids(made: Made) -> list[str]:
    """Ana, Bo (disabled) and Cy, in the order in which they were made."""
    return [
        made("identities", external_id=f"u-{name}", name=name.title(), enabled=name != "bo")["id"] for name in NAMES
    ]


def listed(api: ApiClient, query: Mapping[str, Any] | None = None) -> list[str]:
    answer = api.get("/v1/identities", query)
    assert answer.status == 200, answer.body
    return [each["id"] for each in answer.body["data"]]


def test_newest_first_and_only_ours(api: ApiClient, bobs: ApiClient, ids: list[str]) -> None:
    assert listed(api) == ids[::-1]
    assert listed(bobs) == []


def test_pages(api: ApiClient, ids: list[str]) -> None:
    first = api.get("/v1/identities", {"limit": 2}).body
    assert ([each["id"] for each in first["data"]], first["has_more"]) == (ids[:0:-1], True)
    assert listed(api, {"limit": 2, "page": first["next_page"]}) == ids[:1]
    assert listed(api, {"after_id": ids[1]}) == ids[:1]


def test_filters(api: ApiClient, ids: list[str]) -> None:
    ana, bo, cy = ids
    assert listed(api, {"external_id": "u-ana"}) == [ana]
    assert listed(api, {"external_id": "u-"}) == []
    assert listed(api, {"identity_ids": [ana, cy]}) == [cy, ana]
    assert listed(api, {"identity_ids[]": bo}) == [bo]
    assert listed(api, {"enabled": "false"}) == [bo]
    assert listed(api, {"enabled": "true"}) == [cy, ana]
    assert listed(api, {"search": "BO"}) == [bo]
    assert listed(api, {"search": "u-c"}) == [cy]
    assert listed(api, {"search": "%"}) == [], "no wild card"
    assert listed(api, {"search": "x" * 60_000}) == [], "longer than any name"


@pytest.mark.parametrize(
    ("query", "param"),
    [({"enabled": "yes"}, "enabled"), ({"limit": "0"}, "limit"), ({"order": "asc"}, "order"), ({"page": "x"}, "page")],
)
def test_a_bad_query_names_its_key(api: ApiClient, query: Mapping[str, str], param: str) -> None:
    answer = api.get("/v1/identities", query)
    assert (answer.status, answer.error["param"]) == (400, param)
