"""The foldings of canonical text on whole words: spelling, numbers and units, articles, quotes and commas.

Each is narrower than its name: a folding applies only where no reader could say that the two texts differ in fact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from workers.engine.language import UNKNOWN, of_words
from workers.engine.words import LANGUAGES, english
from workers.engine.words.german import CAPITAL_PRONOUNS
from workers.engine.words.spelling import AMERICAN
from workers.engine.words.units import GLUED, UNITS

OPEN_DOUBLE: Final = "“"
CLOSE_DOUBLE: Final = "”"
OPEN_SINGLE: Final = "‘"
CLOSE_SINGLE: Final = "’"
NO_COMMA: Final = "\t,"
"""A comma that was read and is left out, a clause end all the same."""

_MATES: Final = {OPEN_DOUBLE: CLOSE_DOUBLE, OPEN_SINGLE: CLOSE_SINGLE}
_CLOSERS: Final = frozenset(_MATES.values())
_SPELLINGS: dict[str, tuple[str, ...]] = {word: (other,) for word, other in AMERICAN.items()} | english.CONTRACTIONS
_KEEPS_CAPITAL = english.HOMOGRAPHS.union(
    *(words.months.keys() | words.weekdays.keys() for words in LANGUAGES.values())
)
_CAPITALISED = re.compile(r"[^\W\d_]{2,}(?:['-][^\W\d_]+)*")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,:]\d+)*")
_GLUED = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([A-Za-z%°€]{1,4})")
_EURO = re.compile(r"€(\d+(?:[.,]\d+)*)")
_TURKISH = frozenset("ıİğĞşŞ")
_DECADE_OR_CLOCK = frozenset("the his her their my your our its in at early mid late and".split())
_BE = frozenset(("is", "are", "was", "were"))
_ENGLISH: Final = frozenset(("en", UNKNOWN))
_COUNTING: Final = frozenset((UNKNOWN, *LANGUAGES))
_MONTHS = frozenset(word.capitalize() for word in LANGUAGES["en"].months)
_LONGEST_QUOTE: Final = 6
_LONGEST_ITEM: Final = 6
_PLAIN_DASHES = frozenset(("-", "--", "---", "–", "—"))


def fold_words(raw: list[str], starts: set[int]) -> list[str]:
    """Folds raw tokens; `starts` are the places where a sentence or item begins."""
    language = of_words(map(str.lower, raw))
    out = _fold_spelling(raw, starts, language)
    numbers = LANGUAGES["en" if language == UNKNOWN else language].numbers if language in _COUNTING else {}
    out = _fold_units(_fold_number_words(out, numbers), language)
    if language in _ENGLISH:
        out = _fold_articles(out)
    if OPEN_DOUBLE in out or OPEN_SINGLE in out:
        out = _fold_quotes(out)
    if "," in out:
        _fold_commas(out)
    return _fold_dashes(out)


def adds_nothing(raw: list[str], place: int) -> bool:
    """A full stop or comma at the end of the text, of a block or a bracket, or beside a stronger mark."""
    rest = place + 1
    if rest < len(raw) and raw[rest] == '"':
        rest += 1
    if rest == len(raw) or (place and raw[place - 1] in ("?", ".")):
        return True
    return raw[place + 1] in (".", ")") or raw[place + 1].startswith("\t")


def lower_first(word: str, language: str) -> str:
    """The first word of a sentence in lower case, unless its capital may mean something."""
    if not word[0].isupper() or not word[1:].islower() or not _CAPITALISED.fullmatch(word):
        return word
    lowered = word.lower()
    if lowered in _KEEPS_CAPITAL or re.split("['-]", lowered)[0] in _KEEPS_CAPITAL or len(lowered) != len(word):
        return word
    if language == "de" and (lowered in CAPITAL_PRONOUNS or lowered not in LANGUAGES["de"].function_words):
        return word
    return word if word[0] == "I" and not _TURKISH.isdisjoint(word) else lowered


def _fold_spelling(raw: list[str], starts: set[int], language: str) -> list[str]:
    out: list[str] = []
    last = len(raw) - 1
    for place, word in enumerate(raw):
        if place in starts:
            word = lower_first(word, language)
            if word == "A" and place < last and raw[place + 1].islower() and language in _ENGLISH:
                word = "a"
        if word in english.IS_AFTER and place < last and raw[place + 1] in english.IS_BEFORE:
            out += word[:-2], "is"
            continue
        long = _SPELLINGS.get(word)
        if long is None:
            out.append(word)
        else:
            out += long
    return out


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
        elif tens and value < 10:
            out[-1] = str(int(out[-1]) + value)
            tens = False
        else:
            out.append(str(value))
            tens = value in range(20, 100, 10)
    return out


def _compound(word: str, numbers: Mapping[str, int]) -> int | None:
    tens, _, ones = word.partition("-")
    first, second = numbers.get(tens), numbers.get(ones)
    if first in range(20, 100, 10) and second in range(1, 10):
        return numbers[tens] + numbers[ones]
    return None


def _fold_units(raw: list[str], language: str) -> list[str]:
    """A unit right after its number by its one name; `30ms` and `€5` come apart."""
    out: list[str] = []
    limits = "max" in raw or "min" in raw[:1]
    for word in raw:
        previous = out[-1] if out else ""
        if word in UNITS and not (limits and word == "min"):
            if previous == "one" and language == "en":
                out[-1] = previous = "1"
            out.append(UNITS[word] if _NUMBER.fullmatch(previous) else word)
        elif word[0].isdigit() or word[0] in "€-+":
            out += _apart(word, previous, language)
        else:
            out.append(word)
    return out


def _apart(word: str, previous: str, language: str) -> tuple[str, ...]:
    if euro := _EURO.fullmatch(word):
        return euro[1], UNITS["€"]
    glued = _GLUED.fullmatch(word)
    if glued is None:
        return (word,)
    number, unit = glued.groups()
    if unit in GLUED or (unit in ("s", "h") and language in _ENGLISH and previous not in _DECADE_OR_CLOCK):
        return number, UNITS[unit]
    return (word,)


def _fold_articles(raw: list[str]) -> list[str]:
    """Leaves out "the", and "a" where it names nobody in particular, unless another reading is possible."""
    scene = any(word.endswith("ing") and raw[place] in _BE for place, word in enumerate(raw[1:]))
    out: list[str] = []
    for place, word in enumerate(raw[:-1]):
        if word == "an":
            word = "a"
        previous, following = raw[place - 1] if place else "", raw[place + 1]
        if word == "the" and _the_is_idle(previous, following):
            continue
        if word == "a" and (scene or _begins(previous)) and _a_is_idle(previous, raw[place + 1 : place + 4]):
            continue
        out.append(word)
    return out + raw[-1:]


def _the_is_idle(previous: str, following: str) -> bool:
    if following in english.KEEPS_THE_BEFORE or not _is_common(following) or following.endswith("est"):
        return False
    return not (previous in english.IDIOM_OPENERS and following in english.IDIOM_NOUNS)


def _a_is_idle(previous: str, following: list[str]) -> bool:
    if not following[0].isalpha() or not following[0].islower() or len(following[0]) < 2:
        return False
    if following[0] in english.KEEPS_A_BEFORE or previous in english.KEEPS_A_AFTER:
        return False
    return english.REFERENTS.isdisjoint(following)


def _is_common(word: str) -> bool:
    """A lower-case word or an identifier; a capitalised word may be one name with its article: The Who."""
    return len(word) > 1 and word[0].isalnum() and not (word[0].isupper() and word[1:].islower())


def _begins(previous: str) -> bool:
    return not previous or previous in (".", "?") or previous.startswith(("\t", "["))


def _fold_quotes(raw: list[str]) -> list[str]:
    """Leaves out quotes round plain words that nobody speaks; the others become one straight sign."""
    spoken = not english.SPEECH.isdisjoint(raw)
    idle: set[int] = set()
    opened: dict[str, int] = {}
    for place, word in enumerate(raw):
        if word in _MATES:
            opened[_MATES[word]] = place
        elif word in _CLOSERS and word in opened:
            start = opened.pop(word)
            if not spoken and _is_plain(raw[start + 1 : place]):
                idle |= {start, place}
    signs = _MATES.keys() | _CLOSERS
    return ['"' if word in signs else word for place, word in enumerate(raw) if place not in idle]


def _is_plain(quoted: list[str]) -> bool:
    if not 0 < len(quoted) <= _LONGEST_QUOTE:
        return False
    words = {word.lower() for word in quoted}
    return all(word.isalpha() for word in quoted) and words.isdisjoint(english.OWN_VOICE | english.LITERALS)


def _fold_commas(raw: list[str]) -> None:
    """Marks commas that change nothing: before the last of a plain list, after an opening adverb, in a date."""
    commas = [place for place, word in enumerate(raw) if word == ","]
    for number, place in enumerate(commas):
        if place + 1 == len(raw):
            continue
        before, after = raw[place - 1] if place else "", raw[place + 1]
        opening = before in english.OPENING_ADVERBS and _begins(raw[place - 2] if place > 1 else "")
        date = place > 1 and before.isdigit() and after.isdigit() and len(after) == 4 and raw[place - 2] in _MONTHS
        if opening or date or (after in ("and", "or") and number and _is_last_of_list(raw, commas[number - 1], place)):
            raw[place] = NO_COMMA


def _is_last_of_list(raw: list[str], first: int, last: int) -> bool:
    """`a, b, and c` in one sentence with one kind of conjunction, where `a` is not explained by `b and c`."""
    conjunctions = [word for word in raw if word in ("and", "or")]
    if len(conjunctions) != 1 or "." in raw[first:last] or not first or last - first > _LONGEST_ITEM:
        return False
    return not (raw[first - 1].islower() and raw[first + 1][0].isupper())


def _fold_dashes(raw: list[str]) -> list[str]:
    """A dash between words is one sign however long; between numbers or letters it may be a minus or a range."""
    out = list(raw)
    for place, word in enumerate(raw):
        if word in _PLAIN_DASHES and 0 < place < len(raw) - 1:
            sides = raw[place - 1], raw[place + 1]
            if all(len(side) > 1 and side.isalpha() for side in sides):
                out[place] = "—"
    return out
