"""POST …/search: what reaches the backend, and what comes of its hits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries, Settings

from memorystores.models import Memory, PassageVector
from tests.conftest import Answer, ApiClient, Tenant
from tests.memorystores import finder
from tests.memorystores.conftest import Store

REAL = settings.SEARCH_BACKEND


@pytest.fixture(autouse=True)
def _finder(settings: Settings) -> None:
    settings.SEARCH_BACKEND = "tests.memorystores.finder.search"
    finder.calls.clear()


def search(store: Store, query: str = "fox", **body: Any) -> Answer:
    return store.api.post(f"{store.url}/search", {"query": query, **body})


def test_memories_with_score_and_passage(store: Store) -> None:
    short = store.add("a", "one\na fox\n")
    long = store.add("longer", "fox")
    store.add("b", "hare")
    body = search(store).body
    assert body == {
        "data": [
            {**long, "content": None, "score": 7.0, "passage": "fox"},
            {**short, "content": None, "score": 2.0, "passage": "a fox"},
        ],
        "has_more": False,
        "first_id": long["id"],
        "last_id": short["id"],
        "next_page": None,
    }
    full = store.api.post(f"{store.url}/search", {"query": "fox", "limit": 1}, query={"view": "full"}).body
    assert [each["content"] for each in full["data"]] == ["fox"]


def test_what_the_backend_is_asked(store: Store) -> None:
    memory = store.add("a", "fox")
    search(store)
    search(store, mode="lexical", limit=3)
    search(store, mode="semantic")
    first, lexical, semantic = finder.calls
    row = first["rows"][0]
    assert (row.memory_id, row.path, row.sha256, row.text) == (memory["id"], "/a", memory["content_sha256"], "fox")
    assert {key: first[key] for key in first if key != "rows"} == {
        "query": "fox",
        "mode": "hybrid",
        "limit": 20,
        "cache_key": (store.id, 1),
        "allow_semantic": True,
    }
    assert (lexical["mode"], lexical["limit"], semantic["mode"]) == ("lexical", 3, "semantic")


def test_full_finds_no_more_than_a_page_of_texts(store: Store) -> None:
    store.add("a", "fox")
    for view in ("basic", "full"):
        store.api.post(f"{store.url}/search", {"query": "fox", "limit": 100}, query={"view": view})
    assert [call["limit"] for call in finder.calls] == [100, 20]


def test_the_key_moves_with_every_write(store: Store) -> None:
    memory = store.add("a", "fox")
    search(store)
    store.edit(memory, content="a fox")
    search(store)
    assert [call["cache_key"][1] for call in finder.calls] == [1, 2]


def test_no_embedder_sees_a_legal_store(new_store: Callable[..., Store]) -> None:
    store = new_store(trust_tier="legal")
    store.add("a", "fox")
    for mode in ("hybrid", "lexical"):
        assert len(search(store, mode=mode).body["data"]) == 1
    assert [call["allow_semantic"] for call in finder.calls] == [False, False]
    answer = search(store, mode="semantic")
    assert (answer.status, answer.error["param"]) == (400, "mode")
    assert "legal" in answer.error["message"]
    assert len(finder.calls) == 2


def test_kept_sources_only_when_asked(store: Store) -> None:
    source = store.add("source", "fox")
    store.add("a", "fox")
    Memory.objects.filter(id=source["id"]).update(dream_cluster_id="c1")
    assert [each["path"] for each in search(store).body["data"]] == ["/a"]
    assert [each["path"] for each in search(store, include_sources=True).body["data"]] == ["/source", "/a"]
    first, second = (call["cache_key"] for call in finder.calls)
    assert first != second


def test_a_hit_that_is_gone_is_no_result(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add("a", "fox")
    gone = store.add("b", "fox")
    found = finder.search

    def meanwhile(**asked: Any) -> Any:
        store.remove(gone)
        return found(**asked)

    monkeypatch.setattr(finder, "search", meanwhile)
    assert [each["path"] for each in search(store).body["data"]] == ["/a"]


def test_an_empty_store_finds_nothing(store: Store) -> None:
    assert search(store).body["data"] == []
    assert finder.calls == []


def test_an_archived_store_is_searched(store: Store) -> None:
    store.add("a", "fox")
    store.api.post(f"{store.url}/archive")
    assert len(search(store).body["data"]) == 1


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": None}, "query"),
        ({"query": "x" * 4097}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 101}, "limit"),
        ({"query": "x", "limit": "5"}, "limit"),
        ({"query": "x", "mode": "exact"}, "mode"),
        ({"query": "x", "include_sources": "yes"}, "include_sources"),
        ({"query": "x", "page": "y"}, "page"),
    ],
)
def test_refuses(store: Store, body: dict[str, Any], param: str) -> None:
    answer = store.api.post(f"{store.url}/search", body)
    assert (answer.status, answer.error["param"]) == (400, param)


def test_charlie_may_search(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    store.add("a", "fox")
    url, body = f"{store.url}/search", {"query": "fox"}
    assert [client(key).post(url, body).status for key in (charlie, bob.admin, None)] == [200, 404, 401]


def test_the_number_of_queries_does_not_grow(store: Store, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(5):
        store.add(str(number), "fox")
    with django_assert_num_queries(4):  # the key, the store, its texts, the hits
        assert len(search(store).body["data"]) == 5


def test_the_real_backend_behind_the_door(new_store: Callable[..., Store], settings: Settings) -> None:
    settings.SEARCH_BACKEND = REAL
    store = new_store(trust_tier="legal")
    found = store.add("a", "The red fox jumps.\n\nThe port is 80.\n")
    store.add("b", "Hares sleep.")
    (hit,) = search(store, "a fox").body["data"]
    assert {**found, "content": None, "score": hit["score"], "passage": "The red fox jumps."} == hit
    assert PassageVector.objects.count() == 0
