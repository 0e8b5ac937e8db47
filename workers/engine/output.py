"""What operations make of the memories they touch: changed, created, removed ones, and where everything came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from posixpath import splitext

from workers.engine.inventory import Unit
from workers.engine.outcome import Outcome, final
from workers.engine.plan import NewMemory, Operation, OperationKind, SourceRef, text_sha256
from workers.engine.survivor import Heirloom, inherit
from workers.engine.values import Memory

WEAKEST: tuple[OperationKind, ...] = ("supersede", "merge_contained", "merge_same")
"""How a memory went whose parts went in several ways: by the first of these among them."""


@dataclass(frozen=True, slots=True)
class OutputMemory:
    """A memory that the dream changes or creates (`source_id` None), as it shall be.

    `text_changed` tells a new version from mere inheritance. `absorbed` are the removed memories whose tags and use it
    takes over, `operations` what changed it.
    """

    source_id: str | None
    memory: Memory
    text_changed: bool
    absorbed: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RemovedMemory:
    """A memory that goes, who inherits from it, and by which operations."""

    memory_id: str
    path: str
    heir_id: str
    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineageEntry:
    """`source` went into the output memory that comes from `output_id` (None: created) and lies at `output_path`."""

    output_id: str | None
    output_path: str
    source: SourceRef
    operation_id: str


class FreePaths:
    """Paths for new memories: none equal to, above or below a path that is taken."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.taken: set[str] = set()
        self.folders: set[str] = set()
        for path in paths:
            self._enter(path)

    def take(self, wanted: str) -> str:
        """`wanted`, or the first of `-2`, `-3` … that is free; a folder that is a memory gets the number itself."""
        path = ""
        *folders, name = wanted.strip("/").split("/")
        for folder in folders:
            path = self._first(path, folder, self.taken)
        path = self._first(path, name, self.taken | self.folders)
        self._enter(path)
        return path

    def _first(self, above: str, name: str, taken: Set[str]) -> str:
        stem, suffix = splitext(name)
        number, path = 1, f"{above}/{name}"
        while path in taken:
            number += 1
            path = f"{above}/{stem}-{number}{suffix}"
        return path

    def _enter(self, path: str) -> None:
        self.taken.add(path)
        while path := path.rpartition("/")[0]:
            self.folders.add(path)


class Ledger:
    """Kept operations, the outcome of their edits, and the memories before (with live counters)."""

    def __init__(self, operations: Sequence[Operation], outcome: Outcome, before: Mapping[str, Memory]) -> None:
        self.operations = operations
        self.outcome = outcome
        self.before = before
        self.fates = fates_of(operations)
        self.kinds = {_unit(source): operation.kind for operation in operations for source in operation.sources}
        self.units: dict[str, list[Unit]] = {}
        for unit in self.fates:
            self.units.setdefault(unit.memory_id, []).append(unit)
        self.writers: dict[str, tuple[str, ...]] = {}
        for operation in operations:
            for memory_id in operation.writes:
                self.writers[memory_id] = (*self.writers.get(memory_id, ()), operation.id)

    def removed(self) -> tuple[RemovedMemory, ...]:
        """Removed memories by path."""
        heirs = self.outcome.removed
        return tuple(
            RemovedMemory(each, self.before[each].path, heirs[each], self.writers.get(each, ()))
            for each in sorted(heirs, key=self._order)
        )

    def _order(self, memory_id: str) -> tuple[str, str]:
        return self.before[memory_id].path, memory_id

    def changed(self) -> tuple[OutputMemory, ...]:
        """Memories with another text or an inheritance, by path."""
        absorbed: dict[str, list[str]] = {}
        for gone in sorted(self.outcome.removed, key=self._order):
            absorbed.setdefault(self.outcome.removed[gone], []).append(gone)
        changed = sorted({*self.outcome.texts, *absorbed}, key=self._order)
        return tuple(self._changed(each, tuple(absorbed.get(each, ()))) for each in changed)

    def _changed(self, memory_id: str, absorbed: tuple[str, ...]) -> OutputMemory:
        before = self.before[memory_id]
        text = self.outcome.texts.get(memory_id, before.text)
        after = inherit(before, [Heirloom(self.before[each], self._way_out(each)) for each in absorbed])
        if text != before.text:
            after = replace(after, text=text, sha256=text_sha256(text))
        return OutputMemory(memory_id, after, text != before.text, absorbed, self.writers.get(memory_id, ()))

    def _way_out(self, memory_id: str) -> OperationKind:
        """How a memory went, all steps to its heir taken together."""
        kinds: set[OperationKind] = set()
        pending = list(self.units[memory_id])
        while pending:
            unit = pending.pop()
            kinds.add(self.kinds[unit])
            after = self.fates[unit]
            pending += [each for each in {after, Unit(after.memory_id, None)} if each in self.fates]
        return next(kind for kind in WEAKEST if kind in kinds)

    def created(self, free: FreePaths) -> tuple[OutputMemory, ...]:
        """New memories, each at the first free path like the one it wants."""
        return tuple(self._created(each, each.creates, free) for each in self.operations if each.creates is not None)

    def _created(self, operation: Operation, new: NewMemory, free: FreePaths) -> OutputMemory:
        first, *others = dict.fromkeys(source.memory_id for source in operation.sources)
        born = inherit(self.before[first], [Heirloom(self.before[each], operation.kind) for each in others])
        memory = replace(
            born,
            id="",
            version_id="",
            revision=0,
            path=free.take(new.path),
            text=new.text,
            sha256=text_sha256(new.text),
            pinned=False,
            trust=new.trust,
            tags=tuple(dict.fromkeys((*new.tags, *born.tags))),
            metadata={**born.metadata, **new.metadata},
        )
        return OutputMemory(None, memory, True, (), (operation.id,))

    def lineage(self, created: Iterable[OutputMemory]) -> tuple[LineageEntry, ...]:
        """Every source, survivors included, once for each output memory it went into."""
        entries: dict[tuple[str | None, str, SourceRef], LineageEntry] = {}
        for entry in (*self._survivors(), *self._founders(created)):
            entries.setdefault((entry.output_id, entry.output_path, entry.source), entry)
        return tuple(entries.values())

    def _survivors(self) -> Iterator[LineageEntry]:
        for operation in self.operations:
            if operation.survivor is None:
                continue
            for source in (operation.survivor, *operation.sources):
                holder = final(_unit(source), self.fates).memory_id
                output_id = self.outcome.removed.get(holder, holder)
                yield LineageEntry(output_id, self.before[output_id].path, source, operation.id)

    def _founders(self, created: Iterable[OutputMemory]) -> Iterator[LineageEntry]:
        paths = {output.operations[0]: output.memory.path for output in created}
        for operation in self.operations:
            if operation.id in paths:
                for source in operation.sources:
                    yield LineageEntry(None, paths[operation.id], source, operation.id)


def fates_of(operations: Iterable[Operation]) -> dict[Unit, Unit]:
    """Where each source's facts stand after its operation."""
    return {
        _unit(source): _unit(operation.survivor)
        for operation in operations
        if operation.survivor is not None
        for source in operation.sources
    }


def _unit(source: SourceRef) -> Unit:
    return Unit(source.memory_id, source.passage_index)
