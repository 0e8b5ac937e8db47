"""The foldings of whole words as they are read: spelling, numbers and units, quotes and dashes.

Each is narrower than its name: a folding applies only where no reader could say that the two texts differ in fact.
Words that a text does not have cost one set operation, since every passage of a store comes through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from workers.engine.language import UNKNOWN
from workers.engine.words import LANGUAGES, idioms
from workers.engine.words.german import CAPITAL_PRONOUNS
from workers.engine.words.spelling import AMERICAN
from workers.engine.words.table import split
from workers.engine.words.units import GLUED, UNITS

OPEN_DOUBLE: Final = "“"
CLOSE_DOUBLE: Final = "”"
OPEN_SINGLE: Final = "‘"
CLOSE_SINGLE: Final = "’"

_MATES: Final = {OPEN_DOUBLE: CLOSE_DOUBLE, OPEN_SINGLE: CLOSE_SINGLE}
_QUOTES: Final = frozenset((*_MATES, *_MATES.values()))
_ENGLISH: Final = frozenset(("en", UNKNOWN))
_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    **{british: (american,) for british, american in AMERICAN.items()},
    **idioms.CONTRACTIONS,
}
_SPELLED: Final = frozenset(_SPELLINGS) | idioms.IS_AFTER
_KEEPS_CAPITAL: Final = idioms.HOMOGRAPHS.union(*(table.months | table.weekdays for table in LANGUAGES.values()))
_LOWER_IN_GERMAN: Final = LANGUAGES["de"].function_words | LANGUAGES["de"].numbers.keys()
_MONTHS: Final = frozenset(word.capitalize() for word in LANGUAGES["en"].months)
_DASHES: Final = frozenset(("-", "--", "---", "–", "—"))
_DECADE_OR_CLOCK: Final = frozenset(split("the his her their my your our its in at early mid late and"))
_TURKISH: Final = frozenset("ıİğĞşŞ")
_COUNTING: Final = {code: frozenset(table.numbers) | {"one"} for code, table in LANGUAGES.items()}
_COUNTING[UNKNOWN] = _COUNTING["en"]
_NUMERIC: Final = frozenset("0123456789€+-")
_LONGEST_QUOTE: Final = 6

_CAPITALISED = re.compile(r"[^\W\d_]{2,}(?:['-][^\W\d_]+)*")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_GLUED = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([A-Za-z%°€]{1,4})")
_DIGIT = re.compile(r"\d")
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_COMPOUND = re.compile(r"[a-z]-[a-z]")
_EURO = re.compile(r"€(\d+(?:[.,]\d+)*)")


def fold_words(raw: list[str], starts: Iterable[int], language: str) -> list[str]:
    """Folds raw words; `starts` are the places where a sentence or item begins. `raw` is used up."""
    english = language in _ENGLISH
    for place in starts:
        raw[place] = lower_first(raw[place], language)
        if raw[place] == "A" and english and place + 1 < len(raw) and raw[place + 1].islower():
            raw[place] = "a"
    if not _SPELLED.isdisjoint(raw):
        raw = _fold_spelling(raw)
    if not _QUOTES.isdisjoint(raw):
        raw = _fold_quotes(raw)
    joined = " ".join(raw)
    counted = not _COUNTING[language].isdisjoint(raw) or ("-" in joined and _COMPOUND.search(joined))
    if counted:
        raw = _fold_number_words(raw, LANGUAGES["en" if english else language].numbers)
    if counted or _DIGIT.search(joined):
        raw = _fold_units(raw, english)
    if not _DASHES.isdisjoint(raw):
        _fold_dashes(raw)
    return raw


def lower_first(word: str, language: str) -> str:
    """The first word of a sentence in lower case, unless its capital may mean something."""
    if not word[0].isupper() or not word[1:].islower() or not _CAPITALISED.fullmatch(word):
        return word
    lowered = word.lower()
    if lowered in _KEEPS_CAPITAL or len(lowered) != len(word):
        return word
    if ("'" in word or "-" in word) and re.split("['-]", lowered)[0] in _KEEPS_CAPITAL:
        return word
    if language == "de" and (lowered in CAPITAL_PRONOUNS or lowered not in _LOWER_IN_GERMAN):
        return word
    return word if word[0] == "I" and not _TURKISH.isdisjoint(word) else lowered


def adds_nothing(raw: list[str], place: int) -> bool:
    """A full stop or comma at the end of the text, of a block or a bracket, beside a stronger mark, or in a date."""
    following = place + 1
    if following < len(raw) and raw[following] == '"':
        following += 1
    if following == len(raw) or (place and raw[place - 1] in ("?", ".")):
        return True
    after = raw[place + 1]
    if after in (".", ")") or after.startswith("\t"):
        return True
    return after.isdigit() and place > 1 and raw[place - 2] in _MONTHS and _DAY.fullmatch(raw[place - 1]) is not None


def _fold_spelling(raw: list[str]) -> list[str]:
    out: list[str] = []
    for word, following in zip(raw, [*raw[1:], ""], strict=True):
        if word in idioms.IS_AFTER and (following in idioms.IS_BEFORE or _continues(following)):
            out += word[:-2], "is"
        else:
            out += _SPELLINGS.get(word) or (word,)
    return out


def _continues(word: str) -> bool:
    """A participle after "is", never after "has": it's running."""
    return len(word) > 4 and word.endswith("ing") and word.islower()


def _fold_quotes(raw: list[str]) -> list[str]:
    """Leaves out quotes round plain words that nobody speaks; the others become one straight sign."""
    spoken = not idioms.SPEECH.isdisjoint(raw)
    idle: set[int] = set()
    opened: dict[str, int] = {}
    for place, word in enumerate(raw):
        if word in _MATES:
            opened[_MATES[word]] = place
        elif word in opened:
            start = opened.pop(word)
            if not spoken and _is_plain(raw[start + 1 : place]):
                idle |= {start, place}
    return ['"' if word in _QUOTES else word for place, word in enumerate(raw) if place not in idle]


def _is_plain(quoted: list[str]) -> bool:
    if not 0 < len(quoted) <= _LONGEST_QUOTE or not all(map(str.isalpha, quoted)):
        return False
    words = set(map(str.lower, quoted))
    return words.isdisjoint(idioms.OWN_VOICE) and words.isdisjoint(idioms.LITERALS)


def _fold_number_words(raw: list[str], numbers: Mapping[str, int]) -> list[str]:
    """Number words to digits; `twenty-five` and `twenty five` are one number."""
    out: list[str] = []
    tens = False
    for word in raw:
        value = numbers.get(word)
        if value is None and "-" in word:
            value = _compound(word, numbers)
        if value is None:
            out.append(word)
            tens = False
        elif tens and 0 < value < 10:
            out[-1] = str(int(out[-1]) + value)
            tens = False
        else:
            out.append(str(value))
            tens = value in range(20, 100, 10)
    return out


def _compound(word: str, numbers: Mapping[str, int]) -> int | None:
    first, _, second = word.partition("-")
    tens, ones = numbers.get(first, 0), 1 if second == "one" else numbers.get(second, 0)
    return tens + ones if tens in range(20, 100, 10) and ones in range(1, 10) else None


def _fold_units(raw: list[str], english: bool) -> list[str]:
    """A unit right after its number by its one name; `30ms` and `€5` come apart."""
    limits = "max" in raw
    out: list[str] = []
    previous = ""
    for word in raw:
        if word in UNITS:
            if previous == "one" and english:
                out[-1] = previous = "1"
            minutes = UNITS[word] == "min"  # or at least so many, where the text speaks of limits
            out.append(UNITS[word] if _NUMBER.fullmatch(previous) and not (limits and minutes) else word)
        elif word[0] in _NUMERIC:
            out += _apart(word, previous, english)
        else:
            out.append(word)
        previous = out[-1]
    return out


def _apart(word: str, previous: str, english: bool) -> tuple[str, ...]:
    if euro := _EURO.fullmatch(word):
        return euro[1], UNITS["€"]
    glued = _GLUED.fullmatch(word)
    if glued is None:
        return (word,)
    number, unit = glued.groups()
    if unit in GLUED or (unit in ("s", "h") and english and previous not in _DECADE_OR_CLOCK):
        return number, UNITS[unit]
    return (word,)


def _fold_dashes(raw: list[str]) -> None:
    """A dash between words is one sign however long; between numbers or letters it may be a minus or a range."""
    for place in range(1, len(raw) - 1):
        if raw[place] in _DASHES and all(len(side) > 1 and side.isalpha() for side in (raw[place - 1], raw[place + 1])):
            raw[place] = "—"
