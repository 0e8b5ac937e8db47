"""Names, and what in a place (path, headings, introduction) tells one thing from another."""

from __future__ import annotations

import re
from typing import Final

from workers.engine import canonical
from workers.engine.facts.hard import fact_values
from workers.engine.language import language as language_of
from workers.engine.words import LANGUAGES

_NO_NAME_AFTER: Final = frozenset((".", "?", "!", ":", "…", '"', "(", "—"))
_NAME = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SEPARATORS = re.compile(r"[\s/\\>|#_.,;:()\[\]-]+")
_FUNCTION_WORDS: Final = frozenset().union(*(words.function_words for words in LANGUAGES.values()))


def names(text: str, language: str | None = None) -> tuple[str, ...]:
    """Capitalised words that are not first in a sentence or item nor after a colon, in order. None in German."""
    if (language or language_of(text)) == "de":
        return ()
    found: list[str] = []
    tokens = canonical.tokens(text)
    for previous, token in zip(tokens, tokens[1:], strict=False):
        if previous in _NO_NAME_AFTER or previous.startswith("\t") or not token[0].isupper():
            continue
        if _NAME.fullmatch(token) and token != "I":
            found.append(token.removesuffix("'s"))
    return tuple(found)


def path_marks(place: str) -> frozenset[str]:
    """What a place says that text under another place may lack: numbers, dates, times, names, identifiers.

    `place` is free text: directory, file, headings and introduction. Headings capitalise their first word, so every
    capitalised word that is no function word counts as a name.
    """
    marks = set(fact_values(place))
    for part in _SEPARATORS.split(place):
        if part and (part[0].isupper() or not part.isalpha()) and part.lower() not in _FUNCTION_WORDS:
            marks.add(part.lower())
    return frozenset(marks)
