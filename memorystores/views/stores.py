"""`/v1/memory_stores`."""

from __future__ import annotations

from typing import Any, cast

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.idempotency import idempotent
from dreamsvc.ids import STORE
from dreamsvc.models import Scope
from dreamsvc.pagination import ById
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from memorystores import mounting, selectors
from memorystores.filters import StoreFilters
from memorystores.serializers.stores import (
    MemoryStoreCreate,
    MemoryStoreDeletedOutput,
    MemoryStoreOutput,
    MemoryStoreUpdate,
)
from memorystores.services.stores import StoreFields, store_archive, store_create, store_delete, store_update


class _StoreView(ApiView):
    @property
    def admin(self) -> bool:
        return self.api_key.scope == Scope.ADMIN

    def shown(self, memory_store_id: str) -> Response:
        return Response(MemoryStoreOutput(selectors.store_get(self.workspace_id, memory_store_id)).data)


class StoresView(_StoreView):
    filterset_class = StoreFilters

    @extend_schema(operation_id="list_memory_stores", responses=listed(MemoryStoreOutput))
    def get(self, request: Request) -> Response:
        """Lists memory stores, newest first."""
        return self.listing(selectors.stores(self.workspace_id), MemoryStoreOutput, order=ById(STORE))

    @extend_schema(operation_id="create_memory_store", request=MemoryStoreCreate, responses=MemoryStoreOutput)
    @idempotent
    def post(self, request: Request) -> Response:
        """Creates an empty memory store, and mounts it where `mount` says so."""
        fields = self.body(MemoryStoreCreate)
        mount: dict[str, Any] | None = fields.pop("mount", None)
        with transaction.atomic():
            store = store_create(workspace_id=self.workspace_id, fields=cast(StoreFields, fields), admin=self.admin)
            if mount:
                mounting.registered().mount(store=store, actor=self.actor, **mount)
        return self.shown(store.id)


class StoreView(_StoreView):
    scopes = {"DELETE": Scope.ADMIN}

    @extend_schema(operation_id="get_memory_store", responses=MemoryStoreOutput)
    def get(self, request: Request, memory_store_id: str) -> Response:
        """Gets a memory store."""
        return self.shown(memory_store_id)

    @extend_schema(operation_id="update_memory_store", request=MemoryStoreUpdate, responses=MemoryStoreOutput)
    def post(self, request: Request, memory_store_id: str) -> Response:
        """Updates a memory store; its policy (trust tier, protected paths) needs the admin scope."""
        fields = self.body(MemoryStoreUpdate, partial=True)
        store_update(
            workspace_id=self.workspace_id, store_id=memory_store_id, fields=cast(StoreFields, fields), admin=self.admin
        )
        return self.shown(memory_store_id)

    @extend_schema(operation_id="delete_memory_store", responses=MemoryStoreDeletedOutput)
    def delete(self, request: Request, memory_store_id: str) -> Response:
        """Deletes a memory store with its memories and versions; one that is mounted is refused."""
        self.no_body()
        store_delete(workspace_id=self.workspace_id, store_id=memory_store_id)
        return Response(MemoryStoreDeletedOutput({"id": memory_store_id}).data)


class StoreArchiveView(_StoreView):
    @extend_schema(operation_id="archive_memory_store", request=None, responses=MemoryStoreOutput)
    def post(self, request: Request, memory_store_id: str) -> Response:
        """Archives a memory store: it can be read from then on, but not written to."""
        self.no_body()
        store_archive(workspace_id=self.workspace_id, store_id=memory_store_id)
        return self.shown(memory_store_id)
