"""Content words by stem."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.words import LANGUAGES

FUNCTION_WORDS: Final[frozenset[str]] = frozenset().union(*(words.function_words for words in LANGUAGES.values()))
"""Of all languages: a word that says nothing in one of them says little."""
_ENDINGS: Final = ("ions", "ion", "ings", "edly", "ing", "ers", "ies", "ed", "es", "er", "ly", "e", "s")
_SHORT_STEMS: Final = frozenset(("ing", "ed", "es", "e"))
"""Endings that may leave two letters: used, using."""
_DOUBLING: Final = frozenset(("ing", "ed", "er", "ers"))
"""Endings that double the consonant before them: running, stopped."""


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """A rough stem for comparing words of one language: lower case, possessive and common endings off.

    >>> stem("rotates"), stem("rotating"), stem("Rotation's"), stem("running")
    ('rotat', 'rotat', 'rotat', 'run')
    """
    word = word.lower().removesuffix("'s").removesuffix("'")
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        left = len(word) - len(ending)
        if word.endswith(ending) and left >= (2 if ending in _SHORT_STEMS else 3):
            return _single(word[:left]) if ending in _DOUBLING else word[:left]
    return word


def _single(word: str) -> str:
    """Without the second of two equal consonants at the end, as in `runn` of running."""
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


def is_content(token: str) -> bool:
    """A word or value that says what a text is about: no function word, no mark."""
    return any(map(str.isalnum, token)) and token.lower() not in FUNCTION_WORDS


def content_stems(text: str) -> tuple[str, ...]:
    """Stems of the content words in order; Han, Kana and Hangul by character."""
    return tuple(stem(token) for token in canonical.words(text) if is_content(token))


def written(tokens: Sequence[str]) -> str:
    """Tokens as one writes them: with blanks, but none in Chinese, Japanese and Korean."""
    return ("" if is_cjk_letter(tokens[0]) else " ").join(tokens)
