"""What the sweep removes: the rows of deleted stores, and texts that nothing holds any more."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from dreamsvc.models import BATCH
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.contents import contents_drop, orphans

ORPHAN_AGE = timedelta(hours=1)
"""A text is upserted some time before the rows that refer to it; so long it is safe without them."""


def purge_deleted_stores(limit: int = BATCH) -> int:
    """Removes at most `limit` rows of the store deleted first, in one transaction; 0 when nothing is left to do."""
    with transaction.atomic():
        # Another sweep's store is skipped, not waited for.
        deleted = MemoryStore.objects.filter(deleted_at__isnull=False).order_by("deleted_at")
        store = deleted.select_for_update(skip_locked=True).first()
        if store is None:
            return 0
        return _purge(store, limit)


def purge_orphan_content() -> int:
    """Removes the texts that nothing holds and nobody upserted for an hour; returns how many.

    Looks at every text of that age: a matter of minutes between calls, not of seconds.
    """
    with transaction.atomic():
        return contents_drop(orphans().filter(touched_at__lt=Now() - ORPHAN_AGE))


def _purge(store: MemoryStore, limit: int) -> int:
    for rows in (Memory.objects.filter(store=store), MemoryVersion.objects.filter(store=store)):
        batch = list(rows.order_by("id").values_list("pk", flat=True)[:limit])
        if batch:
            return rows.filter(pk__in=batch).delete()[0]
    return store.delete()[0]
