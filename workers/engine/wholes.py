"""A memory as one text: its headings and passages in order, so that whole memories can be compared."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import accumulate

from workers.engine import canonical, places
from workers.engine.inventory import Sheet
from workers.engine.marks import Marks, joined


@dataclass(frozen=True, slots=True)
class _Part:
    """A heading or passage; `said` is equal where its tokens are, `length` is the number of them."""

    start: int
    said: Hashable
    length: int
    marks: Marks


def structure(sheet: Sheet) -> Hashable:
    """Equal where all tokens are; None for a memory that may not go for an equal one.

    What must not be merged alone may still be part of a larger whole. But index lines make an index, and which of two
    an agent reads nobody knows.
    """
    items = sheet.items
    if not items or len(items) < len(sheet.document.passages):
        return None
    if items[0].single:
        alone = items[0].mergeable or items[0].removable_copy
        return (sheet.memory.ring, items[0].tokens, items[0].targets) if alone else None
    if any(item.targets and item.passage.kind == "item" for item in items):
        return None
    if sum(len(canonical.words(item.passage.text)) for item in items) < places.MIN_TOKENS:
        return None
    return sheet.memory.ring, *(part.said for part in _parts(sheet))


def marks(sheet: Sheet) -> Marks:
    """The marks of all parts, each at its token counted from the start of the memory."""
    parts = _parts(sheet)
    offsets = accumulate((part.length for part in parts), initial=0)
    return joined(zip(offsets, (part.marks for part in parts), strict=False))


def _parts(sheet: Sheet) -> list[_Part]:
    headings = ((heading, canonical.read(heading.text)) for heading in sheet.document.headings)
    parts = [_Part(h.start, (h.level, read.tokens), len(read.tokens), read.marks) for h, read in headings]
    parts += (_Part(i.passage.start, (i.tokens, i.targets), len(i.tokens), i.marks) for i in sheet.items)
    return sorted(parts, key=lambda part: part.start)
