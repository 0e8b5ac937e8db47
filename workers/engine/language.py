"""Which language a text is in, cheaply: by script, then by function words."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


_FUNCTION_WORDS: Final = tuple((code, table.function_words) for code, table in LANGUAGES.items() if table.spaced)


@lru_cache(maxsize=1 << 14)
def language(text: str) -> str:
    """ISO 639-1 code of the text's language, `und` where nothing tells: no function word, or a tie."""
    if not text.isascii():
        for code, script in _SCRIPTS:
            if script.search(text) and len(script.findall(text)) * 5 >= sum(map(str.isalpha, text)):
                return code
    return of_words(_WORD.findall(text))


def of_words(words: Sequence[str]) -> str:
    """The language that most of the different words are function words of, `und` on a tie. Case does not matter."""
    lowered = set(map(str.lower, words))
    votes = sorted(((len(known & lowered), code) for code, known in _FUNCTION_WORDS), reverse=True)
    return UNKNOWN if votes[0][0] == votes[1][0] else votes[0][1]
