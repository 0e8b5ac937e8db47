"""What may be read of stores, memories and versions."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import QuerySet

from dreamsvc.errors import NotFound
from dreamsvc.ids import MEMORY, VERSION
from dreamsvc.pagination import Order
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.mounting import registered
from memorystores.paths import past

_Row = TypeVar("_Row")


def stores(workspace_id: str) -> QuerySet[Any]:
    """The workspace's stores, each with how many pairs have it and for whom it is the default memory."""
    return registered().annotated(MemoryStore.objects.for_workspace(workspace_id))


def store_get(workspace_id: str, store_id: str) -> Any:
    """One of `stores`; raises NotFound."""
    return _found(stores(workspace_id).filter(id=store_id).first(), "memory store", store_id)


def store_check(workspace_id: str, store_id: str) -> None:
    """Raises NotFound unless the workspace has the store."""
    _found(MemoryStore.objects.for_workspace(workspace_id).filter(id=store_id).exists(), "memory store", store_id)


def memories(workspace_id: str, store_id: str, *, full: bool, under: str = "/") -> QuerySet[Memory]:
    """The store's memories under a folder, with their texts only when `full`; none for a store of nobody's."""
    rows = Memory.objects.filter(
        store_id=store_id, store__workspace_id=workspace_id, store__deleted_at__isnull=True
    ).select_related("content")
    rows = rows if under == "/" else rows.filter(path__gt=under, path__lt=past(under))
    return rows if full else rows.defer("content__text")


def memory_get(workspace_id: str, store_id: str, memory_id: str, *, full: bool) -> Memory:
    """A live memory of a live store; raises NotFound."""
    return _found(
        memories(workspace_id, store_id, full=full).filter(id=memory_id).first(), "memory", memory_id, store_id
    )


def versions(workspace_id: str, store_id: str, *, full: bool) -> QuerySet[MemoryVersion]:
    """The store's versions, with their texts only when `full`; none for a store of nobody's."""
    rows = MemoryVersion.objects.filter(
        store_id=store_id, store__workspace_id=workspace_id, store__deleted_at__isnull=True
    ).select_related("content")
    return rows if full else rows.defer("content__text")


def version_get(workspace_id: str, store_id: str, version_id: str, *, full: bool) -> MemoryVersion:
    """A version of a live store, whether or not its memory lives; raises NotFound."""
    return _found(
        versions(workspace_id, store_id, full=full).filter(id=version_id).first(),
        "memory version",
        version_id,
        store_id,
    )


def memory_order(store_id: str, depth: int) -> Order:
    """By path in byte order. A memory that is gone stands where its last version was, as long as that tells it."""
    return Order(
        list_name=f"memories/{depth}/{store_id}",
        id_prefix=MEMORY,
        column="path",
        descending=False,
        resolve=lambda memory_id: _path_of(store_id, memory_id),
    )


def version_order(store_id: str) -> Order:
    """Newest first."""
    return Order(
        list_name=f"versions/{store_id}",
        id_prefix=VERSION,
        column="store_revision",
        descending=True,
        resolve=lambda version_id: (
            MemoryVersion.objects.filter(store_id=store_id, id=version_id)
            .values_list("store_revision", flat=True)
            .first()
        ),
        key_type=int,
    )


def _path_of(store_id: str, memory_id: str) -> str | None:
    live = Memory.objects.filter(store_id=store_id, id=memory_id).values_list("path", flat=True).first()
    past_paths = MemoryVersion.objects.filter(store_id=store_id, memory_id=memory_id, path__isnull=False)
    return live or past_paths.order_by("-store_revision").values_list("path", flat=True).first()


def _found(row: _Row | None, noun: str, id: str, inside: str = "") -> _Row:
    if not row:
        raise NotFound.no(noun, id, inside=inside)
    return row
