"""Sessions that quoted a memory count as access of it, each session once however many dreams are given it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce, Greatest

from dreams.models import Dream
from dreams.status import Status
from identities.selectors import GENERATIONS
from memorystores.models import Memory, MemoryStore
from workers.job import Draft, Job
from workers.storage import Stored


def accesses_count(job: Job, draft: Draft, stored: Stored) -> None:
    """Raises the counters of the output's memories, of those too that took in what was quoted."""
    times = {transcript.session_id: transcript.created_at for transcript in job.taken.transcripts}
    heirs = {removed.memory_id: removed.heir_id for removed in draft.rebased.removed}
    counted = _counted(job.dream) if job.plan.accesses else set()
    sessions: dict[str, set[str]] = defaultdict(set)
    for access in job.plan.accesses:
        memory_id = heirs.get(access.memory_id, access.memory_id)
        if access.session_id not in counted:
            sessions[stored.ids.get(memory_id, memory_id)].add(access.session_id)
    for memory_id, ids in sorted(sessions.items()):
        _add(memory_id, len(ids), max(times[session_id] for session_id in ids))


def _add(memory_id: str, count: int, at: datetime) -> None:
    time = Value(at, output_field=DateTimeField())
    Memory.objects.filter(id=memory_id).update(
        access_count=F("access_count") + count,
        last_accessed_at=Greatest(Coalesce("last_accessed_at", time), time),
    )


def _counted(dream: Dream) -> set[str]:
    """Sessions that earlier dreams were given which made this store, or changed it."""
    line = _line(dream.primary_store_id)
    earlier = Dream.objects.for_workspace(dream.workspace_id).exclude(id=dream.id)
    dreams = earlier.filter(output_store_id__in=line, status=Status.COMPLETED)
    return {session_id for ids in dreams.values_list("session_ids", flat=True) for session_id in ids}


def _line(store_id: str | None) -> list[str]:
    """The store and those it derives from, nearest first."""
    line: list[str] = []
    while store_id is not None and store_id not in line and len(line) < GENERATIONS:
        line.append(store_id)
        store_id = MemoryStore.objects.filter(id=store_id).values_list("derived_from", flat=True).first()
    return line
