"""The shape of a language's word tables. Every list is bounded and closed: no table is filled at run time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Classes = Mapping[str, tuple[str, ...]]
"""Class name (shared by all languages) to its words or phrases, lower case, phrases with single blanks."""


def split(text: str) -> tuple[str, ...]:
    """Words of a table line. `_` stands for the blank inside a phrase: `no_longer` is "no longer"."""
    return tuple(word.replace("_", " ") for word in text.split())


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language that turn a statement or carry a hard fact.

    `code` is the ISO 639-1 code. `spaced` is False where words are written without blanks and are searched as
    substrings (Chinese, Japanese, Korean). `directions` maps a class to its words; `OPPOSITES` pairs the classes.
    """

    code: str
    spaced: bool = True
    function_words: frozenset[str] = frozenset()
    negations: tuple[str, ...] = ()
    negative_words: tuple[str, ...] = ()
    """Words that deny by meaning: off, disabled, failed."""
    conditions: Classes = field(default_factory=dict)
    modality: Classes = field(default_factory=dict)
    quantifiers: Classes = field(default_factory=dict)
    conjunctions: Classes = field(default_factory=dict)
    contrast: tuple[str, ...] = ()
    directions: Classes = field(default_factory=dict)
    hedges: tuple[str, ...] = ()
    """Words that leave a statement to somebody else or in doubt: said, according to, probably."""
    changes: tuple[str, ...] = ()
    """Words that say that something is no more as it was: moved, replaced, formerly."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """Monday is 1."""
    relative: Classes = field(default_factory=dict)
    """Times that need an anchor, by class: yesterday, next week."""
    frequency: Classes = field(default_factory=dict)
    """How often, by class: weekly, every two weeks."""
