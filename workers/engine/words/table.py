"""The shape of a language's word tables. Every list is bounded and closed: no table is filled at run time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Classes = Mapping[str, tuple[str, ...]]
"""Class name (shared by all languages) to its words or phrases."""


def split(text: str) -> tuple[str, ...]:
    """Words of a table line. `_` stands for the blank inside a phrase: `no_longer` is "no longer"."""
    return tuple(word.replace("_", " ") for word in text.split())


def numbered(forms: str, *, start: int = 1) -> dict[str, int]:
    """Words by number, the numbers separated by `|`: `"monday mondays | tuesday"` gives 1, 1 and 2."""
    places = enumerate(forms.split("|"), start)
    return {word: number for number, words in places for word in split(words)}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language that turn a statement or carry a hard fact, in canonical form and lower case.

    `code` is the ISO 639-1 code. `spaced` is False where words are written without blanks and compared by character
    (Chinese, Japanese, Korean). `capital_dates` is True where months and weekdays are written with a capital. The
    classes of `directions` have their opposites in `OPPOSITES`.
    """

    code: str
    spaced: bool = True
    capital_dates: bool = False
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
    moves: tuple[str, ...] = ()
    """Verbs of change whose clause names an old and a new value: moved, replaced."""
    origin: tuple[str, ...] = ()
    """What stands right before the old value beside such a verb: from, replaced."""
    origin_after: tuple[str, ...] = ()
    """What stands right behind the old value: was replaced, から."""
    ceased: tuple[str, ...] = ()
    """What stands in a negative clause about a value that is over: no longer."""
    former: tuple[str, ...] = ()
    """What stands before a value that is over: formerly, used to be."""
    past: tuple[str, ...] = ()
    """What stands before a value that is over where "until" follows it: was."""
    future: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    """Words that hold one of the others and turn nothing: 非常 is no 非."""
    numbers: dict[str, int] = field(default_factory=dict)
    """Number words that are nothing else: no articles, no homographs."""
    months: dict[str, int] = field(default_factory=dict)
    weekdays: dict[str, int] = field(default_factory=dict)
    """Monday is 1."""
    relative: Classes = field(default_factory=dict)
    """Times that need an anchor, by class: yesterday, next week."""
    anchors: Classes = field(default_factory=dict)
    """What makes a weekday relative: next, last, this."""
    frequency: Classes = field(default_factory=dict)
    """How often, by class: weekly, every two weeks."""


OPPOSITES: Mapping[str, str] = {
    first: second
    for pair in split(
        """before|after to|from in|out on|off min|max left|right up|down increase|decrease more|less above|below
        with|without allow|deny start|stop add|remove true|false pass|fail first|last north|south east|west buy|sell
        win|lose send|receive read|write push|pull lock|unlock import|export"""
    )
    for first, second in (pair.split("|"), reversed(pair.split("|")))
}
"""Direction classes and their opposites, both ways."""
