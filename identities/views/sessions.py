"""/v1/sessions"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.idempotency import idempotent
from dreamsvc.ids import SESSION
from dreamsvc.pagination import ById
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from identities.filters import SessionFilters
from identities.models import Session
from identities.selectors import session_get
from identities.serializers.sessions import (
    OrderQuery,
    SessionCreate,
    SessionDeletedOutput,
    SessionOutput,
    SessionUpdate,
    session_draft,
)
from identities.services.sessions import (
    SessionDraft,
    agent_session_create,
    pair_session_create,
    session_archive,
    session_delete,
    session_update,
)


class SessionsView(ApiView):
    filterset_class = SessionFilters
    queries = {"GET": OrderQuery}

    @extend_schema(operation_id="list_sessions", responses=listed(SessionOutput))
    def get(self, request: Request) -> Response:
        """Sessions by the time they began, newest first unless `order=asc`."""
        sessions = Session.objects.for_workspace(self.workspace_id).select_related("template")
        order = ById(SESSION, descending=self.query().get("order") != "asc")
        return self.listing(sessions, SessionOutput, order=order)

    @extend_schema(operation_id="create_session", request=SessionCreate, responses=SessionOutput)
    @idempotent
    def post(self, request: Request) -> Response:
        """Begins a session; the first one of an identity with a template gives the pair a default memory."""
        given = self.body(SessionCreate)
        create = self._of_agent if "agent" in given else self._of_pair
        return Response(SessionOutput(create(given, session_draft(given))).data)

    def _of_agent(self, given: Mapping[str, Any], draft: SessionDraft) -> Session:
        return agent_session_create(
            workspace_id=self.workspace_id, agent=given["agent"], environment_id=given["environment_id"], draft=draft
        )

    def _of_pair(self, given: Mapping[str, Any], draft: SessionDraft) -> Session:
        return pair_session_create(
            workspace_id=self.workspace_id,
            identity_id=given["identity_id"],
            template_id=given["template_id"],
            actor=self.actor,
            draft=draft,
        )


class SessionView(ApiView):
    @extend_schema(operation_id="get_session", responses=SessionOutput)
    def get(self, request: Request, session_id: str) -> Response:
        """One session."""
        return Response(SessionOutput(session_get(self.workspace_id, session_id)).data)

    @extend_schema(operation_id="update_session", request=SessionUpdate, responses=SessionOutput)
    def post(self, request: Request, session_id: str) -> Response:
        """Changes title and metadata."""
        changes = self.body(SessionUpdate, partial=True)
        session = session_update(workspace_id=self.workspace_id, session_id=session_id, changes=changes)
        return Response(SessionOutput(session).data)

    @extend_schema(operation_id="delete_session", responses=SessionDeletedOutput)
    def delete(self, request: Request, session_id: str) -> Response:
        """Deletes a session and its events."""
        self.no_body()
        session_delete(workspace_id=self.workspace_id, session_id=session_id)
        return Response(SessionDeletedOutput({"id": session_id}).data)


class SessionArchiveView(ApiView):
    @extend_schema(operation_id="archive_session", request=None, responses=SessionOutput)
    def post(self, request: Request, session_id: str) -> Response:
        """Closes a session to events; dreams may still read it."""
        self.no_body()
        session = session_archive(workspace_id=self.workspace_id, session_id=session_id)
        return Response(SessionOutput(session).data)
