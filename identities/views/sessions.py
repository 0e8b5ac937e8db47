"""/v1/sessions"""

from __future__ import annotations

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
    DeletedSession,
    OrderQuery,
    SessionCreate,
    SessionSerializer,
    SessionUpdate,
    session_draft,
)
from identities.services.sessions import (
    agent_session_create,
    pair_session_create,
    session_archive,
    session_delete,
    session_update,
)


class SessionListView(ApiView):
    filterset_class = SessionFilters
    queries = {"GET": OrderQuery}

    @extend_schema(operation_id="list_sessions", responses=listed(SessionSerializer))
    def get(self, request: Request) -> Response:
        """Sessions by the time they began, newest first unless `order=asc`."""
        sessions = Session.objects.for_workspace(self.workspace_id).select_related("template")
        order = ById(SESSION, descending=self.query().get("order") != "asc")
        return self.listing(sessions, SessionSerializer, order=order)

    @extend_schema(operation_id="create_session", request=SessionCreate, responses=SessionSerializer)
    @idempotent
    def post(self, request: Request) -> Response:
        """Begins a session; the first one of an identity with a template gives the pair a default memory."""
        given = self.body(SessionCreate)
        draft = session_draft(given)
        if "agent" in given:
            agent, environment_id = given["agent"], given["environment_id"]
            session = agent_session_create(
                workspace_id=self.workspace_id, agent=agent, environment_id=environment_id, draft=draft
            )
        else:
            session = pair_session_create(
                workspace_id=self.workspace_id,
                identity_id=given["identity_id"],
                template_id=given["template_id"],
                actor=self.actor,
                draft=draft,
            )
        return Response(SessionSerializer(session).data)


class SessionView(ApiView):
    @extend_schema(operation_id="get_session", responses=SessionSerializer)
    def get(self, request: Request, session_id: str) -> Response:
        """One session."""
        return Response(SessionSerializer(session_get(self.workspace_id, session_id)).data)

    @extend_schema(operation_id="update_session", request=SessionUpdate, responses=SessionSerializer)
    def post(self, request: Request, session_id: str) -> Response:
        """Changes title and metadata."""
        changes = self.body(SessionUpdate, partial=True)
        session = session_update(workspace_id=self.workspace_id, session_id=session_id, changes=changes)
        return Response(SessionSerializer(session).data)

    @extend_schema(operation_id="delete_session", responses=DeletedSession)
    def delete(self, request: Request, session_id: str) -> Response:
        """Deletes a session and its events."""
        self.no_body()
        session_delete(workspace_id=self.workspace_id, session_id=session_id)
        return Response(DeletedSession({"id": session_id}).data)


class SessionArchiveView(ApiView):
    @extend_schema(operation_id="archive_session", request=None, responses=SessionSerializer)
    def post(self, request: Request, session_id: str) -> Response:
        """Closes a session to events; dreams may still read it."""
        self.no_body()
        session = session_archive(workspace_id=self.workspace_id, session_id=session_id)
        return Response(SessionSerializer(session).data)
