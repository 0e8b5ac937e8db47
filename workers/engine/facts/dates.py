"""Dates and weekdays written in words, read from canonical tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from workers.engine.words import LANGUAGES

_DAY = re.compile(r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_FILLERS: Final = frozenset((",", "of", "de", "del"))
_CJK_DATE: Final = (("年", "년"), ("月", "월"), ("日", "号", "號", "일"))

_Named = Mapping[str, tuple[tuple[tuple[str, ...], int], ...]]
"""First token to the tokens of a name and its number, longest first."""


class Dated(NamedTuple):
    """A date's value (`2024-05-03`, `05-03`, `2024-05`, `month 5`, `weekday 2`) and the token after it."""

    value: str
    end: int


def _named(names: Mapping[str, int], spaced: bool, capital: bool) -> _Named:
    by_first: dict[str, tuple[tuple[tuple[str, ...], int], ...]] = {}
    for name, number in sorted(names.items(), key=lambda entry: -len(entry[0])):
        written = name.capitalize() if capital else name
        parts = (written,) if spaced else tuple(written)
        by_first[parts[0]] = (*by_first.get(parts[0], ()), (parts, number))
    return by_first


_MONTHS: Final = {code: _named(words.months, words.spaced, words.capital_dates) for code, words in LANGUAGES.items()}
_WEEKDAYS: Final = {
    code: _named(words.weekdays, words.spaced, words.capital_dates) for code, words in LANGUAGES.items()
}


_FIRST: Final = frozenset(first for tables in (_MONTHS, _WEEKDAYS) for table in tables.values() for first in table)


def may_begin(token: str) -> bool:
    """Whether a date or weekday can begin with the token: the cheap question before the others."""
    return token in _FIRST or token[0].isdigit()


def _name_at(tokens: Sequence[str], place: int, tables: Mapping[str, _Named], code: str) -> tuple[int, int] | None:
    """The number of the name at `place` and the token after it, by the tables of the text's language and English."""
    for table in (tables.get(code), tables["en"]):
        for parts, number in (table or {}).get(tokens[place], ()):
            if tuple(tokens[place : place + len(parts)]) == parts:
                return number, place + len(parts)
    return None


def weekday_at(tokens: Sequence[str], place: int, code: str) -> Dated | None:
    """The weekday that begins at `place`; Monday is 1."""
    found = _name_at(tokens, place, _WEEKDAYS, code)
    return found and Dated(f"weekday {found[0]}", found[1])


def date_at(tokens: Sequence[str], place: int, code: str) -> Dated | None:
    """The date that begins at `place`: `3 May 2024`, `May 3`, `Mai 2024`, `2024年5月3日`, `May`."""
    return _numbered(tokens, place) or _day_first(tokens, place, code) or _month_first(tokens, place, code)


def without_ordinal_stops(tokens: Sequence[str]) -> list[str]:
    """The tokens without the full stop of a day before its month: `3. Mai` is no end of a sentence."""
    months, last = _MONTHS["de"], len(tokens) - 1
    idle = {
        place
        for place, word in enumerate(tokens)
        if word == "." and 0 < place < last and tokens[place + 1] in months and _DAY.fullmatch(tokens[place - 1])
    }
    return [word for place, word in enumerate(tokens) if place not in idle]


def iso(token: str) -> str | None:
    """A date of digits, year first, as `2024-05-03`; None for other tokens."""
    match = _ISO.fullmatch(token)
    return f"{match[1]}-{int(match[3]):02}-{int(match[4]):02}" if match else None


def _numbered(tokens: Sequence[str], place: int) -> Dated | None:
    parts: list[str] = []
    for units in _CJK_DATE:
        if place + 1 < len(tokens) and tokens[place].isdigit() and tokens[place + 1] in units:
            parts.append(f"{int(tokens[place][:4]):02}")
            place += 2
        elif len(parts) == 1:
            break
    return Dated("-".join(parts), place) if len(parts) > 1 else None


def _day_first(tokens: Sequence[str], place: int, code: str) -> Dated | None:
    day = _DAY.fullmatch(tokens[place])
    following = _past_fillers(tokens, place + 1)
    if day is None or following == len(tokens):
        return None
    month = _name_at(tokens, following, _MONTHS, code)
    return month and _with_year(tokens, f"{month[0]:02}-{int(day[1]):02}", month[1])


def _month_first(tokens: Sequence[str], place: int, code: str) -> Dated | None:
    month = _name_at(tokens, place, _MONTHS, code)
    if month is None:
        return None
    number, end = month
    day = _DAY.fullmatch(tokens[end]) if end < len(tokens) else None
    if day:
        return _with_year(tokens, f"{number:02}-{int(day[1]):02}", end + 1)
    dated = _with_year(tokens, f"{number:02}", end)
    return dated if dated.end > end else Dated(f"month {number}", end)


def _with_year(tokens: Sequence[str], rest: str, end: int) -> Dated:
    place = _past_fillers(tokens, end)
    if place < len(tokens) and _YEAR.fullmatch(tokens[place]):
        return Dated(f"{tokens[place]}-{rest}", place + 1)
    return Dated(rest, end)


def _past_fillers(tokens: Sequence[str], place: int) -> int:
    return place + 1 if place < len(tokens) and tokens[place] in _FILLERS else place
