"""Names, and what in a place (path, headings, introduction) tells one thing from another."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from workers.engine import canonical
from workers.engine.facts.hard import fact_values, kind_of
from workers.engine.facts.stems import FUNCTION_WORDS
from workers.engine.language import language as language_of
from workers.engine.words import LANGUAGES

_NO_NAME_AFTER: Final = frozenset((".", "?", "!", ":", "…", '"'))
_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NO_NAMES: Final = {"I"}.union(
    *(map(str.capitalize, words.months | words.weekdays) for words in LANGUAGES.values() if words.capital_dates)
)
_SEPARATORS = re.compile(r"[\s/\\>|#_.,;:()\[\]-]+")


def names(text: str, language: str | None = None) -> tuple[str, ...]:
    """Capitalised words that are not first in a sentence or item nor after a colon, in order; months and weekdays are
    hard facts. None in German, where every noun has a capital."""
    if (language or language_of(text)) == "de":
        return ()
    tokens = canonical.words(text)
    return tuple(
        word.removesuffix("'s")
        for previous, word in pairwise(tokens)
        if word[0].isupper() and not _begins(previous) and _is_name(word)
    )


def _begins(previous: str) -> bool:
    return previous in _NO_NAME_AFTER or previous.startswith("\t")


def _is_name(word: str) -> bool:
    return word not in _NO_NAMES and _NAME.fullmatch(word) is not None and kind_of(word) is None


def path_marks(place: str) -> frozenset[str]:
    """What a place says that text under another place may lack: numbers, dates, times, names, identifiers.

    `place` is free text: a directory, file, heading or introduction. Headings capitalise their first word, so every
    capitalised word that is no function word counts as a name.
    """
    words = (part for part in _SEPARATORS.split(place) if part and (part[0].isupper() or not part.isalpha()))
    return fact_values(place) | {word.lower() for word in words if word.lower() not in FUNCTION_WORDS}
