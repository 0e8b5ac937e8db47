"""The texts that a set of operations leaves: edits made, emptied files gone, links rewritten last."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from workers.engine import edits, facts, links, pointing
from workers.engine.edits import SpanEdit
from workers.engine.inventory import Origins, Unit
from workers.engine.passages import Document, Passage, Place, parse
from workers.engine.plan import PassageEdit

Fates = Mapping[Unit, Unit]
"""For each passage or memory that goes, the one that holds its facts from now on."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What shall happen: `edits` by memory, whole memories that go, and who holds the facts of what goes.

    `document` gives a memory's text as the snapshot has it, `linked_by` the ids of memories that link to a path.
    Memories in `anchored` must not go; `paths` are all live paths before.
    """

    document: Callable[[str], Document]
    edits: Mapping[str, Sequence[PassageEdit]]
    removes: Collection[str]
    fates: Fates
    linked_by: Callable[[str], Sequence[str]]
    anchored: Collection[str]
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Final `texts` of changed memories with the `origins` of their passages, `removed` memories with the one that
    inherits from each, and the passages whose edit was `refused`."""

    texts: Mapping[str, str]
    origins: Mapping[str, Origins]
    removed: Mapping[str, str]
    refused: frozenset[Unit]


def settle(changes: Changes) -> Outcome:
    """Make all edits, see which files they empty, then rewrite the links to what went."""
    edited = {
        memory_id: _edited(memory_id, changes)
        for memory_id in sorted(changes.edits)
        if memory_id not in changes.removes
    }
    heirs = {memory_id: final(Unit(memory_id, None), changes.fates).memory_id for memory_id in changes.removes}
    heirs |= {memory_id: each.heir for memory_id, each in edited.items() if each.heir is not None}
    removed = {memory_id: _resolved(memory_id, heirs) for memory_id in heirs}
    texts = {memory_id: (each.text, each.origins) for memory_id, each in edited.items() if memory_id not in removed}
    texts |= _relinked(changes, removed, texts)
    return Outcome(
        {memory_id: text for memory_id, (text, _) in texts.items()},
        {memory_id: origins for memory_id, (_, origins) in texts.items()},
        removed,
        frozenset().union(*(each.refused for each in edited.values())),
    )


def final(unit: Unit, fates: Fates) -> Unit:
    """Where the facts of a passage or memory stand in the end."""
    while True:
        after = fates.get(unit) or fates.get(Unit(unit.memory_id, None))
        if after is None:
            return unit
        unit = after


@dataclass(frozen=True, slots=True)
class _Edited:
    text: str
    origins: Origins
    heir: str | None
    refused: frozenset[Unit]


def _edited(memory_id: str, changes: Changes) -> _Edited:
    document = changes.document(memory_id)
    spans = {f"{edit.start}:{edit.end}": edit for edit in changes.edits[memory_id]}
    units = {f"{p.start}:{p.end}": Unit(memory_id, p.index) for p in document.passages}
    needed = frozenset(_needed(document, {key for key, edit in spans.items() if edit.replacement is None}))
    if needed:
        return _Edited(document.text, _all(document), None, frozenset(map(units.__getitem__, needed)))
    keepers = {unit: final(unit, changes.fates) for unit in units.values() if unit in changes.fates}
    result = edits.apply(
        document.text,
        [SpanEdit(edit.start, edit.end, edit.replacement, key) for key, edit in spans.items()],
        path=document.path,
        removable_headings=tuple(_removable_headings(document, keepers, changes)),
    )
    if result.emptied:
        if _may_go(memory_id, document, keepers.values(), changes):
            return _Edited("", (), _most(keepers.values()), frozenset())
        # One passage that stays is enough; a next dream must not find that the others could have gone.
        first = min(keepers, key=lambda unit: unit.passage or 0)
        return _Edited(document.text, _all(document), None, frozenset((first,)))
    refused = frozenset(units[key] for key in result.dropped)
    gone = {unit.passage for key, unit in units.items() if key in spans and spans[key].replacement is None} - {
        unit.passage for unit in refused
    }
    origins = tuple(passage.index for passage in document.passages if passage.index not in gone)
    return _Edited(result.text, origins, None, refused)


def _needed(document: Document, going: Collection[str]) -> Iterator[str]:
    """The passages among those that go ("start:end") on which one that stays leans: without them "it" is another."""
    leaning = False
    for passage in reversed(document.passages):
        key = f"{passage.start}:{passage.end}"
        stays = key not in going or leaning
        if leaning and key in going:
            yield key
        leaning = stays and isinstance(passage.before, Passage) and pointing.leans_back(passage.text)


def _all(document: Document) -> Origins:
    return tuple(passage.index for passage in document.passages)


def _most(keepers: Iterable[Unit]) -> str:
    """The memory that took most of what went, the first by id of several."""
    counts = Counter(keeper.memory_id for keeper in keepers)
    return min(counts, key=lambda memory_id: (-counts[memory_id], memory_id))


def _may_go(memory_id: str, document: Document, keepers: Iterable[Unit], changes: Changes) -> bool:
    """An emptied file goes unless a text that nobody may edit links to it, or its front matter stands nowhere else."""
    if memory_id in changes.anchored:
        return False
    front = _front_matter(document)
    return front is None or all(front == _front_matter(changes.document(keeper.memory_id)) for keeper in keepers)


def _front_matter(document: Document) -> str | None:
    return next((p.text for p in document.passages[:1] if p.kind == "front_matter"), None)


def _removable_headings(document: Document, keepers: Mapping[Unit, Unit], changes: Changes) -> Iterator[int]:
    """First lines of headings whose facts stand where every passage of their section that goes is held from now on."""
    going = sorted(
        (document.passages[unit.passage].start, keeper) for unit, keeper in keepers.items() if unit.passage is not None
    )
    starts = [start for start, _ in going]
    for heading, end in zip(document.headings, _section_ends(document), strict=True):
        holders = {keeper for _, keeper in going[bisect_left(starts, heading.end) : bisect_left(starts, end)]}
        marks = facts.path_marks(heading.text) if holders else frozenset()
        if all(marks <= _marks(_place(keeper, changes)) for keeper in holders):
            yield heading.start


def _section_ends(document: Document) -> list[int]:
    """For each heading the line at which the next one of its level or above starts."""
    ends = [len(document.lines)] * len(document.headings)
    open_sections: list[int] = []
    for number, heading in enumerate(document.headings):
        while open_sections and document.headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.start
        open_sections.append(number)
    return ends


def _place(unit: Unit, changes: Changes) -> Place:
    document = changes.document(unit.memory_id)
    if unit.passage is not None:
        return document.passages[unit.passage].place
    return Place("", document.path, tuple(heading.text for heading in document.headings))


def _marks(place: Place) -> frozenset[str]:
    parts = (*place.path.replace("_", " ").split("/"), *place.headings, place.intro)
    return frozenset().union(*(facts.path_marks(part) for part in parts if part))


def _resolved(memory_id: str, heirs: Mapping[str, str]) -> str:
    heir = heirs[memory_id]
    while heir in heirs:
        heir = heirs[heir]
    return heir


def _relinked(
    changes: Changes, removed: Mapping[str, str], texts: Mapping[str, tuple[str, Origins]]
) -> dict[str, tuple[str, Origins]]:
    """The texts, with the origins of their passages, whose links led to a removed memory."""
    path_of = {memory_id: changes.document(memory_id).path for memory_id in {*removed, *removed.values()}}
    moves: dict[str, str | None] = {path_of[memory_id]: path_of[heir] for memory_id, heir in removed.items()}
    linking = {memory_id for path in moves for memory_id in changes.linked_by(path)} - removed.keys()
    live = changes.paths - moves.keys()
    found: dict[str, tuple[str, Origins]] = {}
    for memory_id in sorted(linking):
        document = changes.document(memory_id)
        text, origins = texts.get(memory_id, (document.text, _all(document)))
        rewritten = links.rewrite(document.path, text, moves, live=live)
        if rewritten != text:
            found[memory_id] = rewritten, _kept(parse(document.path, text), parse(document.path, rewritten), origins)
    return found


def _kept(before: Document, after: Document, origins: Origins) -> Origins:
    """Origins after links were rewritten; where index lines went with their memory, only unchanged texts are told."""
    if len(after.passages) == len(before.passages):
        return origins
    old = iter(zip(before.passages, origins, strict=True))
    return tuple(_match(passage, old) for passage in after.passages)


def _match(passage: Passage, old: Iterator[tuple[Passage, int | None]]) -> int | None:
    if passage.links:
        return None
    return next((origin for before, origin in old if before.text == passage.text), None)
