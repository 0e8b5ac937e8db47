"""Which lines of a text introduce others: headings, title lines, labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from workers.engine.blocks import Block, Heading, Outline
from workers.engine.characters import CJK_LETTER

_BOLD: Final = 0
_TITLE: Final = 1
_LABEL: Final = 2
_ITEM: Final = 3
_ENDED_BY: Final = {
    _BOLD: frozenset((_BOLD,)),
    _TITLE: frozenset((_BOLD, _TITLE)),
    _LABEL: frozenset((_BOLD, _LABEL)),
    _ITEM: frozenset((_BOLD, _TITLE, _LABEL, _ITEM)),
}
"""By what an introduction of each rank is ended. Which of a title and a label stands within the other nobody knows."""

_MAX_LABELS = 6
"""How deep labels nest; a thousand lines ending in colons would else make introductions of quadratic length."""
_MAX_TITLE_WORDS = 6
COLON_AT_END = re.compile(r"[:：][\s*_~]*\Z")
_QUESTION_AT_END = re.compile(r"[?？][\s*_~]*\Z")
_SENTENCE_END = re.compile(r"[.!?…。！？।۔][\s*_~\"')\]”’»」』）]*\Z")
_LIST_TITLE = re.compile(r"[^\r\n]{1,60}[^\r\n.!。！;；,，…]\Z")
_UNDERLINED = re.compile(r"[\r\n] {0,3}=+[ \t]*\Z")
_HTML_TITLE = re.compile(r"</?(?:details|summary|h[1-6])\b", re.IGNORECASE)
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1)[^\r\n]){1,200}\1[:：]?\Z")
_MARKED_LINE = re.compile(
    r"(?:(\*{1,3}|_{1,3}|~~|`{1,3})(?=\S)(?:(?!\1)[^\r\n]){1,200}\1"
    r"|<([A-Za-z][A-Za-z0-9]{0,20})\b[^<>\r\n]{0,200}>[^<>\r\n]{1,200}</\2>)\W{0,4}\Z"
)
_CJK = re.compile(f"[{CJK_LETTER}]")


@dataclass(frozen=True, slots=True)
class Context:
    """What introduces a block: its heading path, outermost first, and the indexes of title and label lines."""

    headings: tuple[Heading, ...] = ()
    introducers: tuple[int, ...] = ()


def contexts(body: Outline, texts: Sequence[str], front: int) -> Iterator[Context]:
    """The context of each block; the first `front` blocks are the head of the file and introduce nothing themselves.

    A title or label holds until a heading or a line of its own rank or higher: a bold or underlined line and the title
    of a fold work as headings; below them come other lines that are all emphasis or code, a few words without a full
    stop or the title of a list; beside those paragraphs that ask or end in a colon; then items ending in a colon. A
    line right after one of its rank is introduced by it.
    """
    path: tuple[Heading, ...] = ()
    labels: list[tuple[int, int]] = []
    headings = list(reversed(body.headings))
    list_start = -1
    for index, block in enumerate(body.blocks):
        while headings and headings[-1].start < block.start:
            heading = headings.pop()
            path = *(outer for outer in path if outer.level < heading.level), heading
            labels = []
        if block.list_start != list_start:
            list_start = block.list_start
            labels = [label for label in labels if label[0] != _ITEM]
        following = body.blocks[index + 1] if index + 1 < len(body.blocks) else None
        if following is not None and headings and headings[-1].start < following.start:
            following = None
        rank = None if index < front else _rank(block, texts[index], following)
        nested = bool(labels) and labels[-1] == (rank, index - 1) and len(labels) < _MAX_LABELS
        if rank is not None and not nested:
            labels = [label for label in labels if rank not in _ENDED_BY[label[0]]]
        yield Context(path, tuple(label for _, label in labels))
        if rank is not None:
            labels = [*labels, (rank, index)]


def _rank(block: Block, text: str, following: Block | None) -> int | None:
    if block.kind == "html":
        return _BOLD if _HTML_TITLE.search(text) else _TITLE
    if block.kind == "item":
        return _ITEM if COLON_AT_END.search(text) else None
    if block.kind != "paragraph":
        return None
    if _BOLD_LINE.match(text) or _UNDERLINED.search(text):
        return _BOLD
    if COLON_AT_END.search(text) or _QUESTION_AT_END.search(text):
        return _LABEL
    return _TITLE if following is not None and _is_title(text, following) else None


def _is_title(text: str, following: Block) -> bool:
    """Whether a line is all emphasis, code or one tag, or short and without a full stop: "Windows", "About Kim"."""
    if _MARKED_LINE.match(text) or (following.kind == "item" and _LIST_TITLE.fullmatch(text)):
        return True
    return _SENTENCE_END.search(text) is None and _count_words(text[:200]) <= _MAX_TITLE_WORDS


def _count_words(text: str) -> float:
    """Words; of Han, Kana and Hangul two characters count as one."""
    return len(_CJK.sub(" ", text).split()) + len(_CJK.findall(text)) / 2
