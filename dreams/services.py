"""What may be done to a dream from outside: create, cancel, archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from dreams import queue
from dreams.ending import dream_end
from dreams.inputs import Primary, check_sessions, primary_index, resolve_primary, session_ids
from dreams.models import Dream, OutputBehavior
from dreams.status import LIVE, TERMINAL, Status
from dreamsvc.errors import Conflict, InvalidRequest, NotFound, RateLimited
from dreamsvc.models import Workspace

RETRY_SECONDS = 30


@dataclass(frozen=True, slots=True)
class DreamRequest:
    """A dream as it was asked for: the shape is checked, the rows that it names are not."""

    inputs: Sequence[Mapping[str, Any]]
    model_id: str = "auto"
    model_speed: str = "standard"
    instructions: str = ""
    output_behavior: str = OutputBehavior.CREATE_NEW
    output_store_id: str | None = None
    dry_run: bool = False
    phases: Sequence[str] | None = None
    sources: str = "drop"
    budget: Mapping[str, float] = field(default_factory=dict)


def dream_create(*, workspace_id: str, actor_id: str, request: DreamRequest) -> Dream:
    """A pending dream; the row is the outbox, so a broker that is down changes nothing.

    Raises InvalidRequest, NotFound, Conflict (another live `update_existing` of the store) or RateLimited.
    """
    at = primary_index(request.inputs)
    sessions = session_ids(request.inputs)
    with transaction.atomic():
        _limit_live(workspace_id)
        primary = resolve_primary(workspace_id, request.inputs[at], f"inputs.{at}")
        check_sessions(workspace_id, request.inputs)
        _check_output(request, primary)
        dream = _inserted(_row(workspace_id, actor_id, request, primary, sessions))
        queue.send_on_commit(dream.id)
    dream.refresh_from_db()
    return dream


def dream_cancel(*, workspace_id: str, dream_id: str) -> Dream:
    """Canceled at once, whatever a worker is doing; a canceled dream stays as it is.

    Raises NotFound, or InvalidRequest when the dream has completed or failed.
    """
    dream_get(workspace_id, dream_id)
    dream_end(dream_id=dream_id, status=Status.CANCELED)
    dream = dream_get(workspace_id, dream_id)
    if dream.status != Status.CANCELED:
        raise InvalidRequest(f"status: a {dream.status} dream cannot be canceled", param="status")
    return dream


def dream_archive(*, workspace_id: str, dream_id: str) -> Dream:
    """Hides an ended dream from lists; again: unchanged. Raises NotFound, or InvalidRequest on a live dream."""
    dreams = Dream.objects.for_workspace(workspace_id).filter(id=dream_id)
    with transaction.atomic():
        dreams.filter(status__in=TERMINAL, archived_at__isnull=True).update(archived_at=Now())
    dream = dream_get(workspace_id, dream_id)
    if dream.status in LIVE:
        raise InvalidRequest(f"status: a {dream.status} dream cannot be archived", param="status")
    return dream


def dream_get(workspace_id: str, dream_id: str) -> Dream:
    """The workspace's dream; raises NotFound."""
    dream = Dream.objects.for_workspace(workspace_id).filter(id=dream_id).first()
    if dream is None:
        raise NotFound(f"dream_id: no dream {dream_id}", param="dream_id")
    return dream


def _limit_live(workspace_id: str) -> None:
    # The lock makes count and insert one step: two creates at the limit cannot both pass.
    Workspace.objects.select_for_update(no_key=True).get(id=workspace_id)
    if Dream.objects.for_workspace(workspace_id).live().count() >= settings.DREAM_MAX_LIVE:
        raise RateLimited(
            f"{settings.DREAM_MAX_LIVE} dreams are pending or running in this workspace", retry_after=RETRY_SECONDS
        )


def _check_output(request: DreamRequest, primary: Primary) -> None:
    if request.output_behavior != OutputBehavior.UPDATE_EXISTING:
        return
    param = "output_behavior"
    if primary.mount is not None:
        raise InvalidRequest(f"{param}: update_existing needs a memory_store input", param=param)
    if request.output_store_id != primary.store.id:
        param = "output_behavior.memory_store_id"
        raise InvalidRequest(f"{param}: must name the input store {primary.store.id}", param=param)


def _row(workspace_id: str, actor_id: str, request: DreamRequest, primary: Primary, sessions: Sequence[str]) -> Dream:
    entry = request.inputs[primary_index(request.inputs)]
    mount = primary.mount
    return Dream(
        workspace_id=workspace_id,
        created_by=actor_id,
        inputs=list(request.inputs),
        session_ids=list(sessions),
        model_id=request.model_id,
        model_speed=request.model_speed,
        instructions=request.instructions,
        output_behavior=request.output_behavior,
        dry_run=request.dry_run,
        phases=request.phases if request.phases is None else list(request.phases),
        sources=request.sources,
        budget=dict(request.budget),
        identity_id=entry.get("identity_id"),
        template_id=entry.get("template_id"),
        primary_store_id=primary.store.id,
        mount_id=mount.pk if mount else None,
        mount_revision=mount.revision if mount else None,
        mount_store_id=mount.store_id if mount else None,
    )


def _inserted(dream: Dream) -> Dream:
    try:
        with transaction.atomic():
            dream.save(force_insert=True)
    except IntegrityError as error:
        if dream.output_behavior != OutputBehavior.UPDATE_EXISTING or dream.dry_run:
            raise
        raise Conflict(
            f"output_behavior.memory_store_id: another dream is updating {dream.primary_store_id}",
            param="output_behavior.memory_store_id",
        ) from error
    return dream
