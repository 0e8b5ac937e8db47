from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from workers.engine.retrieval import LEXICAL_WEIGHT, Index, Mode, prepare, rank
from workers.engine.terms import terms
from workers.engine.values import Vectors

MODES: tuple[Mode, ...] = ("hybrid", "semantic", "lexical")


def index(**memories: list[str]) -> Index:
    return Index((memory_id, prepare([(text, "") for text in texts])) for memory_id, texts in memories.items())


def found(query: str, store: Index) -> list[tuple[str, int]]:
    return [(hit.memory_id, hit.passage) for hit in rank(query, store, mode="lexical")]


NOTES = index(
    a=["The gateway times out after 30 s.", "Redis caches the sessions."],
    b=["用户喜欢喝咖啡。", "用户住在上海。"],
    c=["Café menus are printed on Mondays."],
    d=["사용자는 커피를 좋아한다."],
    e=[],
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("session cache", [("a", 1)]),
        ("GATEWAY", [("a", 0)]),
        ("cafe menu", [("c", 0)]),
        ("咖啡", [("b", 0)]),
        ("海", [("b", 1)]),
        ("커피", [("d", 0)]),
        ("30", [("a", 0)]),
        ("nowhere", []),
        ("", []),
        ("…", []),
    ],
)
def test_words_find_the_best_passage_of_each_memory(query: str, expected: list[tuple[str, int]]) -> None:
    assert found(query, NOTES) == expected


def test_words_of_the_place_find_a_passage_but_do_not_make_it_longer() -> None:
    store = Index(
        [
            ("a", prepare([("Port 80.", "/staging.md Staging"), ("Port 81.", "/staging.md Production")])),
            ("b", prepare([("Port 82.", "")])),
        ]
    )
    assert found("production port", store)[0] == ("a", 1)
    port = {hit.memory_id: hit.lexical for hit in rank("port", store, mode="lexical")}
    assert port["a"] == port["b"]


def by_definition(query: str, passages: list[str], *, k1: float = 1.2, b: float = 0.75) -> list[float]:
    counted = [Counter(terms(text)) for text in passages]
    mean = sum(each.total() for each in counted) / len(counted)
    scores, most = [0.0] * len(passages), 0.0
    for term in terms(query):
        holding = sum(term in each for each in counted)
        weight = math.log(1 + (len(passages) - holding + 0.5) / (holding + 0.5))
        most += weight * (k1 + 1)
        for i, each in enumerate(counted):
            tf = each[term]
            scores[i] += weight * tf * (k1 + 1) / (tf + k1 * (1 - b + b * each.total() / mean))
    return [score / most for score in scores]


def test_lexical_scores_are_bm25_as_a_share_of_the_best_possible() -> None:
    passages = ["red red fox", "red dog and a very long tail of other words", "blue fox", "nothing here", "fox"]
    query = "red fox fox unseen"
    store = index(a=passages[:2], b=passages[2:])
    assert store.lexical(query) == pytest.approx(by_definition(query, passages))


def circle(*degrees: float) -> Vectors:
    """Unit vectors in the plane; the first axis is the query."""
    return np.array([(math.cos(math.radians(d)), math.sin(math.radians(d))) for d in degrees], dtype=np.float32)


QUERY_VECTOR = circle(0)[0]


def test_meaning_ranks_by_cosine_and_passes_over_what_is_unrelated() -> None:
    store = index(a=["one", "two"], b=["three"], c=["four"])
    vectors = circle(80, 20, 10, 40)
    hits = rank("x", store, mode="semantic", vectors=vectors, query_vector=QUERY_VECTOR, unrelated=0.5)
    assert [(hit.memory_id, hit.passage) for hit in hits] == [("b", 0), ("a", 1), ("c", 0)]
    assert hits[0].score == hits[0].semantic == pytest.approx((math.cos(math.radians(10)) - 0.5) / 0.5, abs=1e-6)


def test_in_a_small_store_a_query_far_from_everything_still_finds_the_nearest() -> None:
    store = index(a=["one"], b=["two"], c=["three"])
    hits = rank("x", store, mode="semantic", vectors=circle(70, 40, 80), query_vector=QUERY_VECTOR, unrelated=0.9)
    middle = math.cos(math.radians(70))
    assert [hit.memory_id for hit in hits] == ["b"]
    assert hits[0].score == pytest.approx((math.cos(math.radians(40)) - middle) / (1 - middle), abs=1e-6)


def test_from_twenty_passages_the_query_itself_says_what_is_unrelated() -> None:
    store = index(a=["one"], b=["two"] * 30)
    vectors = circle(30, *[60] * 30)
    hits = rank("x", store, mode="semantic", vectors=vectors, query_vector=QUERY_VECTOR, unrelated=0.0)
    assert [hit.memory_id for hit in hits] == ["a"]
    assert hits[0].score == pytest.approx((math.cos(math.radians(30)) - 0.5) / 0.5, abs=1e-6)


def test_hybrid_is_the_weighed_sum_of_both() -> None:
    store = index(a=["red fox"], b=["grey wolf"], c=["slow snail"])
    hits = rank("red fox", store, vectors=circle(80, 0, 90), query_vector=QUERY_VECTOR, unrelated=0.5)
    by_id = {hit.memory_id: hit for hit in hits}
    assert set(by_id) == {"a", "b"}
    assert by_id["a"].score == pytest.approx(LEXICAL_WEIGHT * by_id["a"].lexical)
    assert by_id["a"].lexical > 0
    assert by_id["b"].score == pytest.approx((1 - LEXICAL_WEIGHT) * 1.0)


def test_a_passage_without_a_vector_is_found_by_its_words_only() -> None:
    store = index(a=["red fox"], b=["grey wolf"])
    vectors = np.zeros((2, 2), dtype=np.float32)
    hits = rank("red fox", store, vectors=vectors, query_vector=QUERY_VECTOR, unrelated=0.5)
    assert [(hit.memory_id, hit.semantic) for hit in hits] == [("a", None)]
    assert rank("red fox", store, mode="semantic", vectors=vectors, query_vector=QUERY_VECTOR) == []


def test_without_vectors_hybrid_goes_by_words_and_meaning_finds_nothing() -> None:
    assert [hit.memory_id for hit in rank("redis", NOTES)] == ["a"]
    assert rank("redis", NOTES, mode="semantic") == []


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_store_and_no_limit(mode: Mode) -> None:
    vectors = np.empty((0, 2), dtype=np.float32)
    assert rank("x", Index([]), mode=mode, vectors=vectors, query_vector=QUERY_VECTOR) == []
    assert rank("redis", NOTES, mode=mode, limit=0) == []


def test_the_limit_and_the_order_of_equals() -> None:
    store = index(**{name: ["the same words"] for name in "dbac"})
    assert [hit.memory_id for hit in rank("same", store, mode="lexical", limit=3)] == ["a", "b", "c"]


def test_scores_fall_and_lie_between_nothing_and_one() -> None:
    hits = rank("the gateway caches cafe menus", NOTES, mode="lexical")
    assert len(hits) >= 2
    assert all(first.score >= second.score for first, second in pairwise(hits))
    assert all(0 < hit.score <= 1 for hit in hits)
