"""Which memories a session quoted: that they were read is all a transcript tells without a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workers.engine import canonical
from workers.engine.inventory import Item
from workers.engine.plan import Access
from workers.engine.values import Transcript

SHORTEST = 4
"""Fewer tokens in a row are said by chance."""


def accesses(transcripts: Iterable[Transcript], items: Iterable[Item]) -> tuple[Access, ...]:
    """Each memory that a session repeats a whole passage of, by canonical tokens; sorted."""
    by_start: dict[tuple[str, ...], list[Item]] = {}
    for item in items:
        if len(item.tokens) >= SHORTEST:
            by_start.setdefault(item.tokens[:SHORTEST], []).append(item)
    found = {
        (item.memory.id, transcript.session_id)
        for transcript in transcripts
        for event in transcript.events
        for item in _quoted(canonical.tokens(event.text), by_start)
    }
    return tuple(Access(*each) for each in sorted(found))


def _quoted(said: Sequence[str], by_start: dict[tuple[str, ...], list[Item]]) -> Iterator[Item]:
    for place in range(len(said) - SHORTEST + 1):
        for item in by_start.get(tuple(said[place : place + SHORTEST]), ()):
            if tuple(said[place : place + len(item.tokens)]) == item.tokens:
                yield item
