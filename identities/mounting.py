"""Mounts a store in the transaction that makes it: what `memorystores` asks of us when a new store names a pair."""

from __future__ import annotations

from dreamsvc.actors import Actor
from dreamsvc.errors import Conflict, InvalidRequest, NotFound
from identities.models import Access
from identities.pairs import pair_lock
from identities.services.defaults import default_memory_add
from identities.services.mounts import read_only_mount_add
from memorystores.models import MemoryStore


def mount(*, store: MemoryStore, identity_id: str, template_id: str, access: str, actor: Actor) -> None:
    """Implements `memorystores.mounting.Mounter`; errors name the field below `mount`."""
    try:
        pair = pair_lock(store.workspace_id, identity_id, template_id)
        if access == Access.READ_WRITE:
            default_memory_add(pair=pair, store=store, actor=actor)
        else:
            read_only_mount_add(pair=pair, store=store)
    except (NotFound, InvalidRequest, Conflict) as error:
        raise type(error)(f"mount.{error.message}", param=f"mount.{error.param}") from error
