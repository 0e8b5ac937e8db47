"""What may be done to a memory store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils import timezone

from dreamsvc.errors import Conflict, InvalidRequest, PermissionDenied
from dreamsvc.ids import STORE, new_id
from dreamsvc.metadata import patched
from memorystores.models import Decay, MemoryStore, Supersede, TrustTier
from memorystores.mounting import registered
from memorystores.services.rows import row_update

ADMIN_FIELDS = frozenset({"trust_tier", "protected_paths"})
POLICY_FIELDS = frozenset({"trust_tier", "protected_paths", "decay"})


class StoreFields(TypedDict, total=False):
    """What a key sets on a store. `protected_paths` are gitignore-style patterns; metadata values are strings."""

    name: str
    description: str
    metadata: Mapping[str, str | None]
    trust_tier: str
    decay: str
    supersede: str
    protected_paths: Sequence[str]


class Origin(TypedDict, total=False):
    """What the service itself says of a store: whom it was made for, and from which store's revision."""

    system_managed: bool
    identity_id: str | None
    derived_from: str | None
    derived_revision: int | None


DEFAULTS: Mapping[str, Any] = {
    "description": "",
    "metadata": {},
    "trust_tier": TrustTier.WORK.value,
    "decay": Decay.NONE.value,
    "supersede": Supersede.ASK.value,
    "protected_paths": [],
}


def store_create(
    *, workspace_id: str, fields: StoreFields, admin: bool, at: datetime | None = None, **origin: Unpack[Origin]
) -> MemoryStore:
    """A new, empty store; raises PermissionDenied when `admin` is false and a field that needs it is no default."""
    values = {**DEFAULTS, **fields}
    _check_scope(DEFAULTS, values, admin=admin)
    now = at or timezone.now()
    return MemoryStore.objects.create(
        id=new_id(STORE, at=now),
        workspace_id=workspace_id,
        created_at=now,
        updated_at=now,
        **{**values, "metadata": patched({}, values["metadata"])},
        **origin,
    )


def store_update(*, workspace_id: str, store_id: str, fields: StoreFields, admin: bool) -> MemoryStore:
    """Changes the fields given, metadata as a patch; what is as asked already stays untouched, `updated_at` too.

    Raises NotFound, InvalidRequest on an archived store, and PermissionDenied as `store_create` does.
    """
    with transaction.atomic():
        store = store_writable(workspace_id, store_id)
        values: dict[str, Any] = {**fields}
        if "metadata" in fields:
            values["metadata"] = patched(store.metadata, fields["metadata"])
        changes = {name: value for name, value in values.items() if getattr(store, name) != value}
        _check_scope(vars(store), changes, admin=admin)
        if changes.keys() & POLICY_FIELDS:
            changes["policy_revision"] = store.policy_revision + 1
        if changes:
            row_update(store, {**changes, "updated_at": timezone.now()})
    return store


def store_archive(*, workspace_id: str, store_id: str) -> MemoryStore:
    """Closes the store to writes for good; again: unchanged. Raises NotFound, and Conflict while it is mounted."""
    with transaction.atomic():
        store = MemoryStore.objects.locked(workspace_id, store_id)
        if store.archived_at is None:
            _check_unmounted(store, "archived")
            now = timezone.now()
            row_update(store, {"archived_at": now, "updated_at": now})
    return store


def store_delete(*, workspace_id: str, store_id: str) -> None:
    """Takes the store from everybody's sight at once; the sweep removes its rows.

    Raises NotFound, and Conflict while it is mounted.
    """
    with transaction.atomic():
        store = MemoryStore.objects.locked(workspace_id, store_id)
        _check_unmounted(store, "deleted")
        row_update(store, {"deleted_at": timezone.now()})


def store_writable(workspace_id: str, store_id: str) -> MemoryStore:
    """The store, locked until the end of the transaction; raises NotFound, and InvalidRequest on an archived one."""
    return store_open(MemoryStore.objects.locked(workspace_id, store_id))


def store_open(store: MemoryStore) -> MemoryStore:
    """The store itself; raises InvalidRequest when it is archived."""
    if store.archived_at is not None:
        raise InvalidRequest(f"memory_store_id: memory store {store.id} is archived", param="memory_store_id")
    return store


def _check_unmounted(store: MemoryStore, verb: str) -> None:
    if registered().is_mounted(store):
        raise Conflict(
            f"memory_store_id: memory store {store.id} is mounted and cannot be {verb}", param="memory_store_id"
        )


def _check_scope(before: Mapping[str, Any], after: Mapping[str, Any], *, admin: bool) -> None:
    changed = next((name for name in sorted(ADMIN_FIELDS) if name in after and after[name] != before[name]), None)
    if changed and not admin:
        raise PermissionDenied(f"{changed}: changing it needs a key with scope admin", param=changed)
