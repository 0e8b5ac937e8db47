"""Which passages are of one matter and small enough to be read together: neighbours, average linkage, budget.

Nothing here depends on the order of the items: they are sorted by their canonical text first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations, groupby

import numpy as np

from workers.engine.linkage import Bounds, link, mean_cosine
from workers.engine.similarity import Script, cosine_at, neighbours, similarity_of
from workers.engine.values import Policy, Ring, Trust, Vectors

Key = tuple[str, int]
"""A passage: the id of its memory and its index there."""
Pair = tuple[Key, Key]
Baselines = float | Mapping[Script, float]


@dataclass(frozen=True, slots=True)
class ClusterItem:
    """A passage that may be consolidated.

    `canonical` is the key of its canonical text, `tokens` its length. Items of different ring, trust or `group`
    (whatever else must stay apart, protection above all) never meet in a cluster.
    """

    memory_id: str
    index: int
    canonical: str
    tokens: int
    ring: Ring = "none"
    trust: Trust = "verified"
    script: Script = "latin"
    group: str = ""

    @property
    def key(self) -> Key:
        return self.memory_id, self.index

    @property
    def apart(self) -> tuple[str, ...]:
        """What must be equal for two items to be read together."""
        return self.ring, self.trust, self.group


@dataclass(frozen=True, slots=True)
class Cluster:
    """Passages of one matter, sorted by canonical text; `id` is 32 hex digits and depends on the texts only.

    `similarity` is the mean over all pairs on the scale of `similarity.scale`, None where nothing was embedded.
    `conflicts` are those between members. `part_of` is the id of the cluster that was too large for one request.
    """

    id: str
    members: tuple[ClusterItem, ...]
    similarity: float | None
    conflicts: tuple[Pair, ...] = ()
    part_of: str | None = None

    @property
    def tokens(self) -> int:
        return sum(member.tokens for member in self.members)

    @property
    def expected_saving(self) -> int:
        """Tokens saved if the longest member could say it all: the most that a merge without loss may save."""
        return self.tokens - max(member.tokens for member in self.members)


@dataclass(frozen=True, slots=True)
class ClusterResult:
    """The clusters of this run in order and how many more there are.

    `unpaired` are members of clusters over the budget that no request holds together with another: they stay as they
    are, and the caller says so.
    """

    clusters: tuple[Cluster, ...] = ()
    left: int = 0
    unpaired: tuple[ClusterItem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Items that may meet, sorted by canonical text, with their rows and baseline (None: nothing was embedded)."""

    items: tuple[ClusterItem, ...]
    vectors: Vectors
    b: float | None
    against: Mapping[Key, Sequence[Key]]
    """All conflicts, by their lower key."""

    def narrowed(self, positions: Sequence[int]) -> _Group:
        return replace(self, items=tuple(self.items[i] for i in positions), vectors=self.vectors[list(positions)])

    @property
    def conflicts(self) -> tuple[Pair, ...]:
        keys = {item.key for item in self.items}
        return tuple((key, other) for key in sorted(keys) for other in self.against.get(key, ()) if other in keys)

    @property
    def forced(self) -> list[tuple[int, int]]:
        position = {item.key: i for i, item in enumerate(self.items)}
        return [(position[left], position[right]) for left, right in self.conflicts]

    @property
    def tokens(self) -> list[int]:
        return [item.tokens for item in self.items]

    def cluster(self) -> Cluster:
        texts = "\n".join((*self.items[0].apart, *(item.canonical for item in self.items)))
        similarity = None if self.b is None else similarity_of(mean_cosine(self.vectors), self.b)
        return Cluster(sha256(texts.encode()).hexdigest()[:32], self.items, similarity, self.conflicts)


@dataclass(frozen=True, slots=True)
class _Found:
    whole: Cluster
    parts: tuple[Cluster, ...]
    unpaired: tuple[ClusterItem, ...] = ()


def clusters(
    items: Sequence[ClusterItem],
    vectors: Vectors | None,
    b: Baselines,
    policy: Policy,
    conflicts: Iterable[Pair] = (),
    *,
    one_request: bool = False,
) -> ClusterResult:
    """Cluster `items`; row i of `vectors` (n, dim) belongs to item i; `b` is the baseline, or one for each script.

    Of items with equal canonical text only the first takes part, unless a conflict names the others as well.
    `conflicts` are pairs of keys to be read together, however dissimilar; a pair that may not meet stays apart.
    With `one_request` (there is a model) items that all fit one request are not clustered: those that may meet are
    one cluster. Without vectors only that and the conflicts form clusters. Scripts mix only there, too: baselines of
    different scripts do not compare, and a merge may not change the language.
    """
    against: dict[Key, list[Key]] = {}
    for left, right in sorted({(min(pair), max(pair)) for pair in conflicts}):
        against.setdefault(left, []).append(right)
    kept = _distinct(items, {*against, *(key for keys in against.values() for key in keys)})
    whole = one_request and _within([items[i] for i in kept], policy)
    found: list[_Found] = []
    for members, rows, own in _groups(items, vectors, kept, b, by_script=not whole):
        group = _Group(members, rows, own, against)
        linked = [range(len(members))] if whole else _linked(group, policy)
        found.extend(_split(group.narrowed(together), policy) for together in linked if len(together) > 1)
    return _result([each for each in found if whole or _counts(each.whole, policy)], policy)


def _distinct(items: Sequence[ClusterItem], named: Set[Key]) -> list[int]:
    """Positions in the order of (apart, canonical, key), without further copies of a text unless named."""
    order = sorted(range(len(items)), key=lambda i: (items[i].apart, items[i].canonical, items[i].key))
    first: list[int] = []
    for _, copies in groupby(order, key=lambda i: (items[i].apart, items[i].canonical)):
        head, *rest = copies
        first.extend((head, *(i for i in rest if items[i].key in named)))
    return first


def _within(items: Sequence[ClusterItem], policy: Policy) -> bool:
    tokens = sum(item.tokens for item in items)
    return len(items) <= policy.max_cluster_size and tokens <= policy.max_input_tokens


def _groups(
    items: Sequence[ClusterItem], vectors: Vectors | None, kept: Sequence[int], b: Baselines, *, by_script: bool
) -> Iterator[tuple[tuple[ClusterItem, ...], Vectors, float | None]]:
    """Items that may meet, their rows and their baseline; zero rows and None where nothing was embedded."""
    parts: dict[tuple[str, ...], list[int]] = {}
    for i in kept:
        script = items[i].script if by_script and isinstance(b, Mapping) else ""
        parts.setdefault((*items[i].apart, script), []).append(i)
    for positions in parts.values():
        members = tuple(items[i] for i in positions)
        if vectors is None:
            yield members, np.zeros((len(members), 1), dtype=np.float32), None
        else:
            # Of several scripts the highest baseline counts: it claims the least.
            yield members, vectors[positions], max(b[item.script] for item in members) if isinstance(b, Mapping) else b


def _linked(group: _Group, policy: Policy) -> list[list[int]]:
    if group.b is None:
        return link(group.vectors, (), group.forced, group.tokens, Bounds())
    threshold = cosine_at(policy.similarity_threshold, group.b)
    edges = neighbours(group.vectors, threshold_cos=threshold, top_k=policy.top_k)
    bounds = Bounds(min_mean=threshold, max_members=policy.max_cluster_size)
    pairs = zip(edges.rows.tolist(), edges.cols.tolist(), strict=True)
    return link(group.vectors, pairs, group.forced, group.tokens, bounds)


def _counts(cluster: Cluster, policy: Policy) -> bool:
    """Large enough, or at odds, or so near that a smaller one is worth reading."""
    if len(cluster.members) >= policy.min_cluster_size or cluster.conflicts:
        return True
    return cluster.similarity is not None and cluster.similarity >= policy.review_threshold


def _split(group: _Group, policy: Policy) -> _Found:
    """The cluster in parts that fit a request each: linked again, tightest first, until no two parts fit one."""
    whole = group.cluster()
    if _within(whole.members, policy):
        return _Found(whole, (whole,))
    bounds = Bounds(max_members=policy.max_cluster_size, max_tokens=policy.max_input_tokens)
    every_pair = combinations(range(len(group.items)), 2)
    linked = link(group.vectors, every_pair, group.forced, group.tokens, bounds, strict=True)
    parts = (group.narrowed(members).cluster() for members in linked if len(members) > 1)
    unpaired = tuple(group.items[members[0]] for members in linked if len(members) == 1)
    return _Found(whole, tuple(replace(part, part_of=whole.id) for part in parts), unpaired)


def _result(found: Sequence[_Found], policy: Policy) -> ClusterResult:
    ordered = sorted(found, key=lambda each: _rank(each.whole, policy))
    readable = tuple(part for each in ordered for part in each.parts)
    unpaired = tuple(item for each in ordered for item in each.unpaired)
    return ClusterResult(readable[: policy.max_clusters], max(0, len(readable) - policy.max_clusters), unpaired)


def _rank(cluster: Cluster, policy: Policy) -> tuple[bool, int, float, str]:
    """Pairs that are as good as the same but were refused by the rules first; then size, expected saving, id."""
    similarity = 1.0 if cluster.similarity is None else cluster.similarity
    refused = len(cluster.members) == 2 and similarity >= policy.same_threshold and cluster.similarity is not None
    return not refused, -len(cluster.members), -cluster.expected_saving * similarity, cluster.id
