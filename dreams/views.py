"""The Dream's endpoints."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreams.diff import path_diffs, touched_page
from dreams.filters import DreamFilter
from dreams.models import Dream
from dreams.rollback import dream_rollback
from dreams.selectors import journal_entry, lineage_of, plan_operations
from dreams.serializers import (
    DreamCreate,
    DreamSerializer,
    JournalSerializer,
    LineageQuery,
    LineageSerializer,
    OperationSerializer,
    PathDiffSerializer,
    RollbackQuery,
    RollbackSerializer,
    dream_request,
)
from dreams.services import dream_archive, dream_cancel, dream_create, dream_get
from dreamsvc.filters import NoFilters
from dreamsvc.idempotency import idempotent
from dreamsvc.ids import DREAM
from dreamsvc.negotiation import accepts
from dreamsvc.openapi import listed
from dreamsvc.pagination import ById, Order, envelope
from dreamsvc.views import ApiView

MARKDOWN = "text/markdown"


class DreamListView(ApiView):
    filterset_class = DreamFilter

    @extend_schema(operation_id="list_dreams", responses=listed(DreamSerializer))
    def get(self, request: Request) -> Response:
        return self.listing(Dream.objects.for_workspace(self.workspace_id), DreamSerializer, order=ById(DREAM))

    @extend_schema(operation_id="create_dream", request=DreamCreate, responses=DreamSerializer)
    @idempotent
    def post(self, request: Request) -> Response:
        wanted = dream_request(self.body(DreamCreate))
        dream = dream_create(workspace_id=self.workspace_id, actor_id=self.actor.id, request=wanted)
        return Response(DreamSerializer(dream).data)


class DreamView(ApiView):
    @extend_schema(operation_id="get_dream", responses=DreamSerializer)
    def get(self, request: Request, dream_id: str) -> Response:
        return Response(DreamSerializer(dream_get(self.workspace_id, dream_id)).data)


class DreamCancelView(ApiView):
    @extend_schema(operation_id="cancel_dream", request=None, responses=DreamSerializer)
    def post(self, request: Request, dream_id: str) -> Response:
        self.no_body()
        return Response(DreamSerializer(dream_cancel(workspace_id=self.workspace_id, dream_id=dream_id)).data)


class DreamArchiveView(ApiView):
    @extend_schema(operation_id="archive_dream", request=None, responses=DreamSerializer)
    def post(self, request: Request, dream_id: str) -> Response:
        self.no_body()
        return Response(DreamSerializer(dream_archive(workspace_id=self.workspace_id, dream_id=dream_id)).data)


class DreamPlanView(ApiView):
    filterset_class = NoFilters

    @extend_schema(operation_id="list_dream_plan", responses=listed(OperationSerializer))
    def get(self, request: Request, dream_id: str) -> Response:
        operations = plan_operations(dream_get(self.workspace_id, dream_id))
        return self.listing(operations, OperationSerializer, order=_by_row(f"plan/{dream_id}", "seq"))


class DreamDiffView(ApiView):
    filterset_class = NoFilters

    @extend_schema(operation_id="list_dream_diff", responses=listed(PathDiffSerializer))
    def get(self, request: Request, dream_id: str) -> Response:
        dream = dream_get(self.workspace_id, dream_id)
        paths, next_page = touched_page(dream, request.query_params)
        data: list[dict[str, Any]] = list(PathDiffSerializer(path_diffs(dream, paths), many=True).data)
        return Response(envelope(data, next_page))


class DreamLineageView(ApiView):
    filterset_class = NoFilters
    queries = {"GET": LineageQuery}

    @extend_schema(operation_id="list_dream_lineage", responses=listed(LineageSerializer))
    def get(self, request: Request, dream_id: str) -> Response:
        rows = lineage_of(dream_get(self.workspace_id, dream_id), self.query().get("path"))
        return self.listing(rows, LineageSerializer, order=_by_row(f"lineage/{dream_id}", "pk"))


class DreamJournalView(ApiView):
    @extend_schema(
        operation_id="get_dream_journal",
        responses={(200, "application/json"): JournalSerializer, (200, MARKDOWN): OpenApiTypes.STR},
    )
    def get(self, request: Request, dream_id: str) -> Response | HttpResponse:
        entry = journal_entry(dream_get(self.workspace_id, dream_id))
        if accepts(request, MARKDOWN):
            return HttpResponse(entry.markdown, content_type=f"{MARKDOWN}; charset=utf-8")
        return Response(JournalSerializer(entry).data)


class DreamRollbackView(ApiView):
    queries = {"POST": RollbackQuery}

    @extend_schema(operation_id="rollback_dream", request=None, responses=RollbackSerializer)
    def post(self, request: Request, dream_id: str) -> Response:
        self.no_body()
        outcome = dream_rollback(
            workspace_id=self.workspace_id,
            dream_id=dream_id,
            actor=self.actor,
            discard_later_writes=self.query().get("discard_later_writes", False),
        )
        return Response(RollbackSerializer(outcome).data)


def _by_row(list_name: str, column: str) -> Order:
    """Oldest first, by a row number: these rows have no public ids."""
    return Order(list_name, "", column, descending=False, resolve=lambda _: None, key_type=int)
