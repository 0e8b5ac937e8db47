"""Links in Markdown source with the characters they take; markdown-it's inline tokens carry no positions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

from markdown_it.common.utils import normalizeReference

from workers.engine.addresses import candidates
from workers.engine.blocks import Outline, Span

LinkForm = Literal["inline", "reference", "wiki", "definition"]

_MAX_LABEL = 999
"""Longest label of a reference, by CommonMark."""
_MAX_TITLE = 1000
"""Longer titles are not looked for: thousands of unclosed ones would take quadratic time."""

# Possessive quantifiers throughout: hostile text must not make these backtrack.
_TAG = (
    r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>"  # an autolink
    r"|<!--(?:[^-]|-(?!->)){0,500}+-->"
    r"|</[A-Za-z][A-Za-z0-9-]*+\s*+>"
    r"|<[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+)*+\s*+/?>"
)
_MARK = re.compile(rf"\\.|`+|{_TAG}|!?\[|\]", re.DOTALL)
_BARE = r"(?!<)(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()\\]*+\))*+\))++"
_ANGLED_OR_BARE = rf"(?:<(?P<angled>[^<>\r\n]*+)>|(?P<bare>{_BARE}))"
_QUOTES = (('"', '"'), ("'", "'"), (r"\(", r"\)"))
_TITLE = "|".join(rf"{left}(?:[^{right}\\]|\\.){{0,{_MAX_TITLE}}}+{right}" for left, right in _QUOTES)
_INLINE = re.compile(rf"\(\s*+{_ANGLED_OR_BARE}?+(?:\s++(?:{_TITLE}))?+\s*+\)", re.DOTALL)
_REFERENCE = re.compile(rf"\[((?:[^\[\]\\]|\\.){{0,{_MAX_LABEL}}}+)\]", re.DOTALL)
_WIKI = re.compile(
    r"\[\[(?P<target>[^\[\]\r\n|#\\]{0,300}+)(?P<fragment>#[^\[\]\r\n|\\]{0,300}+)?"
    r"(?:\\?\|(?P<alias>[^\[\]\r\n]{0,300}+))?+\]\](?!\()"
)
_DEFINITION = re.compile(
    rf"\[(?:[^\[\]\\]|\\.){{1,{_MAX_LABEL}}}+\]:[\s>]*+(?:<(?P<angled>[^<>\r\n]*+)>|(?P<bare>\S++))", re.DOTALL
)
_FOOTNOTE = re.compile(
    r"^ {0,3}\[(\^[^\[\]\r\n]{1,200})\]:((?:[^\r\n]|\r\n?(?! {0,3}\[\^)|\n(?! {0,3}\[\^))*+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Link:
    """A link to something that may be a memory of the store.

    All spans are characters of the document's text: `whole`; `words`, what a reader sees; `address`, the path as
    written, without `#fragment` (empty for a reference, whose address stands in its definition). `candidates` are the
    store paths that the address may mean, likeliest first.
    """

    form: LinkForm
    whole: Span
    words: Span
    address: Span
    candidates: tuple[str, ...]
    angled: bool = False


class Note(NamedTuple):
    """What the reference or footnote mark that starts at the character `start` of the document says, where that is
    not the path of a link: the address and title of its definition, or the words of the footnote."""

    start: int
    text: str


def find(outline: Outline, path: str, *, offset: int = 0) -> tuple[tuple[Link, ...], tuple[Note, ...]]:
    """Every relative, rooted or wiki link of a text at `path`, in order; none in code or HTML, none with a scheme; and
    what its references and footnotes say.

    `offset` is added to all spans: the byte order mark that the outline does not have.
    """
    offsets = [start + offset for start in line_offsets(outline.lines)]
    meanings = {label: _Meaning("", text) for label, text in _footnotes(outline)}
    links: list[Link] = []
    notes: list[Note] = []
    for definition in outline.definitions:
        meanings.setdefault(definition.label, _Meaning(definition.target, definition.title))
        source = "".join(outline.lines[definition.start : definition.end])
        links += _definition(source, offsets[definition.start], path)
    for start, end in outline.inlines:
        source = "".join(outline.lines[start:end])
        if "[" in source:
            scan = _Scan(source, offsets[start], path, meanings)
            links += scan.links()
            notes += scan.notes
    return tuple(sorted(links, key=lambda link: link.whole)), tuple(sorted(notes))


class _Meaning(NamedTuple):
    """The definition of a label: its address ("" for a footnote), and its title or the words of the footnote."""

    target: str
    text: str


def _footnotes(outline: Outline) -> Iterator[tuple[str, str]]:
    """The labels of footnotes with their words; a block of code right behind one is more of it."""
    last: tuple[str, str] | None = None
    for block in outline.blocks:
        source = "".join(outline.lines[block.start : block.end])
        if block.kind == "code" and last is not None:
            yield last[0], f"{last[1]} {' '.join(source.split())}"
        last = None
        if block.kind in {"footnote", "paragraph", "definition"} and "[^" in source:
            for found in _FOOTNOTE.finditer(source):
                last = normalizeReference(found[1]), " ".join(found[2].split())
                if block.kind != "definition":  # one word may be a path
                    yield last


def line_offsets(lines: Sequence[str]) -> list[int]:
    """The character at which each line starts, and the length of all lines as the last entry."""
    return list(accumulate(map(len, lines), initial=0))


def _definition(source: str, offset: int, path: str) -> Iterator[Link]:
    found = _DEFINITION.search(source)
    if found is None:
        return
    whole = (offset, offset + len(source))
    yield from _addressed("definition", found, whole, (offset, offset), offset, path)


def _addressed(
    form: LinkForm, found: re.Match[str], whole: Span, words: Span, offset: int, path: str
) -> Iterator[Link]:
    """The link whose address is the group `angled` or `bare` of `found`, if it may lead to a memory."""
    group = "bare" if found["angled"] is None else "angled"
    written = re.split(r"[#?]", found[group] or "", maxsplit=1)[0]
    paths = candidates(path, written)
    if paths:
        start = offset + found.start(group)
        yield Link(form, whole, words, (start, start + len(written)), paths, group == "angled")


class _Scan:
    """One pass over the source of an inline block, by CommonMark's order of precedence: escapes, code spans and
    autolinks before brackets, and no link inside a link."""

    def __init__(self, source: str, offset: int, path: str, meanings: Mapping[str, _Meaning]) -> None:
        self.source = source
        self.offset = offset
        self.path = path
        self.meanings = meanings
        self.notes: list[Note] = []
        self.openers: list[tuple[int, bool]] = []
        self.closed_below = 0  # openers before this index stand around a link and can make none themselves
        self.runs: dict[int, list[int]] | None = None

    def links(self) -> Iterator[Link]:
        at = 0
        while mark := _MARK.search(self.source, at):
            at = mark.end()
            text = mark[0]
            if text[0] == "`":
                at = self._after_code(mark)
            elif text in {"[", "!["}:
                wiki = _WIKI.match(self.source, mark.end() - 1)
                if wiki is None:
                    self.openers.append((mark.start(), text[0] == "!"))
                else:
                    at = wiki.end()
                    yield from self._wiki(wiki, mark.start())
            elif text == "]" and self.openers:
                link, at = self._close(mark)
                yield from link

    def _after_code(self, mark: re.Match[str]) -> int:
        """Where the text goes on after the code span that `mark` opens, or after its backticks if none closes."""
        if self.runs is None:
            self.runs = {}
            for run in re.finditer("`+", self.source):
                self.runs.setdefault(len(run[0]), []).append(run.start())
        starts = self.runs.get(len(mark[0]), [])
        closing = bisect_left(starts, mark.end())
        return starts[closing] + len(mark[0]) if closing < len(starts) else mark.end()

    def _wiki(self, found: re.Match[str], start: int) -> Iterator[Link]:
        paths = candidates(self.path, found["target"], wiki=True)
        if paths:
            words = self._at(found.span("target" if found["alias"] is None else "alias"))
            yield Link("wiki", self._at((start, found.end())), words, self._at(found.span("target")), paths)

    def _close(self, mark: re.Match[str]) -> tuple[Iterator[Link], int]:
        """The link that the bracket at `mark` closes, if any, and where the text goes on."""
        start, image = self.openers.pop()
        closed = len(self.openers) < self.closed_below and not image
        self.closed_below = min(self.closed_below, len(self.openers))
        words = (start + 1 + image, mark.start())
        inline = _INLINE.match(self.source, mark.end())
        if closed or (inline is None and not self.meanings):
            return iter(()), mark.end()
        if inline is not None:
            end = inline.end()
            link = _addressed("inline", inline, self._at((start, end)), self._at(words), self.offset, self.path)
        else:
            end, meaning = self._reference(words)
            if meaning is None:
                return iter(()), mark.end()
            link = self._referring((start, end), words, meaning)
            if not meaning.target:
                return link, end
        if not image:
            self.closed_below = len(self.openers)
        return link, end

    def _reference(self, words: Span) -> tuple[int, _Meaning | None]:
        """Where a reference with these words ends, and what its definition says."""
        closing = words[1] + 1
        follows = _REFERENCE.match(self.source, closing)
        label = follows[1] if follows else ""
        if not label and words[1] - words[0] <= _MAX_LABEL:
            label = self.source[slice(*words)]
        return (follows.end() if follows else closing), self.meanings.get(normalizeReference(label))

    def _referring(self, whole: Span, words: Span, meaning: _Meaning) -> Iterator[Link]:
        address = re.split(r"[#?]", meaning.target, maxsplit=1)[0]
        paths = candidates(self.path, address)
        said = f"{meaning.target[len(address) if paths else 0 :]} {meaning.text}".strip()
        if said:
            self.notes.append(Note(self.offset + whole[0], said))
        if paths:
            yield Link("reference", self._at(whole), self._at(words), self._at((whole[1], whole[1])), paths)

    def _at(self, span: Span) -> Span:
        return span[0] + self.offset, span[1] + self.offset
