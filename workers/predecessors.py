"""Writes to a pair's former default memories.

Sessions begun before a dream replaced the default go on writing to the store that they were given. What they wrote
since is taken into the pair's next dream as late writes of its own input: in place where the memory is still what the
old one was copied to, else beside it. Each store remembers up to where its predecessor was read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from django.db.models import Exists, OuterRef

from dreams.models import Dream, Lineage
from identities.selectors import former_defaults
from memorystores.models import Memory as MemoryRow
from memorystores.models import MemoryStore, MemoryVersion, Operation
from workers.copying import KEPT
from workers.engine.output import FreePaths
from workers.engine.rebase import LateWrite
from workers.engine.values import Memory, Snapshot
from workers.late import Late, differs
from workers.snapshot import memory_columns, memory_of

ArrivalKind = Literal["replaced", "beside", "new", "deleted", "not deleted"]


@dataclass(frozen=True, slots=True)
class Origin:
    """The live row that an output memory is copied from, where it is not its own, and the path that it gets."""

    row_id: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """`store_id` has now seen its predecessor up to `revision`; `before` is what it had seen."""

    store_id: str
    before: int
    revision: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """One write of a former default, and where it went; `path` is its own, `to` where it is in the output."""

    kind: ArrivalKind
    path: str
    to: str


@dataclass(frozen=True, slots=True)
class Inherited:
    """Late writes in terms of the input, the rows they are to be copied from, and how far was read."""

    writes: tuple[LateWrite, ...] = ()
    origins: Mapping[str, Origin] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    arrivals: tuple[Arrival, ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """What became of a former default's memory in the input. `pure`: a copy that nobody has changed or merged since.

    `path` is the path it had when it was copied first.
    """

    memory_id: str
    path: str
    pure: bool


def inherited_read(dream: Dream, snapshot: Snapshot, late: Late) -> Inherited:
    """What former defaults of the dream's mount were written since each was read last."""
    if dream.mount_id is None:
        return Inherited()
    arriving = _Arriving(_live(snapshot, late), {write.memory_id for write in late.writes})
    line = [MemoryStore.objects.get(pk=dream.primary_store_id)]
    marks: list[Mark] = []
    for former in former_defaults(mount_id=dream.mount_id, store=line[0]):
        seen = line[-1].derived_revision or 0
        if former.revision > seen:
            marks.append(Mark(line[-1].id, seen, former.revision))
            arriving.take(former, seen, line)
        line.append(former)
    return Inherited(tuple(arriving.writes), arriving.origins, tuple(marks), tuple(arriving.arrivals))


def marks_move(marks: Sequence[Mark]) -> None:
    """Remembers how far each predecessor was read, in the transaction that writes what was read there."""
    for mark in marks:
        MemoryStore.objects.filter(pk=mark.store_id, derived_revision=mark.before).update(
            derived_revision=mark.revision
        )


def _live(snapshot: Snapshot, late: Late) -> dict[str, Memory]:
    """The input as it is now."""
    live = {memory.id: memory for memory in snapshot.memories}
    for write in late.writes:
        live.pop(write.memory_id, None)
        if write.state is not None:
            live[write.memory_id] = write.state
    return live


class _Arriving:
    """Collects the writes of former defaults, nearest first; `live` is the input, `closed` what was written there."""

    def __init__(self, live: Mapping[str, Memory], closed: Collection[str]) -> None:
        self.writes: list[LateWrite] = []
        self.origins: dict[str, Origin] = {}
        self.arrivals: list[Arrival] = []
        self._live = live
        self._closed = set(closed)
        self._paths = FreePaths(memory.path for memory in live.values())

    def take(self, former: MemoryStore, seen: int, line: Sequence[MemoryStore]) -> None:
        """Takes what `former` was written after revision `seen`; `line` leads from the input to its child."""
        written = _written(former, seen)
        gone = _deleted(former, seen) - {memory.id for memory in written}
        images = _images({*gone, *(memory.id for memory in written)}, line)
        for memory in written:
            self._write(memory, images.get(memory.id))
        for memory_id in sorted(gone & images.keys()):
            self._delete(images[memory_id])

    def _write(self, memory: Memory, image: Image | None) -> None:
        if image is not None and self._open(image):
            self._replace(memory, image)
            return
        path = self._paths.take(memory.path)
        self.writes.append(LateWrite(memory.id, replace(memory, path=path)))
        self.origins[memory.id] = Origin(memory.id, path)
        self.arrivals.append(Arrival("beside" if image or path != memory.path else "new", memory.path, path))

    def _replace(self, memory: Memory, image: Image) -> None:
        target = self._live[image.memory_id]
        path = target.path if memory.path == image.path else self._paths.take(memory.path)
        state = replace(memory, id=target.id, path=path)
        self._closed.add(target.id)
        if differs(state, target):
            self.writes.append(LateWrite(target.id, state))
            self.origins[target.id] = Origin(memory.id, path)
            self.arrivals.append(Arrival("replaced", memory.path, path))

    def _delete(self, image: Image) -> None:
        target = self._live.get(image.memory_id)
        if target is None:
            return
        if self._open(image):
            self._closed.add(target.id)
            self.writes.append(LateWrite(target.id, None))
        self.arrivals.append(Arrival("deleted" if image.pure else "not deleted", image.path, target.path))

    def _open(self, image: Image) -> bool:
        return image.pure and image.memory_id in self._live and image.memory_id not in self._closed


def _written(former: MemoryStore, seen: int) -> list[Memory]:
    rows = MemoryRow.objects.filter(store=former, revision__gt=seen).order_by("revision")
    return [memory_of(row) for row in rows.values(**memory_columns("", "store__trust_tier"))]


def _deleted(former: MemoryStore, seen: int) -> set[str]:
    deletions = MemoryVersion.objects.filter(store=former, operation=Operation.DELETED, store_revision__gt=seen)
    return set(deletions.values_list("memory_id", flat=True))


def _images(memory_ids: Collection[str], line: Sequence[MemoryStore]) -> dict[str, Image]:
    """Where each memory of a former default stands in the input, followed from copy to copy by lineage."""
    images = {memory_id: Image(memory_id, "", True) for memory_id in memory_ids}
    for store in reversed(line):
        copies = _copies(store, {image.memory_id for image in images.values()})
        images = {
            memory_id: Image(
                copies[image.memory_id].memory_id,
                image.path or copies[image.memory_id].path,
                image.pure and copies[image.memory_id].pure,
            )
            for memory_id, image in images.items()
            if image.memory_id in copies
        }
    return images


def _copies(store: MemoryStore, memory_ids: Collection[str]) -> dict[str, Image]:
    """Where memories of the store before this one went in it."""
    lineage = Lineage.objects.filter(store_id=store.id)
    found = lineage.filter(source_memory_id__in=memory_ids).values_list("source_memory_id", "memory_id", "source_path")
    merged = set(
        lineage.filter(memory_id__in=[memory_id for _, memory_id, _ in found])
        .exclude(operation=KEPT)
        .values_list("memory_id", flat=True)
    )
    as_made = _as_made(store, {memory_id for _, memory_id, _ in found})
    return {
        source: Image(memory_id, path, memory_id in as_made and memory_id not in merged)
        for source, memory_id, path in found
    }


def _as_made(store: MemoryStore, memory_ids: Collection[str]) -> set[str]:
    """Those that nobody has written since the dream that made the store."""
    made = MemoryVersion.objects.filter(
        store=store, memory_id=OuterRef("id"), operation=Operation.CREATED, store_revision=OuterRef("revision")
    )
    rows = MemoryRow.objects.filter(store=store, id__in=memory_ids)
    return set(rows.filter(Exists(made)).values_list("id", flat=True))
