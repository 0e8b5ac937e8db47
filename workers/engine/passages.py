"""A memory's text as passages, the units that a dream compares, merges and removes, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from workers.engine.addresses import directory_of
from workers.engine.blocks import BlockKind, Heading, Outline, Span, dialect_of, outline
from workers.engine.front import front_length, statements
from workers.engine.hyperlinks import Link, Note, find, line_offsets
from workers.engine.introductions import COLON_AT_END, Context, contexts
from workers.engine.lines import BYTE_ORDER_MARK, split_lines, without_line_end

__all__ = ["BlockKind", "Document", "Heading", "Link", "Passage", "Place", "Span", "parse", "split_lines"]

T = TypeVar("T")

VERBATIM_KINDS = frozenset({"table", "fence", "code", "html", "front_matter", "definition", "footnote", "data"})

_SELF_REFERENCE = re.compile(
    r"(?<![A-Za-z])(?:above|below|(?:this|the same) (?:file|page|document|note|memory|section|list|table|index)"
    r"|(?:previous|preceding|following|next|last) (?:section|list|table|item|items|line|lines|paragraph|heading|entry)"
    r"|the following|as follows"
    r"|diese[rsmn]? (?:Datei|Seite|Notiz|Dokument|Liste|Tabelle|Abschnitts?)|oben|unten|obige[nrs]?|folgende[nrs]?"
    r"|ce fichier|cette (?:page|note|section|liste)|ci-dess(?:us|ous)"
    r"|este (?:archivo|documento)|esta (?:p[aá]gina|nota|secci[oó]n|lista)|arriba|abajo)(?![A-Za-z])"
    r"|本文件|本文档|本檔案|本页|本頁|本节|本節|本笔记|此文件|此文档|该文件|上文|下文|上述|下述|上面|下面|如上|如下|以上|以下"
    r"|このファイル|このページ|このメモ|上記|下記|前述|後述|이 파일|이 문서|이 페이지|위의|아래",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands. `headings` are outermost first; `intro` is the text of the label lines that introduce it,
    outermost first, one below the other ("" without any); `front` is what the head of the file says."""

    directory: str
    path: str
    headings: tuple[str, ...] = ()
    intro: str = ""
    front: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A block on the lines `start:end` of its document. `text` is the lines joined, less the last line end and a byte
    order mark; an outermost list item has its children in it. `introducers` are the indexes of its place's label lines,
    `introduces` says that it is one or belongs to the head of the file. `before` is the passage right before it, or the
    heading. Characters in `links` and `notes` count from the start of the document."""

    index: int
    kind: BlockKind
    start: int
    end: int
    text: str
    place: Place
    ordered: bool = False
    holds_verbatim: bool = False
    introducers: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    notes: tuple[Note, ...] = ()
    introduces: bool = False
    before: Passage | Heading | None = field(default=None, compare=False, repr=False)

    @property
    def verbatim(self) -> bool:
        """Whether every character counts: code, tables, HTML, data, definitions, and items or quotes that hold some."""
        return self.kind in VERBATIM_KINDS or self.holds_verbatim

    @property
    def label(self) -> bool:
        """Whether it ends in a colon, so that it means nothing without what follows."""
        return self.kind in {"paragraph", "item", "quote"} and COLON_AT_END.search(self.text) is not None

    @property
    def self_reference(self) -> bool:
        """Whether it speaks of the file or the lines around it ("see below"), so that it means nothing elsewhere."""
        return _SELF_REFERENCE.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class Document:
    """A memory's text. Every non-blank line lies in exactly one passage or heading; `lines` joined are `text`."""

    path: str
    text: str
    lines: tuple[str, ...]
    passages: tuple[Passage, ...]
    headings: tuple[Heading, ...]
    leaves: tuple[Span, ...] = ()
    links: tuple[Link, ...] = ()


def parse(path: str, text: str) -> Document:
    """The passages of the memory at `path`. Markdown is read by CommonMark with tables and front matter; `.txt` and
    unknown kinds split at blank lines; JSON, YAML and other data are one verbatim passage."""
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    body = outline(dialect_of(path), text[len(mark) :])
    links, notes = find(body, path, offset=len(mark)) if "[" in text else ((), ())
    lines = (mark + "".join(body.lines[:1]), *body.lines[1:]) if mark else body.lines
    passages = tuple(_passages(path, body, links, notes, len(mark)))
    return Document(path, text, lines, passages, body.headings, body.leaves, links)


def _passages(path: str, body: Outline, links: Sequence[Link], notes: Sequence[Note], offset: int) -> Iterator[Passage]:
    texts = [without_line_end("".join(body.lines[block.start : block.end])) for block in body.blocks]
    front = front_length(body.blocks, texts)
    found = list(contexts(body, texts, front))
    introducing = {*range(front), *(label for context in found for label in context.introducers)}
    linked = _by_block(body, links, [link.whole[0] - offset for link in links])
    noted = _by_block(body, notes, [note.start - offset for note in notes])
    place = Place(directory_of(path) or "/", path, front=statements(texts[:front]))
    last, before = Context(), None
    for index, (block, context) in enumerate(zip(body.blocks, found, strict=True)):
        if context != last:
            titles = tuple(heading.text for heading in context.headings)
            place = replace(place, headings=titles, intro="\n".join(texts[label] for label in context.introducers))
        above = context.headings[-1:] if context.headings != last.headings else ()
        last = context
        before = Passage(
            index,
            block.kind,
            block.start,
            block.end,
            texts[index],
            place,
            block.ordered,
            block.holds_verbatim,
            context.introducers,
            linked[index] if linked else (),
            noted[index] if noted else (),
            index in introducing,
            above[0] if above else before,
        )
        yield before


def _by_block(body: Outline, things: Sequence[T], starts: Sequence[int]) -> list[tuple[T, ...]]:
    """Links or notes, which start at these characters of the outline's text, by the block that holds them."""
    if not things:
        return []
    lines = line_offsets(body.lines)
    spans = ((bisect_left(starts, lines[block.start]), bisect_left(starts, lines[block.end])) for block in body.blocks)
    return [tuple(things[first:last]) for first, last in spans]
