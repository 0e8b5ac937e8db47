"""Hard facts: values that a merge must carry over unchanged."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from workers.engine import canonical
from workers.engine.facts.dates import date_at, iso, may_begin, weekday_at, without_ordinal_stops
from workers.engine.facts.stems import FUNCTION_WORDS, is_content, stem, written
from workers.engine.facts.wording import Found, clauses, collect, elisions_apart, find, lexicon
from workers.engine.language import language
from workers.engine.markup import is_verbatim
from workers.engine.remembered import remembered
from workers.engine.words.units import CJK_UNITS, CURRENCIES, UNITS

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


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, folded for comparison, with the stems of its nearest content words and the polarity of its clause."""

    kind: FactKind
    value: str
    context: tuple[str, ...]
    polarity: Literal["+", "-"]


class _Value(NamedTuple):
    """A fact's value at `tokens[start:end]`."""

    kind: FactKind
    value: str
    start: int
    end: int


_STATUS = re.compile(r"\[[ x]\]|~~.*|.*~~|[✅❌🔄⏳✔✗✘☑☐☒⚠🚧⛔🟢🔴🟡🟠⬜⭕🆗].*")
_SHAPES: Final[tuple[tuple[FactKind, re.Pattern[str]], ...]] = (
    ("url", re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|www\.).+")),
    ("email", re.compile(r"(?:mailto:)?[^@/]+@[^@/]+\.[^@/.]+")),
    ("date", re.compile(r"\d{4}([-/.])\d{1,2}\1\d{1,2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?|\d{1,2}([-/.])\d{1,2}\2\d{2,4}")),
    ("time", re.compile(r"[0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:am|pm|Z)?|\d{1,2}(?:am|pm)")),
    ("version", re.compile(r"[vV]\d+(?:[.-][\w+]+)*|\d+(?:\.\d+){2,}(?:[-+.][\w.+-]+)?")),
    ("reference", re.compile(r"[\w/-]*#\d+|[A-Z][A-Z0-9]*-\d+|[A-Z]{1,4}\d+")),
    ("money", re.compile(r"[$€£¥₹]\d[\d.,]*(?:[kKmM]|bn)?|\d[\d.,]*[$£¥₹]")),
    ("number", re.compile(r"[-+~≈<>≤≥=±]*\d[\d.,:]*%?|\d[\d.,]*[-–]\d[\d.,]*|\d+(?:st|nd|rd|th)")),
    ("path", re.compile(r"(?:~|\.{1,2})?/.+|[A-Za-z]:\\.+|[^/]+/[^/]+/.+|[\w.@~-]+/[\w.-]+\.\w+")),
    ("identifier", re.compile(r".*\d.*|.*_.*|.+[:.][^:.].*|.*[^\W_][A-Z].*")),
)
_ABBREVIATED = re.compile(r"(?:[^\W\d_]{1,4}\.)+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPED_DE = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_PLAIN_NUMBER = re.compile(r"[-+~≈<>≤≥=±]*\d[\d.,]*")
_UNIT_NAMES: Final = frozenset(UNITS.values())
_EVERY: Final = frozenset(("every", "each", "alle", "tous", "toutes", "cada"))
_AGO: Final = frozenset(("ago",))
_LONGEST: Final = 2_000
"""A longer token is one opaque identifier."""
_CONTEXT: Final = 3
_WINDOW: Final = 8
"""Tokens on either side among which the context is looked for, so that long lists stay linear."""
_EDGES: Final = ".,;:!?()[]{}\"'|*`~"


@lru_cache(maxsize=1 << 13)
def kind_of(token: str) -> FactKind | None:
    """The kind of hard fact that one canonical token is by its shape, None for a plain word."""
    if "`" in token:
        return "code"
    if _STATUS.fullmatch(token):
        return "status"
    if token.isalpha() and (len(token) == 1 or token[1:].islower()):
        return None
    if len(token) > _LONGEST:
        return "identifier"
    if token.lower() in FUNCTION_WORDS or _ABBREVIATED.fullmatch(token):
        return None
    return next((kind for kind, shape in _SHAPES if shape.fullmatch(token)), None)


@remembered(1 << 13)
def hard_facts(text: str) -> tuple[Fact, ...]:
    """Every hard fact of a text in order, one an occurrence."""
    tokens, code = _tokens(text), language(text)
    words = lexicon(code)
    facts: list[Fact] = []
    for start, end in clauses(tokens):
        clause = tokens[start:end]
        found = tuple(find(clause, words))
        values = list(_values(clause, found, code))
        taken = {place for value in values for place in range(value.start, value.end)}
        polarity: Literal["+", "-"] = "-" if values and collect(found).negative else "+"
        facts += (Fact(value.kind, value.value, _context(clause, value, taken), polarity) for value in values)
    return tuple(facts)


def fact_values(text: str) -> frozenset[str]:
    """The folded values of all hard facts."""
    return frozenset(fact.value for fact in hard_facts(text))


def _tokens(text: str) -> list[str]:
    tokens = canonical.words(text)
    if is_verbatim(text):
        return [word for line in tokens for chunk in line.split() if (word := chunk.strip(_EDGES))]
    return without_ordinal_stops(elisions_apart(tokens))


def _context(clause: Sequence[str], value: _Value, taken: Container[int]) -> tuple[str, ...]:
    """Stems of the nearest content words that belong to no value, nearest first."""
    near: list[tuple[int, str]] = []
    for place in range(max(0, value.start - _WINDOW), min(len(clause), value.end + _WINDOW)):
        if place not in taken and is_content(clause[place]):
            distance = value.start - place if place < value.start else place - value.end + 1
            near.append((distance, stem(clause[place])))
    return tuple(word for _, word in sorted(near)[:_CONTEXT])


def _values(clause: Sequence[str], found: Sequence[Found], code: str) -> Iterator[_Value]:
    worded = {each.start: each for each in found if each.category in ("relative", "frequency")}
    anchors = {each.end: each for each in found if each.category == "anchors"}
    place = 0
    while place < len(clause):
        value = _value_at(clause, place, code) or _worded_at(clause, worded.get(place))
        if value is None:
            place += 1
            continue
        anchor = anchors.get(place)
        if anchor and value.kind == "weekday":
            value = _Value("relative_time", f"{anchor.name} {value.value}", anchor.start, value.end)
        yield value
        overlapped = value.end - 1 > place and weekday_at(clause, value.end - 1, code)  # 每周三, 下周一
        place = value.end - 1 if overlapped else value.end


def _worded_at(clause: Sequence[str], found: Found | None) -> _Value | None:
    if found is None:
        return None
    if found.category == "frequency":
        return _Value("frequency", found.name, found.start, found.end)
    words = written(clause[found.start : found.end]).lower()
    return _Value("relative_time", words, found.start, found.end)


def _value_at(clause: Sequence[str], place: int, code: str) -> _Value | None:
    if may_begin(clause[place]):
        if dated := date_at(clause, place, code):
            return _Value("date", dated.value, place, dated.end)
        if dated := weekday_at(clause, place, code):
            return _Value("weekday", dated.value, place, dated.end)
    if clause[place].lower() in _EVERY and place + 1 < len(clause):
        counted = _counted(clause, place + 1, code)
        return counted and _Value("frequency", f"every {counted.value}", place, counted.end)
    return _counted(clause, place, code) or _single(clause[place], place, code)


def _counted(clause: Sequence[str], place: int, code: str) -> _Value | None:
    """A number with its unit: `5 s`, `40000 EUR`, `3 day ago`, `5 次`."""
    unit = clause[place + 1] if place + 1 < len(clause) else ""
    if not _PLAIN_NUMBER.fullmatch(clause[place]) or (unit not in _UNIT_NAMES and unit not in CJK_UNITS):
        return None
    value, end = f"{_number(clause[place], code)} {unit}", place + 2
    if end < len(clause) and clause[end] in _AGO:
        return _Value("relative_time", f"{value} ago", place, end + 1)
    return _Value("money" if unit in CURRENCIES else "number", value, place, end)


def _single(token: str, place: int, code: str) -> _Value | None:
    kind = kind_of(token)
    if kind is None:
        return None
    if kind == "number":
        token = _number(token, code)
    elif kind == "date":
        token = iso(token) or token
    elif kind in ("email", "version"):
        token = token.lower()
    elif kind == "url":
        token = token.rstrip("/")
    elif kind == "time":
        token = token.removeprefix("0")
    return _Value(kind, token, place, place + 1)


def _number(token: str, code: str) -> str:
    """Without the signs that group thousands, as the text's language writes them."""
    if code == "de":
        return token.replace(".", "").replace(",", ".") if _GROUPED_DE.fullmatch(token) else token
    return token.replace(",", "") if _GROUPED.fullmatch(token) and code not in ("fr", "es") else token
