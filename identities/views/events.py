"""/v1/sessions/{session_id}/events and /v1/sessions/import"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import UnsupportedMediaType as NotOurMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.errors import UnsupportedMediaType
from dreamsvc.idempotency import idempotent
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from identities.filters import EventFilters
from identities.selectors import event_order, session_get
from identities.serializers.events import SentEvents, SessionEventOutput, SessionEventsSend, new_event
from identities.serializers.imports import ImportedSessions, SessionLines
from identities.serializers.sessions import OrderQuery
from identities.services.imports import sessions_import
from identities.services.sessions import session_events_add

JSON_LINES: Final = ("application/x-ndjson", "application/jsonl", "text/plain")


class SessionEventsView(ApiView):
    filterset_class = EventFilters
    queries = {"GET": OrderQuery}

    @extend_schema(operation_id="list_session_events", responses=listed(SessionEventOutput))
    def get(self, request: Request, session_id: str) -> Response:
        """Events in the order in which they came, unless `order=desc`."""
        session = session_get(self.workspace_id, session_id)
        order = event_order(session, descending=self.query().get("order") == "desc")
        return self.listing(session.events.all(), SessionEventOutput, order=order)

    @extend_schema(operation_id="send_session_events", request=SessionEventsSend, responses=SentEvents)
    @idempotent
    def post(self, request: Request, session_id: str) -> Response:
        """Appends events to a session."""
        events = [new_event(each) for each in self.body(SessionEventsSend)["events"]]
        rows = session_events_add(workspace_id=self.workspace_id, session_id=session_id, events=events)
        return Response(SentEvents({"data": rows}).data)


class _Raw(BaseParser):
    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return stream.read()


def _parser(media_type: str) -> type[BaseParser]:
    return type("JsonLines", (_Raw,), {"media_type": media_type})


class SessionImportView(ApiView):
    parser_classes = [_parser(media_type) for media_type in JSON_LINES]

    @extend_schema(
        operation_id="import_sessions",
        request=dict.fromkeys(JSON_LINES, OpenApiTypes.STR),
        responses=ImportedSessions,
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Makes sessions of JSON Lines: all of them, or none and the errors by line."""
        sessions = sessions_import(workspace_id=self.workspace_id, imported=SessionLines().read(self._lines()))
        return Response(ImportedSessions({"data": sessions}).data)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, NotOurMediaType):
            exc = UnsupportedMediaType(f"content-type: send {', '.join(JSON_LINES)}")
        return super().handle_exception(exc)

    def _lines(self) -> bytes:
        body = self.request.data
        return body if isinstance(body, bytes) else b""
