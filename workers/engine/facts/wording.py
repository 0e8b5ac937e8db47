"""The words that turn a statement: negation, conditions, modality, quantifiers, conjunctions, contrast, direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, NamedTuple

from workers.engine import canonical
from workers.engine.language import UNKNOWN, language
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
_Phrases = tuple[_Phrase, ...]
Lexicon = Mapping[str, _Phrases]
"""A language's words by their first token: the tokens of each, longest first, with its categories and classes."""


def _entries(words: Words) -> Iterator[tuple[str, str, str]]:
    for category in (*_STATEMENT, *_CHANGING, *_OTHERS):
        table: Classes | tuple[str, ...] = getattr(words, category)
        classes = {phrase: (phrase,) for phrase in table} if isinstance(table, tuple) else table
        for name, phrases in classes.items():
            for phrase in phrases:
                yield category, name, phrase
                if category in _CHANGING:
                    yield "changes", name, phrase


def _lexicon(words: Words) -> Lexicon:
    by_phrase: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    for category, name, phrase in _entries(words):
        parts = tuple(phrase.split()) if words.spaced else tuple(phrase)
        by_phrase.setdefault(parts, {})[category, name] = None
    by_first: dict[str, _Phrases] = {}
    for parts, found in sorted(by_phrase.items(), key=lambda entry: -len(entry[0])):
        by_first[parts[0]] = (*by_first.get(parts[0], ()), (parts, tuple(found)))
    return by_first


_LEXICONS: Final[Mapping[str, Lexicon]] = {code: _lexicon(words) for code, words in LANGUAGES.items()}


def lexicons(code: str) -> tuple[Lexicon, ...]:
    """The words to read a text of this language by: its own and English; all of them when it is unknown."""
    if code not in _LEXICONS:
        return tuple(_LEXICONS.values())
    return (_LEXICONS[code],) if code == "en" else (_LEXICONS[code], _LEXICONS["en"])


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


def find(tokens: Sequence[str], tables: Sequence[Lexicon]) -> Iterator[Found]:
    """Every turning word in order; the longest one at a place wins and is not looked into. "May" is the month."""
    words = [word if word == "May" else word.lower() for word in tokens]
    place = 0
    while place < len(words):
        matches = [match for table in tables if (match := _match(words, place, table))]
        longest = max((len(parts) for parts, _ in matches), default=1)
        found = {each: None for parts, entries in matches if len(parts) == longest for each in entries}
        yield from (Found(place, place + longest, category, name) for category, name in found)
        place += longest


def _match(words: Sequence[str], place: int, table: Lexicon) -> _Phrase | None:
    for parts, entries in table.get(words[place], ()):
        if len(parts) == 1 or tuple(words[place : place + len(parts)]) == parts:
            return parts, entries
    return None


def collect(found: Iterable[Found]) -> StatementWords:
    """`StatementWords` of what was found."""
    lists: dict[str, list[str]] = {category: [] for category in _STATEMENT}
    for each in found:
        if each.category in lists:
            lists[each.category].append(each.name)
    return StatementWords(**{category: tuple(names) for category, names in lists.items()})


def of_tokens(tokens: Sequence[str], code: str = UNKNOWN) -> StatementWords:
    """The turning words of canonical tokens by the tables of a language, of all languages when it is unknown."""
    return collect(find(elisions_apart(tokens), lexicons(code)))


@lru_cache(maxsize=1 << 13)
def statement_words(text: str) -> StatementWords:
    """The turning words of a text, a sentence or a clause, by the tables of its language."""
    return of_tokens(canonical.tokens(text), language(text))


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
