"""What goes by rule, without a model: the same said twice (by hash), the beginning of a longer text (by sorting)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from workers.engine import conflicts, places, wholes
from workers.engine.contained import contained
from workers.engine.inventory import Inventory, Item, Sheet, Unit
from workers.engine.marks import Marks, covers
from workers.engine.outcome import Changes, Outcome, settle
from workers.engine.passages import Passage
from workers.engine.plan import OperationKind, PassageEdit
from workers.engine.survivor import preference, source_time
from workers.engine.values import Policy

T = TypeVar("T")

LEADERS_TRIED = 16
"""Survivors in like places that one copy is held against; a text repeated under more headings than that stays apart."""
LONGER_TRIED = 32
"""Longer texts that a shorter one is held against, in sorted order."""


@dataclass(frozen=True, slots=True)
class Merge:
    """`gone` goes because `kept` holds what it says; `value` is what a supersession lets go."""

    kind: OperationKind
    gone: Unit
    kept: Unit
    value: str = ""


@dataclass(frozen=True, slots=True)
class Deduped:
    """The merges, every readable memory as they leave it, and the passages that could not be cut out."""

    merges: tuple[Merge, ...]
    sheets: Mapping[str, Sheet]
    refused: frozenset[Unit]


def dedup(inventory: Inventory, policy: Policy) -> Generator[tuple[int, int], None, Deduped]:
    """Apply the rules until none applies any more; yields (merges, memories) between rounds.

    Each round looks at the texts that the rounds before leave, so a dream of the output finds nothing. A passage that
    cannot be cut out without changing its neighbours is refused once, and all is decided again without it.
    """
    state = untouched(inventory)
    while found := _round(inventory, state, policy):
        merges = (*state.merges, *found)
        yield len(merges), len(inventory.sheets)
        outcome = settle(_changes(merges, inventory))
        if outcome.refused:
            state = replace(untouched(inventory), refused=state.refused | outcome.refused)
        else:
            state = Deduped(merges, _after(inventory, outcome), state.refused)
    return state


def untouched(inventory: Inventory) -> Deduped:
    """The store as the snapshot has it."""
    return Deduped((), inventory.sheets, frozenset())


def _changes(merges: Iterable[Merge], inventory: Inventory) -> Changes:
    """The merges as edits of the snapshot's texts."""
    fates = {merge.gone: merge.kept for merge in merges}
    edits: dict[str, list[PassageEdit]] = {}
    for memory_id, index in fates:
        if index is not None:
            passage = inventory.sheets[memory_id].document.passages[index]
            edits.setdefault(memory_id, []).append(PassageEdit(memory_id, passage.start, passage.end))
    return Changes(
        document=lambda memory_id: inventory.sheets[memory_id].document,
        edits=edits,
        removes=[memory_id for memory_id, index in fates if index is None],
        fates=fates,
        linked_by=lambda path: inventory.linked_by.get(path, ()),
        anchored=inventory.anchored,
        paths=inventory.paths,
    )


def _after(inventory: Inventory, outcome: Outcome) -> dict[str, Sheet]:
    sheets = {memory_id: sheet for memory_id, sheet in inventory.sheets.items() if memory_id not in outcome.removed}
    gone = {inventory.sheets[memory_id].memory.path for memory_id in outcome.removed}
    live = inventory.paths - gone
    linking = {memory_id for path in gone for memory_id in inventory.linked_by.get(path, ())}
    for memory_id in sheets.keys() & {*outcome.texts, *linking}:
        memory = sheets[memory_id].memory
        text, origins = outcome.texts.get(memory_id, memory.text), outcome.origins.get(memory_id)
        sheets[memory_id] = inventory.sheet(memory, text, origins, live)
    return sheets


@dataclass(frozen=True, slots=True)
class _Board:
    """One round of the rules. `gone` grows as they decide."""

    inventory: Inventory
    refused: frozenset[Unit]
    policy: Policy
    gone: set[Unit]

    def bound(self, unit: Unit) -> bool:
        """Whether its memory is pinned: it may stay for exact copies, and takes part in nothing else."""
        return unit.memory_id in self.inventory.protections

    def stays(self, unit: Unit) -> bool:
        """Whether it must not go."""
        anchored = unit.passage is None and unit.memory_id in self.inventory.anchored
        return anchored or self.bound(unit) or unit in self.refused

    def merge(self, kind: OperationKind, gone: Unit, kept: Unit, value: str = "") -> Merge:
        """Decide it."""
        self.gone.add(gone)
        return Merge(kind, gone, kept, value)


def _round(inventory: Inventory, state: Deduped, policy: Policy) -> list[Merge]:
    board = _Board(inventory, state.refused, policy, set())
    found = [merge for group in _repeated_memories(state.sheets.values()) for merge in _same(board, group)]
    items = [
        item for sheet in state.sheets.values() if Unit(sheet.memory.id, None) not in board.gone for item in sheet.items
    ]
    found += [merge for group in _repeated_passages(items) for merge in _same(board, group)]
    free = [item for item in items if item.mergeable and not board.bound(item.unit)]
    found += _contained(board, [item for item in free if item.unit not in board.gone])
    if inventory.snapshot.supersede == "explicit":
        found += _superseded(board, [item for item in free if item.unit not in board.gone])
    return found


@dataclass(frozen=True, slots=True)
class _Copy:
    """A memory or passage with the same tokens as others; the lowest `rank` stays.

    `exact` is equal where every byte is; `like` are keys of places, so that copies in like places find each other.
    """

    unit: Unit
    rank: tuple[int, float, str, str, int]
    marks: Marks
    exact: Hashable
    passage: Passage
    single: bool
    like: tuple[Hashable, ...]


def _repeated_memories(sheets: Iterable[Sheet]) -> Iterator[list[_Copy]]:
    """Memories with the same tokens as a whole."""
    return (list(map(_whole, group)) for group in _repeated(sheets, wholes.structure))


def _repeated_passages(items: Iterable[Item]) -> Iterator[list[_Copy]]:
    """Passages with the same tokens, wherever they stand."""
    able = (item for item in items if item.mergeable or item.removable_copy)
    return (list(map(_part, group)) for group in _repeated(able, lambda i: (i.memory.ring, i.tokens, i.targets)))


def _repeated(things: Iterable[T], key: Callable[[T], Hashable]) -> Iterator[list[T]]:
    """Groups of two and more with an equal key; things without a key are left out."""
    groups: dict[Hashable, list[T]] = {}
    for thing in things:
        value = key(thing)
        if value is not None:
            groups.setdefault(value, []).append(thing)
    return (group for group in groups.values() if len(group) > 1)


def _whole(sheet: Sheet) -> _Copy:
    passages, marks = sheet.document.passages, wholes.marks(sheet)
    exact = (*(heading.text for heading in sheet.document.headings), *(p.text for p in passages))
    rank = preference(sheet.memory, len(marks.every), 0)
    return _Copy(Unit(sheet.memory.id, None), rank, marks, exact, passages[0], True, ("whole",))


def _part(item: Item) -> _Copy:
    place = item.passage.place
    like = (
        *(("whole",) if item.single else ()),
        ("file", place.path, place.headings, item.passage.introducers),
        ("under", place.headings, place.intro),
        "anywhere",
    )
    rank = preference(item.memory, len(item.marks.every), item.index)
    return _Copy(item.unit, rank, item.marks, item.passage.text, item.passage, item.single, like)


def _same(board: _Board, group: Iterable[_Copy]) -> Iterator[Merge]:
    """Each copy goes to the first survivor that has all its marks and a compatible place, or is one.

    Those that must stay are asked first. Of the others a fuller text comes before all that it covers, by its rank.
    """
    leaders: dict[Hashable, list[_Copy]] = {}
    for copy in sorted(group, key=lambda c: (not board.bound(c.unit), not board.stays(c.unit), c.rank)):
        near = () if board.stays(copy.unit) else _near(leaders, copy)
        leader = next((each for each in near if _replaces(board, each, copy)), None)
        if leader is not None:
            yield board.merge("merge_same", copy.unit, leader.unit)
            continue
        for like in copy.like:
            leaders.setdefault(like, []).append(copy)
            leaders.setdefault((like, copy.marks), []).append(copy)


def _near(leaders: Mapping[Hashable, Sequence[_Copy]], copy: _Copy) -> Iterator[_Copy]:
    """The first survivors in like places: of its own wording, however many wordings there are, then of fuller ones."""
    for like in copy.like:
        yield from leaders.get((like, copy.marks), ())[:LEADERS_TRIED]
    for like in copy.like:
        for leader in leaders.get(like, ())[:LEADERS_TRIED]:
            if leader.marks != copy.marks and covers(leader.marks, copy.marks):
                yield leader


def _replaces(board: _Board, leader: _Copy, copy: _Copy) -> bool:
    if board.bound(leader.unit) and leader.exact != copy.exact:
        return False
    return places.compatible(leader.passage, copy.passage, whole=leader.single and copy.single)


def _contained(board: _Board, items: Sequence[Item]) -> Iterator[Merge]:
    """Each shorter text goes to the best longer one that begins with it; longest first, so that none goes to a text
    that goes itself."""
    by_tokens: dict[tuple[str, ...], list[Item]] = {}
    for item in sorted(items, key=lambda item: preference(item.memory, len(item.marks.every), item.index)):
        by_tokens.setdefault(item.tokens, []).append(item)
    ordered = sorted(by_tokens)
    for position in range(len(ordered) - 1, -1, -1):
        longer = [
            item
            for tokens in _beginning_with(ordered, position)
            for item in by_tokens[tokens][:LEADERS_TRIED]
            if item.unit not in board.gone
        ]
        longer.sort(key=lambda item: preference(item.memory, len(item.tokens), item.index))
        for item in by_tokens[ordered[position]] if longer else ():
            holder = next((other for other in longer if _holds(board, other, item)), None)
            if holder is not None and not board.stays(item.unit):
                yield board.merge("merge_contained", item.unit, holder.unit)


def _beginning_with(ordered: Sequence[tuple[str, ...]], position: int) -> Iterator[tuple[str, ...]]:
    """The next token sequences that begin with the one at `position`; sorting puts them right behind it."""
    head = ordered[position]
    for tokens in ordered[position + 1 : position + 1 + LONGER_TRIED]:
        if tokens[: len(head)] != head:
            return
        yield tokens


def _holds(board: _Board, longer: Item, shorter: Item) -> bool:
    return (
        longer.memory.ring == shorter.memory.ring
        and longer.targets[: len(shorter.targets)] == shorter.targets
        and places.compatible(longer.passage, shorter.passage, whole=longer.single and shorter.single)
        and contained(shorter.passage.text, longer.passage.text, board.policy)
    )


def _superseded(board: _Board, items: Sequence[Item]) -> Iterator[Merge]:
    """What a newer statement says is no more goes, oldest first, so that a chain of changes keeps its last link."""
    for conflict in conflicts.replaced(items):
        older, newer = conflict.older, conflict.newer
        if board.gone.isdisjoint((older.unit, newer.unit)) and not board.stays(older.unit) and _is_newer(newer, older):
            yield board.merge("supersede", older.unit, newer.unit, conflict.values[0])


def _is_newer(a: Item, b: Item) -> bool:
    """By source time; where that is equal, by how often it was reinforced."""
    left = source_time(a.memory, a.passage), a.memory.signals.reinforcement_count
    return left > (source_time(b.memory, b.passage), b.memory.signals.reinforcement_count)
