"""Hard facts: values that a merge must carry over unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from workers.engine import canonical
from workers.engine.facts.stems import is_content, stem
from workers.engine.facts.wording import clauses, collect, lexicons
from workers.engine.language import language
from workers.engine.words import LANGUAGES
from workers.engine.words.units import UNITS

FactKind = Literal[
    "number",
    "date",
    "time",
    "weekday",
    "relative_time",
    "frequency",
    "version",
    "reference",
    "url",
    "email",
    "path",
    "code",
    "identifier",
    "money",
    "status",
]
_CONTEXT: Final = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, folded for comparison, with the stems of its nearest content words and the polarity of its clause."""

    kind: FactKind
    value: str
    context: tuple[str, ...]
    polarity: Literal["+", "-"]


STATUS: Final = frozenset("✅ ❌ 🔄 ⏳ ✔ ✔️ ✗ ✘ ☑ ☑️ ☐ ⚠️ ⚠ 🚧 ⛔ 🟢 🔴 🟡 [ ]|[x]".replace("[ ]|", "").split()) | {"[ ]"}
_SHAPES: Final[tuple[tuple[FactKind, re.Pattern[str]], ...]] = (
    ("url", re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|www\.).+")),
    ("email", re.compile(r"(?:mailto:)?[^@/]+@[^@/]+\.[^@/.]+")),
    ("date", re.compile(r"\d{4}([-/.])\d{1,2}\1\d{1,2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?|\d{1,2}([-/.])\d{1,2}\2\d{2,4}")),
    ("time", re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:am|pm|Z)?|\d{1,2}(?:am|pm)")),
    ("version", re.compile(r"[vV]\d+(?:[.-][\w+]+)*|\d+(?:\.\d+){2,}(?:[-+.][\w.+-]+)?")),
    ("reference", re.compile(r"[\w/-]*#\d+|[A-Z][A-Z0-9]*-\d+|[A-Z]{1,4}\d+")),
    ("money", re.compile(r"[$€£¥₹]\d[\d.,]*(?:[kKmM]|bn)?|\d[\d.,]*[$£¥₹]")),
    ("number", re.compile(r"[-+~≈<>≤≥=±]*\d[\d.,:]*%?|\d[\d.,]*[-–]\d[\d.,]*")),
    ("path", re.compile(r"(?:~|\.{1,2})?/.+|[A-Za-z]:\\.+|[^/]+/[^/]+/.+|[\w.@~-]+/[\w.-]+\.\w+")),
    ("identifier", re.compile(r".*\d.*|.*_.*|.+[:.][^:.].*|[^A-Z]*[A-Z]+[a-z0-9]*[A-Z].*|.*[a-z][A-Z].*")),
)
_LONGEST: Final = 2_000
"""Longer tokens are one opaque identifier; a shape that long tells nobody anything."""
_UNIT_NAMES: Final = frozenset(UNITS.values())
_CURRENCIES: Final = frozenset(("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "KRW", "元", "円"))
_MONTHS: Final = {word: number for words in LANGUAGES.values() for word, number in words.months.items()}
_WEEKDAYS: Final = {word: number for words in LANGUAGES.values() for word, number in words.weekdays.items()}


def kind_of(token: str) -> FactKind | None:
    """The kind of hard fact that one canonical token is by its shape, None for a plain word."""
    if "`" in token:
        return "code"
    if token in STATUS or token.startswith("~~"):
        return "status"
    if token.isalpha() and (token.islower() or token[1:].islower() or len(token) == 1):
        return None
    if len(token) > _LONGEST:
        return "identifier"
    return next((kind for kind, shape in _SHAPES if shape.fullmatch(token)), None)


@lru_cache(maxsize=1 << 14)
def hard_facts(text: str) -> tuple[Fact, ...]:
    """Every hard fact of a text in order; equal facts of one text are given once an occurrence."""
    tokens = canonical.tokens(text)
    tables = lexicons(language(text))
    found: list[Fact] = []
    for start, end in clauses(tokens):
        clause = tokens[start:end]
        words = collect(clause, tables)
        polarity: Literal["+", "-"] = "-" if words.negations else "+"
        for kind, value, place in _in_clause(clause):
            found.append(Fact(kind, value, _context(clause, place), polarity))
    return tuple(found)


def fact_values(text: str) -> frozenset[str]:
    """The folded values of all hard facts."""
    return frozenset(fact.value for fact in hard_facts(text))


def _context(clause: Sequence[str], place: int) -> tuple[str, ...]:
    near = sorted(
        (abs(other - place), stem(token))
        for other, token in enumerate(clause)
        if other != place and is_content(token) and kind_of(token) is None
    )
    return tuple(word for _, word in near[:_CONTEXT])


def _in_clause(clause: Sequence[str]) -> Iterator[tuple[FactKind, str, int]]:
    place = 0
    while place < len(clause):
        token = clause[place]
        following = clause[place + 1] if place + 1 < len(clause) else ""
        kind = kind_of(token)
        if kind == "number" and following in _UNIT_NAMES:
            yield ("money" if following in _CURRENCIES else "number"), f"{token} {following}", place
            place += 1
        elif kind is not None:
            yield kind, token, place
        elif token[0].isupper() and token.lower() in _MONTHS:
            yield "date", f"month {_MONTHS[token.lower()]}", place
        elif token[0].isupper() and token.lower() in _WEEKDAYS:
            yield "weekday", f"weekday {_WEEKDAYS[token.lower()]}", place
        place += 1
