"""Two passages of which at most one is true today: one word apart, or one says that the other's value is no more."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

import numpy as np

from workers.engine import canonical, facts, places
from workers.engine.characters import is_cjk_letter
from workers.engine.inventory import Item, Unit
from workers.engine.words import LANGUAGES

MAX_TOKENS = 64
"""Longer passages are not compared word by word."""
SERIES = 5
"""So many different passages of one pattern are a series ("step 1 done", "step 2 done" …), not a contradiction."""
LONGEST_CJK_WORD = 4
"""Han, Kana and Hangul have no blanks: a run of up to so many characters counts as one word."""
PLACES_TRIED = 4
"""Places of one text that are held against those of the other."""
COMMON = 50
"""A word in more passages than this tells no pair apart."""
PARTNERS = 30
"""Passages with most words in common that one statement of change is held against."""


def _signs_of_change() -> Iterator[str]:
    """The first token of each phrase without which no text says that a value is over."""
    for words in LANGUAGES.values():
        for phrase in (*words.moves, *words.ceased, *words.former, *words.conditions.get("until", ())):
            yield phrase.split()[0] if words.spaced else phrase[0]


SIGNS_OF_CHANGE = frozenset(_signs_of_change())


@dataclass(frozen=True, slots=True)
class Conflict:
    """`older` and `newer` by source time (for a `word` that is only the order of print).

    `values` are the one token each has alone; for `replaced` the first is the value that `newer` says is gone.
    """

    kind: Literal["word", "replaced"]
    older: Item
    newer: Item
    values: tuple[str, ...]


def conflicts(items: Sequence[Item], limit: int) -> tuple[tuple[Conflict, ...], int]:
    """The first `limit` conflicts, statements of change before single words, and how many more there are."""
    found: dict[frozenset[Unit], Conflict] = {}
    for conflict in chain(replaced(items, anywhere=True), one_word_apart(items)):
        found.setdefault(frozenset((conflict.older.unit, conflict.newer.unit)), conflict)
    return tuple(found.values())[:limit], max(0, len(found) - limit)


def replaced(items: Sequence[Item], *, anywhere: bool = False) -> Iterator[Conflict]:
    """Pairs of which one says that the other's value was moved, renamed or replaced; oldest statement first.

    `anywhere`: in places of any kind. News of a change is mostly written elsewhere than what it changes; that is enough
    to ask a person, but not to act.
    """
    ordered = _ordered(items)
    changers = [n for n, item in enumerate(ordered) if _speaks_of_change(item)]
    wanted = frozenset(token for n in changers for token in ordered[n].tokens)
    holders: dict[str, list[int]] = defaultdict(list)
    for n, item in enumerate(ordered if changers else ()):
        for token in wanted.intersection(item.tokens):
            holders[token].append(n)
    for newer in changers:
        for older in _partners(newer, ordered, holders):
            told = facts.replacement(ordered[older].passage.text, ordered[newer].passage.text)
            pair = ordered[older], ordered[newer]
            if told is not None and told.superseded == "a" and (anywhere or _comparable(*pair)):
                yield Conflict("replaced", *pair, (told.value,))


def _speaks_of_change(item: Item) -> bool:
    return not SIGNS_OF_CHANGE.isdisjoint(map(str.lower, canonical.words(item.passage.text)))


def _partners(newer: int, items: Sequence[Item], holders: dict[str, list[int]]) -> list[int]:
    shared = Counter(
        other
        for token in set(items[newer].tokens)
        if len(holders[token]) <= COMMON
        for other in holders[token]
        if other != newer
    )
    return sorted(sorted(shared, key=lambda other: (-shared[other], other))[:PARTNERS])


def one_word_apart(items: Sequence[Item]) -> Iterator[Conflict]:
    """Pairs that differ in exactly one token which is no time, date or message id; rarest patterns first."""
    ordered = _ordered(items)
    patterns = sorted(_patterns(ordered), key=lambda members: (len(members), members))
    for members in patterns:
        by_tokens: dict[tuple[str, ...], list[Item]] = {}
        for n in members:
            by_tokens.setdefault(ordered[n].tokens, []).append(ordered[n])
        if len(by_tokens) < SERIES:
            yield from filter(None, (_differing(*pair) for pair in pairwise(by_tokens.values())))


def _differing(left: Sequence[Item], right: Sequence[Item]) -> Conflict | None:
    """The conflict of two texts in the first places of either that compare."""
    tokens = facts.differing_token(left[0].passage.text, right[0].passage.text)
    if tokens is None or any(map(facts.is_time_token, tokens)):
        return None
    pairs = ((a, b) for a in left[:PLACES_TRIED] for b in right[:PLACES_TRIED] if _comparable(a, b))
    return next((Conflict("word", a, b, tokens) for a, b in pairs), None)


def _ordered(items: Iterable[Item]) -> list[Item]:
    able = (item for item in items if item.mergeable and len(item.tokens) <= MAX_TOKENS)
    return sorted(able, key=_rank)


def _rank(item: Item) -> tuple[float, str, str, int]:
    return item.memory.observed_at.timestamp(), item.memory.path, item.memory.id, item.index


def _patterns(items: Sequence[Item]) -> Iterator[tuple[int, ...]]:
    """Positions of items that are equal but for one gap; patterns of too many items are left out."""
    gaps, owners = array("q"), array("q")
    for n, item in enumerate(items):
        found = _gaps(item.tokens)
        gaps.extend(found)
        owners.extend([n] * len(found))
    keys, holders = np.frombuffer(gaps, dtype=np.int64), np.frombuffer(owners, dtype=np.int64)
    order = np.lexsort((holders, keys))
    starts = np.flatnonzero(np.diff(keys[order], prepend=0, append=0))
    for start, end in pairwise(starts.tolist()):
        if 2 <= end - start <= SERIES * PLACES_TRIED:
            yield tuple(holders[order[start:end]].tolist())


def _gaps(tokens: Sequence[str]) -> list[int]:
    """Hashes of all that stands around each possible gap of one word."""
    before, after = [0], [0]
    for token in tokens:
        before.append(hash((before[-1], token)))
    for token in reversed(tokens):
        after.append(hash((after[-1], token)))
    after.reverse()
    run = [not token.isascii() and is_cjk_letter(token) is not None for token in tokens]
    found = []
    for start in range(len(tokens)):
        found.append(hash((before[start], after[start + 1])))
        end = start + 2
        while run[start] and end <= min(start + LONGEST_CJK_WORD, len(tokens)) and run[end - 1]:
            found.append(hash((before[start], after[end])))
            end += 1
    return found


def _comparable(a: Item, b: Item) -> bool:
    return a.memory.ring == b.memory.ring and places.compatible(a.passage, b.passage, whole=a.single and b.single)
