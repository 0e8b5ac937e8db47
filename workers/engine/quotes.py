"""Which memories a session quoted: that they were read is all a transcript tells without a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workers.engine import canonical
from workers.engine.inventory import Item
from workers.engine.marks import ARTICLES
from workers.engine.plan import Access
from workers.engine.values import Transcript

SHORTEST = 4
"""Fewer words in a row are said by chance."""

Words = tuple[str, ...]


def accesses(transcripts: Iterable[Transcript], items: Iterable[Item]) -> tuple[Access, ...]:
    """Each memory that a session repeats a whole passage of, word for word; sorted."""
    by_start: dict[Words, list[tuple[Words, str]]] = {}
    listed = tuple(transcripts)
    for item in items if listed else ():
        words = _words(canonical.words(item.passage.text))
        if len(words) >= SHORTEST:
            by_start.setdefault(words[:SHORTEST], []).append((words, item.memory.id))
    found = {
        (memory_id, transcript.session_id)
        for transcript in listed
        for event in transcript.events
        for memory_id in _quoted(_words(canonical.words(event.text)), by_start)
    }
    return tuple(Access(*each) for each in sorted(found))


def _words(words: Iterable[str]) -> Words:
    """Words without case and articles: within a sentence a quotation is not folded as it is on its own."""
    return tuple(lowered for word in words if (lowered := word.lower()) not in ARTICLES)


def _quoted(said: Words, by_start: dict[Words, list[tuple[Words, str]]]) -> Iterator[str]:
    for place in range(len(said) - SHORTEST + 1):
        for words, memory_id in by_start.get(said[place : place + SHORTEST], ()):
            if said[place : place + len(words)] == words:
                yield memory_id
