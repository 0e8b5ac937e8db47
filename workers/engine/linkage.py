"""Group-average linkage on a sparse graph, by vector sums."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workers.engine.values import Vectors

Edges = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a union must keep: the mean cosine of all its pairs, its members and the sum of their tokens."""

    min_mean: float = float("-inf")
    max_members: float = float("inf")
    max_tokens: float = float("inf")


def mean_cosine(vectors: Vectors) -> float:
    """Mean cosine over all pairs of n ≥ 2 unit rows: `(|Σv|² − n)/(n(n − 1))`."""
    n = len(vectors)
    total = vectors.sum(axis=0, dtype=np.float64)
    return float((total @ total - n) / (n * (n - 1)))


def link(
    vectors: Vectors, edges: Edges, forced: Edges, tokens: Sequence[int], bounds: Bounds, *, strict: bool = False
) -> list[list[int]]:
    """Join rows of `vectors` (n, dim), unit length, along `edges`: always the union with the highest mean cosine
    inside, until none is left within `bounds`. Pairs in `forced` are joined first, whatever their cosine; only if
    `strict` must they, too, keep the other bounds.

    Group-average agglomerative clustering (Manning, Raghavan, Schütze, Introduction to Information Retrieval, 17.3),
    but only unions with an edge between them are looked at. Returns all groups, singles too, sorted; equal means go to
    the lower positions, so the order of rows decides nothing else.
    """
    linkage = _Linkage(vectors, tokens, bounds)
    for left, right in forced:
        linkage.force(left, right, strict=strict)
    for left, right in edges:
        linkage.connect(left, right)
    linkage.run()
    return sorted(members for members in linkage.members if members)


class _Linkage:
    """Unions by their lowest member: `home[i]` is where row i went. Heap entries name the versions of both unions;
    an entry whose union has changed since is stale."""

    def __init__(self, vectors: Vectors, tokens: Sequence[int], bounds: Bounds) -> None:
        n = len(vectors)
        self.sums: NDArray[np.float64] = vectors.astype(np.float64)
        self.squares: list[float] = np.einsum("ij,ij->i", self.sums, self.sums).tolist()
        self.tokens = list(tokens)
        self.bounds = bounds
        self.home = list(range(n))
        self.members = [[i] for i in range(n)]
        self.near: list[set[int]] = [set() for _ in range(n)]
        self.versions = [0] * n
        self.heap: list[tuple[float, int, int, int, int]] = []

    def force(self, left: int, right: int, *, strict: bool) -> None:
        low, high = sorted((self.home[left], self.home[right]))
        if low != high and (not strict or self._fit(low, high)):
            self._join(low, high)

    def connect(self, left: int, right: int) -> None:
        a, b = self.home[left], self.home[right]
        if a != b:
            self.near[a].add(b)
            self.near[b].add(a)

    def run(self) -> None:
        for union, near in enumerate(self.near):
            self._offer(union, [other for other in near if other > union])
        while self.heap:
            _, low, high, low_version, high_version = heapq.heappop(self.heap)
            if self.versions[low] == low_version and self.versions[high] == high_version:
                self._join(low, high)
                self._offer(low, list(self.near[low]))

    def _fit(self, a: int, b: int) -> bool:
        few = len(self.members[a]) + len(self.members[b]) <= self.bounds.max_members
        return few and self.tokens[a] + self.tokens[b] <= self.bounds.max_tokens

    def _offer(self, union: int, others: list[int]) -> None:
        near = [other for other in others if self._fit(union, other)]
        if not near:
            return
        products = (self.sums[near] @ self.sums[union]).tolist()
        for other, product in zip(near, products, strict=True):
            n = len(self.members[other]) + len(self.members[union])
            mean = (self.squares[other] + self.squares[union] + 2 * product - n) / (n * (n - 1))
            if mean >= self.bounds.min_mean:
                low, high = (union, other) if union < other else (other, union)
                heapq.heappush(self.heap, (-mean, low, high, self.versions[low], self.versions[high]))

    def _join(self, low: int, high: int) -> None:
        self.sums[low] += self.sums[high]
        self.squares[low] = float(self.sums[low] @ self.sums[low])
        self.tokens[low] += self.tokens[high]
        for member in self.members[high]:
            self.home[member] = low
        self.members[low] = sorted(self.members[low] + self.members[high])
        self.members[high] = []
        for other in self.near[high]:
            self.near[other].discard(high)
            if other != low:
                self.near[other].add(low)
        self.near[low] = (self.near[low] | self.near[high]) - {low, high}
        self.near[high] = set()
        self.versions[low] += 1
        self.versions[high] = -1
