"""What a text means only where and when it was written: it counts from its day, or goes on from what stood before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from workers.engine import canonical, facts
from workers.engine.characters import CJK_LETTER, fold
from workers.engine.words import LANGUAGES, pointers

_RELATIVE = re.compile(
    rf"(?<![^\W\d_])(?:{pointers.RELATIVE})(?![^\W\d_])|{pointers.RELATIVE_SPACELESS}", re.IGNORECASE
)
_MAY_BE_RELATIVE: Final = frozenset(
    phrase.split()[0] if words.spaced else phrase[0]
    for words in LANGUAGES.values()
    for table in (words.relative, words.anchors)
    for phrases in table.values()
    for phrase in phrases
)
"""The first tokens of relative times; most texts have none of them."""
_MARKUP = re.compile(r"(?:\[[ xX]\](?=\s)|[\s>*_~`\"'(\[{¿¡#|]|[-+•‣](?=\s)|\d{1,9}[.)](?=\s))*+")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_CJK_START = re.compile(f"[{CJK_LETTER}]")
_SIGNS = re.compile(r"[|`~\"'{}\[\]()<>=:;,#/\\]+")
_BULLET = re.compile(r"^[ \t>]*([-+*•‣])[ \t]+(?=\S)", re.MULTILINE)


def has_signs(texts: Iterable[str]) -> bool:
    """Whether one of the passages of a text has a "+" for a bullet, so that its bullets say for and against."""
    return any("+" in text and "+" in _BULLET.findall(text) for text in texts)


def signs(text: str) -> tuple[str, ...]:
    """The bullets of a passage whose text has signs among them."""
    return tuple(f"\0{bullet}" for bullet in _BULLET.findall(text))


@lru_cache(maxsize=1 << 14)
def tells_relative_time(text: str) -> bool:
    """Whether a text counts a time from the day it was written: tomorrow, in two weeks, 昨日."""
    if _RELATIVE.search(fold(text)):
        return True
    if _MAY_BE_RELATIVE.isdisjoint(map(str.lower, canonical.words(text))):
        return False
    return any(fact.kind == "relative_time" for fact in facts.hard_facts(text))


def bare(text: str) -> str:
    """The words of code, tables and data without their signs."""
    return _SIGNS.sub(" ", text)


@lru_cache(maxsize=1 << 14)
def leans_back(text: str) -> bool:
    """Whether a text begins with a word that points at what stands before it: it, this, otherwise, 它."""
    start = fold(_MARKUP.sub("", text, count=1)[:80].lower())
    if _CJK_START.match(start):
        return start.startswith(pointers.BACK_SPACELESS)
    word = _FIRST_WORD.match(start)
    return word is not None and (word[0] in pointers.BACK or _begins_with_phrase(start))


def _begins_with_phrase(start: str) -> bool:
    return any(start.startswith(phrase) and not start[len(phrase) :][:1].isalpha() for phrase in pointers.BACK_PHRASES)
