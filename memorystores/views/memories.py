"""`/v1/memory_stores/{store}/memories` and `…/search`."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.filters import NoFilters
from dreamsvc.idempotency import idempotent
from dreamsvc.models import Scope
from dreamsvc.pagination import MAX_LIMIT, encode, envelope, page_request
from dreamsvc.serializers import listed
from dreamsvc.views import ApiView
from memorystores import selectors
from memorystores.models import Memory
from memorystores.paths import normalized_prefix
from memorystores.search import SearchHit, store_search
from memorystores.serializers.memories import (
    FULL_LIMIT,
    BasicView,
    FullView,
    MemoryCreate,
    MemoryDeletedOutput,
    MemoryDeleteQuery,
    MemoryItemList,
    MemoryListQuery,
    MemoryOutput,
    MemoryPrefixOutput,
    MemorySearch,
    MemoryUpdate,
    SearchHitOutput,
    expected,
)
from memorystores.services.memories import memory_create, memory_delete, memory_update
from memorystores.tree import level


class _MemoryView(ApiView):
    @property
    def full(self) -> bool:
        return bool(self.query()["view"] == "full")

    def shown(self, memory: Memory, *, full: bool) -> Response:
        return Response(MemoryOutput(memory, context={"full": full}).data)


class MemoriesView(_MemoryView):
    filterset_class = NoFilters
    queries = {"GET": MemoryListQuery, "POST": FullView}

    @extend_schema(operation_id="list_memories", responses=MemoryItemList)
    def get(self, request: Request, memory_store_id: str) -> Response:
        """Lists memories by path in byte order; with `depth=1` a folder is one item, which has no id."""
        query, full = self.query(), self.full
        folder = normalized_prefix(query["path_prefix"])
        selectors.store_check(self.workspace_id, memory_store_id)
        if query["depth"] == 1:
            return self._level(memory_store_id, folder, full=full)
        rows = selectors.memories(self.workspace_id, memory_store_id, full=full, under=folder)
        order = selectors.memory_order(memory_store_id, depth=0)
        return self.listing(rows, MemoryOutput, order=order, at_most=_most(full), context={"full": full})

    @extend_schema(operation_id="create_memory", request=MemoryCreate, responses=MemoryOutput)
    @idempotent
    def post(self, request: Request, memory_store_id: str) -> Response:
        """Creates a memory; its path must be free, and so must every path above and below it."""
        full, fields = self.full, self.body(MemoryCreate)
        text = fields.pop("content")
        memory = memory_create(
            workspace_id=self.workspace_id, store_id=memory_store_id, actor=self.actor, text=text, **fields
        )
        return self.shown(memory, full=full)

    def _level(self, memory_store_id: str, folder: str, *, full: bool) -> Response:
        order = selectors.memory_order(memory_store_id, depth=1)
        page = page_request(self.request.query_params, order, at_most=_most(full))
        paths, has_more = level(memory_store_id, folder, page)
        rows = selectors.memories(self.workspace_id, memory_store_id, full=full).filter(path__in=paths)
        shown = {memory.path: MemoryOutput(memory, context={"full": full}).data for memory in rows}
        folders = {path: MemoryPrefixOutput({"path": path}).data for path in paths if path.endswith("/")}
        items = {**shown, **folders}
        last = paths[0 if page.backward else -1] if has_more else ""
        next_page = encode(order, last, backward=page.backward) if has_more else None
        return Response(envelope([items[path] for path in paths if path in items], next_page))


class MemoryView(_MemoryView):
    queries = {"GET": FullView, "POST": FullView, "DELETE": MemoryDeleteQuery}

    @extend_schema(operation_id="get_memory", responses=MemoryOutput)
    def get(self, request: Request, memory_store_id: str, memory_id: str) -> Response:
        """Gets a memory."""
        full = self.full
        return self.shown(selectors.memory_get(self.workspace_id, memory_store_id, memory_id, full=full), full=full)

    @extend_schema(operation_id="update_memory", request=MemoryUpdate, responses=MemoryOutput)
    def post(self, request: Request, memory_store_id: str, memory_id: str) -> Response:
        """Updates a memory; a new text or path makes a version, an update that changes nothing makes none.

        409 `memory_path_conflict_error` where the new path is taken, and 409 `memory_precondition_failed_error` where
        the memory has another text than expected, unless text and path are as asked for already.
        """
        full, fields = self.full, self.body(MemoryUpdate, partial=True)
        memory = memory_update(
            workspace_id=self.workspace_id,
            store_id=memory_store_id,
            memory_id=memory_id,
            actor=self.actor,
            text=fields.pop("content", None),
            metadata_patch=fields.pop("metadata", None),
            **fields,
        )
        return self.shown(memory, full=full)

    @extend_schema(operation_id="delete_memory", responses=MemoryDeletedOutput)
    def delete(self, request: Request, memory_store_id: str, memory_id: str) -> Response:
        """Deletes a memory; its versions stay."""
        self.no_body()
        memory_delete(
            workspace_id=self.workspace_id,
            store_id=memory_store_id,
            memory_id=memory_id,
            actor=self.actor,
            expected=expected(self.query()),
        )
        return Response(MemoryDeletedOutput({"id": memory_id}).data)


class SearchView(_MemoryView):
    scopes = {"POST": Scope.READ}
    queries = {"POST": BasicView}

    @extend_schema(operation_id="search_memories", request=MemorySearch, responses=listed(SearchHitOutput))
    def post(self, request: Request, memory_store_id: str) -> Response:
        """Searches a store's memories and answers with the best ones, best first, in one page."""
        full, asked = self.full, self.body(MemorySearch)
        asked["limit"] = min(asked["limit"], _most(full))
        store = selectors.store_get(self.workspace_id, memory_store_id)
        hits = {hit.memory_id: hit for hit in store_search(store=store, **asked)}
        rows = selectors.memories(self.workspace_id, memory_store_id, full=full).in_bulk(list(hits))
        found = [_hit(rows[id], hit, full) for id, hit in hits.items() if id in rows]  # the others are deleted by now
        return Response(envelope(found, None))


def _hit(memory: Memory, hit: SearchHit, full: bool) -> dict[str, Any]:
    return {**MemoryOutput(memory, context={"full": full}).data, "score": hit.score, "passage": hit.passage}


def _most(full: bool) -> int:
    return FULL_LIMIT if full else MAX_LIMIT
