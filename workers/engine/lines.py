"""Lines as Markdown knows them. `str.splitlines` also breaks at VT, FF, U+0085 and U+2028, which are text here."""

from __future__ import annotations

import re
from collections.abc import Sequence

BYTE_ORDER_MARK = "\ufeff"

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = re.compile(r"(?:\r\n|\r|\n)\Z")


def split_lines(text: str) -> tuple[str, ...]:
    r"""The lines of `text` with their ends (`\r\n`, `\n`, `\r`); joined they are `text` again."""
    return tuple(_LINE.findall(text))


def line_end(line: str) -> str:
    """The end of one line; "" for a last line without one."""
    found = _LINE_END.search(line)
    return found[0] if found else ""


def text_line_end(lines: Sequence[str]) -> str:
    """The line end a text uses: that of its first line."""
    return (line_end(lines[0]) if lines else "") or "\n"


def without_line_end(text: str) -> str:
    """`text` less its last line end."""
    return _LINE_END.sub("", text)


def is_blank(line: str) -> bool:
    """Whether a line holds only blanks and tabs; a form feed or a no-break space is text to Markdown."""
    return not line.strip(" \t\r\n")


def trimmed(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The span `start:end` less its blank lines at both ends; empty where all are blank."""
    while end > start and is_blank(lines[end - 1]):
        end -= 1
    while start < end and is_blank(lines[start]):
        start += 1
    return start, end
