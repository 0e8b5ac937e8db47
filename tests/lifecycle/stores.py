"""Stores and dreams of them, by the services that the API uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from dreams.lifecycle import Claim
from dreams.models import Dream
from dreams.services import DreamRequest, dream_create
from dreamsvc.actors import Actor, ActorType
from dreamsvc.models import Workspace
from identities.models import Mount
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.memories import memory_create, memory_delete, memory_update
from memorystores.services.stores import StoreFields, store_create
from workers import pipeline
from workers.apply import dream_apply
from workers.heart import Heart
from workers.job import Job

KEY = Actor(ActorType.API, "apikey_test")


def new_store(workspace: Workspace, texts: dict[str, str], **fields: Any) -> MemoryStore:
    """A store with these memories, written in this order."""
    given = cast(StoreFields, {"name": "notes", **fields})
    store = store_create(workspace_id=workspace.id, fields=given, admin=True)
    for path, text in texts.items():
        write(store, path, text)
    return MemoryStore.objects.get(pk=store.pk)


def write(store: MemoryStore, path: str, text: str, **fields: Any) -> Memory:
    return memory_create(workspace_id=store.workspace_id, store_id=store.id, actor=KEY, path=path, text=text, **fields)


def edit(memory: Memory, **changes: Any) -> None:
    memory_update(
        workspace_id=memory.store.workspace_id,
        store_id=memory.store_id,
        memory_id=memory.id,
        actor=KEY,
        **changes,
    )


def delete(memory: Memory) -> None:
    memory_delete(workspace_id=memory.store.workspace_id, store_id=memory.store_id, memory_id=memory.id, actor=KEY)


def texts(store_id: str) -> dict[str, str]:
    """The live memories' texts by path."""
    rows = Memory.objects.filter(store_id=store_id).order_by("path")
    return dict(rows.values_list("path", "content__text"))


def at(store_id: str, path: str) -> Memory:
    return Memory.objects.select_related("content", "store").get(store_id=store_id, path=path)


def new_dream(store: MemoryStore, *, mount: Mount | None = None, in_place: bool = False, **request: Any) -> Dream:
    """A pending dream of rules alone, unless `phases` says otherwise: embeddings only make suggestions."""
    if mount is None:
        primary = {"type": "memory_store", "memory_store_id": store.id}
    else:
        primary = {
            "type": "identity_template",
            "identity_id": mount.identity_id,
            "template_id": mount.template_id,
        }
    sessions = request.pop("sessions", [])
    inputs = [primary, *([{"type": "sessions", "session_ids": sessions}] if sessions else [])]
    behavior = {"output_behavior": "update_existing", "output_store_id": store.id} if in_place else {}
    given = {"phases": ["dedup"], **behavior, **request}
    return dream_create(workspace_id=store.workspace_id, actor_id=KEY.id, request=DreamRequest(inputs=inputs, **given))


def claimed(dream: Dream) -> tuple[Claim, Heart]:
    """The claim of a dream, with a heart that is not started: these tests need no beats."""
    claim = Dream.objects.claim(dream.id)
    assert claim is not None
    return claim, Heart(claim)


def ended(dream: Dream, *, apply: Callable[[Job, Heart], None] = dream_apply) -> Dream:
    """The dream after a whole run."""
    claim, heart = claimed(dream)
    pipeline.guarded(claim, lambda: apply(pipeline.dream_plan(claim, heart), heart))
    return Dream.objects.get(id=dream.id)


def output(dream: Dream) -> dict[str, str]:
    """Texts by path of a completed dream's output."""
    assert dream.status == "completed", (dream.error_type, dream.error_message)
    return texts(str(dream.output_store_id))


def versions(store_id: str) -> list[tuple[int, str, str | None, str]]:
    rows = MemoryVersion.objects.filter(store_id=store_id).order_by("store_revision")
    return list(rows.values_list("store_revision", "operation", "path", "actor_id"))
