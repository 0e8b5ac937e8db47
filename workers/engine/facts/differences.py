"""How two texts differ: in exactly one token, or in that one says that the other's value is no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.facts.hard import kind_of
from workers.engine.facts.stems import is_content, stem, written
from workers.engine.facts.wording import Found, StatementWords, clauses, collect, elisions_apart, find, lexicon
from workers.engine.language import language
from workers.engine.words import LANGUAGES

_LONGEST_CJK_WORD: Final = 4
_MONTHS: Final = frozenset(month for words in LANGUAGES.values() for month in words.months)
_OCCASION = re.compile(
    r"19[5-9]\d|20[0-3]\d|\d{8,}|[A-Z]\d+:\d+|(?:msg|evt|run|job|req)[_-]\w+"
    r"|(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,64}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
_PAST: Final = frozenset(("ceased", "former"))
_VERBS: Final = frozenset(("moves", "origin_after"))
_GUARDS: Final = frozenset(("if", "when", "unless"))
_LONGEST: Final = 400
"""Tokens; a longer text is not out of date for one clause of another."""
_REACH: Final = 6
"""Tokens between a word of change and the old value that it speaks of."""


def differing_token(a: str, b: str) -> tuple[str, str] | None:
    """The one canonical token that stands in `a` where `b` has another, None when more or fewer differ.

    A run of up to four Han, Kana or Hangul characters counts as one token.
    """
    left, right = canonical.tokens(a), canonical.tokens(b)
    shortest = min(len(left), len(right))
    start = next((place for place in range(shortest) if left[place] != right[place]), shortest)
    rest = shortest - start
    end = next((place for place in range(rest) if left[-1 - place] != right[-1 - place]), rest)
    mine, other = left[start : len(left) - end], right[start : len(right) - end]
    if not mine or not other or start + end == 0:
        return None
    if len(mine) == len(other) == 1 or (_is_cjk_word(mine) and _is_cjk_word(other)):
        return "".join(mine), "".join(other)
    return None


def _is_cjk_word(tokens: tuple[str, ...]) -> bool:
    return len(tokens) <= _LONGEST_CJK_WORD and all(map(is_cjk_letter, tokens))


def is_time_token(token: str) -> bool:
    """A token that names an occasion rather than a value: a time, date, year, month, message or ticket id."""
    if kind_of(token) in ("date", "time", "reference"):
        return True
    return token.lower() in _MONTHS or _OCCASION.fullmatch(token) is not None


@dataclass(frozen=True, slots=True)
class Replacement:
    """One of two texts says that the other's `value` is no more; `superseded` is the one that still holds it."""

    superseded: Literal["a", "b"]
    value: str


def replacement(a: str, b: str) -> Replacement | None:
    """Which of two texts the other one says to be out of date; None when neither does, or both.

    A text is superseded when the other names one of its values as old ("moved from …", "… was replaced by", "no
    longer …", "was … until") and speaks of everything else that it speaks of.
    """
    old_in_a, old_in_b = _gone_value(b, a), _gone_value(a, b)
    if old_in_a is not None and old_in_b is None:
        return Replacement("a", old_in_a)
    if old_in_b is not None and old_in_a is None:
        return Replacement("b", old_in_b)
    return None


class _Clause(NamedTuple):
    tokens: tuple[str, ...]
    found: tuple[Found, ...]

    def has(self, category: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a word of the category lies within `tokens[start:end]`."""
        stop = len(self.tokens) if end is None else end
        return any(each.category == category and start <= each.start and each.end <= stop for each in self.found)

    def starts(self, category: str, place: int) -> bool:
        """Whether a word of the category begins at `place`."""
        return any(each.category == category and each.start == place for each in self.found)


def _gone_value(newer: str, older: str) -> str | None:
    """The value of `older` that `newer` says is over, None when it says no such thing."""
    held = elisions_apart(canonical.words(older))
    said = elisions_apart(canonical.words(newer))
    end = next((place + 1 for place in reversed(range(len(held))) if is_content(held[place])), 0)
    if max(len(held), len(said)) > _LONGEST or not end:
        return None
    held_words = tuple(find(held, lexicon(language(older))))
    if collect(held_words).negative or any(each.category in _PAST for each in held_words) or "?" in held:
        return None
    words = lexicon(language(newer))
    for sentence in _sentences(said):
        if _in_doubt(collect(find(sentence, words))):
            continue
        for start, stop in clauses(sentence):
            clause = _Clause(tuple(sentence[start:stop]), tuple(find(sentence[start:stop], words)))
            for place, past in _occurrences(clause.tokens, held[:end]):
                start_held = end - (past - place)
                if _is_over(clause, place, past, held) and _speaks_of_the_rest(said, held[:start_held]):
                    return written(held[start_held:end])
    return None


def _sentences(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    start = 0
    for place, token in enumerate(tokens):
        if token in (".", "?", "!") or token.startswith("\t"):
            yield tokens[start:place]
            start = place + 1
    yield tokens[start:]


def _in_doubt(words: StatementWords) -> bool:
    return bool(words.hedges or words.modality or _GUARDS.intersection(words.conditions))


def _occurrences(tokens: Sequence[str], held: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where `tokens` hold the last word of `held`, with the content words before it that stand in both.

    Case does not matter: a name that begins one of the two sentences may have lost its capital.
    """
    tokens, held = [token.lower() for token in tokens], [token.lower() for token in held[-_REACH:]]
    for place, token in enumerate(tokens):
        if token != held[-1]:
            continue
        length = 1
        while (
            length < min(_REACH, place + 1, len(held))
            and tokens[place - length] == held[-1 - length]
            and is_content(tokens[place - length])
        ):
            length += 1
        yield place + 1 - length, place + 1


def _is_over(clause: _Clause, start: int, end: int, held: Sequence[str]) -> bool:
    """Whether the clause says of its tokens `start:end` that they hold no more, and names nothing of `held` instead."""
    negative = collect(clause.found).negative
    if clause.has("future"):
        return False
    if negative:
        return clause.has("ceased", max(0, start - _REACH), start) or clause.has("ceased", end, end + 3)
    if clause.has("former", max(0, start - _REACH), start):
        return True
    if clause.has("past", max(0, start - 2), start) and _until(clause, end):
        return True
    moved = clause.has("origin", start - 1, start) and clause.has("moves")
    moved = moved or (clause.starts("origin_after", end) and not clause.has("origin", end))
    return moved and _destination(clause, end) not in {token.lower() for token in held}


def _until(clause: _Clause, end: int) -> bool:
    return any(each.category == "conditions" and each.name == "until" and each.start >= end for each in clause.found)


def _destination(clause: _Clause, end: int) -> str | None:
    """The first content word after the old value that is no verb of change, in lower case."""
    verbs = {place for each in clause.found if each.category in _VERBS for place in range(each.start, each.end)}
    rest = (place for place in range(end, len(clause.tokens)) if place not in verbs)
    return next((clause.tokens[place].lower() for place in rest if is_content(clause.tokens[place])), None)


def _speaks_of_the_rest(said: Sequence[str], rest: Sequence[str]) -> bool:
    """Whether there is a rest, and `said` has all its content words."""
    known = {stem(token) for token in said}
    told = {stem(token) for token in rest if is_content(token)}
    return bool(told) and known.issuperset(told)
