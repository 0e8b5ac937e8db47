"""Contained: a shorter text that a longer one begins with, word for word up to a clause end, and takes nothing back."""

from __future__ import annotations

from typing import Final

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.facts.hard import kind_of
from workers.engine.facts.wording import CLAUSE_MARKS, of_tokens
from workers.engine.language import language
from workers.engine.values import Policy

_UNIVERSAL: Final = frozenset(("all", "none", "any"))
_LIMITS: Final = frozenset(("at least", "at most", "about"))
_BOUNDS: Final = frozenset(("min", "max"))


def contained(shorter: str, longer: str, policy: Policy) -> bool:
    """Whether `longer` says all that `shorter` says, by the words alone; places are the caller's to compare.

    The canonical tokens of `shorter` are a proper prefix of those of `longer` up to a clause end, at least
    `policy.contained_min_tokens` (`contained_min_han` where it has Han, Kana or Hangul); the rest brings no negation,
    condition, modality, contrast, doubt or change; `shorter` holds no negation, prohibition, universal or "only".
    """
    head, whole = canonical.tokens(shorter), canonical.tokens(longer)
    if len(head) >= len(whole) or whole[: len(head)] != head or len(head) not in canonical.clause_ends(longer):
        return False
    needed = policy.contained_min_han if any(map(is_cjk_letter, head)) else policy.contained_min_tokens
    code = language(longer)
    return len(head) >= needed and _is_plain(head, code) and _takes_nothing_back(head[-1], whole[len(head) :], code)


def _is_plain(head: tuple[str, ...], code: str) -> bool:
    words = of_tokens(head, code)
    exclusive = not _UNIVERSAL.isdisjoint(words.quantifiers) or "only" in words.conditions
    return not (words.negative or words.negative_words or exclusive)


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
    said = rest[1:] if rest[0] in CLAUSE_MARKS else rest
    return bool(said) and said[0] not in ("or", "and/or") and not _narrows_a_name(last, said)


def _narrows_a_name(last: str, said: tuple[str, ...]) -> bool:
    """`Paris, Texas`, `port 80, 443`: one more name or number right behind one makes another of it."""
    alone = len(said) == 1 or said[1] in CLAUSE_MARKS
    return alone and any((last[0].isupper() and said[0][0].isupper(), last[0].isdigit() and said[0][0].isdigit()))
