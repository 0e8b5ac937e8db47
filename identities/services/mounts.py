"""What a pair of identity and template has mounted read-only."""

from __future__ import annotations

from django.db import transaction

from dreamsvc.errors import Conflict, InvalidRequest, NotFound
from identities.models import Mount
from identities.pairs import Pair, pair_get, pair_lock
from memorystores.models import MemoryStore
from memorystores.mounting import Access
from memorystores.services.stores import store_writable

MAX_READ_ONLY = 10


def mount_add(*, workspace_id: str, identity_id: str, template_id: str, store_id: str) -> Mount:
    """The pair's mount of the store, made read-only unless there is one already.

    Raises NotFound, or InvalidRequest: identity disabled, template or store archived, ten read-only mounts already.
    """
    with transaction.atomic():
        pair = pair_lock(workspace_id, identity_id, template_id)
        mounted = pair.mounts().filter(store_id=store_id).select_related("store").first()
        # Locked: archiving and deleting lock the store too, and need it to be unmounted.
        return mounted or read_only_mount_add(pair=pair, store=store_writable(workspace_id, store_id))


def read_only_mount_add(*, pair: Pair, store: MemoryStore) -> Mount:
    """Mounts a live store that the pair has not; the caller holds the locks of both. Raises InvalidRequest: ten."""
    if pair.mounts().filter(access=Access.READ_ONLY).count() >= MAX_READ_ONLY:
        raise InvalidRequest(
            f"memory_store_id: the pair has {MAX_READ_ONLY} read-only stores, the most it may have",
            param="memory_store_id",
        )
    return Mount.objects.create(identity=pair.identity, template=pair.template, store=store, access=Access.READ_ONLY)


def mount_remove(*, workspace_id: str, identity_id: str, template_id: str, store_id: str) -> None:
    """Unmounts a read-only store, which stays; raises NotFound, or Conflict when it is the default memory."""
    mounts = pair_get(workspace_id, identity_id, template_id).mounts().filter(store_id=store_id)
    with transaction.atomic():
        removed, _ = mounts.filter(access=Access.READ_ONLY).delete()
    if removed:
        return
    if mounts.exists():
        raise Conflict(
            "memory_store_id: the store is the pair's default memory; set another default first",
            param="memory_store_id",
        )
    raise NotFound(f"memory_store_id: the pair has no memory store {store_id}", param="memory_store_id")
