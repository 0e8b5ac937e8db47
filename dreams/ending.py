"""How a dream ends. Nothing else sets a terminal status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from dreams import queue
from dreams.models import Dream
from dreams.report import empty_report
from dreams.status import ENDS, ErrorCode, ErrorType, Status


@dataclass(frozen=True, slots=True)
class DreamError:
    """Why a dream failed, as the wire shows it."""

    type: ErrorType
    message: str
    code: ErrorCode | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a completed dream made. A dry run has no store, no touched files and no revision."""

    report: Mapping[str, Any]
    output_store_id: str | None = None
    files_touched: tuple[str, ...] | None = None
    applied_revision: int | None = None
    plan_digest: str = ""


def dream_end(
    *,
    dream_id: str,
    status: Status,
    attempt: int | None = None,
    error: DreamError | None = None,
    result: Result | None = None,
    only_if: Q | None = None,
) -> bool:
    """Ends the dream, if it may still end this way: then, and only then, True.

    `attempt` is the fence of a worker (running, and no later claim); `only_if` a further condition of the same UPDATE.
    The end of a dream makes room, so the workspace's oldest pending one is sent once the end is committed.
    """
    with transaction.atomic():
        dreams = Dream.objects.filter(only_if or Q(), id=dream_id, status__in=ENDS[status])
        if attempt is not None:
            dreams = dreams.filter(status=Status.RUNNING, attempt=attempt)
        ended = dreams.update(
            status=status, ended_at=Now(), lease_until=None, progress=None, **_error(error), **_result(result)
        )
        if ended:
            transaction.on_commit(lambda: _send_next(dream_id), robust=True)
    return bool(ended)


def _error(error: DreamError | None) -> dict[str, Any]:
    if error is None:
        return {}
    return {"error_type": error.type, "error_code": error.code, "error_message": error.message}


def _result(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {"report": empty_report()}
    return {
        "report": dict(result.report),
        "output_store_id": result.output_store_id,
        "files_touched": None if result.files_touched is None else list(result.files_touched),
        "applied_revision": result.applied_revision,
        "plan_digest": result.plan_digest,
    }


def _send_next(dream_id: str) -> None:
    workspace_id = Dream.objects.values_list("workspace_id", flat=True).get(id=dream_id)
    waiting = Dream.objects.oldest_pending(workspace_id)
    if waiting is not None:
        queue.send(waiting)
