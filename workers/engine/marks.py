"""Marks: what folding drops from a text and may be all that tells two texts apart.

An article, a plural -s or a comma that only one of two texts has adds nothing that a reader would miss in the other,
and the text with more of them is the fuller one. But where each has one that the other lacks, it has moved, and the
words mean something else: "has signed the contract", "has the signed contract"; "users prefer", "user prefers". What
changes the meaning even on one side is never dropped and stays a token: "a few", "the users, who pay".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from workers.engine.plurals import singular
from workers.engine.words import idioms

ARTICLES: Final = frozenset(("the", "a", "an"))
_CONJUNCTIONS: Final = frozenset(("and", "or"))
_BOUNDS: Final = frozenset((".", "?", "!", "…", ":", "—", "[ ]", "[x]"))
_LONGEST_ITEM: Final = 4
"""Words of one item of a list."""


class Mark(NamedTuple):
    """What stood at the canonical token number `place`: an article before it, -s on it, a comma behind it.

    "the" is an article and definite, so that it includes "a"; but what somebody "is" as one of many is indefinite.
    """

    place: int
    kind: Literal["article", "definite", "indefinite", "plural", "comma"]


Marks = frozenset[Mark]


def covers(fuller: Marks, other: Marks) -> bool:
    """Whether a text with the marks `fuller` says all that one of equal tokens with the marks `other` says."""
    return fuller >= other


def drop(words: Sequence[str], *, english: bool) -> tuple[list[str], list[Mark], list[int]]:
    """The canonical tokens of words as read, the marks that go, and for each word how many tokens stand before it,
    for the end of the text as well."""
    tokens: list[str] = []
    marks: list[Mark] = []
    counts: list[int] = []
    commas = frozenset(_idle_commas(words)) if english and "," in words else ()
    for place, word in enumerate(words):
        counts.append(len(tokens))
        if place in commas:
            marks.append(Mark(len(tokens) - 1, "comma"))
        elif english and word in ARTICLES and _is_idle_article(words, place):
            marks += _of_article(words, place, len(tokens))
        elif english and word[-1] == "s" and (one := singular(word)) != word:
            marks.append(Mark(len(tokens), "plural"))
            tokens.append(one)
        else:
            tokens.append(word[:-1] if word[-1] == "." and word[-2:-1].isalpha() else word)  # an abbreviation
    return tokens, marks, [*counts, len(tokens)]


def _is_idle_article(words: Sequence[str], place: int) -> bool:
    """Whether what follows means the same without it; a capitalised word may be one name with it: The Who. Before a
    sign, a letter or nothing "a" is a letter itself."""
    word = words[place + 1] if place + 1 < len(words) else ""
    if (
        word in idioms.KEEPS_AN_ARTICLE
        or not (word.isdigit() or len(word) > 1)
        or not (word[0].isalnum() or word[0] == "`")
    ):
        return False
    if place and words[place] != "the" and words[place - 1] in idioms.LETTERED:
        return False
    return not (word[0].isupper() and word[1:].islower())


def _of_article(words: Sequence[str], place: int, token: int) -> Iterator[Mark]:
    yield Mark(token, "article")
    if words[place] == "the":
        yield Mark(token, "definite")
    elif place and words[place - 1] in idioms.PREDICATES:
        yield Mark(token, "indefinite")


def _idle_commas(words: Sequence[str]) -> Iterator[int]:
    """Where a comma may be missing: behind an opening adverb, before the last of a list, or as the only one of its
    clause."""
    signs = [place for place, word in enumerate(words) if word == "," or word in _BOUNDS or word[0] == "\t"]
    ends = zip([-1, *signs], signs, [*signs[1:], len(words)], strict=False)
    for start, place, stop in ends:
        if words[place] == "," and 0 < place < len(words) - 1 and _is_idle_comma(words, start, place, stop):
            yield place


def _is_idle_comma(words: Sequence[str], start: int, place: int, stop: int) -> bool:
    """`start` and `stop` are the signs on either side."""
    before, after = words[place - 1], words[place + 1]
    listed = start >= 0 and words[start] == ","
    if after in _CONJUNCTIONS:
        return listed and _ends_list(words, start, place)
    if listed or place - start == 2:
        return not listed and before in idioms.OPENING_ADVERBS
    return _stands_alone(words, start, place, stop)


def _ends_list(words: Sequence[str], first: int, last: int) -> bool:
    """`a, b, and c` where `a` is not explained by `b and c`; the text has no other conjunction."""
    if last - first > _LONGEST_ITEM or sum(map(words.count, _CONJUNCTIONS)) > 1:
        return False
    return not (words[first - 1].islower() and words[first + 1][0].isupper())


def _stands_alone(words: Sequence[str], start: int, place: int, stop: int) -> bool:
    """Whether no second comma makes a list or an insertion of it, and no reader joins the words on its sides."""
    before, after = words[place - 1], words[place + 1]
    if stop - place <= 2 or (stop < len(words) and words[stop] == ","):
        return False
    if after in idioms.BINDS_WITHOUT_COMMA or (after.islower() and after.endswith(("ing", "ed"))):
        return False
    if before[-1].isdigit() and after[0].isdigit():
        return False
    if idioms.OPENS_A_PHRASE.isdisjoint((words[start + 1], after)):
        return False
    return _CONJUNCTIONS.isdisjoint(words[place + 1 : place + 2 + _LONGEST_ITEM])
