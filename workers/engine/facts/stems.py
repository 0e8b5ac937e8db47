"""Content words by stem."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from workers.engine import canonical
from workers.engine.words import LANGUAGES

FUNCTION_WORDS: Final[frozenset[str]] = frozenset().union(*(words.function_words for words in LANGUAGES.values()))
"""Of all languages: a word that says nothing in one of them says little."""
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "ly", "ers", "er", "en", "e", "s", "n")
_SHORTEST: Final = 3


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A rough stem for comparing words of one language: lower case, possessive and common endings off.

    >>> stem("rotates"), stem("rotating"), stem("Rotation's")
    ('rotat', 'rotat', 'rotat')
    """
    word = word.lower().removesuffix("'s").removesuffix("'")
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word


def is_content(token: str) -> bool:
    """A word or value that says what a text is about: no function word, no mark."""
    return any(map(str.isalnum, token)) and token.lower() not in FUNCTION_WORDS


def content_stems(text: str) -> tuple[str, ...]:
    """Stems of the content words in order; Han, Kana and Hangul by character."""
    return tuple(stem(token) for token in canonical.tokens(text) if is_content(token))
