"""Contained: a shorter text that a longer one begins with, word for word up to a clause end, and takes nothing back."""

from __future__ import annotations

from typing import Final

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.facts.hard import kind_of
from workers.engine.facts.wording import CLAUSE_MARKS, of_tokens
from workers.engine.language import UNKNOWN, language
from workers.engine.marks import covers
from workers.engine.validity import narrows
from workers.engine.values import Policy
from workers.engine.words import LANGUAGES
from workers.engine.words.withdrawals import SPACELESS_WITHDRAWALS, WITHDRAWALS

_UNIVERSAL: Final = frozenset(("all", "none", "any"))
_LIMITS: Final = frozenset(("at least", "at most", "about", "most", "some", "few"))
_BOUNDS: Final = frozenset(("min", "max"))
_EACH: Final = frozenset(("every", "each", "cada"))
_MARKS: Final = CLAUSE_MARKS | {'"'}


def contained(shorter: str, longer: str, policy: Policy) -> bool:
    """Whether `longer` says all that `shorter` says, by the words alone; places are the caller's to compare.

    The canonical tokens of `shorter` are a proper prefix of those of `longer` up to a clause end, whose marks cover
    theirs; they are at least `policy.contained_min_tokens` (`contained_min_han` where there is Han, Kana or
    Hangul); the rest brings no negation, condition, modality, contrast, doubt or change; `shorter` holds no negation,
    prohibition, universal or "only".
    A language whose turning words nobody listed is not judged.
    """
    head, whole = canonical.read(shorter), canonical.read(longer)
    length = len(head.tokens)
    if length >= len(whole.tokens) or whole.tokens[:length] != head.tokens or length not in whole.ends:
        return False
    if not covers(whole.marks.before(length), head.marks):
        return False
    needed = policy.contained_min_han if any(map(is_cjk_letter, head.tokens)) else policy.contained_min_tokens
    code = language(longer)
    if code != UNKNOWN and code not in LANGUAGES:
        return False
    return (
        length >= needed
        and _is_plain(head.words, code)
        and _takes_nothing_back(head.words[-1], whole.words_after(length), code)
    )


def _is_plain(head: tuple[str, ...], code: str) -> bool:
    words = of_tokens(
        [token for token, after in zip(head, (*head[1:], ""), strict=True) if not _times(token, after)], code
    )
    exclusive = not _UNIVERSAL.isdisjoint(words.quantifiers) or "only" in words.conditions
    return not (words.negative or words.negative_words or exclusive)


def _times(token: str, after: str) -> bool:
    """`every 90 days` says how often, not of how many."""
    return token in _EACH and after.isdigit()


def _takes_nothing_back(last: str, rest: tuple[str, ...], code: str) -> bool:
    words = of_tokens(rest, code)
    turns = (
        *(words.negations, words.negative_words, words.conditions, words.modality),
        *(words.contrast, words.hedges, words.changes),
    )
    if any(turns) or "?" in rest or any(kind_of(token) == "status" for token in rest):
        return False
    if not (_LIMITS.isdisjoint(words.quantifiers) and _BOUNDS.isdisjoint(words.directions)):
        return False
    if narrows(rest, code):
        return False
    said = rest[1:] if rest[0] in CLAUSE_MARKS else rest
    return _only_adds(said, 3 if rest[0] == ":" else 2) and not _narrows_a_name(last, rest[0], said)


def _only_adds(said: tuple[str, ...], fewest: int) -> bool:
    """Whether it is a clause of its own that withdraws nothing. One word is a verdict or a value ("no", "old", "done"),
    and so are two after a colon; a sign may be anything (an arrow: to somewhere else). Two Han count as a word."""
    spoken = [token for token in said if token not in _MARKS]
    size = sum(0.5 if is_cjk_letter(token) else 1 for token in spoken)
    if size < fewest or not all(any(map(str.isalnum, token)) for token in spoken):
        return False
    if said[0] in ("or", "and/or") or not WITHDRAWALS.isdisjoint(map(str.lower, spoken)):
        return False
    text = "".join(spoken)
    return text.isascii() or not any(each in text for each in SPACELESS_WITHDRAWALS)


def _narrows_a_name(last: str, mark: str, said: tuple[str, ...]) -> bool:
    """`Paris, Texas`, `port 80, 443`: one more name or number right behind one makes another of it."""
    if last[0].isdigit() and said[0][0].isdigit() and mark in (",", ":"):
        return True
    alone = len(said) == 1 or said[1] in CLAUSE_MARKS
    return alone and any((last[0].isupper() and said[0][0].isupper(), last[0].isdigit() and said[0][0].isdigit()))
