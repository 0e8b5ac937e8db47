"""A rebased plan as rows: a store of its own, or the input changed in place. Within the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce, Now

from dreams.models import Dream, Lineage, TouchedMemory
from dreamsvc.actors import Actor
from dreamsvc.ids import MEMORY, STORE, VERSION, new_id
from memorystores.models import Memory, MemoryStore, MemoryVersion, Operation
from memorystores.services.contents import sha256
from workers import copying
from workers.copying import Copy
from workers.engine import codec
from workers.engine.rebase import OutputMemory, Rebased
from workers.engine.values import Calibration
from workers.job import Draft
from workers.predecessors import Origin
from workers.snapshot import SIGNALS

BATCH = 500
INHERITED = ("name", "description", "metadata", "trust_tier", "decay", "supersede", "protected_paths", "system_managed")
"""What an output store has from its input."""
CARRIED = ("path", "created_at", "observed_at", "pinned", "ring", "trust", "decay_stage")
WRITTEN = (*CARRIED, "content", "version_id", "revision", "updated_at", "metadata", "tags", *SIGNALS)


@dataclass(frozen=True, slots=True)
class Stored:
    """Where the output went: its store, and the memory there of each old id, or of the path of a created one."""

    store_id: str
    ids: Mapping[str, str]
    copies: tuple[Copy, ...] = ()


class Totals(NamedTuple):
    """What some memories add to a store."""

    entries: int
    size: int


class Vanished(Exception):
    """A row to be copied is gone, and nothing else would tell."""


def store_create(dream: Dream, draft: Draft) -> Stored:
    """A new store with the output, which nobody sees before the commit.

    Rows are copied as they are when they are copied: whoever commits compares revisions. Raises Vanished.
    """
    rebased = draft.rebased
    copies = tuple(_copies(rebased.unchanged_ids, draft.inherited.origins))
    numbered = enumerate(rebased.changed, start=len(copies) + 1)
    changed = [_row(output, draft, new_id(MEMORY), new_id(VERSION), number) for number, output in numbered]
    store = _new_store(dream, derived_revision=draft.late.revision, revision=len(copies) + len(changed))
    for memory in changed:
        memory.store = store
    copied = copying.memories_copy(store.id, copies)
    # A row that is gone from the input has raised its revision, and is seen to under its lock; another store is not.
    if copied != len(copies) and draft.inherited.origins:
        raise Vanished
    Memory.objects.bulk_create(changed, batch_size=BATCH)
    copying.versions_create(store.id, Actor.dream(dream.id))
    _moved(store, Totals(0, 0), _totals(None, store=store), store.revision, store.derived_revision)
    keys = [*rebased.unchanged_ids, *map(key_of, rebased.changed)]
    return Stored(store.id, dict(zip(keys, [*(c.id for c in copies), *(m.id for m in changed)], strict=True)), copies)


def store_patch(
    dream: Dream, stored: Stored, outdated: Collection[str], live: Collection[str], revision: int
) -> Stored:
    """Takes some memories of the input out of the new store, and copies those that are live into it as they are now.

    `revision` is the input's now.
    """
    store = MemoryStore.objects.get(pk=stored.store_id)
    old = [stored.ids[memory_id] for memory_id in outdated if memory_id in stored.ids]
    before = _totals(old)
    Lineage.objects.filter(store_id=store.id, memory_id__in=old).delete()
    MemoryVersion.objects.filter(store=store, memory_id__in=old).delete()
    Memory.objects.filter(store=store, id__in=old).delete()
    numbered = enumerate(sorted(live), start=store.revision + 1)
    copies = [Copy(memory_id, new_id(MEMORY), new_id(VERSION), number) for number, memory_id in numbered]
    copying.memories_copy(store.id, copies)
    copying.versions_create(store.id, Actor.dream(dream.id), after=store.revision)
    copying.lineage_copy(dream.id, store.id, copies)
    _moved(store, before, _totals([copy.id for copy in copies]), store.revision + len(copies), revision)
    kept = {memory_id: new for memory_id, new in stored.ids.items() if memory_id not in outdated}
    return replace(stored, ids={**kept, **{copy.source: copy.id for copy in copies}})


def store_in_place(dream: Dream, rebased: Rebased) -> Stored:
    """Where the output will be when the input itself is changed: each memory keeps its id."""
    ids = {key_of(output): output.source_id or new_id(MEMORY) for output in rebased.changed}
    return Stored(dream.primary_store_id, ids)


def store_update(dream: Dream, draft: Draft, stored: Stored) -> None:
    """Changes the input, whose lock the caller holds, and keeps what a rollback needs of each row it touches."""
    store = MemoryStore.objects.get(pk=stored.store_id)
    gone = [memory.memory_id for memory in draft.rebased.removed]
    before = {row.id: row for row in Memory.objects.filter(id__in=[*gone, *stored.ids.values()])}
    writing = _Writing(store, Actor.dream(dream.id))
    for memory_id in gone:
        writing.delete(before[memory_id])
    for output in draft.rebased.changed:
        version_id = new_id(VERSION) if output.text_changed else output.memory.version_id
        writing.put(_row(output, draft, stored.ids[key_of(output)], version_id, writing.revision + 1), output)
    left = writing.finish()
    touched = [TouchedMemory.of(dream.id, row, left[row.id]) for row in before.values()]
    TouchedMemory.objects.bulk_create(touched, batch_size=BATCH)


def calibration_keep(stored: Stored, calibration: Calibration | None) -> None:
    """What the dream measured, for the next dream of the store; it is ours or locked."""
    MemoryStore.objects.filter(pk=stored.store_id).update(calibration=codec.encode(calibration))


class _Writing:
    """Many changes of one store in a few statements; the caller holds its lock and knows that paths are free."""

    def __init__(self, store: MemoryStore, actor: Actor) -> None:
        self.revision = store.revision
        self._store = store
        self._actor = actor
        self._gone: dict[str, int] = {}
        self._rows: list[Memory] = []
        self._versions: list[MemoryVersion] = []

    def delete(self, row: Memory) -> None:
        self.revision += 1
        self._gone[row.id] = self.revision
        self._version(row, Operation.DELETED, new_id(VERSION))

    def put(self, row: Memory, output: OutputMemory) -> None:
        self.revision += 1
        row.store = self._store
        self._rows.append(row)
        if output.text_changed:
            self._version(row, Operation.MODIFIED if output.source_id else Operation.CREATED, row.version_id)

    def finish(self) -> dict[str, int]:
        """Writes it all; the revision at which each memory was left."""
        touched = [*self._gone, *(row.id for row in self._rows)]
        before = _totals(touched)
        Memory.objects.filter(id__in=self._gone).delete()
        Memory.objects.bulk_create(
            self._rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=WRITTEN
        )
        MemoryVersion.objects.bulk_create(self._versions, batch_size=BATCH)
        _moved(self._store, before, _totals(touched), self.revision, self._store.derived_revision)
        return self._gone | {row.id: row.revision for row in self._rows}

    def _version(self, row: Memory, operation: Operation, version_id: str) -> None:
        self._versions.append(
            MemoryVersion(
                id=version_id,
                store=self._store,
                store_revision=self.revision,
                memory_id=row.id,
                operation=operation,
                path=row.path,
                content_id=None if operation == Operation.DELETED else row.content_id,
                actor_type=self._actor.type,
                actor_id=self._actor.id,
            )
        )


def key_of(output: OutputMemory) -> str:
    """How lineage names an output memory before it has an id: by its source, or by its path if it is new."""
    return output.source_id or output.memory.path


def _copies(memory_ids: Iterable[str], origins: Mapping[str, Origin]) -> Iterable[Copy]:
    for revision, memory_id in enumerate(memory_ids, start=1):
        origin = origins.get(memory_id, Origin(memory_id))
        yield Copy(origin.row_id, new_id(MEMORY), new_id(VERSION), revision, origin.path)


def _new_store(dream: Dream, *, derived_revision: int, revision: int) -> MemoryStore:
    source = MemoryStore.objects.get(pk=dream.primary_store_id)
    return MemoryStore.objects.create(
        id=new_id(STORE),
        workspace_id=dream.workspace_id,
        identity_id=source.identity_id,
        derived_from=source.id,
        derived_revision=derived_revision,
        revision=revision,
        **{name: getattr(source, name) for name in INHERITED},
    )


def _row(output: OutputMemory, draft: Draft, memory_id: str, version_id: str, revision: int) -> Memory:
    """The output memory as a row, without its store."""
    value = output.memory
    return Memory(
        id=memory_id,
        content_id=draft.contents[sha256(value.text)],
        version_id=version_id,
        revision=revision,
        updated_at=Now() if output.text_changed else value.updated_at,
        metadata=dict(value.metadata),
        tags=list(value.tags),
        **{name: getattr(value, name) for name in CARRIED},
        **{name: getattr(value.signals, name) for name in SIGNALS},
    )


def _totals(memory_ids: Collection[str] | None, **where: Any) -> Totals:
    """Entries and bytes of these memories, or of those selected by `where`."""
    rows = Memory.objects.filter(**where) if memory_ids is None else Memory.objects.filter(id__in=memory_ids)
    found = rows.aggregate(entries=Count("id"), size=Coalesce(Sum("content__size"), 0))
    return Totals(found["entries"], found["size"])


def _moved(store: MemoryStore, before: Totals, after: Totals, revision: int, derived_revision: int | None) -> None:
    """The store's figures after some of its memories went from `before` to `after`; it is ours or locked."""
    MemoryStore.objects.filter(pk=store.pk).update(
        revision=revision,
        derived_revision=derived_revision,
        entry_count=store.entry_count + after.entries - before.entries,
        total_size=store.total_size + after.size - before.size,
    )
