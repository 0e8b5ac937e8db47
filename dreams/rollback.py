"""Undoing a completed dream: the previous default is mounted again, or each touched memory is put back.

Nothing is deleted for good: the dream's output and every version stay readable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from dreams.models import Dream, OutputBehavior
from dreams.restoring import memories_restore
from dreams.services import dream_get
from dreams.status import Status
from dreamsvc.actors import Actor
from dreamsvc.errors import Conflict, InvalidRequest
from identities.services.defaults import mount_swap
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.stores import store_writable


@dataclass(frozen=True, slots=True)
class Undone:
    """What a rollback did: the store that counts again, the paths put back, and those left as somebody wrote them."""

    memory_store_id: str
    restored: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def dream_rollback(*, workspace_id: str, dream_id: str, actor: Actor, discard_later_writes: bool) -> Dream:
    """Undoes the dream once; again: unchanged.

    Raises NotFound (the store that it updated included); InvalidRequest where there is nothing to undo or that store
    is archived; Conflict with code `previous_memory_gone` or `memory_written_since` (`extra` lists the paths), or
    without one when the default was replaced since.
    """
    with transaction.atomic():
        # The dream's row first, as everywhere: a second rollback waits here and finds the first one's answer.
        Dream.objects.for_workspace(workspace_id).filter(id=dream_id).select_for_update(no_key=True).first()
        dream = dream_get(workspace_id, dream_id)
        if dream.rolled_back_at is None:
            _check(dream)
            undone = _undo(dream, actor, discard_later_writes=discard_later_writes)
            _record(dream, undone)
    return dream_get(workspace_id, dream_id)


def _check(dream: Dream) -> None:
    if dream.status != Status.COMPLETED:
        raise InvalidRequest(f"status: a {dream.status} dream cannot be rolled back", param="status")
    changed = dream.mount_id is not None or dream.output_behavior == OutputBehavior.UPDATE_EXISTING
    if dream.dry_run or not changed:
        raise InvalidRequest("dream_id: the dream replaced nothing, so there is nothing to undo", param="dream_id")


def _undo(dream: Dream, actor: Actor, *, discard_later_writes: bool) -> Undone:
    if dream.output_behavior == OutputBehavior.UPDATE_EXISTING:
        store = store_writable(dream.workspace_id, dream.primary_store_id)
        restored, kept = memories_restore(store=store, dream=dream, actor=actor)
        return Undone(store.id, restored, kept)
    return _remount(dream, actor, discard_later_writes=discard_later_writes)


def _remount(dream: Dream, actor: Actor, *, discard_later_writes: bool) -> Undone:
    swapped = dream.mount_id is not None and mount_swap(
        mount_id=dream.mount_id,
        expected_revision=(dream.mount_revision or 0) + 1,
        new_store_id=str(dream.mount_store_id),
        actor=actor,
    )
    if not swapped:
        raise Conflict("mount: the default memory was replaced after the dream")
    ids = sorted([str(dream.mount_store_id), str(dream.output_store_id)])
    stores = {store_id: _store(dream.workspace_id, store_id) for store_id in ids}
    if not discard_later_writes:
        _check_unwritten(dream, stores[str(dream.output_store_id)])
    return Undone(str(dream.mount_store_id))


def _store(workspace_id: str, store_id: str) -> MemoryStore:
    """The live store, locked; raises Conflict when it can no longer be a default memory."""
    stores = MemoryStore.objects.for_workspace(workspace_id).filter(id=store_id, archived_at__isnull=True)
    store = stores.select_for_update(no_key=True).first()
    if store is None:
        raise Conflict(f"memory store {store_id} is deleted or archived", code="previous_memory_gone")
    return store


def _check_unwritten(dream: Dream, store: MemoryStore) -> None:
    versions = MemoryVersion.objects.filter(store=store)
    last = versions.filter(actor_id=dream.id).order_by("-store_revision").values_list("store_revision", flat=True)
    since = last.first() or 0
    paths = set(versions.filter(store_revision__gt=since).values_list("path", flat=True))
    paths |= set(Memory.objects.filter(store=store, revision__gt=since).values_list("path", flat=True))
    if paths:
        listed = sorted(path for path in paths if path is not None)
        raise Conflict(
            f"memory store {store.id} was written to after the dream: {', '.join(listed[:10])}",
            code="memory_written_since",
            extra={"paths": listed},
        )


def _record(dream: Dream, undone: Undone) -> None:
    outcome: dict[str, Any] = {
        "memory_store_id": undone.memory_store_id,
        "restored": undone.restored,
        "kept": undone.kept,
    }
    Dream.objects.filter(id=dream.id).update(rolled_back_at=Now(), rollback=outcome)
