"""What may be done to a session and its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from dreamsvc.actors import Actor
from dreamsvc.errors import InvalidRequest
from dreamsvc.idempotency import idempotency_forget
from dreamsvc.ids import EVENT, new_id
from dreamsvc.metadata import patched
from identities.kept import check_kept
from identities.models import Session, SessionEvent
from identities.pairs import pair_lock
from identities.services.defaults import default_memory_provide

BATCH = 500


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event as it was sent; `content` is a string, a list of blocks or None. Without a time it happened now."""

    type: str
    content: Any = None
    details: Mapping[str, Any] = field(default_factory=dict)
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionDraft:
    """What a session starts with, whoever it is with."""

    title: str | None = None
    metadata: Mapping[str, str | None] = field(default_factory=dict)
    events: Sequence[NewEvent] = ()


def agent_session_create(
    *, workspace_id: str, agent: Mapping[str, Any], environment_id: str, draft: SessionDraft
) -> Session:
    """A session with an agent of the caller's, which has an `id` at least; raises InvalidRequest on a too large one."""
    check_kept(agent, inside="agent.")
    session = Session(workspace_id=workspace_id, agent=dict(agent), agent_id=agent["id"], environment_id=environment_id)
    with transaction.atomic():
        return _started(session, draft)


def pair_session_create(
    *, workspace_id: str, identity_id: str, template_id: str, actor: Actor, draft: SessionDraft
) -> Session:
    """A session of an identity with a template; the first one of a pair gives it a default memory.

    Raises NotFound, or InvalidRequest when the identity is disabled or the template archived.
    """
    with transaction.atomic():
        pair = pair_lock(workspace_id, identity_id, template_id)
        default_memory_provide(pair=pair, actor=actor)
        session = Session(
            workspace_id=workspace_id,
            identity_id=identity_id,
            template=pair.template,
            environment_id=pair.template.environment_id,
        )
        return _started(session, draft)


def session_update(*, workspace_id: str, session_id: str, changes: Mapping[str, Any]) -> Session:
    """Changes title and metadata (as a patch); raises NotFound, or InvalidRequest on an archived session."""
    values = dict(changes)
    with transaction.atomic():
        session = _writable(workspace_id, session_id)
        if "metadata" in values:
            values["metadata"] = patched(session.metadata, values["metadata"])
        Session.objects.change(session, values)
    return Session.objects.select_related("template").found(workspace_id, session_id)


def session_archive(*, workspace_id: str, session_id: str) -> Session:
    """Closes the session; dreams may still read it. Again: unchanged. Raises NotFound."""
    rows = Session.objects.for_workspace(workspace_id).filter(id=session_id, archived_at__isnull=True)
    with transaction.atomic():
        rows.update(archived_at=Now(), updated_at=Now())
    return Session.objects.select_related("template").found(workspace_id, session_id)


def session_delete(*, workspace_id: str, session_id: str) -> None:
    """Removes the session, its events, and the answers kept that repeat them; raises NotFound."""
    with transaction.atomic():
        # Locked before its events go: none can come after them that would have no session.
        Session.objects.locked(workspace_id, session_id).delete()
        idempotency_forget(object_ids=[session_id])


def session_events_add(*, workspace_id: str, session_id: str, events: Sequence[NewEvent]) -> list[SessionEvent]:
    """Appends the events in the order given; raises NotFound, or InvalidRequest on an archived session."""
    with transaction.atomic():
        return _appended(_writable(workspace_id, session_id), events)


def event_rows(session: Session, events: Sequence[NewEvent], *, after: int = 0) -> Iterator[SessionEvent]:
    """The rows of events that follow the `after` events that the session has."""
    now = timezone.now()
    for seq, event in enumerate(events, start=after + 1):
        at = event.created_at or now
        yield SessionEvent(
            id=new_id(EVENT, at=at),
            session=session,
            seq=seq,
            type=event.type,
            content=event.content,
            details=dict(event.details),
            created_at=at,
        )


def _started(session: Session, draft: SessionDraft) -> Session:
    session.title = draft.title
    session.metadata = patched({}, draft.metadata)
    session.event_count = len(draft.events)
    session.save(force_insert=True)
    SessionEvent.objects.bulk_create(event_rows(session, draft.events), batch_size=BATCH)
    return session


def _appended(session: Session, events: Sequence[NewEvent]) -> list[SessionEvent]:
    # The session's row is locked: two senders cannot number their events alike.
    rows = SessionEvent.objects.bulk_create(event_rows(session, events, after=session.event_count), batch_size=BATCH)
    count = session.event_count + len(rows)
    Session.objects.filter(pk=session.pk).update(event_count=count, updated_at=Now())
    return rows


def _writable(workspace_id: str, session_id: str) -> Session:
    session = Session.objects.locked(workspace_id, session_id)
    if session.archived_at is not None:
        raise InvalidRequest(f"session_id: session {session_id} is archived", param="session_id")
    return session
