"""The words of a text as a search sees them: folded, and by character pairs where a script has no spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3041-\u30ff\u3131-\u318e\u31f0-\u31ff"  # Hangul letters, Kana
    "\u3005\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"  # Han, Hangul
)
# Marks that belong to the letter before them but are no letters to `re`: accents, vowel points, Indic vowel signs.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = rf"(?:[^\W{_SPACELESS}]|[{_MARKS}])+"
_RUN = re.compile(rf"[{_SPACELESS}]+|{_WORD}(?:[.\-]{_WORD})*")
_PART = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LATIN_MARKS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_FIRST_SPACELESS = "\u0e00"
_SPACELESS_START = re.compile(f"[{_SPACELESS}]")


def terms(text: str, *, characters: bool = False) -> list[str]:
    """Search terms in order, repeated as often as they occur.

    Han, Kana, Hangul, Thai and their like: overlapping pairs of characters, a lone character as it is, and with
    `characters` each one besides (for the texts, so that a query of one character finds them). Elsewhere: words
    without case and Latin accents, a plural -s dropped; a compound (`db-migrate`, `v1.2`, `max_tokens`, `maxTokens`)
    whole and in its parts.
    """
    found: list[str] = []
    for run in _RUN.findall(text if text.isascii() else unicodedata.normalize("NFKC", text)):
        if run[0] < _FIRST_SPACELESS or not _SPACELESS_START.match(run):
            found += _words(run)
            continue
        if characters or len(run) == 1:
            found += run
        found += (run[i : i + 2] for i in range(len(run) - 1))
    return found


@lru_cache(maxsize=65536)  # a store repeats its words
def _words(run: str) -> tuple[str, ...]:
    parts = [part for piece in _PART.findall(run) for part in _HUMP.split(piece)]
    words = tuple(_singular(_folded(part)) for part in parts)
    return (_folded(run), *words) if len(parts) > 1 else words


def _folded(word: str) -> str:
    lowered = word.casefold()
    if lowered.isascii():
        return lowered
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", lowered)))


def _singular(word: str) -> str:
    """The word without a plural -s, by Harman's S-stemmer (1991), for ASCII words only."""
    if len(word) < 4 or not word.endswith("s") or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    return word[:-1]
