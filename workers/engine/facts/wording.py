"""The words that turn a statement: negation, conditions, modality, quantifiers, conjunctions, contrast, direction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from workers.engine import canonical
from workers.engine.characters import CJK_LETTER
from workers.engine.language import UNKNOWN, language
from workers.engine.words import LANGUAGES
from workers.engine.words.table import Classes, Words

CLAUSE_MARKS: Final = frozenset((".", ",", ":", "(", ")", "—", "?", "!", "…", "、"))
_CJK_TOKEN = re.compile(f"[{CJK_LETTER}]$")


@dataclass(frozen=True, slots=True)
class StatementWords:
    """Classes of the statement's turning words, in text order, one entry an occurrence.

    Negations, contrast, hedges and changes are given as the words found; the others by class name (`must`, `before`).
    """

    negations: tuple[str, ...] = ()
    negative_words: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    modality: tuple[str, ...] = ()
    quantifiers: tuple[str, ...] = ()
    conjunctions: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


Category = str
_CATEGORIES: Final = tuple(StatementWords.__dataclass_fields__)


def _flat(words: Words) -> Iterator[tuple[Category, str, str]]:
    for category in _CATEGORIES:
        table: Classes | tuple[str, ...] = getattr(words, category)
        if isinstance(table, tuple):
            yield from ((category, phrase, phrase) for phrase in table)
        else:
            yield from ((category, name, phrase) for name, phrases in table.items() for phrase in phrases)


Found = tuple[Category, str]
"""A category and the class (or the word) found in it."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """One language's words by first word; a phrase is the tuple of its words, longest first."""

    by_first: Mapping[str, tuple[tuple[tuple[str, ...], tuple[Found, ...]], ...]]
    longest: int


def _lexicon(words: Words) -> _Lexicon:
    by_phrase: dict[tuple[str, ...], list[Found]] = {}
    for category, name, phrase in _flat(words):
        parts = tuple(phrase.split()) if words.spaced else tuple(phrase.replace(" ", ""))
        by_phrase.setdefault(parts, []).append((category, name))
    by_first: dict[str, list[tuple[tuple[str, ...], tuple[Found, ...]]]] = {}
    for parts, found in sorted(by_phrase.items(), key=lambda item: -len(item[0])):
        by_first.setdefault(parts[0], []).append((parts, tuple(found)))
    frozen = {first: tuple(phrases) for first, phrases in by_first.items()}
    return _Lexicon(frozen, max(map(len, by_phrase), default=0))


_LEXICONS: Final = {code: _lexicon(words) for code, words in LANGUAGES.items()}


def lexicons(code: str) -> tuple[_Lexicon, ...]:
    """The tables to read a text of this language by: its own and English; all of them when it is unknown."""
    if code == UNKNOWN or code not in _LEXICONS:
        return tuple(_LEXICONS.values())
    return (_LEXICONS[code],) if code == "en" else (_LEXICONS[code], _LEXICONS["en"])


def found_in(tokens: Sequence[str], tables: Iterable[_Lexicon]) -> Iterator[Found]:
    """Every turning word among lower-case tokens, in order; the longest phrase wins at each place."""
    tables = tuple(tables)
    for place, token in enumerate(tokens):
        seen: set[Found] = set()
        for table in tables:
            for parts, found in table.by_first.get(token, ()):
                if len(parts) == 1 or tuple(tokens[place : place + len(parts)]) == parts:
                    seen.update(found)
                    break
        yield from sorted(seen)


def collect(tokens: Sequence[str], tables: Iterable[_Lexicon]) -> StatementWords:
    """`StatementWords` of canonical tokens."""
    lists: dict[Category, list[str]] = {category: [] for category in _CATEGORIES}
    for category, name in found_in([token.lower() for token in tokens], tables):
        lists[category].append(name)
    return StatementWords(**{category: tuple(found) for category, found in lists.items()})


@lru_cache(maxsize=1 << 14)
def statement_words(text: str) -> StatementWords:
    """The turning words of a text, a sentence or a clause, by the tables of its language."""
    return collect(canonical.tokens(text), lexicons(language(text)))


def clauses(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Half-open spans of `tokens` between marks that end a clause."""
    start = 0
    for place, token in enumerate(tokens):
        if token in CLAUSE_MARKS or token.startswith("\t"):
            if place > start:
                yield start, place
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)
