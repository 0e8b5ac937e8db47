"""Reads that span models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When

from dreamsvc.errors import NotFound
from dreamsvc.ids import EVENT
from dreamsvc.pagination import Order
from identities.models import Mount, MountChange, MountQuerySet, Session
from identities.pairs import Pair
from memorystores.models import MemoryStore, MemoryVersion
from memorystores.mounting import Access

SHOWN = 100
GENERATIONS = 100
"""How far back former defaults are looked at; each is archived a month after it was replaced."""
_FIRST = 2**62


@dataclass(frozen=True, slots=True)
class DefaultMemory:
    """A default memory: the stores it was, and writes to the one it derives from, newest first, 100 of each at most."""

    mount: Mount
    history: Sequence[MountChange]
    predecessor_writes: Sequence[MemoryVersion]
    predecessor_write_count: int


def mounts_of(pair: Pair) -> MountQuerySet:
    """The pair's mounts with their stores; `position` sorts them, the default above all."""
    position = Case(When(access=Access.READ_WRITE, then=Value(_FIRST)), default=F("pk"), output_field=BigIntegerField())
    return pair.mounts().select_related("store").annotate(position=position)


def default_memory(pair: Pair) -> Mount:
    """The pair's default memory with its store; raises NotFound, code `default_memory_not_found`."""
    mount = pair.default().select_related("store").first()
    if mount is None:
        raise NotFound(
            f"template_id: {pair.identity.id} has no default memory with {pair.template.id}",
            param="template_id",
            code="default_memory_not_found",
        )
    return mount


def default_memory_history(mount: Mount) -> DefaultMemory:
    """The default memory `mount` with its past."""
    writes, changes = predecessor_writes(mount), mount.changes.order_by("-revision")
    return DefaultMemory(mount, list(changes[:SHOWN]), list(writes[:SHOWN]), writes.count())


def former_defaults(*, mount_id: int, store: MemoryStore) -> list[MemoryStore]:
    """The stores that `store` derives from, nearest first, as far as each was this mount's and is nobody's default now.

    A store of another trust tier ends the line: its text must not go where its tier does not let it.
    """
    was_default = MountChange.objects.filter(mount_id=mount_id).order_by("-revision").values("store_id")[:GENERATIONS]
    formers = (
        MemoryStore.objects.for_workspace(store.workspace_id)
        .filter(id__in=was_default, trust_tier=store.trust_tier)
        .exclude(mounts__access=Access.READ_WRITE)
        .in_bulk()
    )
    line, child = [], store
    while (former := formers.pop(str(child.derived_from), None)) is not None:
        line.append(former)
        child = former
    return line


def predecessor_writes(mount: Mount) -> QuerySet[MemoryVersion]:
    """Writes to former defaults made since each was read, which the pair's next dream takes in; newest first."""
    unread, child = Q(pk__in=()), mount.store
    for former in former_defaults(mount_id=mount.pk, store=mount.store):
        unread |= Q(store=former, store_revision__gt=child.derived_revision or 0)
        child = former
    return MemoryVersion.objects.filter(unread).order_by("-id")


def session_get(workspace_id: str, session_id: str) -> Session:
    """The session with its template; raises NotFound."""
    return Session.objects.select_related("template").found(workspace_id, session_id)


def event_order(session: Session, *, descending: bool) -> Order:
    """Events as they came, or the last ones first."""

    def seq(event_id: str) -> int | None:
        return session.events.filter(id=event_id).values_list("seq", flat=True).first()

    return Order(f"events-{session.id}", EVENT, "seq", descending, seq, key_type=int)
