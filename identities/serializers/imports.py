"""Sessions as JSON Lines: a line is a session's head or one of its events, told apart by `type`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.utils import timezone
from rest_framework.exceptions import ValidationError

from dreamsvc.errors import InvalidRequest, ServiceError
from dreamsvc.exception_handler import as_service_error
from dreamsvc.parsers import strict_json
from dreamsvc.serializers import Const, InputSerializer, Int, OutputSerializer, Text, Timestamp, output_class
from identities.serializers.events import PlainEvent, SessionEventCreate, new_event
from identities.services.imports import ImportedSession
from identities.services.sessions import NewEvent

MAX_ERRORS: Final = 100
KEY_LENGTH: Final = 255


class HeadLine(InputSerializer):
    session = Text(min=1, max=KEY_LENGTH)
    title = Text(max=1024, required=False)
    created_at = Timestamp(required=False)


class PlainEventLine(PlainEvent):
    """Most lines: judged several times faster than by all that an event may have."""

    session = Text(min=1, max=KEY_LENGTH)
    created_at = Timestamp()


class EventLine(SessionEventCreate):
    session = Text(min=1, max=KEY_LENGTH)
    created_at = Timestamp()


class ImportedSessionOutput(OutputSerializer):
    """A session by the importer's key."""

    id = Text()
    type = Const("session")
    session = Text(source="external_key")
    event_count = Int()


ImportedSessions = output_class("ImportedSessions", {"data": ImportedSessionOutput(many=True)})


@dataclass(slots=True)
class _Gathered:
    """A session while its lines come in."""

    title: str | None = None
    created_at: datetime | None = None
    has_head: bool = False
    events: list[tuple[datetime, NewEvent]] = field(default_factory=list)


class SessionLines:
    """Reads lines, keeps what is wrong with each, and gives the sessions when nothing is."""

    def __init__(self) -> None:
        self._head, self._plain, self._event = HeadLine(), PlainEventLine(), EventLine()
        self._sessions: dict[str, _Gathered] = {}

    def read(self, body: bytes) -> list[ImportedSession]:
        """The sessions in the order of their first lines; raises InvalidRequest that names bad lines, 100 at most."""
        errors = list(islice(self._errors(body), MAX_ERRORS))
        if errors:
            first = errors[0]
            raise InvalidRequest(f"line {first['line']}: {first['message']}", extra={"errors": errors})
        if not self._sessions:
            raise InvalidRequest("the body holds no lines")
        now = timezone.now()
        return [_imported(key, gathered, now) for key, gathered in self._sessions.items()]

    def _errors(self, body: bytes) -> Iterator[dict[str, Any]]:
        for number, line in enumerate(body.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                self._take(strict_json(line))
            except (ServiceError, ValidationError) as error:
                yield _line_error(number, error)

    def _take(self, data: Any) -> None:
        is_event = isinstance(data, Mapping) and "type" in data
        values = (self._event_line(data) if is_event else self._head).run_validation(data)
        session = self._sessions.setdefault(values.pop("session"), _Gathered())
        if is_event:
            session.events.append((values["created_at"], new_event(values)))
        elif session.has_head:
            raise InvalidRequest("session: has two lines that describe it", param="session")
        else:
            session.has_head, session.title = True, values.get("title")
            session.created_at = values.get("created_at")

    def _event_line(self, data: Mapping[str, Any]) -> PlainEvent:
        return self._plain if data.keys() <= self._plain.fields.keys() else self._event


def _imported(key: str, gathered: _Gathered, now: datetime) -> ImportedSession:
    events = sorted(gathered.events, key=lambda each: each[0])
    began = gathered.created_at or (events[0][0] if events else now)
    return ImportedSession(key, began, gathered.title, [event for _, event in events])


def _line_error(number: int, error: ServiceError | ValidationError) -> dict[str, Any]:
    told = as_service_error(error)
    return {"line": number, "message": told.message if told else "", "param": told.param if told else None}
