"""The Dream's endpoints."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreams import examples
from dreams.diff import path_diffs, touched_page
from dreams.filters import DreamFilters
from dreams.models import Dream
from dreams.rollback import dream_rollback
from dreams.selectors import journal_entry, lineage_of, plan_operations
from dreams.serializers.changes import LineageOutput, PathDiffOutput
from dreams.serializers.dreams import DreamOutput, RolledBackDreamOutput
from dreams.serializers.journals import JournalOutput
from dreams.serializers.plans import OperationOutput
from dreams.serializers.requests import DreamCreate, LineageQuery, RollbackQuery, dream_request
from dreams.services import dream_archive, dream_cancel, dream_create, dream_get
from dreamsvc.filters import NoFilters
from dreamsvc.idempotency import idempotent
from dreamsvc.ids import DREAM
from dreamsvc.negotiation import accepts
from dreamsvc.pagination import CURSOR_PARAMS, ById, Order, envelope
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView

MARKDOWN = "text/markdown"


class DreamsView(ApiView):
    filterset_class = DreamFilters

    @extend_schema(operation_id="list_dreams", responses=listed(DreamOutput))
    def get(self, request: Request) -> Response:
        """Lists dreams, newest first."""
        return self.listing(Dream.objects.for_workspace(self.workspace_id), DreamOutput, order=ById(DREAM))

    @extend_schema(operation_id="create_dream", request=DreamCreate, responses=DreamOutput, examples=examples.CREATE)
    @idempotent
    def post(self, request: Request) -> Response:
        """Starts a dream of a memory store, or of the default memory of an identity and a template.

        The answer comes at once, with the dream `pending`; get it again to follow it. Refused with 404 where the store,
        identity, template or a session is unknown, 400 where it is archived or disabled, 409 while another dream
        updates the same store, and 429 while too many dreams of the workspace are pending or running.
        """
        wanted = dream_request(self.body(DreamCreate))
        dream = dream_create(workspace_id=self.workspace_id, actor_id=self.actor.id, request=wanted)
        return Response(DreamOutput(dream).data)


class DreamView(ApiView):
    @extend_schema(operation_id="get_dream", responses=DreamOutput)
    def get(self, request: Request, dream_id: str) -> Response:
        """Gets a dream, with its progress while it runs and its report once it has ended."""
        return Response(DreamOutput(dream_get(self.workspace_id, dream_id)).data)


class DreamCancelView(ApiView):
    @extend_schema(operation_id="cancel_dream", request=None, responses=DreamOutput)
    def post(self, request: Request, dream_id: str) -> Response:
        """Cancels a pending or running dream at once. Again: unchanged. 400 once it has completed or failed."""
        self.no_body()
        return Response(DreamOutput(dream_cancel(workspace_id=self.workspace_id, dream_id=dream_id)).data)


class DreamArchiveView(ApiView):
    @extend_schema(operation_id="archive_dream", request=None, responses=DreamOutput)
    def post(self, request: Request, dream_id: str) -> Response:
        """Archives an ended dream, which lists then leave out. Again: unchanged. 400 while it is pending or running."""
        self.no_body()
        return Response(DreamOutput(dream_archive(workspace_id=self.workspace_id, dream_id=dream_id)).data)


class DreamPlanView(ApiView):
    filterset_class = NoFilters
    paging = CURSOR_PARAMS

    @extend_schema(operation_id="list_dream_plan", responses=listed(OperationOutput))
    def get(self, request: Request, dream_id: str) -> Response:
        """Lists the operations and suggestions that the dream planned, with their evidence and what became of them.

        Empty until the dream has completed, and for one that failed or was canceled. 404 once its input store is gone.
        """
        operations = plan_operations(dream_get(self.workspace_id, dream_id))
        return self.listing(operations, OperationOutput, order=_by_row(f"plan/{dream_id}", "seq"))


class DreamDiffView(ApiView):
    filterset_class = NoFilters
    paging = CURSOR_PARAMS

    @extend_schema(operation_id="list_dream_diff", responses=listed(PathDiffOutput))
    def get(self, request: Request, dream_id: str) -> Response:
        """Lists what the dream changed, by path: the text before, the text after, and a unified diff.

        A page holds at most 20. Empty where nothing was applied: until the dream has completed, for a dry run, and for
        one that failed or was canceled. 404 once its input or output store is gone.
        """
        dream = dream_get(self.workspace_id, dream_id)
        paths, next_page = touched_page(dream, request.query_params)
        data: list[dict[str, Any]] = list(PathDiffOutput(path_diffs(dream, paths), many=True).data)
        return Response(envelope(data, next_page))


class DreamLineageView(ApiView):
    filterset_class = NoFilters
    paging = CURSOR_PARAMS
    queries = {"GET": LineageQuery}

    @extend_schema(operation_id="list_dream_lineage", responses=listed(LineageOutput))
    def get(self, request: Request, dream_id: str) -> Response:
        """Lists which memories of the input each memory of the output came from, and by which operation.

        Empty where nothing was applied, as the diff is; it outlives both stores.
        """
        rows = lineage_of(dream_get(self.workspace_id, dream_id), self.query().get("path"))
        return self.listing(rows, LineageOutput, order=_by_row(f"lineage/{dream_id}", "pk"))


class DreamJournalView(ApiView):
    @extend_schema(
        operation_id="get_dream_journal",
        responses={(200, "application/json"): JournalOutput, (200, MARKDOWN): OpenApiTypes.STR},
    )
    def get(self, request: Request, dream_id: str) -> Response | HttpResponse:
        """Gets what the dream did and why, and how to undo it, as JSON or Markdown, as `Accept` asks.

        404 until the dream has completed, and for one that failed or was canceled: it has written none.
        """
        entry = journal_entry(dream_get(self.workspace_id, dream_id))
        if accepts(request, MARKDOWN):
            return HttpResponse(entry.markdown, content_type=f"{MARKDOWN}; charset=utf-8")
        return Response(JournalOutput(entry).data)


class DreamRollbackView(ApiView):
    queries = {"POST": RollbackQuery}

    @extend_schema(operation_id="rollback_dream", request=None, responses=RolledBackDreamOutput)
    def post(self, request: Request, dream_id: str) -> Response:
        """Undoes a completed dream. Again: unchanged. Nothing is deleted for good.

        Of an `identity_template` dream the previous default memory is mounted again: 409 `previous_memory_gone` where
        it is archived or deleted, 409 `memory_written_since` where the dream's store was written to since (its paths
        are in `error.paths`), and 409 where the default was replaced since. Of an `update_existing` dream each memory
        that nobody has written since is put back, and the others are listed; 400 where the store is archived, 404 where
        it is deleted. Any other dream has changed nothing: 400.
        """
        self.no_body()
        outcome = dream_rollback(
            workspace_id=self.workspace_id,
            dream_id=dream_id,
            actor=self.actor,
            discard_later_writes=self.query().get("discard_later_writes", False),
        )
        return Response(RolledBackDreamOutput(outcome).data)


def _by_row(list_name: str, column: str) -> Order:
    """Oldest first, by a row number: these rows have no public ids."""
    return Order(list_name, "", column, descending=False, resolve=lambda _: None, key_type=int)
