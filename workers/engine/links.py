"""Links between the memories of a store: which lines are an index, and what becomes of links to a memory that goes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from posixpath import basename

from workers.engine import canonical, facts
from workers.engine.addresses import address_of, directory_of, wiki_names
from workers.engine.addresses import candidates as candidates_of
from workers.engine.blocks import Span
from workers.engine.edits import SpanEdit, apply
from workers.engine.facts.wording import statement_words
from workers.engine.hyperlinks import Link, line_offsets
from workers.engine.passages import Document, Passage, parse

__all__ = ["Link", "is_index_line", "meant", "outgoing", "resolve", "rewrite"]

_ENTRY_START = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\*\*|__|[*_])?")
"""What stands before the link of an index line: the list marker and perhaps emphasis, but no task box."""

Piece = tuple[int, int, str]
"""Characters `start:end` of a text and what replaces them."""


def outgoing(path: str, text: str) -> tuple[Link, ...]:
    """The links of the memory at `path` that may lead to other memories, in order, with their characters in `text`."""
    return parse(path, text).links


def resolve(link: Link, paths: Collection[str]) -> str | None:
    """Which of the store's `paths` the link leads to. A wiki name that stands for none by its place is taken for the
    only file of that name anywhere."""
    direct = next((path for path in link.candidates if path in paths), None)
    if direct is not None or link.form != "wiki":
        return direct
    named = _by_name(frozenset(paths)).get(_name(link.candidates[0]), ())
    return named[0] if len(named) == 1 else None


def meant(link: Link, paths: Collection[str]) -> str:
    """What a link says when texts are compared: the path it leads to by its place, else where it would lead to.

    A wiki name that leads nowhere by its place counts as a name, whoever bears it: when copies go it may become the
    only file of that name, and a text must not mean something else because of that.
    """
    direct = next((path for path in link.candidates if path in paths), None)
    return direct or link.candidates[-1 if link.form == "wiki" else 0]


def is_index_line(passage: Passage, live_paths: Collection[str]) -> bool:
    """Whether it is a list item with a link to a live memory of the store."""
    return passage.kind == "item" and any(resolve(link, live_paths) is not None for link in passage.links)


def rewrite(path: str, text: str, moves: Mapping[str, str | None], *, live: Collection[str] = frozenset()) -> str:
    """`text` of the memory at `path` with links that still lead somewhere after `moves`, old path to new one or None.

    A link to a moved or merged memory gets the new address in its own manner. One to a memory that is gone becomes
    plain words, but an index line is removed with it, as is one to a merged memory whose survivor has a line already
    that says as much. Index lines that state something themselves keep their words. Where `path` itself moved, its
    relative links follow.
    `live` are the paths that exist afterwards: they tell what an ambiguous address meant.
    """
    document = parse(path, text)
    store = _Store(path, moves, live)
    if not any(store.affects(link) for link in document.links):
        return text
    kept = parse(path, _without_lines(document, _dead_entries(document, store)))
    readdressed = parse(path, _readdressed(kept, store))
    # Counted, not looked up again: by now a definition may have the address that another had before.
    definitions = zip(_definitions(kept), _definitions(readdressed), strict=True)
    return _without_lines(
        readdressed, [_lines(readdressed, new) for old, new in definitions if store.after(old) is None]
    )


def _without_lines(document: Document, spans: Iterable[Span]) -> str:
    """The text without these lines, where that leaves something of it."""
    edits = [SpanEdit(*span, None, str(span)) for span in spans]
    result = apply(document.text, edits, path=document.path)
    return document.text if result.emptied else result.text


def _definitions(document: Document) -> list[Link]:
    return [link for link in document.links if link.form == "definition"]


def _lines(document: Document, link: Link) -> Span:
    starts = line_offsets(document.lines)
    return bisect_right(starts, link.whole[0]) - 1, bisect_right(starts, link.whole[1] - 1)


@lru_cache(maxsize=4)
def _by_name(paths: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    named: dict[str, tuple[str, ...]] = {}
    for path in sorted(paths):
        named[_name(path)] = (*named.get(_name(path), ()), path)
    return named


def _name(path: str) -> str:
    return basename(path).removesuffix(".md")


@dataclass(frozen=True, slots=True)
class _Store:
    """Where the links of the memory at `path` led before `moves`, and where they lead after."""

    path: str
    moves: Mapping[str, str | None]
    live: Collection[str]

    @property
    def home(self) -> str:
        """The memory's own path after the moves."""
        return self.moves.get(self.path) or self.path

    def before(self, link: Link) -> str | None:
        """The path that the link led to."""
        direct = next((path for path in link.candidates if path in self.moves or path in self.live), None)
        if direct is not None or link.form != "wiki":
            return direct
        found = {resolve(link, frozenset(self.moves)), resolve(link, self.live)} - {None}
        return found.pop() if len(found) == 1 else None

    def after(self, link: Link) -> str | None:
        """The path that the link shall lead to, None for nowhere."""
        before = self.before(link)
        if before is None:
            return link.candidates[0]
        return self.moves.get(before, before)

    def affects(self, link: Link) -> bool:
        """Whether the link's source has to change."""
        rebased = link.form != "wiki" and directory_of(self.home) != directory_of(self.path)
        return rebased or self.before(link) in self.moves


@dataclass(frozen=True, slots=True)
class _Entry:
    """An index line: a list item that begins with a link, its only one into the store.

    `hook` is what it says behind the link, in canonical tokens; `states` whether its words say more than where to look.
    """

    lines: Span
    before: str
    after: str | None
    hook: tuple[str, ...]
    states: bool


def _dead_entries(document: Document, store: _Store) -> Iterator[Span]:
    """Index lines that say nothing once their memory is gone or has a line elsewhere, which says as much."""
    entries = list(_entries(document, store))
    indexed: dict[str | None, set[tuple[str, ...]]] = {None: set()}
    for entry in entries:
        if entry.after == entry.before:
            indexed.setdefault(entry.after, set()).add(entry.hook)
    for entry in entries:
        hooks = indexed.get(entry.after)
        told = hooks is not None and (entry.after is None or not entry.hook or entry.hook in hooks)
        if entry.after != entry.before and told and not entry.states:
            yield entry.lines
        indexed.setdefault(entry.after, set()).add(entry.hook)


def _entries(document: Document, store: _Store) -> Iterator[_Entry]:
    starts = line_offsets(document.lines)
    whole = [link.whole[0] for link in document.links]
    for first, last in document.leaves:
        links = document.links[bisect_left(whole, starts[first]) : bisect_left(whole, starts[last])]
        led = {before for link in links if (before := store.before(link)) is not None}
        prefix = _ENTRY_START.match(document.text, starts[first])
        if len(led) == 1 and prefix and links[0].whole[0] == prefix.end() and store.before(links[0]) in led:
            label, hook = document.text[slice(*links[0].words)], document.text[links[0].whole[1] : starts[last]]
            states = _states(label) or _states(hook)
            yield _Entry((first, last), led.pop(), store.after(links[0]), _hook(hook), states)


def _hook(text: str) -> tuple[str, ...]:
    """What is said behind a link, without the signs that join it on."""
    return tuple(word for word in canonical.tokens(text) if any(map(str.isalnum, word)))


def _states(text: str) -> bool:
    """Whether words hold a number or the like, or turn what they say: "never sublet", "ask first (tel. 4711)"."""
    turning = statement_words(text)
    turns = (turning.negations, turning.negative_words, turning.conditions, turning.modality, turning.changes)
    return any(turns) or bool(facts.fact_values(text))


def _readdressed(document: Document, store: _Store) -> str:
    """The text with every affected link rewritten or unlinked; unlinked words stay in brackets where bare ones would
    be read as another block. Where even that changes the structure, the links stay."""
    for left, right in (("", ""), ("[", "]")):
        pieces = [
            piece
            for link in document.links
            if store.affects(link)
            for piece in _pieces(document, store, link, left, right)
        ]
        text = _spliced(document.text, pieces)
        if _shape(parse(document.path, text)) == _shape(document):
            return text
    return document.text


def _pieces(document: Document, store: _Store, link: Link, left: str, right: str) -> Iterator[Piece]:
    after = store.after(link)
    address = None if after is None else _address(document, store, link, after)
    if address is not None:
        yield *link.address, address
    elif link.form != "definition":
        yield link.whole[0], link.words[0], left
        yield link.words[1], link.whole[1], right


def _address(document: Document, store: _Store, link: Link, after: str) -> str | None:
    """What the link's source says instead of its address; None where no address of its form leads there."""
    like = document.text[slice(*link.address)]
    if link.form == "reference":
        return ""
    if link.form != "wiki":
        return address_of(store.home, after, like=like, angled=link.angled)
    paths = {*store.live, *(path for path in store.moves.values() if path is not None), after}
    paths -= store.moves.keys() - {after}
    for name in wiki_names(after, like=like):
        if resolve(replace(link, candidates=candidates_of(store.home, name, wiki=True)), paths) == after:
            return name
    return None


def _spliced(text: str, pieces: Iterable[Piece]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, replacement in sorted(pieces):
        parts += text[at:start], replacement
        at = end
    return "".join([*parts, text[at:]])


def _shape(document: Document) -> list[tuple[str, bool]]:
    headings = [("heading", False)] * len(document.headings)
    return [*headings, *((passage.kind, passage.ordered) for passage in document.passages)]
