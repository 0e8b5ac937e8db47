"""What was written to the input between the last look and its lock, when it concerns nothing that the dream does.

A writer who only adds notes, or changes some that no operation touches, then costs one more copy of them, and not a
whole round.
"""

from __future__ import annotations

from dataclasses import replace
from posixpath import basename, splitext

from dreams.models import OutputBehavior
from workers.engine.plan import snapshot_digest
from workers.engine.rebase import CarriedWrite, rebase
from workers.engine.values import Memory
from workers.job import Draft, Job
from workers.late import Late, late_read
from workers.storage import Stored, store_patch


class Redo(Exception):
    """The input was written to in a way that may change what the dream does: read again."""


def caught_up(job: Job, draft: Draft, stored: Stored) -> tuple[Draft, Stored]:
    """The draft with the last writes, and its output that holds them; raises Redo where an operation is concerned.

    Without the store's lock, what is written meanwhile is for the next call, which must come under it.
    """
    late = late_read(job.taken.snapshot, draft.late)
    states = {write.memory_id: write.state for write in late.writes}
    if not _apart(job, draft, late.fresh, [state for each in late.fresh if (state := states.get(each))]):
        raise Redo
    if job.dream.output_behavior == OutputBehavior.CREATE_NEW:
        seen = {memory.id for memory in job.taken.snapshot.memories}
        live = {each for each in late.fresh if (states[each] is not None if each in states else each in seen)}
        stored = store_patch(job.dream, stored, late.fresh, live, late.revision)
    return replace(draft, late=late, rebased=replace(draft.rebased, carried=_carried(job, late))), stored


def _apart(job: Job, draft: Draft, fresh: frozenset[str], states: list[Memory]) -> bool:
    """Whether these writes leave alone whatever the dream changes, relies on, counts or has linked away."""
    rebased = draft.rebased
    concerned = {memory_id for operation in rebased.kept for memory_id in operation.memories}
    concerned |= {output.source_id or "" for output in rebased.changed}
    concerned |= {access.memory_id for access in job.plan.accesses}
    made = any(output.source_id is None for output in rebased.changed) or draft.inherited.writes
    names = [splitext(basename(removed.path))[0] for removed in rebased.removed]
    linked = any(name in state.text for state in states if "[" in state.text for name in names)
    return not (concerned & fresh or made or linked)


def _carried(job: Job, late: Late) -> tuple[CarriedWrite, ...]:
    """All late writes as the rebase of a plan without operations names them."""
    written = {write.memory_id for write in late.writes}
    memories = tuple(memory for memory in job.taken.snapshot.memories if memory.id in written)
    snapshot = replace(job.taken.snapshot, memories=memories)
    plan = replace(job.plan, operations=(), snapshot_digest=snapshot_digest(snapshot))
    return rebase(plan, snapshot, late.writes).carried
