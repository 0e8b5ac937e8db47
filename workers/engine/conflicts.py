"""Two passages of which at most one is true today: one word apart, or one says that the other's value is no more."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

import numpy as np

from workers.engine import canonical, facts, places
from workers.engine.characters import is_cjk_letter
from workers.engine.facts import stems, wording
from workers.engine.facts.hard import kind_of
from workers.engine.inventory import Item, Unit
from workers.engine.words import LANGUAGES, pointers

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
_STOPS = frozenset((".", "?", "!"))


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

    `anywhere`: in places of any kind, and by texts that may speak of a part of it ("the docs of the API moved"). News
    of a change is mostly written elsewhere than what it changes; that is enough to ask a person, but not to act.
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
            if told is None or told.superseded != "a":
                continue
            before, after = (item.passage.text for item in pair)
            if anywhere or (_comparable(*pair) and _is_of_its_subject(before, after, told.value)):
                yield Conflict("replaced", *pair, (told.value,))


def _speaks_of_change(item: Item) -> bool:
    return not SIGNS_OF_CHANGE.isdisjoint(map(str.lower, canonical.words(item.passage.text)))


def _is_of_its_subject(older: str, newer: str, value: str) -> bool:
    """Whether the sentence that says that `value` is over names nothing before it that the older text lacks, and
    nothing behind the new value but dates and numbers; and whether no word takes the change back."""
    words = wording.elisions_apart(canonical.words(newer))
    if _is_taken_back(newer, words):
        return False
    last = value[-1] if is_cjk_letter(value) else value.split()[-1]
    old = next((n for n, word in enumerate(words) if word.lower() == last.lower()), 0)
    strange = _strange(older, newer, words, _sentence(words, old))
    new = next((n for n in strange if n > old), -1)
    return all(n > old and (_joined(strange, new, n) or kind_of(words[n]) is not None) for n in strange)


def _is_taken_back(text: str, words: Sequence[str]) -> bool:
    if any(word in text for word in pointers.TAKEN_BACK_SPACELESS):
        return True
    return not pointers.TAKEN_BACK.isdisjoint(map(str.lower, words))


def _sentence(words: Sequence[str], place: int) -> range:
    start = max((n + 1 for n, word in enumerate(words[:place]) if word in _STOPS), default=0)
    return range(start, next((n for n in range(place, len(words)) if words[n] in _STOPS), len(words)))


def _strange(older: str, newer: str, words: Sequence[str], sentence: range) -> list[int]:
    """The places of content words that the older text lacks and that are no words of change."""
    known = {facts.stem(word) for word in canonical.words(older)}
    found = wording.find(words, wording.lexicon(facts.language(newer)))
    turning = {n for each in found for n in range(each.start, each.end)}
    other = (n for n in sentence if n not in turning and facts.stem(words[n]) not in known)
    return [n for n in other if stems.is_content(words[n])]


def _joined(places: Collection[int], first: int, last: int) -> bool:
    """Whether one run of the places leads from the first to the last: the words of one value."""
    return set(range(first, last + 1)) <= set(places)


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
