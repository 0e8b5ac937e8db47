from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine import similarity
from workers.engine.similarity import (
    Neighbours,
    Script,
    baseline,
    baselines,
    calibrated,
    cosine_at,
    neighbours,
    scale,
    script,
    similarity_of,
)
from workers.engine.values import Calibration, Vectors

SEED = 7


def unit(vectors: np.ndarray) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def random_vectors(n: int, dim: int = 16, *, seed: int = 1, shift: float = 0.0) -> Vectors:
    return unit(np.random.default_rng(seed).standard_normal((n, dim)) + shift)


@pytest.mark.parametrize(("way", "expected"), [(0.0, 0.375), (0.6, 0.75), (0.76, 0.85), (0.92, 0.95), (1.0, 1.0)])
def test_the_documented_thresholds_lie_where_they_were_measured(way: float, expected: float) -> None:
    b = 0.81
    assert similarity_of(b + (1 - b) * way, b) == pytest.approx(expected)


def test_a_cosine_rounded_above_one_is_no_more_than_equal() -> None:
    assert scale(np.array([1.0000002, 0.5], dtype=np.float32), 0.5).tolist() == [1.0, 0.375]


@given(st.floats(0.375, 1.0), st.floats(-0.5, 0.95))
def test_cosine_at_undoes_the_scale(value: float, b: float) -> None:
    assert similarity_of(cosine_at(value, b), b) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gateway times out.", "latin"),
        ("Straße, Größe und Übermut", "latin"),
        ("用户喜欢喝咖啡。", "han"),
        ("用户在生产环境使用 PostgreSQL", "han"),
        ("ユーザーはコーヒーが好きです。", "kana"),
        ("会議は火曜日の午後です", "kana"),
        ("사용자는 커피를 좋아한다.", "hangul"),
        ("Пользователь любит кофе.", "other"),
        ("Deploy with kubectl, see 部署", "latin"),
        ("2024-01-01 12:30", "other"),
        ("", "other"),
    ],
)
def test_script_of_a_text(text: str, expected: Script) -> None:
    assert script(text) == expected


@dataclass
class Cosines:
    """An embedder of which only its id and its table matter here."""

    baselines: Mapping[str, float]
    id: str = "cosines-1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


UNEVEN = Cosines({"latin": 0.8, "han": 0.86, "other": 0.8})
EVEN = Cosines({"latin": 0.1, "han": 0.11, "other": 0.1})


def latin(vectors: Vectors, known: Calibration | None = None, embedder: Cosines = UNEVEN) -> Calibration:
    return calibrated(vectors, ["latin"] * len(vectors), embedder, known, seed=SEED)


def test_too_few_passages_have_no_baseline_of_their_own() -> None:
    assert latin(random_vectors(19)).baselines == {}
    assert latin(random_vectors(20)).baselines["latin"].passages == 20


def test_copies_and_empty_texts_do_not_count_as_passages() -> None:
    nineteen = random_vectors(19)
    padded = np.concatenate([nineteen, nineteen, np.zeros((5, 16), dtype=np.float32)])
    assert latin(padded).baselines == {}


def test_a_baseline_holds_until_the_store_has_doubled() -> None:
    vectors = random_vectors(80, shift=0.4)
    before = latin(vectors[:40])
    assert latin(vectors[:79], before) == before
    doubled = latin(vectors, before).baselines["latin"]
    assert doubled.passages == 80
    assert doubled != before.baselines["latin"]


def test_the_baseline_of_another_embedder_is_not_used() -> None:
    before = latin(random_vectors(40, shift=0.4))
    other = latin(random_vectors(40), before, replace(UNEVEN, id="cosines-2"))
    assert other == latin(random_vectors(40), None, replace(UNEVEN, id="cosines-2"))


def test_a_small_store_is_measured_over_all_its_pairs() -> None:
    vectors = random_vectors(89, shift=0.5)
    every_pair = (vectors @ vectors.T)[np.triu_indices(89, 1)]
    assert baseline(vectors, seed=1) == pytest.approx(float(np.median(every_pair)), abs=1e-6)
    assert baseline(vectors, seed=1) == pytest.approx(baseline(vectors, seed=2), abs=1e-12)


def test_a_large_store_is_sampled_close_to_its_true_median() -> None:
    vectors = random_vectors(600, shift=0.5)
    every_pair = (vectors @ vectors.T)[np.triu_indices(600, 1)]
    sampled = baseline(vectors, seed=SEED)
    assert sampled == pytest.approx(float(np.median(every_pair)), abs=0.02)
    assert sampled == baseline(vectors, seed=SEED)


@given(st.permutations(range(120)))
def test_the_order_of_passages_does_not_change_the_baseline(order: list[int]) -> None:
    vectors = random_vectors(120, shift=0.3)
    assert latin(vectors[order]) == latin(vectors)


def named(**counts: int) -> list[Script]:
    names: tuple[Script, ...] = ("han", "kana", "latin")
    return [name for name in names for _ in range(counts.get(name, 0))]


def measured(vectors: Vectors, scripts: list[Script], embedder: Cosines) -> dict[Script, float]:
    return baselines(calibrated(vectors, scripts, embedder, None, seed=SEED), scripts, embedder.baselines)


def test_each_script_of_an_uneven_embedder_is_measured_by_itself() -> None:
    near, far = random_vectors(30, seed=2, shift=1.5), random_vectors(30, seed=3, shift=0.2)
    found = measured(np.concatenate([near, far]), named(han=30, latin=30), UNEVEN)
    assert found["han"] > found["latin"] + 0.3
    assert found["latin"] == latin(far).baselines["latin"].cosine


def test_a_script_with_few_passages_takes_the_table() -> None:
    found = measured(random_vectors(34), named(han=3, kana=1, latin=30), UNEVEN)
    assert (found["han"], found["kana"]) == (0.86, 0.8)
    assert found["latin"] not in (0.8, 0.86)


def test_an_even_embedder_is_measured_once_over_all_scripts() -> None:
    vectors = random_vectors(40)
    scripts = named(han=20, latin=20)
    assert len(set(measured(vectors, scripts, EVEN).values())) == 1
    assert measured(vectors, scripts, EVEN)["han"] not in (0.1, 0.11)
    assert measured(vectors[:3], scripts[:3], EVEN) == {"han": 0.11}


def by_brute_force(vectors: Vectors, threshold: float, top_k: int) -> set[tuple[int, int]]:
    products = (vectors @ vectors.T).astype(np.float64)
    n = len(vectors)
    edges = set()
    for i in range(n):
        others = [j for j in range(n) if j != i and products[i, j] >= threshold]
        for j in sorted(others, key=lambda j: (-products[i, j], j))[:top_k]:
            edges.add((min(i, j), max(i, j)))
    return edges


def as_set(found: Neighbours) -> set[tuple[int, int]]:
    return set(zip(found.rows.tolist(), found.cols.tolist(), strict=True))


@pytest.fixture
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "TILE_ROWS", 7)
    monkeypatch.setattr(similarity, "TILE_COLUMNS", 13)


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("n", [0, 1, 2, 7, 50, 120])
@pytest.mark.parametrize("top_k", [1, 3, 200])
def test_neighbours_are_those_of_brute_force(n: int, top_k: int) -> None:
    vectors = random_vectors(n, 8, seed=n, shift=0.4)
    found = neighbours(vectors, threshold_cos=0.55, top_k=top_k)
    assert as_set(found) == by_brute_force(vectors, 0.55, top_k)
    assert np.allclose(found.cos, np.einsum("ij,ij->i", vectors[found.rows], vectors[found.cols]), atol=1e-6)
    assert sorted(as_set(found)) == list(zip(found.rows.tolist(), found.cols.tolist(), strict=True))


@pytest.mark.usefixtures("small_tiles")
def test_ranking_in_between_does_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = random_vectors(60, 4, shift=0.8)
    whole = neighbours(vectors, threshold_cos=0.3, top_k=1)
    monkeypatch.setattr(similarity, "EDGE_LIMIT", 1)
    assert as_set(neighbours(vectors, threshold_cos=0.3, top_k=1)) == as_set(whole)


def test_a_store_of_look_alikes_keeps_only_the_first_of_equal_neighbours() -> None:
    found = neighbours(unit(np.ones((500, 4))), threshold_cos=0.9, top_k=3)
    assert len(found) <= 3 * 500
    assert {(0, 1), (0, 2), (0, 3), (1, 2)} <= as_set(found)


def test_an_empty_text_is_near_nothing() -> None:
    vectors = np.concatenate([np.zeros((2, 16), dtype=np.float32), random_vectors(1)])
    assert len(neighbours(vectors, threshold_cos=0.1, top_k=3)) == 0
