from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.engine.clusters import ClusterItem, ClusterResult, clusters
from workers.engine.linkage import Bounds, link, mean_cosine
from workers.engine.similarity import Script, cosine_at, similarity_of
from workers.engine.values import Policy, Vectors

POLICY = Policy()
B = 0.0


def item(i: int, tokens: int = 20) -> ClusterItem:
    return ClusterItem(memory_id=f"mem_{i:04d}", index=0, canonical=f"text {i:04d}", tokens=tokens)


def items(n: int, tokens: int = 20) -> list[ClusterItem]:
    return [item(i, tokens) for i in range(n)]


def topics(sizes: Sequence[int], similarity: float) -> Vectors:
    """Rows of one topic have exactly this similarity (at baseline 0) to each other, rows of two topics cosine 0."""
    cosine, dim = cosine_at(similarity, B), sum(sizes) + len(sizes)
    rows, spare = [], len(sizes)
    for topic, size in enumerate(sizes):
        for _ in range(size):
            row = np.zeros(dim)
            row[topic], row[spare] = np.sqrt(cosine), np.sqrt(1 - cosine)
            rows.append(row)
            spare += 1
    return np.array(rows, dtype=np.float32)


def noisy(n: int, centres: int, noise: float, seed: int = 3) -> Vectors:
    rng = np.random.default_rng(seed)
    middle = rng.standard_normal((centres, 24))
    rows = middle[rng.integers(centres, size=n)] + noise * rng.standard_normal((n, 24))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def members(result: ClusterResult) -> list[list[int]]:
    return [sorted(int(each.memory_id[4:]) for each in cluster.members) for cluster in result.clusters]


def test_three_of_one_matter_are_a_cluster_and_know_their_mean_similarity() -> None:
    result = clusters(items(4), topics([3, 1], 0.8), B, POLICY)
    assert members(result) == [[0, 1, 2]]
    assert result.clusters[0].similarity == pytest.approx(0.8, abs=1e-6)
    assert (result.clusters[0].tokens, result.clusters[0].expected_saving, result.left) == (60, 40, 0)


@pytest.mark.parametrize(("similarity", "found"), [(0.74, 0), (0.84, 0), (0.86, 1), (0.96, 1)])
def test_a_pair_is_enough_only_in_the_review_band(similarity: float, found: int) -> None:
    assert len(clusters(items(2), topics([2], similarity), B, POLICY).clusters) == found


@pytest.mark.parametrize(("similarity", "found"), [(0.74, 0), (0.76, 1)])
def test_three_need_the_threshold(similarity: float, found: int) -> None:
    assert len(clusters(items(3), topics([3], similarity), B, POLICY).clusters) == found


def test_a_pair_as_good_as_the_same_comes_before_larger_clusters() -> None:
    vectors = np.zeros((6, 40), dtype=np.float32)
    vectors[:4, :20] = topics([4], 0.8)[:, :5] @ np.eye(5, 20)
    vectors[4:, 20:] = topics([2], 0.96)[:, :3] @ np.eye(3, 20)
    assert members(clusters(items(6), vectors, B, POLICY)) == [[4, 5], [0, 1, 2, 3]]


def test_larger_first_then_expected_saving_then_the_rest_is_counted() -> None:
    found = items(3) + items(4)[3:] + [item(i, tokens=50) for i in range(4, 7)] + [item(i) for i in range(7, 11)]
    result = clusters(found, topics([1, 3, 3, 4], 0.8), B, replace(POLICY, max_clusters=2))
    assert members(result) == [[7, 8, 9, 10], [4, 5, 6]]
    assert result.left == 1


def test_at_most_twenty_members() -> None:
    result = clusters(items(45, tokens=1), noisy(45, 1, 0.05), B, POLICY)
    assert all(len(cluster.members) <= 20 for cluster in result.clusters)
    assert sum(len(cluster.members) for cluster in result.clusters) == 45


@pytest.mark.parametrize(
    "other",
    [replace(item(0), ring="practice"), replace(item(0), trust="inferred"), replace(item(0), group="protected")],
)
def test_what_must_stay_apart_is_never_in_one_cluster(other: ClusterItem) -> None:
    odd = [replace(other, memory_id=each.memory_id, canonical=each.canonical) for each in items(8)]
    mixed = [odd[i] if i % 2 else each for i, each in enumerate(items(8))]
    everything = [(a.key, b.key) for a, b in combinations(mixed, 2)]
    for result in (
        clusters(mixed, topics([8], 0.9), B, POLICY),
        clusters(mixed, None, B, POLICY, everything),
        clusters(mixed, topics([8], 0.9), B, POLICY, everything, one_request=True),
    ):
        assert sorted(members(result)) == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_each_script_has_its_own_baseline_and_its_own_clusters() -> None:
    mixed = [replace(each, script="han") if i >= 3 else each for i, each in enumerate(items(6))]
    b: dict[Script, float] = {"latin": 0.0, "han": 0.7}
    result = clusters(mixed, topics([6], 0.8), b, POLICY)
    assert members(result) == [[0, 1, 2]]
    assert clusters(mixed, topics([6], 0.95), b, POLICY).left == 0
    assert sorted(members(clusters(mixed, topics([6], 0.95), b, POLICY))) == [[0, 1, 2], [3, 4, 5]]


@given(st.integers(0, 10_000), st.integers(0, 10_000))
@settings(max_examples=40)
def test_the_order_of_items_does_not_matter(seed: int, shuffle: int) -> None:
    found, vectors = items(60, tokens=130), noisy(60, 9, 0.25, seed)
    conflicts = [(found[0].key, found[1].key), (found[5].key, found[40].key)]
    order = list(range(60))
    random.Random(shuffle).shuffle(order)
    shuffled = [found[i] for i in order]
    assert clusters(shuffled, vectors[order], B, POLICY, reversed(conflicts)) == clusters(
        found, vectors, B, POLICY, conflicts
    )


@given(st.integers(0, 10_000), st.floats(0.1, 0.5))
@settings(max_examples=40)
def test_every_cluster_keeps_the_mean_inside_and_no_member_is_in_two(seed: int, noise: float) -> None:
    vectors = noisy(80, 10, noise, seed)
    result = clusters(items(80, tokens=1), vectors, B, replace(POLICY, max_clusters=99))
    for cluster, positions in zip(result.clusters, members(result), strict=True):
        products = vectors[positions] @ vectors[positions].T
        inside = products[np.triu_indices(len(positions), 1)].mean()
        assert cluster.similarity is not None
        assert cluster.similarity == pytest.approx(similarity_of(float(inside), B), abs=1e-5)
        assert cluster.similarity >= 0.75 - 1e-6
        assert len(positions) >= 3 or cluster.similarity >= 0.85 - 1e-6
    flat = [i for positions in members(result) for i in positions]
    assert len(flat) == len(set(flat))


def by_definition(vectors: Vectors, edges: set[tuple[int, int]], floor: float, most: int) -> list[list[int]]:
    """Group-average linkage as the textbook has it: look at all unions every time."""
    groups = [[i] for i in range(len(vectors))]
    while True:
        best = None
        for a, b in combinations(groups, 2):
            joined = any((min(i, j), max(i, j)) in edges for i in a for j in b)
            if joined and len(a) + len(b) <= most:
                mean = mean_cosine(vectors[a + b])
                if mean >= floor and (best is None or mean > best[0]):
                    best = (mean, a, b)
        if best is None:
            return sorted(groups)
        groups = [group for group in groups if group not in best[1:]] + [sorted(best[1] + best[2])]


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_linkage_is_group_average_linkage(seed: int) -> None:
    vectors = noisy(24, 4, 0.4, seed)
    rng = np.random.default_rng(seed)
    edges = {(i, j) for i, j in combinations(range(24), 2) if rng.random() < 0.3}
    found = link(vectors, edges, (), [1] * 24, Bounds(min_mean=0.6, max_members=6))
    assert found == by_definition(vectors, edges, 0.6, 6)


def test_a_conflict_is_a_cluster_however_dissimilar_and_of_two() -> None:
    found = items(5)
    result = clusters(found, topics([1] * 5, 0.9), B, POLICY, [(found[3].key, found[1].key)])
    assert members(result) == [[1, 3]]
    assert result.clusters[0].conflicts == ((found[1].key, found[3].key),)


def test_a_conflict_goes_with_its_cluster() -> None:
    found = items(4)
    result = clusters(found, topics([4], 0.9), B, POLICY, [(found[0].key, found[1].key)])
    assert members(result) == [[0, 1, 2, 3]]
    assert result.clusters[0].conflicts == ((found[0].key, found[1].key),)


def test_conflicts_need_no_vectors_and_unknown_keys_are_passed_over() -> None:
    found = items(3)
    conflicts = [(found[0].key, found[2].key), (found[1].key, ("mem_gone", 0))]
    result = clusters(found, None, B, POLICY, conflicts)
    assert members(result) == [[0, 2]]
    assert result.clusters[0].similarity is None


def test_conflicts_of_more_than_a_request_lose_nobody() -> None:
    found = items(30, tokens=1)
    star = [(found[0].key, each.key) for each in found[1:]]
    result = clusters(found, topics([1] * 30, 0.9), B, POLICY, star)
    seen = [i for positions in members(result) for i in positions]
    assert sorted([*seen, *(int(each.memory_id[4:]) for each in result.unpaired)]) == list(range(30))
    assert all(len(cluster.members) <= 20 for cluster in result.clusters)


@given(st.lists(st.integers(1, 900), min_size=3, max_size=20), st.integers(0, 1000))
@settings(max_examples=60)
def test_a_cluster_over_the_budget_is_split_and_no_member_is_lost(tokens: list[int], seed: int) -> None:
    found = [item(i, size) for i, size in enumerate(tokens)]
    vectors = noisy(len(found), 1, 0.1, seed)
    result = clusters(found, vectors, B, POLICY)
    seen = [i for positions in members(result) for i in positions]
    alone = [int(each.memory_id[4:]) for each in result.unpaired]
    assert sorted(seen + alone) == list(range(len(found)))
    assert all(cluster.tokens <= POLICY.max_input_tokens for cluster in result.clusters)
    if sum(tokens) > POLICY.max_input_tokens:
        assert len({cluster.part_of for cluster in result.clusters}) <= 1
        assert all(cluster.part_of not in (None, cluster.id) for cluster in result.clusters)
        # No two parts would have fitted one request together: nothing was split for no reason.
        sizes = sorted([cluster.tokens for cluster in result.clusters] + [tokens[i] for i in alone])
        assert sizes[0] + sizes[1] > POLICY.max_input_tokens


def test_a_part_may_be_a_pair_though_a_cluster_may_not() -> None:
    result = clusters(items(4, tokens=700), topics([4], 0.8), B, POLICY)
    assert [len(cluster.members) for cluster in result.clusters] == [2, 2]
    assert result.unpaired == ()


def test_a_member_that_no_request_holds_is_named() -> None:
    found = [item(0, 1600), item(1, 20), item(2, 20)]
    result = clusters(found, topics([3], 0.8), B, POLICY)
    assert members(result) == [[1, 2]]
    assert result.unpaired == (found[0],)


def test_a_store_that_fits_one_request_is_one_cluster_with_a_model() -> None:
    found, vectors = items(6), topics([1] * 6, 0.9)
    assert clusters(found, vectors, B, POLICY).clusters == ()
    assert members(clusters(found, vectors, B, POLICY, one_request=True)) == [[0, 1, 2, 3, 4, 5]]
    assert members(clusters(found, None, B, POLICY, one_request=True)) == [[0, 1, 2, 3, 4, 5]]
    assert clusters(found[:1], None, B, POLICY, one_request=True).clusters == ()


@pytest.mark.parametrize("found", [items(21), items(6, tokens=300)])
def test_a_store_over_one_request_is_clustered_with_a_model_too(found: list[ClusterItem]) -> None:
    vectors = topics([1] * len(found), 0.9)
    assert clusters(found, vectors, B, POLICY, one_request=True) == ClusterResult()


def test_of_equal_texts_only_the_first_takes_part_unless_in_conflict() -> None:
    found = [replace(each, canonical="the same") if i < 4 else each for i, each in enumerate(items(6))]
    vectors = topics([6], 0.9)
    assert members(clusters(found, vectors, B, POLICY)) == [[0, 4, 5]]
    assert members(clusters(found, vectors, B, POLICY, [(found[2].key, found[5].key)])) == [[0, 2, 4, 5]]


def test_the_id_of_a_cluster_depends_on_its_texts_only() -> None:
    renamed = [replace(each, memory_id=f"mem_{9 - i:04d}") for i, each in enumerate(items(3))]
    ids = {clusters(each, topics([3], 0.8), B, POLICY).clusters[0].id for each in (items(3), renamed)}
    assert len(ids) == 1
    other = [*items(2), replace(item(2), canonical="another")]
    assert clusters(other, topics([3], 0.8), B, POLICY).clusters[0].id not in ids


def test_nothing_gives_nothing() -> None:
    assert clusters([], np.empty((0, 4), dtype=np.float32), B, POLICY) == ClusterResult()
    assert clusters([], None, B, POLICY, one_request=True) == ClusterResult()
