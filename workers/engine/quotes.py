"""Which memories a session quoted: that they were read is all a transcript tells without a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from workers.engine import canonical
from workers.engine.inventory import Item
from workers.engine.plan import Access
from workers.engine.values import Transcript

SHORTEST = 4
"""Fewer tokens in a row are said by chance."""


_ARTICLES = frozenset({"the", "a", "an"})


def accesses(transcripts: Iterable[Transcript], items: Iterable[Item]) -> tuple[Access, ...]:
    """Each memory that a session repeats a whole passage of, word for word; sorted."""
    by_start: dict[tuple[str, ...], list[tuple[tuple[str, ...], Item]]] = {}
    for item in items:
        words = _words(item.tokens)
        if len(words) >= SHORTEST:
            by_start.setdefault(words[:SHORTEST], []).append((words, item))
    found = {
        (item.memory.id, transcript.session_id)
        for transcript in transcripts
        for event in transcript.events
        for item in _quoted(_words(canonical.tokens(event.text)), by_start)
    }
    return tuple(Access(*each) for each in sorted(found))


def _words(tokens: Iterable[str]) -> tuple[str, ...]:
    """Without case, articles and signs: a quotation stands in the middle of a sentence of its own."""
    folded = map(str.casefold, tokens)
    return tuple(word for word in folded if word not in _ARTICLES and any(map(str.isalnum, word)))


def _quoted(
    said: Sequence[str], by_start: Mapping[tuple[str, ...], list[tuple[tuple[str, ...], Item]]]
) -> Iterator[Item]:
    for place in range(len(said) - SHORTEST + 1):
        for words, item in by_start.get(tuple(said[place : place + SHORTEST]), ()):
            if tuple(said[place : place + len(words)]) == words:
                yield item
