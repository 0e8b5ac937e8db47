"""Neighbours and exact duplicates: our similarity module against semhash, on the same vectors and threshold.

    python -m benchmarks.neighbours [--sizes 2000 10000 40000] [--rounds 3] [--threshold 0.9]

Both sides get the same texts and the same 256-dimensional vectors and run in turn in one process; semhash twice, with
its default index (usearch, approximate) and with its exact one. The clocks hold what each needs from texts and
vectors to the answer: equal texts grouped, neighbours at the threshold found. Ours is checked against all n² products,
pair by pair. BLAS is left as it chooses: OPENBLAS_CORETYPE and OPENBLAS_L2_SIZE must be
unset. Exits with 1 if ours is slower anywhere or misses a pair.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from semhash import SemHash

from workers.engine.similarity import Neighbours, neighbours
from workers.engine.values import Vectors

DIMENSIONS = 256
VOCABULARY = 6000
SEED = 20260301
CHECKED_AT_ONCE = 256
"""Rows whose products with all others are held at once: 40 MB at 40,000."""
ROUNDING = 1e-5
"""Pairs this near the threshold may fall to either side: two products of float32 add up in different orders."""


@dataclass(frozen=True, slots=True)
class Corpus:
    texts: list[str]
    vectors: Vectors


def corpus(n: int) -> Corpus:
    """Passages of Zipf-distributed words; a third are earlier ones with up to three words replaced, a twentieth
    exact copies. Vectors are sums of one random direction a word, weighed by rarity: a static embedder's."""
    rng = np.random.default_rng(SEED)
    weights = 1 / np.arange(1, VOCABULARY + 1)
    share = weights / weights.sum()
    passages: list[list[int]] = []
    for i in range(n):
        fate = rng.random()
        if i and fate < 0.38:
            words = list(passages[int(rng.integers(i))])
            for _ in range(0 if fate < 0.05 else int(rng.integers(1, 4))):
                words[int(rng.integers(len(words)))] = int(rng.choice(VOCABULARY, p=share))
        else:
            words = rng.choice(VOCABULARY, size=int(rng.integers(8, 30)), p=share).tolist()
        passages.append(words)
    directions = rng.standard_normal((VOCABULARY, DIMENSIONS)) * np.log(np.arange(2, VOCABULARY + 2))[:, None]
    sums = np.array([directions[words].sum(axis=0) for words in passages])
    vectors = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
    return Corpus([" ".join(f"w{word}" for word in words) for words in passages], vectors)


@dataclass(frozen=True, slots=True)
class Answer:
    """Distinct texts, their rows in the corpus, and the edges between those."""

    rows: Sequence[int]
    edges: Neighbours


def ours(given: Corpus, threshold: float) -> Answer:
    first: dict[str, int] = {}
    for i, text in enumerate(given.texts):
        first.setdefault(text, i)
    rows = list(first.values())
    return Answer(rows, neighbours(given.vectors[rows], threshold_cos=threshold, top_k=3))


class NoModel:
    """semhash asks for an encoder; every vector is given, so it is never called."""

    def encode(self, inputs: object, **_: object) -> np.ndarray:
        raise AssertionError("nothing is left to embed")


def semhash(given: Corpus, threshold: float, backend: str) -> int:
    """Passages left after semhash's deduplication, which keeps one of each set of neighbours."""
    index = SemHash.from_embeddings(given.vectors, given.texts, model=NoModel(), ann_backend=backend)
    return len(index.self_deduplicate(threshold=threshold).selected)


def missed(given: Corpus, answer: Answer, threshold: float) -> int:
    """Pairs that all n² products find among either end's top 3 but ours lacks, ties and rounding aside."""
    vectors = given.vectors[list(answer.rows)]
    found = set(zip(answer.edges.rows.tolist(), answer.edges.cols.tolist(), strict=True))
    count = 0
    for start in range(0, len(vectors), CHECKED_AT_ONCE):
        products = vectors[start : start + CHECKED_AT_ONCE] @ vectors.T
        own = np.arange(len(products))
        products[own, own + start] = -1
        third = np.partition(products, -3, axis=1)[:, -3]
        rows, columns = np.nonzero(products > np.maximum(threshold, third)[:, None] + ROUNDING)
        pairs = zip((rows + start).tolist(), columns.tolist(), strict=True)
        count += sum((min(pair), max(pair)) not in found for pair in pairs)
    return count


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(n: int, rounds: int, threshold: float) -> bool:
    """One line of the table; whether ours was faster than both and complete."""
    given = corpus(n)
    times: dict[str, list[float]] = {"ours": [], "usearch": [], "basic": []}
    for _ in range(rounds):
        times["ours"].append(seconds(lambda: ours(given, threshold)))
        for backend in ("usearch", "basic"):
            times[backend].append(seconds(lambda backend=backend: semhash(given, threshold, backend)))  # type: ignore[misc]
    best = {name: min(each) for name, each in times.items()}
    answer = ours(given, threshold)
    lost = missed(given, answer, threshold)
    ratios = [best[backend] / best["ours"] for backend in ("usearch", "basic")]
    cells = [f"{n:,}", f"{n - len(answer.rows):,}", f"{len(answer.edges):,}", *(f"{best[name]:.3f}" for name in times)]
    cells += [f"{ratio:.1f} x" for ratio in ratios] + [str(lost)]
    print(f"| {' | '.join(cells)} |", flush=True)
    return min(ratios) > 1 and not lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2_000, 10_000, 40_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threshold", type=float, default=0.9)
    asked = parser.parse_args()
    tuned = [name for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE") if name in os.environ]
    if tuned:
        parser.error(f"unset {', '.join(tuned)}: both sides run with BLAS as it comes")
    print(f"{platform.machine()}, {os.cpu_count()} cores, best of {asked.rounds} rounds, seconds\n")
    print("| passages | copies | edges | ours | semhash usearch | semhash exact | ratio | ratio | pairs missed |")
    print("|---|---|---|---|---|---|---|---|---|")
    won = [measure(n, asked.rounds, asked.threshold) for n in asked.sizes]
    return 0 if all(won) else 1


if __name__ == "__main__":
    sys.exit(main())
