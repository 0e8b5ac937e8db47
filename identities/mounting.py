"""What `memorystores` asks of us: to mount a new store for a pair, and which stores are mounted."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min, Q, QuerySet

from dreamsvc.actors import Actor
from dreamsvc.errors import errors_inside
from identities.models import Mount
from identities.pairs import pair_lock
from identities.services.defaults import default_memory_add
from identities.services.mounts import read_only_mount_add
from memorystores.models import MemoryStore
from memorystores.mounting import Access


def mount(*, store: MemoryStore, identity_id: str, template_id: str, access: str, actor: Actor) -> None:
    """Implements `memorystores.mounting.Mounter`; errors name the field below `mount`."""
    with errors_inside("mount"):
        pair = pair_lock(store.workspace_id, identity_id, template_id)
        if access == Access.READ_WRITE:
            default_memory_add(pair=pair, store=store, actor=actor)
        else:
            read_only_mount_add(pair=pair, store=store)


def is_mounted(store: MemoryStore) -> bool:
    """Implements `memorystores.mounting.Finder`."""
    return Mount.objects.filter(store=store).exists()


def annotated(stores: QuerySet[MemoryStore]) -> QuerySet[Any]:
    """Implements `memorystores.mounting.Annotator`."""
    return stores.annotate(
        identity_template_count=Count("mounts"),
        default_for=Min("mounts__identity_id", filter=Q(mounts__access=Access.READ_WRITE)),
    )
