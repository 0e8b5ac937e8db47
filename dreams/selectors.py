"""Reads of what a dream left behind."""

from __future__ import annotations

from django.db.models import QuerySet

from dreams.diff import input_store
from dreams.models import Dream, DreamOperation, JournalEntry, Lineage
from dreamsvc.errors import NotFound
from memorystores.paths import normalized


def plan_operations(dream: Dream) -> QuerySet[DreamOperation]:
    """The plan in its own order; raises NotFound when the input store is gone."""
    input_store(dream)
    return dream.operations.all()


def journal_entry(dream: Dream) -> JournalEntry:
    """What the dream did and why; raises NotFound while nothing is written yet."""
    entry = JournalEntry.objects.filter(dream=dream).first()
    if entry is None:
        raise NotFound(f"journal: dream {dream.id} has written none")
    return entry


def lineage_of(dream: Dream, path: str | None) -> QuerySet[Lineage]:
    """Where the output memories came from, or the one at `path`."""
    rows = dream.lineage.all()
    return rows if path is None else rows.filter(path=normalized(path))
