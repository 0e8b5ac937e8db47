"""Which language a text is in, cheaply: by script, then by function words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from workers.engine.characters import HAN, HANGUL, KANA
from workers.engine.remembered import remembered
from workers.engine.words import LANGUAGES

UNKNOWN: Final = "und"
"""ISO 639-2 "undetermined"."""

_SCRIPTS: Final = (
    ("ja", re.compile(f"[{KANA}]"), 10),
    ("ko", re.compile(f"[{HANGUL}]"), 5),
    ("zh", re.compile(f"[{HAN}]"), 5),
    ("ru", re.compile("[\u0400-\u052f]"), 5),
    ("el", re.compile("[\u0370-\u03ff]"), 5),
    ("ar", re.compile("[\u0600-\u06ff]"), 5),
    ("he", re.compile("[\u0590-\u05ff]"), 5),
    ("th", re.compile("[\u0e00-\u0e7f]"), 5),
    ("hi", re.compile("[\u0900-\u097f]"), 5),
)
"""A language, its script and the share of all letters that tells it, as one in so many."""
_LETTERS: Final = (("de", frozenset("äöüß")), ("es", frozenset("ñ")), ("fr", frozenset("çèêàùœ")))
"""Letters that decide where the words do not."""
_WORD = re.compile(r"[^\W\d_]+")

_FUNCTION_WORDS: Final = tuple((code, table.function_words) for code, table in LANGUAGES.items() if table.spaced)


@remembered(1 << 13)
def language(text: str) -> str:
    """ISO 639-1 code of the text's language, `und` where nothing tells: no function word, or a tie."""
    if not text.isascii():
        letters = sum(map(str.isalpha, text))
        for code, script, share in _SCRIPTS:
            if script.search(text) and len(script.findall(text)) * share >= letters:
                return code
    return of_words(_WORD.findall(text))


def of_words(words: Sequence[str]) -> str:
    """The language that most of the different words are function words of, `und` where nothing tells."""
    lowered = set(map(str.lower, words))
    votes = sorted(((len(known & lowered), code) for code, known in _FUNCTION_WORDS), reverse=True)
    if votes[0][0] > votes[1][0]:
        return votes[0][1]
    letters = frozenset().union(*lowered)
    return next((code for code, own in _LETTERS if not own.isdisjoint(letters)), UNKNOWN)
