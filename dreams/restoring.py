"""Putting back the memories that a dream changed in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from dreams.models import Dream, TouchedMemory
from dreamsvc.actors import Actor
from dreamsvc.errors import PathConflict
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.writer import MemoryFields, StoreWriter


@dataclass(frozen=True, slots=True)
class _Change:
    """What the dream did to one memory: what it kept of it, the text before, and the memory as it is now, if it is."""

    touched: TouchedMemory
    before: MemoryVersion
    last: MemoryVersion
    now: Memory | None

    @property
    def path(self) -> str:
        return self.before.path or self.touched.memory_id

    @property
    def written_since(self) -> bool:
        revision = self.last.store_revision if self.now is None else self.now.revision
        return revision != self.touched.revision

    @property
    def redacted(self) -> bool:
        return self.before.content is None


def memories_restore(*, store: MemoryStore, dream: Dream, actor: Actor) -> tuple[list[str], list[str]]:
    """Paths put back as before the dream, and paths left alone: written since, redacted, or their path taken.

    The caller holds the store's lock.
    """
    writer = StoreWriter(store, actor)
    restored: list[str] = []
    kept: list[str] = []
    for change in _changes(store, dream):
        untouched = not (change.written_since or change.redacted)
        (restored if untouched and _put_back(writer, change) else kept).append(change.path)
    writer.finish()
    return sorted(restored), sorted(kept)


def _changes(store: MemoryStore, dream: Dream) -> Iterator[_Change]:
    live = {memory.id: memory for memory in store.memories.select_related("content")}
    for touched in dream.touched.all():
        versions = MemoryVersion.objects.filter(store=store, memory_id=touched.memory_id).select_related("content")
        newest_first = versions.order_by("-store_revision")
        before = newest_first.filter(store_revision__lt=touched.revision).first()
        last = newest_first.first()
        if before is not None and last is not None:
            yield _Change(touched, before, last, live.get(touched.memory_id))


def _put_back(writer: StoreWriter, change: _Change) -> bool:
    try:
        _write(writer, change)
    except PathConflict:
        return False
    return True


def _write(writer: StoreWriter, change: _Change) -> None:
    fields = cast(MemoryFields, change.touched.columns())
    path, text = str(change.before.path), change.before.content.text if change.before.content else ""
    if change.now is None:
        writer.create(path=path, text=text, memory_id=change.touched.memory_id, **fields)
    else:
        writer.update(change.now, path=path, text=text, **fields)
