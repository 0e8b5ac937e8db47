"""The default memory of a pair: set, provided, replaced, and put away after it was replaced."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from dreamsvc.actors import Actor, ActorType
from dreamsvc.errors import Conflict, NotFound
from dreamsvc.models import NAME_LENGTH
from identities.models import Mount, MountChange
from identities.pairs import Pair, pair_lock
from memorystores.models import MemoryStore
from memorystores.mounting import Access
from memorystores.services.stores import store_archive, store_create, store_writable


def default_memory_set(
    *,
    workspace_id: str,
    identity_id: str,
    template_id: str,
    store_id: str,
    actor: Actor,
    expected_store_id: str | None = None,
) -> Mount:
    """Makes the store the pair's default; the one before stays, unmounted. The default already: unchanged,
    whatever was expected, so that a request whose answer was lost can be repeated.

    Raises NotFound, Conflict when the default is not the expected one, or InvalidRequest: identity disabled, template
    or store archived.
    """
    with transaction.atomic():
        pair = pair_lock(workspace_id, identity_id, template_id)
        mount = pair.default().select_for_update(no_key=True).first()
        if mount is None or mount.store_id != store_id:
            _check_expected(mount, expected_store_id)
            _move(pair, mount, store_writable(workspace_id, store_id), actor)
        return pair.default().select_related("store").get()


def default_memory_provide(*, pair: Pair, actor: Actor) -> None:
    """Gives a pair without a default memory a new store as that; the caller holds the pair's lock."""
    if pair.default().exists():
        return
    whose = pair.identity.name or pair.identity.external_id
    store = store_create(
        workspace_id=pair.workspace_id,
        fields={"name": f"{whose} with {pair.template.name}"[:NAME_LENGTH]},
        admin=False,
        system_managed=True,
        identity_id=pair.identity.id,
    )
    default_memory_add(pair=pair, store=store, actor=actor, system_managed=True)


def default_memory_add(*, pair: Pair, store: MemoryStore, actor: Actor, system_managed: bool = False) -> None:
    """Makes a live store the default of a pair without one; the caller holds the locks of both.

    Raises Conflict when the pair has one.
    """
    if pair.default().exists():
        raise Conflict("access: the pair has a default memory already", param="access")
    pair.mounts().filter(store=store).delete()
    mount = Mount.objects.create(
        identity=pair.identity,
        template=pair.template,
        store=store,
        access=Access.READ_WRITE,
        system_managed=system_managed,
    )
    _record(mount, actor)


def mount_swap(*, mount_id: int, expected_revision: int, new_store_id: str, actor: Actor) -> bool:
    """Replaces the default memory if nobody has since `expected_revision`; False: somebody has, nothing changed.

    Inside the caller's transaction, which has seen to it that the new store is live (its row locked, or its own).
    A store that the pair had mounted read-only becomes its default.
    """
    rows = Mount.objects.filter(pk=mount_id, revision=expected_revision)
    # One statement decides, and holds the row from then on.
    if not rows.update(revision=F("revision") + 1):
        return False
    mount = Mount.objects.get(pk=mount_id)
    replaced, mount.store_id = mount.store_id, new_store_id
    _forget_read_only(mount)
    mount.save(update_fields=["store"])
    _record(mount, actor, replaced if actor.type == ActorType.SERVICE_ACCOUNT else None)
    return True


def archive_replaced_defaults(limit: int, *, busy: Collection[str] = ()) -> int:
    """Archives stores that a dream replaced as default so many days ago; returns how many.

    `REPLACED_DEFAULT_ARCHIVE_DAYS` says how many; 0 or less: never. Looks at `limit` of them at most, and leaves the
    stores in `busy` for another time. A store that somebody mounted again stays.
    """
    days = settings.REPLACED_DEFAULT_ARCHIVE_DAYS
    if days <= 0:
        return 0
    due = MountChange.objects.filter(
        retired_store_id__isnull=False, created_at__lt=timezone.now() - timedelta(days=days)
    ).exclude(retired_store_id__in=busy)
    return sum(_retire(change) for change in due.select_related("mount__identity").order_by("created_at")[:limit])


def _retire(change: MountChange) -> bool:
    store_id = str(change.retired_store_id)
    again = MountChange.objects.filter(mount=change.mount, revision__gt=change.revision, store_id=store_id)
    with transaction.atomic():
        archived = not again.exists() and _archive(change.mount.identity.workspace_id, store_id)
        MountChange.objects.filter(pk=change.pk).update(retired_store_id=None)
    return archived


def _archive(workspace_id: str, store_id: str) -> bool:
    try:
        store_archive(workspace_id=workspace_id, store_id=store_id)
    except (NotFound, Conflict):  # deleted, or mounted again
        return False
    return True


def _move(pair: Pair, mount: Mount | None, store: MemoryStore, actor: Actor) -> None:
    if mount is None:
        default_memory_add(pair=pair, store=store, actor=actor)
        return
    mount_swap(mount_id=mount.pk, expected_revision=mount.revision, new_store_id=store.id, actor=actor)
    Mount.objects.filter(pk=mount.pk).update(system_managed=False)


def _check_expected(mount: Mount | None, expected_store_id: str | None) -> None:
    current = mount and mount.store_id
    if expected_store_id is not None and current != expected_store_id:
        raise Conflict(
            f"expected_memory_store_id: the default memory is {current or 'not set'}",
            param="expected_memory_store_id",
        )


def _forget_read_only(mount: Mount) -> None:
    # A pair has a store once: what becomes its default is no longer mounted read-only beside it.
    twins = Mount.objects.filter(identity=mount.identity_id, template=mount.template_id, store=mount.store_id)
    twins.filter(access=Access.READ_ONLY).delete()


def _record(mount: Mount, actor: Actor, retired_store_id: str | None = None) -> None:
    MountChange.objects.create(
        mount=mount,
        revision=mount.revision,
        store_id=mount.store_id,
        actor_type=actor.type,
        actor_id=actor.id,
        retired_store_id=retired_store_id,
    )
