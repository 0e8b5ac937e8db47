"""Putting back the memories that a dream changed in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from django.db.models import OuterRef, QuerySet, Subquery

from dreams.models import Dream, TouchedMemory
from dreamsvc.actors import Actor
from dreamsvc.errors import InvalidRequest, PathConflict
from memorystores.models import Content, Memory, MemoryStore, MemoryVersion
from memorystores.services.writer import MemoryFields, StoreWriter


@dataclass(frozen=True, slots=True)
class _Change:
    """What the dream did to one memory: what it kept of it, the text before, and the memory as it is now, if it is.

    `last` is the store's revision at which the memory was last written to, the deletion included.
    """

    touched: TouchedMemory
    before: MemoryVersion
    last: int
    now: Memory | None

    @property
    def path(self) -> str:
        return self.before.path or self.touched.memory_id

    @property
    def written_since(self) -> bool:
        revision = self.last if self.now is None else self.now.revision
        return revision != self.touched.revision

    @property
    def redacted(self) -> bool:
        return self.before.content is None


def memories_restore(*, store: MemoryStore, dream: Dream, actor: Actor) -> tuple[list[str], list[str]]:
    """Paths put back as before the dream, and paths left alone.

    Left alone is what was written since or redacted, whose path is taken, or for which the store has no room. The
    caller holds the store's lock. Statements: two or three for each memory put back, and a handful for all.
    """
    changes = list(_changes(store, dream))
    writer = StoreWriter(store, actor, _contents(changes))
    restored: list[str] = []
    kept: list[str] = []
    for change in changes:
        untouched = not (change.written_since or change.redacted)
        (restored if untouched and _put_back(writer, change) else kept).append(change.path)
    writer.finish()
    return sorted(restored), sorted(kept)


def _changes(store: MemoryStore, dream: Dream) -> Iterator[_Change]:
    versions = MemoryVersion.objects.filter(store=store, memory_id=OuterRef("memory_id")).order_by("-store_revision")
    touched = dream.touched.annotate(
        before_id=Subquery(versions.filter(store_revision__lt=OuterRef("revision")).values("id")[:1]),
        last=Subquery(versions.values("store_revision")[:1]),
    )
    before = _with_texts(MemoryVersion.objects.filter(id__in=touched.values("before_id")))
    live = store.memories.filter(id__in=dream.touched.values("memory_id")).select_related("content").in_bulk()
    for each in touched:
        if each.before_id in before:
            yield _Change(each, before[each.before_id], each.last, live.get(each.memory_id))


def _with_texts(versions: QuerySet[MemoryVersion]) -> Mapping[str, MemoryVersion]:
    """The versions by id, their texts locked before they are read, so that no redaction takes one away meanwhile."""
    texts = Content.objects.filter(pk__in=versions.values("content_id")).order_by("sha256")
    list(texts.select_for_update(no_key=True).values_list("pk"))
    return versions.select_related("content").in_bulk()


def _contents(changes: list[_Change]) -> Mapping[str, int]:
    contents = [change.before.content for change in changes]
    return {content.sha256: content.pk for content in contents if content is not None}


def _put_back(writer: StoreWriter, change: _Change) -> bool:
    try:
        _write(writer, change)
    except (PathConflict, InvalidRequest):  # taken, or no room: the writer refuses before it has written anything
        return False
    return True


def _write(writer: StoreWriter, change: _Change) -> None:
    fields = cast(MemoryFields, change.touched.columns())
    path, text = str(change.before.path), change.before.content.text if change.before.content else ""
    if change.now is None:
        writer.create(path=path, text=text, memory_id=change.touched.memory_id, **fields)
    else:
        writer.update(change.now, path=path, text=text, **fields)
