"""A plan applied: what becomes of the snapshot's memories, under the writes that arrived while the dream ran.

Writes win. Operations that share a memory are kept or dropped together; what a late write touches is dropped whole, and
its text is carried as it is. Links are no operation: they are rewritten last, and only where a kept operation took
their target away. Nobody rewrites a late text, so what it links to must not go either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from workers.engine import links
from workers.engine.components import components
from workers.engine.outcome import Changes, Outcome, settle
from workers.engine.output import FreePaths, Ledger, LineageEntry, OutputMemory, RemovedMemory, fates_of
from workers.engine.passages import Document, parse
from workers.engine.plan import Access, Operation, PassageEdit, Plan, require_snapshot
from workers.engine.values import Memory, Signals, Snapshot

__all__ = [
    "CarriedKind",
    "CarriedWrite",
    "DroppedOperation",
    "LateWrite",
    "LineageEntry",
    "OutputMemory",
    "Rebased",
    "RemovedMemory",
    "rebase",
]

MARKS = ("pinned", "tags", "trust", "ring", "observed_at", "metadata")
"""What may be written of a memory beside its text and path."""

CarriedKind = Literal["created", "deleted", "renamed", "edited", "marked"]


@dataclass(frozen=True, slots=True)
class LateWrite:
    """A memory that changed after the snapshot, as it is now; None if it was deleted."""

    memory_id: str
    state: Memory | None


@dataclass(frozen=True, slots=True)
class DroppedOperation:
    """An operation that was not applied, and the paths that forbade it."""

    operation_id: str
    paths: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CarriedWrite:
    """A late write that the output holds as it came; `marked`: only what is in `MARKS` changed."""

    memory_id: str
    kind: CarriedKind
    path: str
    old_path: str | None = None


@dataclass(frozen=True, slots=True)
class Rebased:
    """The output: `unchanged_ids` are live memories to be copied as they are now (late ones among them), by path.

    Together with `changed` they are all of it. `files_touched` are the sorted paths that the dream itself created,
    modified or removed; `kept` the operations applied; `accesses` those of the plan, an heir standing in for what went.
    """

    unchanged_ids: tuple[str, ...]
    changed: tuple[OutputMemory, ...]
    removed: tuple[RemovedMemory, ...]
    kept: tuple[Operation, ...]
    dropped: tuple[DroppedOperation, ...]
    carried: tuple[CarriedWrite, ...]
    lineage: tuple[LineageEntry, ...]
    accesses: tuple[Access, ...]
    files_touched: tuple[str, ...]


def rebase(
    plan: Plan,
    snapshot: Snapshot,
    late: Iterable[LateWrite] = (),
    *,
    signals: Mapping[str, Signals] | None = None,
) -> Rebased:
    """Apply `plan` to `snapshot` under the `late` writes; `signals` are live counters by memory id, where they moved.

    Raises SnapshotMismatch for another snapshot than the plan's.
    """
    require_snapshot(plan, snapshot)
    world = _World(snapshot, late)
    kept, dropped, outcome = _applicable(plan.operations, world)
    ledger = Ledger(kept, outcome, _counted(world.live, signals or {}))
    changed = ledger.changed()
    stay = sorted(world.live.keys() - outcome.removed.keys(), key=lambda each: (world.live[each].path, each))
    created = ledger.created(FreePaths(world.live[each].path for each in stay))
    touched = {each.memory.path for each in (*changed, *created) if each.text_changed}
    written = {each.source_id for each in changed}
    return Rebased(
        unchanged_ids=tuple(each for each in stay if each not in written),
        changed=tuple(sorted((*changed, *created), key=lambda each: each.memory.path)),
        removed=ledger.removed(),
        kept=kept,
        dropped=dropped,
        carried=world.carried,
        lineage=ledger.lineage(created),
        accesses=_accesses(plan, world, outcome),
        files_touched=tuple(sorted({*touched, *(each.path for each in ledger.removed())})),
    )


def _counted(live: Mapping[str, Memory], signals: Mapping[str, Signals]) -> Mapping[str, Memory]:
    known = signals.keys() & live.keys()
    return {**live, **{each: replace(live[each], signals=signals[each]) for each in known}}


class _World:
    """The store as it is now: the snapshot under the late writes."""

    def __init__(self, snapshot: Snapshot, late: Iterable[LateWrite]) -> None:
        self.before = {memory.id: memory for memory in snapshot.memories}
        self.live = dict(self.before)
        self.late: set[str] = set()
        carried: list[CarriedWrite] = []
        for write in late:
            kind = _kind(self.before.get(write.memory_id), write.state)
            if kind is None:
                continue
            self.late.add(write.memory_id)
            carried.append(_carried(kind, write, self.before))
            self.live.pop(write.memory_id, None)
            if write.state is not None:
                self.live[write.memory_id] = write.state
        self.carried = tuple(sorted(carried, key=lambda each: (each.path, each.memory_id)))
        self.paths = frozenset(memory.path for memory in self.live.values())
        self._documents: dict[str, Document] = {}
        self._linked_by: dict[str, list[str]] | None = None

    def document(self, memory_id: str) -> Document:
        """The text as it is now."""
        if memory_id not in self._documents:
            memory = self.live[memory_id]
            self._documents[memory_id] = parse(memory.path, memory.text)
        return self._documents[memory_id]

    def linking(self, path: str) -> Sequence[str]:
        """The memories that link to a live path. All texts are read for that, once, if anybody asks."""
        if self._linked_by is None:
            self._linked_by = {}
            for memory in self.live.values():
                for target in self._targets(memory) if "[" in memory.text else ():
                    self._linked_by.setdefault(target, []).append(memory.id)
        return self._linked_by.get(path, ())

    def _targets(self, memory: Memory) -> set[str]:
        resolved = (links.resolve(link, self.paths) for link in self.document(memory.id).links)
        return {path for path in resolved if path is not None}


def _kind(before: Memory | None, after: Memory | None) -> CarriedKind | None:
    """What a late write did; None where it is none: counters are not writes."""
    if after is None:
        return None if before is None else "deleted"
    if before is None:
        return "created"
    if before.path != after.path:
        return "renamed"
    if before.sha256 != after.sha256:
        return "edited"
    return "marked" if any(getattr(before, mark) != getattr(after, mark) for mark in MARKS) else None


def _carried(kind: CarriedKind, write: LateWrite, before: Mapping[str, Memory]) -> CarriedWrite:
    old = before[write.memory_id].path if write.memory_id in before else None
    path = old if write.state is None else write.state.path
    return CarriedWrite(write.memory_id, kind, path or "", old if kind == "renamed" else None)


def _accesses(plan: Plan, world: _World, outcome: Outcome) -> tuple[Access, ...]:
    heirs = ((outcome.removed.get(each.memory_id, each.memory_id), each.session_id) for each in plan.accesses)
    return tuple(Access(*each) for each in dict.fromkeys(heirs) if each[0] in world.live)


Applicable = tuple[tuple[Operation, ...], tuple[DroppedOperation, ...], Outcome]


def _applicable(operations: Sequence[Operation], world: _World) -> Applicable:
    """The components that no late write touches and no late text links into, and what they make of the texts."""
    groups: list[tuple[Operation, ...]] = []
    dropped: list[DroppedOperation] = []
    for group in components(operations):
        touched = _memories(group) & world.late
        if touched:
            dropped += _dropped(group, _paths(touched, world), "written to while the dream ran")
        else:
            groups.append(group)
    while True:
        outcome = settle(_changes([each for group in groups for each in group], world))
        held = {*_held(outcome, world), *(unit.memory_id for unit in outcome.refused)}
        if not held:
            return tuple(each for group in groups for each in group), tuple(dropped), outcome
        blocked = [group for group in groups if _memories(group) & held]
        groups = [group for group in groups if not _memories(group) & held]
        for group in blocked:
            dropped += _dropped(
                group, _paths(_memories(group) & held, world), "linked to from a text written meanwhile"
            )


def _memories(group: Sequence[Operation]) -> frozenset[str]:
    return frozenset().union(*(operation.memories for operation in group))


def _changes(operations: Sequence[Operation], world: _World) -> Changes:
    edits: dict[str, list[PassageEdit]] = {}
    for edit in (edit for operation in operations for edit in operation.edits):
        edits.setdefault(edit.memory_id, []).append(edit)
    return Changes(
        document=world.document,
        edits=edits,
        removes=[memory_id for operation in operations for memory_id in operation.removes],
        fates=fates_of(operations),
        linked_by=world.linking,
        anchored=frozenset(),
        paths=world.paths,
    )


def _held(outcome: Outcome, world: _World) -> Iterator[str]:
    """Memories that would go although a late text links to them."""
    for memory_id in outcome.removed if world.late else ():
        if not world.late.isdisjoint(world.linking(world.live[memory_id].path)):
            yield memory_id


def _dropped(group: Sequence[Operation], paths: tuple[str, ...], reason: str) -> list[DroppedOperation]:
    return [DroppedOperation(operation.id, paths, reason) for operation in group]


def _paths(memory_ids: Iterable[str], world: _World) -> tuple[str, ...]:
    either = {**world.before, **world.live}
    return tuple(sorted(either[memory_id].path for memory_id in memory_ids))
