"""The one way in which memories are written, by the API, by dreams and by rollbacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from dreamsvc.actors import Actor, ActorType
from dreamsvc.errors import Conflict, InvalidRequest, NotFound, PathConflict
from dreamsvc.ids import MEMORY, VERSION, new_id
from dreamsvc.models import BATCH
from memorystores.models import Content, Memory, MemoryStore, MemoryVersion, Operation, Trust
from memorystores.paths import ancestors, normalized, past
from memorystores.services.contents import content_checked, content_upsert, sha256
from memorystores.services.rows import row_update
from memorystores.services.stores import store_writable

# What a person or a dream says of a memory, as opposed to how it is used: a change raises the revisions.
REVISED = frozenset({"pinned", "tags", "trust", "ring", "observed_at", "metadata", "dream_cluster_id"})


class MemoryFields(TypedDict, total=False):
    """Columns of a memory beside its path and text. Metadata is the whole mapping here, not a patch."""

    metadata: Mapping[str, str]
    created_at: datetime
    observed_at: datetime
    tags: list[str]
    pinned: bool
    ring: str
    trust: str
    decay_stage: str
    relevance: float
    stability_days: float
    access_count: int
    last_accessed_at: datetime | None
    reinforcement_count: int
    success_score: float | None
    dream_cluster_id: str | None


class StoreMoved(Conflict):
    """The store was written to, archived or deleted since the writer read it."""


@dataclass(frozen=True, slots=True)
class Write:
    """What one call did: the head as it is now (as it was, when deleted), and the version, if one was made."""

    memory: Memory
    version: MemoryVersion | None


class StoreWriter:
    """Writes memories of one store, each change with the next store revision; `finish` ends it.

    The caller is in a transaction and has locked the store, or else lets `finish` decide: it moves the store from the
    revision that `store` has to the writer's in one conditional UPDATE, the last statement. `contents` maps sha256 to
    the ids of texts upserted before (`contents_upsert`): a writer of many texts gives them all, so that it takes no
    content locks out of order while it holds the store.
    """

    def __init__(self, store: MemoryStore, actor: Actor, contents: Mapping[str, int] | None = None) -> None:
        self.store = store
        self.actor = actor
        self.revision = store.revision
        self.entry_count = store.entry_count
        self.total_size = store.total_size
        self._contents = contents or {}
        self._versions: list[MemoryVersion] = []

    def get(self, memory_id: str) -> Memory:
        """The store's live memory with its text; raises NotFound."""
        memory = Memory.objects.select_related("content").filter(store=self.store, id=memory_id).first()
        if memory is None:
            raise NotFound.no("memory", memory_id, inside=self.store.id)
        return memory

    def create(self, *, path: str, text: str, memory_id: str | None = None, **fields: Unpack[MemoryFields]) -> Write:
        """A new memory; raises InvalidRequest on a bad path, a text too large or a full store, and PathConflict.

        Trust is `verified` for what a key writes and `inferred` for what a dream adds, unless given.
        """
        now = timezone.now()
        memory = Memory(
            id=memory_id or new_id(MEMORY, at=now),
            store=self.store,
            path=self._free(normalized(path)),
            content=self._content(text, replaces=None),
            updated_at=now,
            **{"trust": _default_trust(self.actor), "created_at": now, "observed_at": now, **fields},
        )
        version = self._version(memory, Operation.CREATED, now)
        memory.revision, memory.version_id = version.store_revision, version.id
        memory.save(force_insert=True)
        self._count(1, memory.content.size)
        return Write(memory, version)

    def update(
        self, memory: Memory, *, text: str | None = None, path: str | None = None, **fields: Unpack[MemoryFields]
    ) -> Write:
        """Changes what differs: a new text or path makes a version, fields of `REVISED` a revision, no change nothing.

        `memory` comes from `get`. Raises as `create` does.
        """
        changes = {name: value for name, value in fields.items() if getattr(memory, name) != value}
        versioned = self._placed(memory, text, path)
        version = None
        if versioned:
            for name, value in versioned.items():
                setattr(memory, name, value)
            now = timezone.now()
            version = self._version(memory, Operation.MODIFIED, now)
            changes |= {**versioned, "version_id": version.id, "updated_at": now, "revision": version.store_revision}
        elif changes.keys() & REVISED:
            changes["revision"] = self._next_revision()
        if changes:
            row_update(memory, changes)
        return Write(memory, version)

    def delete(self, memory: Memory) -> Write:
        """Removes the head; its versions stay, with one more that says when it went and from which path."""
        version = self._version(memory, Operation.DELETED, timezone.now())
        Memory.objects.filter(pk=memory.pk).delete()
        self._count(-1, -memory.content.size)
        return Write(memory, version)

    def finish(self) -> None:
        """Writes the versions and moves the store on; nothing when nothing changed. Raises StoreMoved."""
        MemoryVersion.objects.bulk_create(self._versions, batch_size=BATCH)
        self._versions = []
        if self.revision != self.store.revision:
            self._move_store()

    def _move_store(self) -> None:
        store = self.store
        moved = MemoryStore.objects.filter(pk=store.pk, revision=store.revision, deleted_at__isnull=True).update(
            revision=self.revision, entry_count=self.entry_count, total_size=self.total_size
        )
        if not moved:
            raise StoreMoved(f"memory_store_id: memory store {store.id} was changed meanwhile")
        store.revision, store.entry_count, store.total_size = self.revision, self.entry_count, self.total_size

    def _placed(self, memory: Memory, text: str | None, path: str | None) -> dict[str, Any]:
        """The new path and content, as far as they differ from the memory's."""
        changes: dict[str, Any] = {}
        if path is not None and normalized(path) != memory.path:
            changes["path"] = self._free(normalized(path), moving=memory)
        if text is not None and sha256(text) != memory.content.sha256:
            changes["content"] = self._content(text, replaces=memory.content)
            self._count(0, changes["content"].size - memory.content.size)
        return changes

    def _free(self, path: str, moving: Memory | None = None) -> str:
        """The path, if no other live one is equal to it, above or below it; raises PathConflict."""
        here_or_above = Q(store=self.store, path__in=[path, *ancestors(path)])
        below = Q(store=self.store, path__gt=f"{path}/", path__lt=past(f"{path}/"))
        # The store stands in both alternatives and the rows are unordered: else SQLite walks through the whole store.
        taken = Memory.objects.filter(here_or_above | below).exclude(pk=moving.pk if moving else "")
        other = next(iter(taken.values("id", "path")[:1]), None)
        if other is not None:
            raise PathConflict(
                f"path: {path} is taken by {other['path']}: no memory may stand at, above or below another's path",
                param="path",
                extra={"conflicting_memory_id": other["id"], "conflicting_path": other["path"]},
            )
        return path

    def _content(self, text: str, replaces: Content | None) -> Content:
        """The row of the text, once the store's limits allow it in place of `replaces`."""
        digest, size = sha256(content_checked(text)), len(text.encode())
        self._check_limits(0 if replaces else 1, size - (replaces.size if replaces else 0))
        if digest not in self._contents:
            return content_upsert(workspace_id=self.store.workspace_id, text=text)
        return Content(
            pk=self._contents[digest], workspace_id=self.store.workspace_id, sha256=digest, text=text, size=size
        )

    def _check_limits(self, entries: int, size: int) -> None:
        most, largest = settings.STORE_MAX_MEMORIES, settings.STORE_MAX_BYTES
        if entries > 0 and self.entry_count + entries > most:
            raise InvalidRequest(
                f"memory_store_id: the memory store holds {most} memories, as many as it may", param="memory_store_id"
            )
        if size > 0 and self.total_size + size > largest:
            raise InvalidRequest(f"content: the memory store would hold more than {largest} bytes", param="content")

    def _count(self, entries: int, size: int) -> None:
        self.entry_count += entries
        self.total_size += size

    def _next_revision(self) -> int:
        self.revision += 1
        return self.revision

    def _version(self, memory: Memory, operation: Operation, at: datetime) -> MemoryVersion:
        version = MemoryVersion(
            id=new_id(VERSION, at=at),
            store=self.store,
            store_revision=self._next_revision(),
            memory_id=memory.id,
            operation=operation,
            path=memory.path,
            content=None if operation == Operation.DELETED else memory.content,
            actor_type=self.actor.type,
            actor_id=self.actor.id,
            created_at=at,
        )
        self._versions.append(version)
        return version


@contextmanager
def writing(
    *, workspace_id: str, store_id: str, actor: Actor, archived: bool = False, contents: Mapping[str, int] | None = None
) -> Iterator[StoreWriter]:
    """A transaction that holds the store's lock; what the writer wrote is finished at its end.

    Raises NotFound, and InvalidRequest on an archived store unless `archived` allows it.
    """
    lock = MemoryStore.objects.locked if archived else store_writable
    with transaction.atomic():
        writer = StoreWriter(lock(workspace_id, store_id), actor, contents)
        yield writer
        writer.finish()


def _default_trust(actor: Actor) -> Trust:
    return Trust.VERIFIED if actor.type == ActorType.API else Trust.INFERRED
