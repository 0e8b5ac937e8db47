"""A memory's text as passages, the units that a dream compares, merges and removes, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workers.engine.addresses import directory_of
from workers.engine.blocks import Block, BlockKind, Heading, Outline, Span, dialect_of, outline
from workers.engine.hyperlinks import Link, find, line_offsets
from workers.engine.lines import BYTE_ORDER_MARK, split_lines, without_line_end

__all__ = ["BlockKind", "Document", "Heading", "Link", "Passage", "Place", "Span", "parse", "split_lines"]

VERBATIM_KINDS = frozenset({"table", "fence", "code", "html", "front_matter", "definition", "footnote", "data"})

_ITEM_RANK = 2
_MAX_LABELS = 6
"""How deep labels nest; a thousand lines ending in colons would else make introductions of quadratic length."""
_COLON_AT_END = re.compile(r"[:：][\s*_~]*\Z")
_QUESTION_AT_END = re.compile(r"[?？][\s*_~]*\Z")
_TITLE = re.compile(r"[^\r\n]{1,60}[^\r\n.!。！;；,，…]\Z")
_UNDERLINED = re.compile(r"[\r\n] {0,3}=+[ \t]*\Z")
_HTML_TITLE = re.compile(r"</?(?:details|summary|h[1-6])\b", re.IGNORECASE)
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1)[^\r\n]){1,200}\1[:：]?\Z")
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
    outermost first, one below the other ("" without any)."""

    directory: str
    path: str
    headings: tuple[str, ...] = ()
    intro: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A block on the lines `start:end` of its document. `text` is the lines joined, less the last line end and a byte
    order mark; an outermost list item has its children in it. `introducers` are the indexes of its place's label lines;
    characters in `links` count from the start of the document."""

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

    @property
    def verbatim(self) -> bool:
        """Whether every character counts: code, tables, HTML, data, definitions, and items or quotes that hold some."""
        return self.kind in VERBATIM_KINDS or self.holds_verbatim

    @property
    def label(self) -> bool:
        """Whether it ends in a colon, so that it means nothing without what follows."""
        return self.kind in {"paragraph", "item", "quote"} and _COLON_AT_END.search(self.text) is not None

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
    links = find(body, path, offset=len(mark)) if "[" in text else ()
    lines = (mark + "".join(body.lines[:1]), *body.lines[1:]) if mark else body.lines
    passages = tuple(_passages(path, body, links, len(mark)))
    return Document(path, text, lines, passages, body.headings, body.leaves, links)


def _passages(path: str, body: Outline, links: Sequence[Link], offset: int) -> Iterator[Passage]:
    texts = [without_line_end("".join(body.lines[block.start : block.end])) for block in body.blocks]
    linked = _links_by_block(body, links, offset)
    directory = directory_of(path) or "/"
    context: tuple[tuple[str, ...], tuple[int, ...]] | None = None
    for index, (block, headings, introducers) in enumerate(_context(body, texts)):
        if context != (headings, introducers):
            context = headings, introducers
            place = Place(directory, path, headings, "\n".join(texts[label] for label in introducers))
        yield Passage(
            index,
            block.kind,
            block.start,
            block.end,
            texts[index],
            place,
            block.ordered,
            block.holds_verbatim,
            introducers,
            linked[index] if linked else (),
        )


def _links_by_block(body: Outline, links: Sequence[Link], offset: int) -> list[tuple[Link, ...]]:
    if not links:
        return []
    starts = line_offsets(body.lines)
    found = [link.whole[0] - offset for link in links]
    spans = ((bisect_left(found, starts[block.start]), bisect_left(found, starts[block.end])) for block in body.blocks)
    return [tuple(links[first:last]) for first, last in spans]


def _context(body: Outline, texts: Sequence[str]) -> Iterator[tuple[Block, tuple[str, ...], tuple[int, ...]]]:
    """Each block with its heading path and the label lines that introduce it.

    A label holds until a heading or a label of its own rank or higher: a bold or underlined line and the title of a
    fold work as headings, above a paragraph that ends in a colon, asks or titles a list, above a list item ending in a
    colon. A label right after one of its rank is introduced by it.
    """
    path: list[Heading] = []
    labels: list[tuple[int, int]] = []
    headings = list(reversed(body.headings))
    list_start = -1
    for index, block in enumerate(body.blocks):
        while headings and headings[-1].start < block.start:
            heading = headings.pop()
            path = [*(outer for outer in path if outer.level < heading.level), heading]
            labels = []
        if block.list_start != list_start:
            list_start = block.list_start
            labels = [label for label in labels if label[0] < _ITEM_RANK]
        rank = _label_rank(block, texts[index])
        if (
            rank is None
            and block.kind == "paragraph"
            and _titles_list(texts[index], body.blocks[index + 1 : index + 2])
        ):
            rank = 1
        nested = bool(labels) and labels[-1] == (rank, index - 1) and len(labels) < _MAX_LABELS
        if rank is not None and not nested:
            labels = [label for label in labels if label[0] < rank]
        yield block, tuple(heading.text for heading in path), tuple(label for _, label in labels)
        if rank is not None:
            labels = [*labels, (rank, index)]


def _titles_list(text: str, following: Sequence[Block]) -> bool:
    """Whether a short line without a full stop stands before a list: "About Kim"."""
    return bool(following) and following[0].kind == "item" and _TITLE.fullmatch(text) is not None


def _label_rank(block: Block, text: str) -> int | None:
    if block.kind == "html":
        return 0 if _HTML_TITLE.search(text) else None
    if block.kind not in {"paragraph", "item"}:
        return None
    if block.kind == "paragraph" and (_BOLD_LINE.match(text) or _UNDERLINED.search(text)):
        return 0
    if block.kind == "paragraph" and _QUESTION_AT_END.search(text):
        return 1
    if not _COLON_AT_END.search(text):
        return None
    return 1 if block.kind == "paragraph" else _ITEM_RANK
