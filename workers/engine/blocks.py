"""Which lines of a text belong together, as markdown-it-py sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import splitext
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from workers.engine.lines import is_blank, split_lines, trimmed

Dialect = Literal["markdown", "plain", "data"]
BlockKind = Literal[
    "paragraph",
    "item",
    "quote",
    "table",
    "fence",
    "code",
    "html",
    "front_matter",
    "definition",
    "footnote",
    "rule",
    "data",
]
Span = tuple[int, int]
"""Half-open span of line numbers, or of characters where a name says so."""

MARKDOWN_SUFFIXES = frozenset({"", ".md", ".markdown", ".mdown", ".mkd", ".mdx"})
DATA_SUFFIXES = frozenset(
    {".json", ".jsonl", ".ndjson", ".json5", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".csv", ".tsv"}
    | {".xml", ".html", ".htm", ".svg", ".css", ".js", ".ts", ".py", ".sh", ".sql", ".patch", ".diff"}
)
"""Lines of these mean something only as a whole: the file is one verbatim passage."""

MAX_NESTING = 20
"""Levels of blocks, a list counts two. Deeper text is not looked into, so its block counts as verbatim."""
MAX_LINES = 10_000
"""More lines than this in the 100 KB of a memory are no prose, and a few deep quotes in front of them take seconds."""

_SENTENCE = re.compile(r"[^\W\d_][^\r\n]*(?:\r\n|\r|\n)?")
"""One line that begins with a letter is a paragraph. Most memories fed by an API are: they need no parser."""
_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "table_open": "table",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "front_matter": "front_matter",
    "definition": "definition",
    "hr": "rule",
}
_FRONT_FENCES = {"---": frozenset(("---", "...")), "+++": frozenset(("+++",))}
_LISTS = frozenset({"bullet_list_open", "ordered_list_open"})
_VERBATIM_TOKENS = frozenset({"fence", "code_block", "html_block", "table_open", "definition"})


@dataclass(frozen=True, slots=True)
class Block:
    """An outermost block; a list is one block for each of its items. `start:end` is trimmed of blank lines.

    `list_start` is the first line of an item's list; `holds_verbatim`: a fence, table, HTML or code is inside.
    """

    kind: BlockKind
    start: int
    end: int
    ordered: bool = False
    holds_verbatim: bool = False
    list_start: int = -1


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX heading on the lines `start:end`; underlined (setext) headings are read as paragraphs."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition, `[label]: target "title"`, wherever it stands; `label` is normalised for
    comparison."""

    start: int
    end: int
    label: str
    target: str
    title: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The structure of a text. `inlines` are the spans of lines whose inline marks count (never code or HTML),
    `leaves` those of list items of any depth that hold no other list."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...] = ()
    headings: tuple[Heading, ...] = ()
    inlines: tuple[Span, ...] = ()
    leaves: tuple[Span, ...] = ()
    definitions: tuple[Definition, ...] = ()


def dialect_of(path: str) -> Dialect:
    """How the file at `path` is read. A name without suffix is Markdown, an unknown one is plain text."""
    suffix = splitext(path)[1].lower()
    if suffix in MARKDOWN_SUFFIXES:
        return "markdown"
    return "data" if suffix in DATA_SUFFIXES else "plain"


@lru_cache(maxsize=2048)
def outline(dialect: Dialect, text: str) -> Outline:
    """The blocks of `text`, which has no byte order mark. Where the parser fails it is one verbatim block."""
    lines = split_lines(text)
    if dialect == "markdown" and _SENTENCE.fullmatch(text):
        return _plain(lines)
    if dialect == "plain":
        return _plain(lines)
    if dialect == "data" or len(lines) > MAX_LINES:
        return _data(lines)
    try:
        tokens = _PARSER.parse("".join(_with_yaml_fences(lines)))
    except (LookupError, RuntimeError, ValueError):  # a fault of the parser must not stop a dream: keep the text whole
        return _data(lines)
    return _markdown(lines, tokens)


def _parser() -> MarkdownIt:
    # Underlined headings would turn "text\n---" into structure. Inline parsing is left out: nothing here needs it.
    options = {"maxNesting": MAX_NESTING, "inline_definitions": True}
    parser = MarkdownIt("commonmark", options).enable("table").disable("lheading").use(front_matter_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _parser()


def _with_yaml_fences(lines: Sequence[str]) -> Sequence[str]:
    """Lines whose front matter the parser knows: between +++, and closed by three dots, it counts as well."""
    closers = _FRONT_FENCES.get(lines[0].rstrip()) if lines else None
    end = closers and next((n for n, line in enumerate(lines) if n and line.rstrip() in closers), None)
    if not end:
        return lines
    first, last = (f"---{lines[n][3:]}" for n in (0, end))
    return first, *lines[1:end], last, *lines[end + 1 :]


def _data(lines: tuple[str, ...]) -> Outline:
    start, end = trimmed(lines, 0, len(lines))
    return Outline(lines, (Block("data", start, end),) if start < end else ())


def _plain(lines: tuple[str, ...]) -> Outline:
    spans: list[Span] = []
    start = None
    for number, line in enumerate((*lines, "")):
        if not is_blank(line):
            start = number if start is None else start
        elif start is not None:
            spans.append((start, number))
            start = None
    return Outline(lines, tuple(Block("paragraph", *span) for span in spans), inlines=tuple(spans))


def _markdown(lines: tuple[str, ...], tokens: Sequence[Token]) -> Outline:
    blocks: list[Block] = []
    headings: list[Heading] = []
    list_start = -1
    for head, inside in _outermost(tokens):
        start, end = trimmed(lines, *_span(head))
        if head.type in _LISTS:
            list_start = start
        elif head.type == "heading_open":
            headings.append(Heading(start, end, int(head.tag[1:]), inside[0].content))
        else:
            blocks.append(_block(head, inside, (start, end), list_start))
    return Outline(
        lines,
        tuple(blocks),
        tuple(headings),
        _inlines(tokens),
        _leaves(lines, tokens),
        tuple(_definition(token) for token in tokens if token.type == "definition"),
    )


def _outermost(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """Each outermost block, list and outermost list item with the tokens inside it (a list comes with none)."""
    head: Token | None = None
    inside: list[Token] = []
    for token in tokens:
        opens = token.nesting >= 0 and (token.level == 0 or (token.level == 1 and token.type == "list_item_open"))
        if not opens:
            inside.append(token)
            continue
        if head is not None:
            yield head, inside
        head, inside = token, []
    if head is not None:
        yield head, inside


def _block(head: Token, inside: Sequence[Token], span: Span, list_start: int) -> Block:
    kind = _KINDS[head.type]
    if kind == "paragraph" and inside[0].content.startswith("[^") and "]:" in inside[0].content:
        kind = "footnote"
    if kind not in {"item", "quote"}:
        return Block(kind, *span)
    verbatim = any(token.type in _VERBATIM_TOKENS or token.level >= MAX_NESTING - 1 for token in inside)
    if kind == "quote":
        return Block(kind, *span, holds_verbatim=verbatim)
    return Block(kind, *span, ordered=head.markup in {".", ")"}, holds_verbatim=verbatim, list_start=list_start)


def _inlines(tokens: Sequence[Token]) -> tuple[Span, ...]:
    # The cells of a table row share one line, hence the dict: each span once, in order.
    return tuple(dict.fromkeys(_span(token) for token in tokens if token.type == "inline"))


def _leaves(lines: Sequence[str], tokens: Sequence[Token]) -> tuple[Span, ...]:
    found: list[Span] = []
    innermost: Token | None = None
    for token in tokens:
        if token.type == "list_item_open":
            innermost = token
        elif token.type == "list_item_close" and innermost is not None:
            found.append(trimmed(lines, *_span(innermost)))
            innermost = None
    return tuple(found)


def _definition(token: Token) -> Definition:
    start, end = _span(token)
    return Definition(start, end, str(token.meta["id"]), str(token.meta["url"]), str(token.meta["title"]))


def _span(token: Token) -> Span:
    assert token.map is not None
    start, end = token.map
    return start, end
