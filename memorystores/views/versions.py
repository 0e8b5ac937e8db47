"""`/v1/memory_stores/{store}/memory_versions`."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.models import Scope
from dreamsvc.pagination import MAX_LIMIT
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from memorystores import selectors
from memorystores.filters import VersionFilters
from memorystores.serializers.memories import FULL_LIMIT, BasicView, FullView
from memorystores.serializers.versions import HolderOutput, MemoryVersionOutput, RedactedVersionOutput
from memorystores.services.versions import version_redact


class VersionsView(ApiView):
    filterset_class = VersionFilters
    queries = {"GET": BasicView}

    @extend_schema(operation_id="list_memory_versions", responses=listed(MemoryVersionOutput))
    def get(self, request: Request, memory_store_id: str) -> Response:
        """Lists versions, newest first, those of deleted memories too."""
        full = self.query()["view"] == "full"
        selectors.store_check(self.workspace_id, memory_store_id)
        return self.listing(
            selectors.versions(self.workspace_id, memory_store_id, full=full),
            MemoryVersionOutput,
            order=selectors.version_order(memory_store_id),
            at_most=FULL_LIMIT if full else MAX_LIMIT,
            context={"full": full},
        )


class VersionView(ApiView):
    queries = {"GET": FullView}

    @extend_schema(operation_id="get_memory_version", responses=MemoryVersionOutput)
    def get(self, request: Request, memory_store_id: str, memory_version_id: str) -> Response:
        """Gets a version."""
        full = self.query()["view"] == "full"
        version = selectors.version_get(self.workspace_id, memory_store_id, memory_version_id, full=full)
        return Response(MemoryVersionOutput(version, context={"full": full}).data)


class VersionRedactView(ApiView):
    scopes = {"POST": Scope.ADMIN}

    @extend_schema(operation_id="redact_memory_version", request=None, responses=RedactedVersionOutput)
    def post(self, request: Request, memory_store_id: str, memory_version_id: str) -> Response:
        """Forgets what a version held; the current version of a live memory is refused."""
        self.no_body()
        done = version_redact(
            workspace_id=self.workspace_id, store_id=memory_store_id, version_id=memory_version_id, actor=self.actor
        )
        shown = MemoryVersionOutput(done.version, context={"full": False}).data
        return Response({**shown, "also_in": HolderOutput(done.also_in, many=True).data})
