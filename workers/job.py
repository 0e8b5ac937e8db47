"""What passes between the parts of an apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dreams.lifecycle import Claim
from dreams.models import Dream
from workers.engine.plan import Plan
from workers.engine.rebase import Rebased
from workers.engine.values import TokenCounter
from workers.late import Late
from workers.predecessors import Inherited
from workers.snapshot import Taken


@dataclass(frozen=True, slots=True)
class Job:
    """All that is applied, and in whose name."""

    claim: Claim
    dream: Dream
    taken: Taken
    plan: Plan
    count_tokens: TokenCounter


@dataclass(frozen=True, slots=True)
class Draft:
    """The plan rebased on the input as it was at `late.revision`; `contents` are the ids of changed texts by sha256."""

    late: Late
    inherited: Inherited
    rebased: Rebased
    contents: Mapping[str, int]
