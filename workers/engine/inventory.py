"""What a dream reads: each memory's passages as rules see them, and who links to whom."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from workers.engine import canonical, links, places, pointing
from workers.engine.hyperlinks import line_offsets
from workers.engine.marks import NO_MARKS, Marks
from workers.engine.mentions import Mention, mentions
from workers.engine.passages import Document, Passage, parse
from workers.engine.protection import Protection, protected
from workers.engine.values import Memory, Snapshot

CHUNK = 500
"""Memories read between two steps."""
Origins = tuple[int | None, ...]
"""For each passage of a text the index it had in the snapshot's text, None where that cannot be told."""


class Unit(NamedTuple):
    """A passage of a memory of the snapshot, or the whole memory (`passage` None)."""

    memory_id: str
    passage: int | None


@dataclass(frozen=True, slots=True)
class Item:
    """A passage as it stands now, which rules may compare; `index` is its index in the snapshot's text.

    Two passages say the same if `tokens` (canonical ones, or every byte of a verbatim passage) and `targets`, where
    their links, references and paths lead, are equal, and the `marks` of one cover the other's. Before the first
    token stand the signs of bullets that are no mere bullets, and the day from which a relative time counts. `single`:
    the memory consists of this passage.
    """

    memory: Memory
    passage: Passage
    index: int
    tokens: tuple[str, ...]
    marks: Marks
    targets: tuple[str, ...]
    mergeable: bool
    removable_copy: bool
    single: bool

    @property
    def unit(self) -> Unit:
        """Which passage of the snapshot it is."""
        return Unit(self.memory.id, self.index)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One memory as it stands now. `items` leave out passages that a person deleted once, and those without origin."""

    memory: Memory
    document: Document
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Inventory:
    """The readable memories of a snapshot by id, pinned ones among them; `protections` name those never edited.

    `linked_by` has, for each live path, the readable memories that link to it; `anchored` are memories that protected
    text links to, and those that any text names other than by a link: they may change but must not go, since nobody may
    rewrite the name.
    """

    snapshot: Snapshot
    paths: frozenset[str]
    protections: Mapping[str, Protection]
    sheets: Mapping[str, Sheet]
    linked_by: Mapping[str, tuple[str, ...]]
    anchored: frozenset[str]

    def sheet(self, memory: Memory, text: str, origins: Origins | None, paths: frozenset[str]) -> Sheet:
        """A memory with this text among the memories at `paths`; without `origins` the text is the snapshot's."""
        document = parse(memory.path, text)
        return _sheet(memory, document, mentions(document, paths), paths, self.snapshot.tombstones, origins)


def take(snapshot: Snapshot) -> Generator[tuple[int, int], None, Inventory]:
    """Read a snapshot; yields (read, total) memories, every `CHUNK`."""
    paths = _shared(frozenset(memory.path for memory in snapshot.memories))
    protections = protected(snapshot)
    sheets: dict[str, Sheet] = {}
    linked_by: dict[str, list[str]] = {}
    held: set[str] = set()
    for number, memory in enumerate(sorted(snapshot.memories, key=lambda memory: memory.path), start=1):
        document = parse(memory.path, memory.text)
        led = {path for link in document.links if (path := links.resolve(link, paths)) is not None}
        named = mentions(document, paths)
        held |= {mention.path for mention in named} - {memory.path}
        if memory.id in protections:
            held |= led
        if protections.get(memory.id, "pinned") == "pinned":
            sheets[memory.id] = _sheet(memory, document, named, paths, snapshot.tombstones, None)
            for path in led:
                linked_by.setdefault(path, []).append(memory.id)
        if number % CHUNK == 0:
            yield number, len(snapshot.memories)
    anchored = frozenset(memory.id for memory in snapshot.memories if memory.path in held)
    by_path = {path: tuple(ids) for path, ids in linked_by.items()}
    return Inventory(snapshot, paths, protections, sheets, by_path, anchored)


@lru_cache(maxsize=4)
def _shared(paths: frozenset[str]) -> frozenset[str]:
    # What is remembered by paths is looked up for each memory. In the next dream of a store they are equal ones, and
    # unless they are the same object each look compares all of them.
    return paths


def _sheet(
    memory: Memory,
    document: Document,
    named: Sequence[Mention],
    paths: frozenset[str],
    tombstones: Collection[str],
    origins: Origins | None,
) -> Sheet:
    return Sheet(memory, document, tuple(_items(memory, document, named, paths, tombstones, origins)))


def _items(
    memory: Memory,
    document: Document,
    named: Sequence[Mention],
    paths: frozenset[str],
    tombstones: Collection[str],
    origins: Origins | None,
) -> Iterator[Item]:
    single = len(document.passages) == 1 and not document.headings
    offsets = line_offsets(document.lines) if named else []
    signed = pointing.has_signs(passage.text for passage in document.passages)
    for passage in document.passages:
        index = passage.index if origins is None else origins[passage.index]
        if index is None or (tombstones and canonical.key(passage.text) in tombstones):
            continue
        listed = bool(passage.links) and links.is_index_line(passage, paths)
        tokens, marks = _said(passage)
        bearings = pointing.signs(passage.text) if signed else (), _day(memory, passage)
        tokens = (*chain.from_iterable(bearings), *tokens)
        mergeable = places.mergeable(passage, index_line=listed)
        copy = passage.verbatim and places.removable_copy(passage, index_line=listed)
        here = [each for each in named if offsets[passage.start] <= each.start < offsets[passage.end]]
        yield Item(memory, passage, index, tokens, marks, _targets(passage, here, paths), mergeable, copy, single)


def _said(passage: Passage) -> tuple[tuple[str, ...], Marks]:
    if passage.verbatim:
        return ("\0verbatim", passage.text), NO_MARKS
    said = canonical.read(passage.text)
    return said.tokens, said.marks


def _day(memory: Memory, passage: Passage) -> tuple[str, ...]:
    """The day that "tomorrow" counts from, where the passage, unless it is code, or what introduces it says so."""
    place = passage.place
    said = pointing.bare(passage.text) if passage.verbatim else passage.text
    said = "" if passage.kind in {"fence", "code"} else said
    texts = (said, *place.headings, place.intro, *place.front, *(note.text for note in passage.notes))
    if not any(map(pointing.tells_relative_time, texts)):
        return ()
    return (f"\0{memory.observed_at.astimezone(UTC):%Y-%m-%d}",)


def _targets(passage: Passage, named: Iterable[Mention], paths: frozenset[str]) -> tuple[str, ...]:
    found = [(link.whole[0], links.meant(link, paths)) for link in passage.links]
    return tuple(said for _, said in sorted((*found, *passage.notes, *named)))
