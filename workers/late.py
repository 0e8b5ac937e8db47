"""What was written to the input since the snapshot, by memory and never by path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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
    """The input at `revision`: what differs from the snapshot."""

    revision: int
    writes: tuple[LateWrite, ...]


def late_read(snapshot: Snapshot) -> Late:
    """Late writes in one statement with the store's revision, and the deletions in another one after it.

    A write between the two raises the revision, and whoever applies finds it changed and reads again.
    """
    rows = _rows(snapshot)
    revision = rows[0]["revision"] if rows else snapshot.revision
    live = {memory.id: memory for memory in (memory_of(row) for row in rows if row["m_id"] is not None)}
    return Late(revision, (*_changed(snapshot, live.values()), *_deleted(snapshot, live)))


def _rows(snapshot: Snapshot) -> list[Mapping[str, Any]]:
    stores = MemoryStore.objects.filter(pk=snapshot.store_id)
    since = FilteredRelation("memories", condition=Q(memories__revision__gt=snapshot.revision))
    rows = stores.annotate(late=since).order_by("late__id").values("revision", **memory_columns("late__"))
    return [dict(row) for row in rows]


def _changed(snapshot: Snapshot, live: Iterable[Memory]) -> Iterator[LateWrite]:
    seen = {memory.id: memory for memory in snapshot.memories}
    for memory in live:
        before = seen.get(memory.id)
        if before is None or any(getattr(memory, name) != getattr(before, name) for name in STATE):
            yield LateWrite(memory.id, memory)


def _deleted(snapshot: Snapshot, live: Collection[str]) -> Iterator[LateWrite]:
    deletions = MemoryVersion.objects.filter(
        store_id=snapshot.store_id, operation=Operation.DELETED, store_revision__gt=snapshot.revision
    )
    gone = set(deletions.values_list("memory_id", flat=True))
    for memory in snapshot.memories:
        if memory.id in gone and memory.id not in live:
            yield LateWrite(memory.id, None)


def live_signals(store_id: str) -> dict[str, Signals]:
    """The counters that the store's memories have now: what is merged or rewritten must not carry old ones."""
    rows = MemoryRow.objects.filter(store_id=store_id).values("id", *SIGNALS)
    return {row["id"]: Signals(**{name: row[name] for name in SIGNALS}) for row in rows}
