"""What Markdown says about a passage's text before its words are read: code spans, emphasis, markers of items.

Stricter than CommonMark on purpose: a mark is left out only where no reader would take it for text, so `2*3*4`,
`*.md`, `**kwargs`, `_x_` and `~~old~~` stay. Everything here is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from workers.engine.characters import CJK

CODE: Final = "\ufdd0"
"""Stands for a lifted code span; a noncharacter, so no text has it (one that does is read verbatim)."""

_TICKS = re.compile(r"`+")
_STARS = re.compile(r"\*+")
_OPENS_AFTER = re.compile(rf"[\s(\[\"'—–{CJK}]")
_CLOSES_BEFORE = re.compile(rf"[\s)\]\"'.,;:!?…—–{CJK}]")
_VERBATIM = re.compile(r"^[ \t]*(?:```|~~~|<[A-Za-z/!]|\|)|^ {0,3}:?-+:?[ ]*\|", re.MULTILINE)
_LINE = re.compile(
    r"(?P<indent> *)(?P<quote>(?:> ?)*)(?P<inner> *)(?:(?P<bullet>[-+*•‣]) +|(?P<number>\d{1,9}[.)]) +)?"
)
_BOX = re.compile(r"\[([ xX])\](?= )")
_LABEL = re.compile(r"[^\s:]{1,30}(?: [^\s:]{1,30}){0,2}:(?: |$)")
_SENTENCE: Final = 4
"""From so many words an item is a sentence, and its `+` or `-` a bullet; before fewer it may be a sign or a verdict."""
_SIGNED = re.compile(r"[-+~<>=±#]*[\d$€£¥]")


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text that Markdown shows as one: `marks` are the tokens that stand for its structure."""

    marks: tuple[str, ...]
    text: str


def is_verbatim(text: str) -> bool:
    """True where a fence, a table or HTML makes every byte count."""
    return CODE in text or _VERBATIM.search(text) is not None


def lift_code(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each code span replaced by `CODE`, and the spans as written, back ticks included."""
    if "`" not in text:
        return text, ()
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    starts_by_length: dict[int, list[int]] = {}
    for start, end in runs:
        starts_by_length.setdefault(end - start, []).append(start)
    parts: list[str] = []
    spans: list[str] = []
    done = 0
    for start, end in runs:
        if start < done:
            continue
        if _escaped(text, start):
            start += 1
        closer = _next_start(starts_by_length.get(end - start, []), end)
        if closer is None or start == end:
            continue
        stop = closer + end - start
        parts += text[done:start], CODE
        spans.append(" ".join(text[start:stop].split("\n")))
        done = stop
    parts.append(text[done:])
    return "".join(parts), tuple(spans)


def _escaped(text: str, position: int) -> bool:
    before = position
    while before and text[before - 1] == "\\":
        before -= 1
    return (position - before) % 2 == 1


def _next_start(starts: list[int], after: int) -> int | None:
    place = bisect_right(starts, after)
    return starts[place] if place < len(starts) else None


def drop_emphasis(text: str) -> str:
    """`*words*` and `**words**` without their stars; a run that does not clearly open or close stays."""
    if "*" not in text:
        return text
    dropped: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    for match in _STARS.finditer(text):
        start, end = match.span()
        if end - start > 3:
            continue
        if _closes(text, start, end) and any(e - s == end - start for s, e in waiting[-3:]):
            while waiting[-1][1] - waiting[-1][0] != end - start:
                waiting.pop()
            dropped += waiting.pop(), (start, end)
        elif _opens(text, start, end):
            waiting.append((start, end))
    return _without(text, sorted(dropped))


def _opens(text: str, start: int, end: int) -> bool:
    if end == len(text) or not (text[end].isalnum() or text[end] in "\"'(" + CODE):
        return False
    return start == 0 or _OPENS_AFTER.match(text[start - 1]) is not None


def _closes(text: str, start: int, end: int) -> bool:
    if start == 0 or not (text[start - 1].isalnum() or text[start - 1] in ".,:;!?)\"'%…" + CODE):
        return False
    return end == len(text) or _CLOSES_BEFORE.match(text[end]) is not None


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts.append(text[done:start])
        done = end
    parts.append(text[done:])
    return "".join(parts)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of one passage, in order.

    The bullet of the first item and bullets `-`, `*`, `•` as such are left out; the number of an ordered item, a task
    box, `>`, and before a few words `+` and the `-` of a number stay as marks. Where a line starts a block of its own
    the mark is a tab and the nesting depth: structure can carry meaning, a soft line break does not.
    """
    if text[:1].isalpha() and "\n" not in text:  # most passages
        yield Block((), text)
        return
    marks: tuple[str, ...] = ()
    lines: list[str] = []
    indents: list[int] = []
    quoted = ""
    blank = False
    for number, line in enumerate(text.split("\n")):
        if not line.strip():
            blank = blank or bool(lines)
            continue
        match = _LINE.match(line)
        assert match is not None  # every part of the pattern is optional
        rest = line[match.end() :]
        item = match["bullet"] or match["number"]
        quote = match["quote"].replace(" ", "")
        starts = bool(item or blank or quote != quoted or (lines and _LABEL.match(rest)))
        if starts or not lines:
            if lines:
                yield Block(marks, " ".join(lines))
            depth = _depth(indents, len(match["indent"]) + len(match["inner"]), bool(item))
            marks = (() if number == 0 else (f"\t{depth}",)) + _marks(quote, match, rest)
            lines = []
            box = _BOX.match(rest) if item else None
            rest = rest[box.end() :] if box else rest
            marks += (f"[{box[1].lower()}]",) if box else ()
        lines.append(rest)
        quoted, blank = quote, False
    if lines:
        yield Block(marks, " ".join(lines))


def _marks(quote: str, match: re.Match[str], rest: str) -> tuple[str, ...]:
    marks = [quote] if quote else []
    bullet = match["bullet"]
    signed = bullet == "+" or (bullet == "-" and _SIGNED.match(rest) is not None)
    if signed and len(rest.split(maxsplit=_SENTENCE - 1)) < _SENTENCE:
        marks.append(bullet)
    if match["number"]:
        marks.append(match["number"])
    return tuple(marks)


def _depth(indents: list[int], indent: int, item: bool) -> str:
    while indents and indents[-1] + 1 > indent and len(indents) > 1:
        indents.pop()
    if item and (not indents or indent >= indents[-1] + 2):
        indents.append(indent)
    return f"{len(indents)}{'' if item else 'p'}"
