"""What was written to the input since the snapshot, by memory and never by path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import FilteredRelation, Q

from memorystores.models import Memory as MemoryRow
from memorystores.models import MemoryStore, MemoryVersion, Operation
from workers.engine.rebase import MARKS, LateWrite
from workers.engine.values import Memory, Signals, Snapshot
from workers.snapshot import SIGNALS, memory_columns, memory_of

STATE = ("sha256", "path", *MARKS)
"""What makes a late memory differ from its snapshot. Counters of use do not: they are kept live."""


@dataclass(frozen=True, slots=True)
class Late:
    """The input at `revision`: what differs from the snapshot. `fresh` are the memories written since it was read
    before, those too that are again as they were."""

    revision: int
    writes: tuple[LateWrite, ...] = ()
    fresh: frozenset[str] = frozenset()


def late_read(snapshot: Snapshot, known: Late | None = None) -> Late:
    """Late writes in one statement with the store's revision, and the deletions in another one after it.

    A write between the two raises the revision, and whoever applies finds it changed and reads again. With `known`,
    only what was written since that was read.
    """
    known = known or Late(snapshot.revision)
    rows = _rows(snapshot.store_id, known.revision)
    live = {memory.id: memory for memory in (memory_of(row) for row in rows if row["m_id"] is not None)}
    gone = _deleted(snapshot.store_id, known.revision) - live.keys()
    states = _states(snapshot, known, live, gone)
    revision = rows[0]["revision"] if rows else known.revision
    return Late(revision, tuple(LateWrite(*each) for each in sorted(states.items())), frozenset(live) | gone)


def _rows(store_id: str, after: int) -> list[Mapping[str, Any]]:
    since = FilteredRelation("memories", condition=Q(memories__revision__gt=after))
    stores = MemoryStore.objects.filter(pk=store_id).annotate(late=since)
    return [dict(row) for row in stores.order_by("late__id").values("revision", **memory_columns("late__"))]


def _deleted(store_id: str, after: int) -> set[str]:
    deletions = MemoryVersion.objects.filter(store_id=store_id, operation=Operation.DELETED, store_revision__gt=after)
    return set(deletions.values_list("memory_id", flat=True))


def _states(snapshot: Snapshot, known: Late, live: Mapping[str, Memory], gone: set[str]) -> dict[str, Memory | None]:
    """The late memories as they are now, None where they are deleted."""
    seen = {memory.id: memory for memory in snapshot.memories}
    states = {write.memory_id: write.state for write in known.writes if write.memory_id not in gone}
    states |= {memory_id: None for memory_id in gone if memory_id in seen}
    for memory in live.values():
        states[memory.id] = memory
        if memory.id in seen and not differs(memory, seen[memory.id]):
            del states[memory.id]
    return states


def differs(memory: Memory, other: Memory) -> bool:
    """Whether more than counters tells the two apart."""
    return any(getattr(memory, name) != getattr(other, name) for name in STATE)


def live_signals(store_id: str) -> dict[str, Signals]:
    """The counters that the store's memories have now: what is merged or rewritten must not carry old ones."""
    rows = MemoryRow.objects.filter(store_id=store_id).values("id", *SIGNALS)
    return {row["id"]: Signals(**{name: row[name] for name in SIGNALS}) for row in rows}
