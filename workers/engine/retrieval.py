"""Ranks the memories of a store against a query: by words (BM25), by meaning (cosines), or by both.

`Terms` of a text depend on nothing else, so callers keep them by content; an `Index` over them is put together in
milliseconds for each revision of a store.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workers.engine.terms import terms
from workers.engine.values import Vectors

Mode = Literal["hybrid", "semantic", "lexical"]
Scores = NDArray[np.float64]

K1, B = 1.2, 0.75
"""BM25's usual saturation and length norm (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)."""
LEXICAL_WEIGHT = 0.6
"""Share of the words in the hybrid score. On 630 LoCoMo questions over 1,210 observations (multilingual-e5-small),
recall of the evidence in the top 10 / mean reciprocal rank: words alone .663 / .546, vectors alone .731 / .607,
reciprocal rank fusion .725 / .628, this sum .757 / .660 (.75–.76 for any share from .5 to .7)."""
RELATED = 0.12
"""Less of the way from unrelated to equal is no sign of a match: 5 % of those questions have their evidence below it,
80 % of all pairs of question and passage lie there."""
MEASURED_FROM = 20
"""With this many vectors the query's own median says what unrelated means. With fewer most of them may be what was
asked for, so the embedder's figure counts where it is lower."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The search terms of one memory, prepared: term `hashes[t]` occurs `counts[t]` times in passage `passages[t]`.

    `lengths` holds the terms of each passage; there is at least one passage, empty if the memory has none.
    """

    hashes: NDArray[np.uint32]
    passages: NDArray[np.int32]
    counts: NDArray[np.uint8]
    lengths: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory and its best passage: `passage` counts within the memory, `row` in the index; scores lie in 0..1.

    `lexical` is the share of the query's weight that the words reach, `semantic` the way from unrelated to equal,
    None for a passage without a vector. `score` is what the mode ranks by.
    """

    memory_id: str
    row: int
    passage: int
    score: float
    lexical: float
    semantic: float | None


def prepare(passages: Sequence[tuple[str, str]]) -> Terms:
    """Terms of a memory's passages, each a text and the words of its place (path, headings, the line before it).

    A place word counts once, and only where the text lacks it: it finds the passage but does not make it longer.
    """
    hashes: list[int] = []
    counts: list[int] = []
    sizes: list[int] = []
    lengths: list[int] = []
    for text, place in passages or (("", ""),):
        counted = Counter(terms(text, characters=True))
        lengths.append(counted.total())
        counted.update(set(terms(place, characters=True)) - counted.keys())
        hashes.extend(map(_hash, counted))
        counts.extend(min(count, 255) for count in counted.values())
        sizes.append(len(counted))
    rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return Terms(
        np.array(hashes, dtype=np.uint32), rows, np.array(counts, dtype=np.uint8), np.array(lengths, dtype=np.int32)
    )


@lru_cache(maxsize=65536)
def _hash(term: str) -> int:
    """32 bits that are the same in every process. Two words of one store collide once in some 40,000 queries."""
    return int.from_bytes(blake2b(term.encode("utf-8", "replace"), digest_size=4).digest(), "little")


class Index:
    """The terms of all passages of a store, memory after memory. Never changed: threads may share it.

    Row r of the scores and vectors that go with it is passage `r − starts[m]` of memory `memory_ids[m]`.
    """

    def __init__(self, memories: Iterable[tuple[str, Terms]]) -> None:
        entries = sorted(memories, key=lambda entry: entry[0])
        sizes = np.array([len(prepared.lengths) for _, prepared in entries], dtype=np.int64)
        self.memory_ids = tuple(memory_id for memory_id, _ in entries)
        self.starts = np.cumsum(sizes) - sizes
        self.passages = int(sizes.sum())
        self._hashes = np.concatenate([np.empty(0, np.uint32), *(prepared.hashes for _, prepared in entries)])
        self._counts = np.concatenate([np.empty(0, np.uint8), *(prepared.counts for _, prepared in entries)])
        shifted = (prepared.passages + start for (_, prepared), start in zip(entries, self.starts, strict=True))
        self._rows = np.concatenate([np.empty(0, np.int32), *shifted]).astype(np.int32)
        lengths = np.concatenate([np.empty(0, np.int32), *(prepared.lengths for _, prepared in entries)])
        self._norms = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))

    def lexical(self, query: str) -> Scores:
        """BM25 of each passage as a share of the most the query could reach, (passages,) in 0..1."""
        scores = np.zeros(self.passages)
        most = 0.0
        for term, times in Counter(terms(query)).items():
            found = np.flatnonzero(self._hashes == np.uint32(_hash(term)))
            weight = times * math.log(1 + (self.passages - found.size + 0.5) / (found.size + 0.5))
            rows, counts = self._rows[found], self._counts[found].astype(np.float64)
            scores[rows] += weight * counts * (K1 + 1) / (counts + self._norms[rows])
            most += weight * (K1 + 1)
        return scores / most if most else scores


def rank(
    query: str,
    index: Index,
    *,
    mode: Mode = "hybrid",
    limit: int = 10,
    vectors: Vectors | None = None,
    query_vector: Vectors | None = None,
    unrelated: float = 0.0,
) -> list[Hit]:
    """The best `limit` memories, each with its best passage; equal scores in the order of memory ids.

    `vectors` (passages, dim) follows the rows of the index, zeros where a passage has none; `query_vector` is (dim,).
    `unrelated` is the embedder's cosine of a query and a passage that have nothing in common, for stores of fewer
    than 20 vectors. Without vectors `hybrid` ranks by words and `semantic` finds nothing.
    """
    if not index.passages or limit < 1:
        return []
    lexical = index.lexical(query)
    semantic = _semantic(index, vectors, query_vector, unrelated)
    scores = _score(mode, lexical, semantic)
    best = np.maximum.reduceat(scores, index.starts)
    order = np.argsort(-best, kind="stable")[:limit]
    return [_hit(index, int(memory), scores, lexical, semantic) for memory in order if best[memory] > 0]


def _semantic(index: Index, vectors: Vectors | None, query: Vectors | None, unrelated: float) -> Scores:
    """Way from unrelated to equal for each passage; nan without a vector."""
    if vectors is None or query is None:
        return np.full(index.passages, np.nan)
    cosines = (vectors @ query).astype(np.float64)
    cosines[~vectors.any(axis=1)] = np.nan
    known = cosines[~np.isnan(cosines)]
    b = float(np.median(known)) if known.size else unrelated
    if known.size < MEASURED_FROM:
        b = min(b, unrelated)
    return np.minimum(1.0, (cosines - b) / max(1 - b, 1e-6))


def _score(mode: Mode, lexical: Scores, semantic: Scores) -> Scores:
    if mode == "lexical":
        return lexical
    related = np.where(np.nan_to_num(semantic) >= RELATED, semantic, 0.0)
    if mode == "semantic":
        return related
    return LEXICAL_WEIGHT * lexical + (1 - LEXICAL_WEIGHT) * related


def _hit(index: Index, memory: int, scores: Scores, lexical: Scores, semantic: Scores) -> Hit:
    start = int(index.starts[memory])
    end = int(index.starts[memory + 1]) if memory + 1 < len(index.starts) else index.passages
    row = start + int(np.argmax(scores[start:end]))
    meaning = None if np.isnan(semantic[row]) else max(0.0, float(semantic[row]))
    return Hit(index.memory_ids[memory], row, row - start, float(scores[row]), float(lexical[row]), meaning)
