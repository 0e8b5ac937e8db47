"""The statuses of a dream, spelled as on the wire, the moves between them, and why a dream may fail.

    pending ──claim──▶ running ──complete──▶ completed
       │                  ├────fail────────▶ failed
       └──────cancel──────┴────cancel──────▶ canceled

A pending dream may fail too: its inputs are gone.
"""

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


class ErrorType(TextChoices):
    """Why a dream failed, as `error.type` says it."""

    NO_OUTPUT = "no_output"
    INTERNAL = "internal_error"
    TIMEOUT = "timeout"
    PROVIDER = "provider_error"
    CONFLICT = "conflict"
    STORE_UNAVAILABLE = "input_memory_store_unavailable"
    STORE_TOO_LARGE = "input_memory_store_too_large"
    SESSION_UNAVAILABLE = "input_session_unavailable"


class ErrorCode(TextChoices):
    """What a type alone does not say, as `error.code` says it."""

    MEMORY_CHANGED = "memory_changed_during_dream"
    WORKER_LOST = "worker_lost"
    PROVIDER_REFUSED = "provider_refused"
    LOSS_LIMIT = "loss_limit"
