from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import ApiClient
from tests.identities.conftest import Made, PairIds, read_pages


@pytest.fixture
def mounted(api: ApiClient, pair: PairIds, store: Callable[..., str]) -> list[str]:
    """The pair's stores in the order in which they are to be listed: the default in between came first."""
    ids = [store(f"s{n}") for n in range(4)]
    for store_id in ids[:2]:
        api.post(f"{pair.url}/memory_stores", {"memory_store_id": store_id})
    api.put(f"{pair.url}/default_memory", {"memory_store_id": ids[2]})
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": ids[3]})
    return [ids[2], ids[3], ids[1], ids[0]]


def test_the_default_first_then_newest(reader: ApiClient, pair: PairIds, mounted: list[str]) -> None:
    answer = reader.get(f"{pair.url}/memory_stores")
    assert [each["memory_store_id"] for each in answer.body["data"]] == mounted
    assert [each["access"] for each in answer.body["data"]] == ["read_write"] + ["read_only"] * 3
    envelope = {key: answer.body[key] for key in ("has_more", "first_id", "last_id", "next_page")}
    assert envelope == {"has_more": False, "first_id": None, "last_id": None, "next_page": None}


def test_pages_one_by_one(api: ApiClient, pair: PairIds, mounted: list[str]) -> None:
    pages = read_pages(api, f"{pair.url}/memory_stores", {"limit": "1"})
    assert [each["memory_store_id"] for each in pages] == mounted


def test_other_pairs_have_their_own(
    api: ApiClient, bobs: ApiClient, made: Made, pair: PairIds, mounted: list[str]
) -> None:
    other = made("identities", external_id="bo")
    url = f"/v1/identities/{other['id']}/templates/{pair.template_id}/memory_stores"
    assert api.get(url).body["data"] == []
    assert bobs.get(f"{pair.url}/memory_stores").status == 404


def test_a_cursor_of_another_pair_is_refused(api: ApiClient, made: Made, pair: PairIds, mounted: list[str]) -> None:
    other = made("identities", external_id="bo")
    page = api.get(f"{pair.url}/memory_stores", {"limit": "1"}).body["next_page"]
    url = f"/v1/identities/{other['id']}/templates/{pair.template_id}/memory_stores"
    assert api.get(url, {"page": page}).status == 400
