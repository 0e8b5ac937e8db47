"""How two texts differ: in exactly one token, or in that one says that the other's value is no more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.facts.hard import kind_of
from workers.engine.words import LANGUAGES

_LONGEST_CJK_WORD: Final = 4
_TIME_WORDS: Final = frozenset(word for words in LANGUAGES.values() for word in words.months)
_MESSAGE_ID = re.compile(r"[0-9a-fA-F]{7,}|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|\w+[:_-]\d+(?:[:_-]\d+)*|\d{5,}|(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Replacement:
    """One of two texts says that the other's `value` was replaced: `superseded` is the one that holds the old value."""

    superseded: Literal["a", "b"]
    value: str


def differing_token(a: str, b: str) -> tuple[str, str] | None:
    """The one canonical token that stands in `a` where `b` has another, None when more or fewer differ.

    A run of up to four Han, Kana or Hangul characters counts as one token.
    """
    left, right = canonical.tokens(a), canonical.tokens(b)
    start = 0
    shortest = min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    end = 0
    while end < shortest - start and left[-1 - end] == right[-1 - end]:
        end += 1
    mine, other = left[start : len(left) - end], right[start : len(right) - end]
    if not (mine and other) or start + end == 0:
        return None
    if len(mine) == len(other) == 1 or (_is_cjk_word(mine) and _is_cjk_word(other)):
        return "".join(mine), "".join(other)
    return None


def _is_cjk_word(tokens: tuple[str, ...]) -> bool:
    return len(tokens) <= _LONGEST_CJK_WORD and all(map(is_cjk_letter, tokens))


def is_time_token(token: str) -> bool:
    """A token that names an occasion rather than a value: a time, date, month, year, message or ticket id."""
    if kind_of(token) in ("date", "time", "reference"):
        return True
    return token.lower() in _TIME_WORDS or _MESSAGE_ID.fullmatch(token) is not None


def replacement(a: str, b: str) -> Replacement | None:
    """Which of two texts the other one says to be out of date, None when neither or both do."""
    left, right = _replaces(a, b), _replaces(b, a)
    if (left is None) == (right is None):
        return None
    return Replacement("b", left) if left is not None else Replacement("a", right or "")


_FROM_TO = re.compile(
    r"(?:moved|renamed|switched|migrated|changed|went|upgraded|downgraded) (?:\S+ ){0,3}?from (?P<old>\S+(?: \S+){0,3}?) to "
    r"|(?:replaced|renamed) (?P<old2>\S+(?: \S+){0,3}?) (?:with|to) "
    r"|(?P<old3>\S+(?: \S+){0,3}?) (?:was|were|is|has been) (?:replaced|superseded) by "
)


def _replaces(newer: str, older: str) -> str | None:
    said = " ".join(canonical.tokens(newer))
    for match in _FROM_TO.finditer(said):
        old = next(group for group in match.groups() if group is not None)
        if f" {old} " in f" {' '.join(canonical.tokens(older))} ":
            return old
    return None
