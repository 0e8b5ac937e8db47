"""Regular English plurals. The -s of a verb is folded like that of a noun: nothing here tells them apart."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from workers.engine.words.english import ENGLISH
from workers.engine.words.idioms import NO_PLURALS

_OTHER_WORDS: Final = NO_PLURALS | ENGLISH.function_words | ENGLISH.weekdays.keys()
_SHORTEST: Final = 4
_NO_ENDINGS: Final = ("ss", "us", "is")
_LONG_ENDINGS: Final = ("sses", "xes", "zzes", "shes", "ches", "oes")
_STEMS_IN_E: Final = frozenset(
    ("aches", "caches", "headaches", "niches", "avalanches", "shoes", "toes", "canoes", "foes")
)
_STEMS_IN_IE: Final = frozenset(
    ("movies", "cookies", "calories", "zombies", "rookies", "brownies", "hoodies", "genies")
)


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """The word without a plural -s; itself where it has none or the ending may be part of another word.

    >>> singular("policies"), singular("boxes"), singular("caches"), singular("status"), singular("news")
    ('policy', 'box', 'cache', 'status', 'news')
    """
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    if not word.endswith("s") or word.endswith(_NO_ENDINGS) or word in _OTHER_WORDS:
        return word
    if word.endswith("ies") and len(word) > _SHORTEST and word not in _STEMS_IN_IE:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(_LONG_ENDINGS) and word not in _STEMS_IN_E else word[:-1]
