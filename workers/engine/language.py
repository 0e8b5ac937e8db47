"""Which language a text is in, cheaply: by script, then by function words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from workers.engine.characters import HAN, HANGUL, KANA
from workers.engine.words import LANGUAGES

UNKNOWN: Final = "und"
"""ISO 639-2 "undetermined"."""

_SCRIPTS = (
    ("ja", re.compile(f"[{KANA}]")),
    ("ko", re.compile(f"[{HANGUL}]")),
    ("zh", re.compile(f"[{HAN}]")),
    ("ru", re.compile("[\u0400-\u052f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_WORD = re.compile(r"[^\W\d_]+")


def _languages_by_word() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, words in LANGUAGES.items():
        for word in words.function_words:
            found[word] = (*found.get(word, ()), code)
    return found


_BY_WORD = _languages_by_word()


@lru_cache(maxsize=1 << 14)
def language(text: str) -> str:
    """ISO 639-1 code of the text's language, `und` where nothing tells: no function word, or a tie."""
    if not text.isascii():
        for code, script in _SCRIPTS:
            if script.search(text) and len(script.findall(text)) * 5 >= sum(map(str.isalpha, text)):
                return code
    return of_words(map(str.lower, _WORD.findall(text)))


def of_words(words: Iterable[str]) -> str:
    """The language most of the function words among `words` (lower case) belong to, `und` on a tie."""
    votes: dict[str, int] = {}
    for word in words:
        for code in _BY_WORD.get(word, ()):
            votes[code] = votes.get(code, 0) + 1
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return UNKNOWN
    return ranked[0][0]
