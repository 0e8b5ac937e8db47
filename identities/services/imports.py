"""Sessions brought in from elsewhere, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from dreamsvc.ids import SESSION, new_id
from identities.models import Session, SessionEvent
from identities.services.sessions import BATCH, NewEvent, event_rows


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """A session by the importer's `key`; events in the order in which they happened."""

    key: str
    created_at: datetime
    title: str | None = None
    events: Sequence[NewEvent] = ()


def sessions_import(*, workspace_id: str, imported: Sequence[ImportedSession]) -> list[Session]:
    """New sessions, in the order given; their ids sort by the times at which they were held."""
    sessions = [_session(workspace_id, each) for each in imported]
    pairs = zip(sessions, imported, strict=True)
    events = [row for session, each in pairs for row in event_rows(session, each.events)]
    with transaction.atomic():
        Session.objects.bulk_create(sessions, batch_size=BATCH)
        SessionEvent.objects.bulk_create(events, batch_size=BATCH)
    return sessions


def _session(workspace_id: str, imported: ImportedSession) -> Session:
    return Session(
        id=new_id(SESSION, at=imported.created_at),
        workspace_id=workspace_id,
        external_key=imported.key,
        title=imported.title,
        event_count=len(imported.events),
        created_at=imported.created_at,
    )
