"""The words that turn a statement: negation, conditions, modality, quantifiers, conjunctions, contrast, direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Final, NamedTuple

from workers.engine import canonical
from workers.engine.language import UNKNOWN, language
from workers.engine.remembered import remembered
from workers.engine.words import LANGUAGES
from workers.engine.words.romance import ELISIONS
from workers.engine.words.table import Classes, Words

CLAUSE_MARKS: Final = frozenset((".", ",", ":", "(", ")", "—", "?", "!", "…", "、"))


@dataclass(frozen=True, slots=True)
class StatementWords:
    """The turning words of a text in order, one entry an occurrence.

    Classes shared by all languages (`must`, `before`) for conditions, modality, quantifiers, conjunctions and
    directions; the words themselves for the others.
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

    @property
    def negative(self) -> bool:
        """Whether the words deny what they say, a prohibition included."""
        return bool(self.negations) or "forbidden" in self.modality


_STATEMENT: Final = tuple(field.name for field in fields(StatementWords))
_CHANGING: Final = ("moves", "ceased", "former")
"""Categories whose words also count as `changes`."""
_OTHERS: Final = ("origin", "origin_after", "past", "future", "relative", "frequency", "anchors", "neutral")


class Found(NamedTuple):
    """A turning word at `tokens[start:end]`."""

    start: int
    end: int
    category: str
    name: str


_Phrase = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
Lexicon = Mapping[str, tuple[_Phrase, ...]]
"""Words by their first token: the tokens of each, longest first, with its categories and classes."""


def _entries(words: Words) -> Iterator[tuple[str, str, str]]:
    for category in (*_STATEMENT, *_CHANGING, *_OTHERS):
        table: Classes | tuple[str, ...] = getattr(words, category)
        classes = {phrase: (phrase,) for phrase in table} if isinstance(table, tuple) else table
        for name, phrases in classes.items():
            for phrase in phrases:
                yield category, name, phrase
                if category in _CHANGING:
                    yield "changes", name, phrase


@cache
def lexicon(code: str) -> Lexicon:
    """The words to read a text of this language by: its own and English; of all languages when it is unknown."""
    by_phrase: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    for words in {code: LANGUAGES[code], "en": LANGUAGES["en"]}.values() if code in LANGUAGES else LANGUAGES.values():
        for category, name, phrase in _entries(words):
            parts = tuple(phrase.split()) if words.spaced else tuple(phrase)
            by_phrase.setdefault(parts, {})[category, name] = None
    by_first: dict[str, list[_Phrase]] = {}
    for parts, found in sorted(by_phrase.items(), key=lambda entry: -len(entry[0])):
        by_first.setdefault(parts[0], []).append((parts, tuple(found)))
    return {first: tuple(phrases) for first, phrases in by_first.items()}


def elisions_apart(tokens: Sequence[str]) -> list[str]:
    """The tokens with French elisions as two: `n'est` as `ne`, `est`."""
    out: list[str] = []
    for token in tokens:
        before, mark, rest = token.partition("'")
        long = ELISIONS.get(before.lower()) if mark and rest else None
        if long is None:
            out.append(token)
        else:
            out += ("si" if before.lower() == "s" and rest in ("il", "ils") else long), rest
    return out


def find(tokens: Sequence[str], words: Lexicon) -> Iterator[Found]:
    """Every turning word in order; the longest one at a place wins and is not looked into. "May" is the month."""
    lowered = [each if each == "May" else each.lower() for each in tokens]
    passed = 0
    for place, token in enumerate(lowered):
        if place < passed or token not in words:
            continue
        for parts, entries in words[token]:
            passed = place + len(parts)
            if len(parts) == 1 or tuple(lowered[place:passed]) == parts:
                yield from (Found(place, passed, category, name) for category, name in entries)
                break
        else:
            passed = place + 1


def collect(found: Iterable[Found]) -> StatementWords:
    """`StatementWords` of what was found."""
    lists: dict[str, list[str]] = {category: [] for category in _STATEMENT}
    for each in found:
        if each.category in lists:
            lists[each.category].append(each.name)
    return StatementWords(**{category: tuple(names) for category, names in lists.items()})


def of_tokens(tokens: Sequence[str], code: str = UNKNOWN) -> StatementWords:
    """The turning words of canonical tokens by the tables of a language, of all languages when it is unknown."""
    return collect(find(elisions_apart(tokens), lexicon(code)))


@remembered(1 << 13)
def statement_words(text: str) -> StatementWords:
    """The turning words of a text, a sentence or a clause, by the tables of its language."""
    return of_tokens(canonical.words(text), language(text))


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
