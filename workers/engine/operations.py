"""Merges as operations: grouped by survivor, with the memories they write and rely on, a reason and the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from workers.engine.dedup import Merge
from workers.engine.inventory import Inventory, Unit
from workers.engine.plan import Operation, OperationKind, PassageEdit, SourceRef, stable_id

REASONS: Mapping[OperationKind, str] = {
    "merge_same": "They say the same in the same words.",
    "merge_contained": "It begins with all that the shorter text says, and takes nothing of it back.",
    "supersede": "It says itself that the older value is no more.",
}


def operations(merges: Iterable[Merge], inventory: Inventory) -> tuple[Operation, ...]:
    """One operation for each survivor and kind; a supersession for each value. Sorted by the survivor's place."""
    ordered = sorted(merges, key=lambda merge: (_order(merge.kept, inventory), merge.kind, merge.value))
    groups = groupby(ordered, key=lambda merge: (merge.kept, merge.kind, merge.value))
    return tuple(_operation(kept, kind, value, list(group), inventory) for (kept, kind, value), group in groups)


def reference(unit: Unit, inventory: Inventory) -> SourceRef:
    """The unit as lineage names it."""
    sheet = inventory.sheets[unit.memory_id]
    if unit.passage is None:
        return SourceRef.of_memory(sheet.memory, len(sheet.document.lines))
    passage = sheet.document.passages[unit.passage]
    return SourceRef.of_passage(sheet.memory, passage.index, passage.start, passage.end, passage.text)


def _order(unit: Unit, inventory: Inventory) -> tuple[str, str, int]:
    memory = inventory.sheets[unit.memory_id].memory
    return memory.path, memory.id, -1 if unit.passage is None else unit.passage


def _operation(kept: Unit, kind: OperationKind, value: str, group: list[Merge], inventory: Inventory) -> Operation:
    gone = sorted((merge.gone for merge in group), key=lambda unit: _order(unit, inventory))
    sources = tuple(reference(unit, inventory) for unit in gone)
    survivor = reference(kept, inventory)
    return Operation(
        id=stable_id("op", kind, survivor, sources),
        kind=kind,
        sources=sources,
        survivor=survivor,
        edits=tuple(PassageEdit(s.memory_id, s.start, s.end) for s in sources if s.passage_index is not None),
        removes=tuple(s.memory_id for s in sources if s.passage_index is None),
        writes=frozenset(source.memory_id for source in (*sources, survivor)),
        relies_on=frozenset((survivor.memory_id,)),
        reason=REASONS[kind],
        evidence={"value": value} if value else {},
    )
