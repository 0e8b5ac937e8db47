"""Sets of strings of the wire, each with the one name that the schema calls it by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Choices


@dataclass(frozen=True, slots=True)
class NamedChoices:
    """`description` is for the schema; empty when there is none."""

    name: str
    values: tuple[str, ...]
    description: str = ""


def named(choices: type[Choices] | Iterable[str], name: str) -> NamedChoices:
    """The set of a class of choices, whose docstring describes it, or of plain strings."""
    if isinstance(choices, type) and issubclass(choices, Choices):
        return NamedChoices(name, tuple(choices.values), choices.__dict__.get("__doc__") or "")
    return NamedChoices(name, tuple(choices))
