"""Marks: what folding drops from a text and may be all that tells two texts apart.

An article, a plural -s or a comma that only one of two texts has mostly adds nothing that a reader would miss in the
other, and the text with more of them is the fuller one. But where each has one that the other lacks, it has moved, and
the words mean something else: "has signed the contract", "has the signed contract"; "users prefer", "user prefers". And
a firm mark says something by itself, so that no equal text may lack it: "the hosts", "the lead and the engineer",
"users, who pay". What is another word with it is never dropped: "a few", "news".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from workers.engine.plurals import singular
from workers.engine.words import idioms

ARTICLES: Final = idioms.ARTICLES
_CONJUNCTIONS: Final = frozenset(("and", "or"))
_COORDINATING: Final = _CONJUNCTIONS | {"nor", "plus", "and/or", "&"}
_BOUNDS: Final = frozenset((".", "?", "!", "…", ":", "—", "[ ]", "[x]"))
_LONGEST_ITEM: Final = 4
"""Words of one item of a list."""


class Mark(NamedTuple):
    """What stood at the canonical token number `place`: an article before it, -s on it, a comma behind it.

    "the" is an article and definite, so that it includes "a"; but what somebody "is" as one of many is indefinite.
    """

    place: int
    kind: Literal["article", "definite", "indefinite", "plural", "comma"]


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a text; `firm` are those among them that no equal text may lack."""

    every: frozenset[Mark] = frozenset()
    firm: frozenset[Mark] = frozenset()

    def before(self, length: int) -> Marks:
        """The marks of the first `length` tokens, but for a comma that ends them."""
        last = Mark(length - 1, "comma")
        every, firm = (
            frozenset(mark for mark in marks if mark.place < length and mark != last)
            for marks in (self.every, self.firm)
        )
        return Marks(every, firm)


NO_MARKS: Final = Marks()


def joined(parts: Iterable[tuple[int, Marks]]) -> Marks:
    """The marks of several texts as those of one; each comes with the number of tokens before it."""
    parts = tuple(parts)
    every, firm = (
        frozenset(Mark(offset + mark.place, mark.kind) for offset, marks in parts for mark in getattr(marks, name))
        for name in ("every", "firm")
    )
    return Marks(every, firm)


def covers(fuller: Marks, other: Marks) -> bool:
    """Whether a text with the marks `fuller` says all that one of equal tokens with the marks `other` says, and no
    more than that."""
    return fuller.firm <= other.every <= fuller.every


def drop(words: Sequence[str], *, english: bool) -> tuple[list[str], Marks, list[int]]:
    """The canonical tokens of words as read, the marks that go, and for each word how many tokens stand before it,
    for the end of the text as well."""
    tokens: list[str] = []
    every: list[Mark] = []
    firm: list[Mark] = []
    counts: list[int] = []
    found: tuple[Mark, ...]
    idle = frozenset(_idle_commas(words)) if english and "," in words else ()
    for place, word in enumerate(words):
        here = len(tokens)
        counts.append(here)
        if word == ",":
            found, is_firm = (Mark(here - 1, "comma"),), place not in idle
        elif english and word in ARTICLES and _is_idle_article(words, place):
            found, is_firm = _of_article(words, place, here), _is_firm_article(words, place)
        elif english and word[-1] == "s" and (one := singular(word)) != word:
            found, is_firm = (Mark(here, "plural"),), _is_firm_plural(words, place)
            tokens.append(one)
        else:
            tokens.append(word[:-1] if word[-1] == "." and word[-2:-1].isalpha() else word)  # an abbreviation
            continue
        every += found
        firm += found if is_firm else ()
    return tokens, Marks(frozenset(every), frozenset(firm)), [*counts, len(tokens)]


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


def _of_article(words: Sequence[str], place: int, token: int) -> tuple[Mark, ...]:
    article = Mark(token, "article")
    if words[place] == "the":
        return article, Mark(token, "definite")
    if words[place + 1] in idioms.ONE_OF_ITS_KIND or (place and words[place - 1] in idioms.PREDICATES):
        return article, Mark(token, "indefinite")
    return (article,)


def _is_firm_article(words: Sequence[str], place: int) -> bool:
    """Behind "only", and in a coordination, where it tells one from two: the lead and (the) engineer."""
    before = words[place - 1].lower() if place else ""
    if before in _COORDINATING:
        return _is_certain(words[max(0, place - 1 - _LONGEST_ITEM) : place - 1])
    return before in idioms.EXCLUSIVES or not _COORDINATING.isdisjoint(words[place + 2 : place + 4])


def _is_firm_plural(words: Sequence[str], place: int) -> bool:
    """Of certain things, one or more; and behind a sign, where a name may have lost its capital: Jens, Jen."""
    return _begins(words, place) or _is_certain(words[max(0, place - 2) : place])


def _is_certain(words: Sequence[str]) -> bool:
    """Whether they tell which or whose things are meant: the (old) hosts, Ana's hosts."""
    return any(word.lower() in idioms.DETERMINERS or word.endswith("'s") for word in words)


def _begins(words: Sequence[str], place: int) -> bool:
    """Whether a sentence or item may begin here: behind a sign (but no comma), a number of a list or a level."""
    before = words[place - 1] if place else "."
    return before != "," and (before[0] == "\t" or not before[-1].isalnum())


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
    """`a, b, and c` where `b` does not explain `a` (my boss, Kim, and Bo; Kim, a doctor, and Bo); the text has no other
    conjunction."""
    if last - first > _LONGEST_ITEM or sum(map(words.count, _CONJUNCTIONS)) > 1:
        return False
    named, naming = (words[place][0].isupper() for place in (first - 1, first + 1))
    return not (naming and not named) and not _is_certain(words[first + 1 : first + 2])


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
