"""Bounded word tables per language: one module per family, one home for each list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workers.engine.words.asian import CHINESE, JAPANESE
from workers.engine.words.english import ENGLISH
from workers.engine.words.german import GERMAN
from workers.engine.words.korean import KOREAN
from workers.engine.words.romance import FRENCH, SPANISH
from workers.engine.words.table import Words

LANGUAGES: Final[Mapping[str, Words]] = {
    words.code: words for words in (ENGLISH, GERMAN, FRENCH, SPANISH, CHINESE, JAPANESE, KOREAN)
}
"""The tables by ISO 639-1 code."""
