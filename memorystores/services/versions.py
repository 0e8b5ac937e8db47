"""What may be done to a memory version: nothing but forgetting what it held."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from dreamsvc.actors import Actor
from dreamsvc.errors import InvalidRequest, NotFound
from dreamsvc.idempotency import idempotency_forget
from dreamsvc.sqlite.log import log_empty
from memorystores import redaction
from memorystores.models import Content, Memory, MemoryVersion
from memorystores.services.contents import contents_drop, orphans


@dataclass(frozen=True, slots=True)
class Redaction:
    """The version without what it held, and the versions that hold the same text still."""

    version: MemoryVersion
    also_in: tuple[MemoryVersion, ...] = ()


def version_redact(*, workspace_id: str, store_id: str, version_id: str, actor: Actor) -> Redaction:
    """Nulls the version's path and text, and removes the text when nothing else in the workspace holds it.

    Takes no lock of the store: the head of a live memory is refused, and no version becomes a head again. Again:
    unchanged. Raises NotFound and InvalidRequest.
    """
    with transaction.atomic():
        # What fails there must not undo what is committed.
        transaction.on_commit(log_empty, robust=True)
        version = _locked(workspace_id, store_id, version_id)
        if version.redacted_at is not None:
            return Redaction(version, _holders(version.redacted_content))
        if Memory.objects.filter(id=version.memory_id, version_id=version.id).exists():
            raise InvalidRequest(
                f"memory_version_id: {version_id} is the current version of a live memory; "
                "write or delete the memory first",
                param="memory_version_id",
            )
        path, content_id = version.path or "", version.content_id
        _null(version, actor)
        text = _forget(workspace_id, content_id) if content_id else None
        also_in = _holders(content_id)
        idempotency_forget(object_ids=[version.memory_id])
        redaction.clear(
            redaction.Redacted(workspace_id, store_id, version.memory_id, version.id, path, text, gone=not also_in)
        )
    return Redaction(version, also_in)


def _locked(workspace_id: str, store_id: str, version_id: str) -> MemoryVersion:
    version = (
        MemoryVersion.objects.filter(id=version_id, store_id=store_id)
        .filter(store__workspace_id=workspace_id, store__deleted_at__isnull=True)
        .select_for_update(of=("self",))
        .first()
    )
    if version is None:
        raise NotFound.no("memory version", version_id, inside=store_id)
    return version


def _null(version: MemoryVersion, actor: Actor) -> None:
    version.path, version.content, version.redacted_content = None, None, version.content_id
    version.redacted_at, version.redacted_by = timezone.now(), actor.id
    version.save(update_fields=["path", "content", "redacted_content", "redacted_at", "redacted_by"])


def _holders(content_id: int | None) -> tuple[MemoryVersion, ...]:
    return tuple(MemoryVersion.objects.filter(content_id=content_id).order_by("id")) if content_id else ()


def _forget(workspace_id: str, content_id: int) -> str | None:
    """The text, whose row is gone when nobody else holds it."""
    _let_go_of(workspace_id, content_id)
    row = Content.objects.filter(pk=content_id).select_for_update().first()
    # A statement of its own, after the lock: whoever was writing this text when we came has committed, and is seen.
    contents_drop(orphans().filter(pk=content_id))
    return row.text if row else None


def _let_go_of(workspace_id: str, content_id: int) -> None:
    """Stores that are deleted and wait to be purged no longer hold the text."""
    deleted = {"store__workspace_id": workspace_id, "store__deleted_at__isnull": False, "content_id": content_id}
    Memory.objects.filter(**deleted).delete()
    MemoryVersion.objects.filter(**deleted).update(path=None, content=None)
