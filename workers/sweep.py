"""What keeps every dream moving whatever died: ends those that must end, and sends again those that wait."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Q

from dreams import queue
from dreams.ending import DreamError, dream_end
from dreams.lifecycle import LAPSED, OVERDUE
from dreams.models import Dream
from dreams.status import ErrorCode, ErrorType, Status
from workers.upkeep import upkeep

BATCH = 200
TIMEOUT = DreamError(ErrorType.TIMEOUT, "the dream did not end before its deadline")
WORKER_LOST = DreamError(ErrorType.INTERNAL, "every worker that ran the dream was lost", ErrorCode.WORKER_LOST)


def sweep() -> None:
    """One round; any number of sweeps may run at once. Deadlines come before leases: an overdue dream is not lost."""
    _end_where(OVERDUE, TIMEOUT)
    _end_where(LAPSED & Q(lost__gte=settings.DREAM_MAX_LOST), WORKER_LOST)
    dreams_nudge()
    upkeep()


def dreams_nudge() -> None:
    """Sends what is due: pending dreams and lapsed ones. Nothing is put off while the broker is away."""
    if not queue.outage.over():
        return
    unsent = [dream_id for dream_id in Dream.objects.nudge() if not queue.send(dream_id)]
    if unsent:
        Dream.objects.nudge_again(unsent)


def _end_where(condition: Q, error: DreamError) -> None:
    due = Dream.objects.live().filter(condition).order_by("id").values_list("id", flat=True)[:BATCH]
    for dream_id in due:
        # Asked again in the UPDATE: the worker may have beaten, or ended it, meanwhile.
        dream_end(dream_id=dream_id, status=Status.FAILED, error=error, only_if=condition)
