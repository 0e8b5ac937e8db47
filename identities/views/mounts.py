"""/v1/identities/{identity_id}/templates/{template_id}/…"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.filters import NoFilters
from dreamsvc.idempotency import idempotent
from dreamsvc.pagination import CURSOR_PARAMS, Order
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from identities.models import Mount
from identities.pairs import pair_get
from identities.selectors import default_memory, default_memory_history, mounts_of
from identities.serializers.mounts import (
    DefaultMemoryOutput,
    DefaultMemorySet,
    MountCreate,
    MountDeletedOutput,
    MountOutput,
)
from identities.services.defaults import default_memory_set
from identities.services.mounts import mount_add, mount_remove


class MountsView(ApiView):
    filterset_class = NoFilters
    paging = CURSOR_PARAMS

    @extend_schema(operation_id="list_mounts", responses=listed(MountOutput))
    def get(self, request: Request, identity_id: str, template_id: str) -> Response:
        """The memory stores of the pair, the default first, then newest first."""
        pair = pair_get(self.workspace_id, identity_id, template_id)
        name = f"mounts-{identity_id}-{template_id}"
        order = Order(name, "", "position", descending=True, resolve=lambda _: None, key_type=int)
        return self.listing(mounts_of(pair), MountOutput, order=order)

    @extend_schema(operation_id="create_mount", request=MountCreate, responses=MountOutput)
    @idempotent
    def post(self, request: Request, identity_id: str, template_id: str) -> Response:
        """Mounts a store read-only, ten at most; mounted already: unchanged."""
        mount = mount_add(
            workspace_id=self.workspace_id,
            identity_id=identity_id,
            template_id=template_id,
            store_id=self.body(MountCreate)["memory_store_id"],
        )
        return Response(MountOutput(mount).data)


class MountView(ApiView):
    @extend_schema(operation_id="delete_mount", responses=MountDeletedOutput)
    def delete(self, request: Request, identity_id: str, template_id: str, memory_store_id: str) -> Response:
        """Unmounts a read-only store, which stays; 409 for the default memory."""
        self.no_body()
        mount_remove(
            workspace_id=self.workspace_id, identity_id=identity_id, template_id=template_id, store_id=memory_store_id
        )
        return Response(MountDeletedOutput({"id": memory_store_id}).data)


class DefaultMemoryView(ApiView):
    @extend_schema(operation_id="get_default_memory", responses=DefaultMemoryOutput)
    def get(self, request: Request, identity_id: str, template_id: str) -> Response:
        """The pair's default memory, the stores it was, and late writes to the one it derives from."""
        return _printed(default_memory(pair_get(self.workspace_id, identity_id, template_id)))

    @extend_schema(operation_id="set_default_memory", request=DefaultMemorySet, responses=DefaultMemoryOutput)
    def put(self, request: Request, identity_id: str, template_id: str) -> Response:
        """Makes a store the pair's default memory; the one before stays, unmounted."""
        given = self.body(DefaultMemorySet)
        mount = default_memory_set(
            workspace_id=self.workspace_id,
            identity_id=identity_id,
            template_id=template_id,
            store_id=given["memory_store_id"],
            expected_store_id=given.get("expected_memory_store_id"),
            actor=self.actor,
        )
        return _printed(mount)


def _printed(mount: Mount) -> Response:
    return Response(DefaultMemoryOutput(default_memory_history(mount)).data)
