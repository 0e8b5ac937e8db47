"""What a dream without a model leaves to a person: contradictions, lines that keep coming back, notes of one matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from workers.engine import facts, similarity
from workers.engine.clusters import Cluster, ClusterItem, ClusterResult, clusters
from workers.engine.conflicts import Conflict
from workers.engine.inventory import Inventory, Item
from workers.engine.operations import reference
from workers.engine.plan import Member, Suggestion, SuggestionKind, stable_id
from workers.engine.survivor import source_time
from workers.engine.values import Calibration, Embedder, Policy, Ports, TokenCounter, Vectors

EMBEDDED_AT_ONCE = 64
"""Texts between two looks at the clock. The local embedder gains nothing beyond a batch of 8."""
RECURRING_SHOWN = 20
"""Suggestions about recurring lines in one dream, most frequent first."""
MEMBERS_SHOWN = 50
"""Places that one of them names."""
ONE_WORD = "They differ in a single word. Are both true, or has one replaced the other?"
REPLACED = "The later note says that {value} is no more. Should the earlier one go?"
REPLACED_BEFORE = "One note says that {value} is no more, and the other, which is no older, has it still. Which holds?"


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Suggestions about clusters, how many clusters there were and how many wait for the next dream; `vectors` of
    `wanted` distinct passages could be compared in the time there was, `unpaired` were of a matter too large to be read
    at once and near nothing that would have fitted with them; `calibration` is what the similarities went by."""

    suggestions: tuple[Suggestion, ...] = ()
    found: int = 0
    left: int = 0
    vectors: int = 0
    wanted: int = 0
    unpaired: int = 0
    calibration: Calibration | None = None


def conflict_suggestions(
    inventory: Inventory, conflicts: Iterable[Conflict], count_tokens: TokenCounter
) -> tuple[Suggestion, ...]:
    """One suggestion for each contradiction."""
    return tuple(_conflict(inventory, each, count_tokens) for each in conflicts)


def recurring_suggestions(
    inventory: Inventory, items: Iterable[Item], policy: Policy, count_tokens: TokenCounter
) -> tuple[Suggestion, ...]:
    """One suggestion for each line that stands in many places which mean different things."""
    said: dict[Hashable, list[Item]] = {}
    for item in items:
        if item.mergeable:
            said.setdefault((item.tokens, item.marks, item.targets), []).append(item)
    recurring = [group for group in said.values() if len(group) >= policy.recurring_min_places]
    recurring.sort(key=lambda group: (-len(group), group[0].tokens))
    return tuple(_recurring(inventory, group, count_tokens) for group in recurring[:RECURRING_SHOWN])


def cluster_suggestions(
    inventory: Inventory, items: Sequence[Item], policy: Policy, ports: Ports
) -> Generator[tuple[int, int], None, Consolidated]:
    """Embed what can be embedded in time, cluster it, and describe each cluster. Yields (done, total) texts.

    Without an embedder, or with fewer than two passages, nothing is embedded.
    """
    known = inventory.snapshot.calibration
    able = sorted((item for item in items if item.mergeable), key=_order)
    texts = list(dict.fromkeys(item.passage.text for item in able))
    if ports.embedder is None or len(texts) < 2:
        return Consolidated(calibration=known)
    vectors = yield from _embed(texts, ports.embedder, ports)
    if len(vectors) < 2:
        return Consolidated(vectors=len(vectors), wanted=len(texts), calibration=known)
    row = {text: number for number, text in enumerate(texts[: len(vectors)])}
    compared = [item for item in able if item.passage.text in row]
    rows = vectors[[row[item.passage.text] for item in compared]]
    calibration, result = _clusters(compared, rows, known, policy, ports)
    by_key = {(item.memory.id, item.index): item for item in compared}
    told = tuple(_cluster(inventory, each, [by_key[member.key] for member in each.members]) for each in result.clusters)
    return Consolidated(
        told,
        found=len(told) + result.left,
        left=result.left,
        vectors=len(vectors),
        wanted=len(texts),
        unpaired=len(result.unpaired),
        calibration=calibration,
    )


def _embed(texts: Sequence[str], embedder: Embedder, ports: Ports) -> Generator[tuple[int, int], None, Vectors]:
    """Vectors of the first texts, as many as there is time for."""
    parts: list[Vectors] = []
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        if ports.time_left() <= 0:
            break
        parts.append(embedder.embed(texts[start : start + EMBEDDED_AT_ONCE]))
        yield min(start + EMBEDDED_AT_ONCE, len(texts)), len(texts)
    return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)


def _clusters(
    items: Sequence[Item], vectors: Vectors, known: Calibration | None, policy: Policy, ports: Ports
) -> tuple[Calibration, ClusterResult]:
    """Clusters of items, and what their similarities went by; row i of `vectors` belongs to item i."""
    embedder = cast(Embedder, ports.embedder)
    scripts = [similarity.script(item.passage.text) for item in items]
    calibration = similarity.calibrated(vectors, scripts, embedder, known, seed=policy.seed)
    b = similarity.baselines(calibration, scripts, embedder.baselines)
    tokens = {text: ports.count_tokens(text) for text in dict.fromkeys(item.passage.text for item in items)}
    entries = [_entry(item, script, tokens) for item, script in zip(items, scripts, strict=True)]
    return calibration, clusters(entries, vectors, b, policy)


def _entry(item: Item, script: similarity.Script, tokens: dict[str, int]) -> ClusterItem:
    memory = item.memory
    said = "\n".join((*item.tokens, *item.targets, *(f"{mark.kind} {mark.place}" for mark in sorted(item.marks.every))))
    text = item.passage.text
    return ClusterItem(memory.id, item.index, said, tokens[text], memory.ring, memory.trust, script)


def _conflict(inventory: Inventory, conflict: Conflict, count_tokens: TokenCounter) -> Suggestion:
    older, newer = conflict.older, conflict.newer
    reason = ONE_WORD
    differs: list[tuple[str, ...]] = [(value,) for value in conflict.values]
    if conflict.kind == "replaced":
        later = source_time(newer.memory, newer.passage) > source_time(older.memory, older.passage)
        reason = (REPLACED if later else REPLACED_BEFORE).format(value=conflict.values[0])
        differs = _only([_values(item.passage.text) for item in (older, newer)])
    saved = min(count_tokens(item.passage.text) for item in (older, newer))
    shared = facts.fact_values(older.passage.text) & facts.fact_values(newer.passage.text)
    return _suggestion(inventory, "conflict", (older, newer), differs, reason, shared=shared, tokens_saved=saved)


def _recurring(inventory: Inventory, group: Sequence[Item], count_tokens: TokenCounter) -> Suggestion:
    ordered = sorted(group, key=_order)[:MEMBERS_SHOWN]
    saved = (len(group) - 1) * count_tokens(ordered[0].passage.text)
    reason = f"The same line stands in {len(group)} places. Is it worth a place of its own?"
    return _suggestion(inventory, "recurring", ordered, [()] * len(ordered), reason, tokens_saved=saved)


def _cluster(inventory: Inventory, cluster: Cluster, members: Sequence[Item]) -> Suggestion:
    values = [_values(item.passage.text) for item in members]
    shared = frozenset.intersection(*values)
    differs = _only(values)
    reason = f"These {len(members)} notes are of one matter and could be one."
    return _suggestion(
        inventory,
        "cluster",
        members,
        differs,
        reason,
        similarity=cluster.similarity,
        shared=shared,
        tokens_saved=cluster.expected_saving,
    )


def _only(values: Sequence[frozenset[str]]) -> list[tuple[str, ...]]:
    """Of each what none of the others has."""
    held = Counter(value for each in values for value in each)
    return [tuple(sorted(value for value in each if held[value] == 1)) for each in values]


def _values(text: str) -> frozenset[str]:
    return facts.fact_values(text) | frozenset(facts.names(text))


def _suggestion(
    inventory: Inventory,
    kind: SuggestionKind,
    items: Sequence[Item],
    differs: Sequence[tuple[str, ...]],
    reason: str,
    *,
    similarity: float | None = None,
    shared: Iterable[str] = (),
    tokens_saved: int,
) -> Suggestion:
    members = tuple(
        Member(reference(item.unit, inventory), item.passage.text, only)
        for item, only in zip(items, differs, strict=True)
    )
    # Not by version: the same question about the same words is the same suggestion in the next dream.
    identity = sorted((member.source.path, member.text) for member in members)
    rounded = None if similarity is None else round(similarity, 4)
    return Suggestion(
        stable_id("sug", kind, identity), kind, members, reason, rounded, tuple(sorted(shared)), tokens_saved
    )


def _order(item: Item) -> tuple[str, str, int]:
    return item.memory.path, item.memory.id, item.index
