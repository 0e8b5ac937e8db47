"""Whether two passages may mean the same by where they stand, and which passages may be merged at all."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import splitext
from typing import Final

from workers.engine import canonical, facts, pointing
from workers.engine.facts.wording import statement_words
from workers.engine.passages import Heading, Passage, Place
from workers.engine.words import idioms
from workers.engine.words.withdrawals import WITHDRAWALS

MIN_TOKENS = 3
"""A text of fewer words says too little to be known as the same."""
MIN_TOKENS_ELSEWHERE = 8
"""From this length a text carries its own subject and may be the same under another heading."""

_MERGEABLE_KINDS = frozenset({"paragraph", "item", "quote"})
_IDENTICAL_KINDS = frozenset({"fence", "code", "table", "data", "item", "quote"})
"""Verbatim kinds of which one of two equal ones may go. Front matter, HTML, definitions and footnotes belong to the
text around them."""
_DAY = re.compile(r"(?<!\d)(?:19|20)\d\d([-_./]?)[01]\d\1[0-3]\d(?!\d)")
_PERIOD = re.compile(r"/(?:19|20)\d\d[-_.]?(?:[01]\d|[Ww]\d\d|[Qq][1-4])\Z")
_DEFINES = re.compile(r"^[ \t>]*+(?:(?:[-+*•]|\d{1,9}[.)])[ \t]++)*+\*?\[[^\[\]\r\n]++\]:", re.MULTILINE)
"""The definition of a reference or footnote, which other passages of the file may need."""
_LONGEST_CHAIN = 16
"""Passages that lean on each other and are compared; longer chains count as different."""
_CLOSED: Final = WITHDRAWALS | {"dont", "archive", "archives"}
_WORD = re.compile(r"\w+")


def mergeable(passage: Passage, *, index_line: bool) -> bool:
    """Whether `passage` may be merged with one of equal meaning. Labels, scraps, steps of ordered lists, index lines
    and lines that point at their surroundings mean nothing alone; of verbatim kinds see `removable_copy`."""
    return passage.kind in _MERGEABLE_KINDS and not passage.verbatim and _stands_alone(passage, index_line=index_line)


def removable_copy(passage: Passage, *, index_line: bool) -> bool:
    """Whether `passage` is of a verbatim kind and may go if a byte-equal one stays in a compatible place."""
    return passage.kind in _IDENTICAL_KINDS and passage.verbatim and _stands_alone(passage, index_line=index_line)


def _stands_alone(passage: Passage, *, index_line: bool) -> bool:
    if index_line or passage.ordered or passage.label or passage.introduces:
        return False
    return not (passage.self_reference or _DEFINES.search(passage.text)) and _size(passage) >= MIN_TOKENS


def _size(passage: Passage) -> int:
    # Canonical words are cut for prose: a row of a table can be one.
    return len(_WORD.findall(passage.text) if passage.verbatim else canonical.words(passage.text))


def compatible(a: Passage, b: Passage, *, whole: bool) -> bool:
    """Whether the same text may mean the same at both places; `whole`: each is all that its memory consists of.

    Whole memories may, unless they are the notes of two days. Parts of one file may under the same headings and the
    same label line, parts of two under equal ones; elsewhere only a text that carries its own subject. Never where
    one place names a number, date, time, name or identifier that the other lacks, or turns what stands there ("no
    longer true"), nor where their headings contrast, or the heads of two files differ. A text without a subject ("likes
    tea") speaks of what its file is named after, one that goes on ("it runs at two") of what stands before it.
    """
    if _leans_on_its_file(a) and _contrast(_names(a.place), _names(b.place)):
        return False
    if whole:
        days = {_day(a.place.path), _day(b.place.path)}
        return len(days - {""}) < 2
    if a.place.front != b.place.front or not _go_on_alike(a, b):
        return False
    if a.place.path == b.place.path:
        if a.introducers != b.introducers:
            return False
        if a.place.headings == b.place.headings:
            return True
    if _contrast(a.place.directory, b.place.directory):
        return False
    if a.place.headings and _same_section(a.place, b.place):
        return _marks(_file_words(a.place)) == _marks(_file_words(b.place))
    if _contrast("\n".join(_section_words(a.place)), "\n".join(_section_words(b.place))):
        return False
    marks, other_marks = (_marks((*_file_words(p.place), *_section_words(p.place))) for p in (a, b))
    return marks == other_marks and min(_size(a), _size(b)) >= MIN_TOKENS_ELSEWHERE


def _day(path: str) -> str:
    """The date in a path, or the week, month or quarter that is the name of a file, "" for none: a daily note means its
    day."""
    stem = splitext(path)[0]
    found = _DAY.search(stem) or _PERIOD.search(stem)
    return re.sub(r"[-_./]", "", found[0]) if found else ""


def _leans_on_its_file(passage: Passage) -> bool:
    """Whether the text begins with the verb of a subject that it does not name, or with a pronoun for it."""
    words = canonical.words(passage.text)
    return bool(words) and words[0] in idioms.SUBJECTLESS


def _go_on_alike(a: Passage, b: Passage) -> bool:
    """Whether what stands before the two says the same, where it is needed to understand them."""
    for _ in range(_LONGEST_CHAIN):
        if not (pointing.leans_back(a.text) or pointing.leans_back(b.text)):
            return True
        if a.before is None or b.before is None or not canonical.same(a.before.text, b.before.text):
            return a == b
        if isinstance(a.before, Heading) or isinstance(b.before, Heading):
            return True
        a, b = a.before, b.before
    return False


def _names(place: Place) -> str:
    """The words of a path that may name somebody: all of the folders, of the file no numbers and scraps (`n1`)."""
    words = _WORD.findall(splitext(place.path)[0].rpartition("/")[2].replace("_", " "))
    return "/".join((place.directory, *(word for word in words if word.isalpha() and len(word) > 2)))


def _file_words(place: Place) -> tuple[str, ...]:
    # Underscores and suffixes of file names make no identifiers of them.
    return tuple(splitext(place.path)[0].replace("_", " ").split("/"))


def _section_words(place: Place) -> tuple[str, ...]:
    return *place.headings, place.intro


def _same_section(a: Place, b: Place) -> bool:
    ours, theirs = _section_words(a), _section_words(b)
    return len(ours) == len(theirs) and all(map(canonical.same, ours, theirs))


@lru_cache(maxsize=8192)
def _marks(texts: tuple[str, ...]) -> frozenset[str]:
    """What the words around a text name, and what they say against it."""
    return frozenset().union(*(facts.path_marks(text) | _turns(text) for text in texts if text))


def _turns(text: str) -> frozenset[str]:
    words = statement_words(text)
    turning = (words.negations, words.negative_words, words.conditions, words.modality, words.hedges, words.changes)
    return frozenset().union(*turning, _words(text) & _CLOSED)


def _contrast(a: str, b: str) -> bool:
    """Whether each holds a word that the other lacks ("staging", "production"); a mere addition is no contrast."""
    words, others = _words(a), _words(b)
    return bool(words - others) and bool(others - words)


def _words(text: str) -> set[str]:
    return {word for token in canonical.words(text.replace("/", " ")) for word in _WORD.findall(token.casefold())}
