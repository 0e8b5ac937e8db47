"""Putting back the memories that a dream changed in place."""

from __future__ import annotations

from dataclasses import dataclass

from dreams.models import TouchedMemory
from dreamsvc.actors import Actor
from dreamsvc.errors import PathConflict
from memorystores.models import Memory, MemoryStore, MemoryVersion, Operation
from memorystores.services.writer import StoreWriter


@dataclass(frozen=True, slots=True)
class _Change:
    """One memory's way through the dream: the version before it (None: the dream made it) and the dream's last one."""

    memory_id: str
    before: MemoryVersion | None
    after: MemoryVersion

    @property
    def path(self) -> str:
        version = self.before or self.after
        return version.path or self.memory_id


def memories_restore(*, store: MemoryStore, dream_id: str, actor: Actor) -> tuple[list[str], list[str]]:
    """Paths put back as before the dream, and paths left alone: written since, redacted, or their path taken.

    The caller holds the store's lock.
    """
    writer = StoreWriter(store, actor)
    restored: list[str] = []
    kept: list[str] = []
    changes = _changes(store, dream_id)
    untouched = [change for change in changes if _is_head(store, change) and not _redacted(change)]
    kept += [change.path for change in changes if change not in untouched]
    # What the dream made goes first: it may stand at a path that something else returns to.
    for change in sorted(untouched, key=lambda change: change.before is not None):
        (restored if _put_back(writer, change, dream_id) else kept).append(change.path)
    writer.finish()
    return sorted(restored), sorted(kept)


def _changes(store: MemoryStore, dream_id: str) -> list[_Change]:
    mine = MemoryVersion.objects.filter(store=store, actor_id=dream_id).select_related("content")
    last = {version.memory_id: version for version in mine.order_by("store_revision")}
    first = {version.memory_id: version.store_revision for version in mine.order_by("-store_revision")}
    return [_Change(id, _before(store, id, first[id]), version) for id, version in last.items()]


def _before(store: MemoryStore, memory_id: str, revision: int) -> MemoryVersion | None:
    earlier = MemoryVersion.objects.filter(store=store, memory_id=memory_id, store_revision__lt=revision)
    return earlier.select_related("content").order_by("-store_revision").first()


def _is_head(store: MemoryStore, change: _Change) -> bool:
    """Whether nobody has written the memory since the dream did."""
    versions = MemoryVersion.objects.filter(store=store, memory_id=change.memory_id)
    newest = versions.order_by("-store_revision").first()
    return newest is not None and newest.id == change.after.id


def _redacted(change: _Change) -> bool:
    return change.before is not None and change.before.content is None


def _put_back(writer: StoreWriter, change: _Change, dream_id: str) -> bool:
    try:
        _write(writer, change, dream_id)
    except PathConflict:
        return False
    return True


def _write(writer: StoreWriter, change: _Change, dream_id: str) -> None:
    touched = TouchedMemory.objects.filter(dream_id=dream_id, memory_id=change.memory_id).first()
    fields = touched.fields() if touched else {}
    before = change.before
    if before is None or before.content is None:
        writer.delete(writer.get(change.memory_id))
    elif change.after.operation == Operation.DELETED:
        writer.create(path=str(before.path), text=before.content.text, memory_id=change.memory_id, **fields)
    else:
        memory: Memory = writer.get(change.memory_id)
        writer.update(memory, path=before.path, text=before.content.text, **fields)
