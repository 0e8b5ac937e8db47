from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from identities.models import Identity
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


def test_searches_in_any_case_of_any_script(api: ApiClient, made: Made) -> None:
    emile = made("identities", external_id="U-1", name="Émile Straße")["id"]
    zoe = made("identities", external_id="ζωή")["id"]
    for text in ("ÉMILE", "e\u0301mile", "STRASSE", "u-1"):
        assert listed(api, {"search": text}) == [emile], text
    assert listed(api, {"search": "ΖΩΉ"}) == [zoe]
    made(f"identities/{zoe}", name="ŁUKASZ")
    assert (listed(api, {"search": "łukasz"}), listed(api, {"search": "ΖΩΉ"})) == ([zoe], [zoe])
    made(f"identities/{zoe}", external_id="other")
    assert (listed(api, {"search": "łukasz"}), listed(api, {"search": "ΖΩΉ"})) == ([zoe], [])


def test_a_search_stays_within_a_name(api: ApiClient, made: Made) -> None:
    made("identities", external_id="bo", name="Ana")
    assert listed(api, {"search": "a\nb"}) == []


def test_what_was_there_before_can_be_searched(api: ApiClient, ids: list[str]) -> None:
    Identity.objects.update(searched="")
    assert listed(api, {"search": "ana"}) == []
    import_module("identities.migrations.0002_searched").fill(apps, connection.schema_editor())
    assert listed(api, {"search": "ana"}) == ids[:1]


@pytest.mark.parametrize(
    ("query", "param"),
    [({"enabled": "yes"}, "enabled"), ({"limit": "0"}, "limit"), ({"order": "asc"}, "order"), ({"page": "x"}, "page")],
)
def test_a_bad_query_names_its_key(api: ApiClient, query: Mapping[str, str], param: str) -> None:
    answer = api.get("/v1/identities", query)
    assert (answer.status, answer.error["param"]) == (400, param)
