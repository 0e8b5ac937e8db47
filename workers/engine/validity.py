"""Whether a text that is added to another tells when or where that holds: ", in 2019", ", on staging"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from workers.engine.characters import is_cjk_letter
from workers.engine.facts.wording import clauses, elisions_apart, find, lexicon
from workers.engine.words import LANGUAGES
from workers.engine.words import validity as words

_SHORT: Final = 4
"""Up to so many words a clause is hardly a statement of its own."""
_MONTHS: Final = frozenset(month for table in LANGUAGES.values() for month in table.months)
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-/.]\d\d?)*")


def narrows(rest: Sequence[str], code: str) -> bool:
    """Whether the words behind a text, read by the tables of language `code`, bind it to a time, period or place.

    How often or at what hour something recurs only adds: "on Tuesdays", "at nine". A longer sentence of its own may
    begin with its time or place.
    """
    if any(found.category == "relative" for found in find(elisions_apart(rest), lexicon(code))):
        return True
    for start, end in clauses(rest):
        apart = start > 0 and rest[start - 1] == "." and end - start > _SHORT
        if not apart and _is_narrow([*map(str.lower, rest[start:end])], code):
            return True
    return False


def _is_narrow(clause: Sequence[str], code: str) -> bool:
    if any(map(is_cjk_letter, clause)):
        return _is_narrow_spaceless("".join(clause))
    if clause[0] in words.OPENERS.get(code, words.OPENERS["en"]):
        return not _recurs(clause[0], clause[1:])
    return len(clause) <= _SHORT and any(_names_a_limit(word) for word in clause)


def _names_a_limit(word: str) -> bool:
    return word in _MONTHS or word in words.PLACES or _YEAR.fullmatch(word) is not None


def _recurs(opener: str, said: Sequence[str]) -> bool:
    if opener in words.CLOCKED:
        return all(word[0].isdigit() or word in words.CLOCK for word in said)
    return opener == "on" and (not words.EACH.isdisjoint(said) or all(word in words.RECURRENCE for word in said))


def _is_narrow_spaceless(clause: str) -> bool:
    if any(each in clause for each in words.SPACELESS_RECURRENCE):
        return False
    return clause.startswith(words.SPACELESS_OPENERS) or clause.endswith(words.SPACELESS_ENDINGS)
