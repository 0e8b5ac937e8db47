"""Contained: a shorter text that a longer one begins with, word for word up to a clause end, and takes nothing back."""

from __future__ import annotations

from typing import Final

from workers.engine import canonical
from workers.engine.characters import is_cjk_letter
from workers.engine.facts.wording import StatementWords, collect, lexicons
from workers.engine.language import UNKNOWN
from workers.engine.values import Policy

_UNIVERSAL: Final = frozenset(("all", "none", "any"))


def contained(shorter: str, longer: str, policy: Policy) -> bool:
    """Whether `longer` says all that `shorter` says, by the words alone; places are the caller's to compare.

    The canonical tokens of `shorter` are a proper prefix of those of `longer` up to a clause end, at least
    `policy.contained_min_tokens` (`contained_min_han` where it has Han, Kana or Hangul); the rest brings no negation,
    condition, modality, contrast, doubt or change; `shorter` holds no negation, prohibition or universal.
    """
    head, whole = canonical.tokens(shorter), canonical.tokens(longer)
    if len(head) >= len(whole) or whole[: len(head)] != head or len(head) not in canonical.clause_ends(longer):
        return False
    needed = policy.contained_min_han if any(map(is_cjk_letter, head)) else policy.contained_min_tokens
    return len(head) >= needed and _is_plain(head) and _takes_nothing_back(whole[len(head) :])


def _is_plain(head: tuple[str, ...]) -> bool:
    words = collect(head, lexicons(UNKNOWN))
    return not words.negations and "forbidden" not in words.modality and _UNIVERSAL.isdisjoint(words.quantifiers)


def _takes_nothing_back(rest: tuple[str, ...]) -> bool:
    words: StatementWords = collect(rest, lexicons(UNKNOWN))
    turned = (
        words.negations + words.negative_words + words.conditions + words.modality + words.contrast + words.hedges
    )
    return not turned and not words.changes and "?" not in rest
