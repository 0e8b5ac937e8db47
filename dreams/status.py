"""The statuses of a dream, spelled as on the wire, and the moves between them."""

from __future__ import annotations

from django.db.models import TextChoices


class Status(TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


LIVE = (Status.PENDING, Status.RUNNING)
TERMINAL = (Status.COMPLETED, Status.FAILED, Status.CANCELED)

ENDS: dict[Status, tuple[Status, ...]] = {
    Status.COMPLETED: (Status.RUNNING,),
    Status.FAILED: (Status.PENDING, Status.RUNNING),
    Status.CANCELED: (Status.PENDING, Status.RUNNING),
}
"""From which statuses a dream may end in each terminal one; a terminal status never changes again."""
