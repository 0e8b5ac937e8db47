"""What must not have changed since the dream was asked for, and who may write in its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import transaction

from dreams.lifecycle import Claim
from dreams.models import Dream
from dreams.status import ErrorCode, ErrorType
from identities.models import Mount, Session
from memorystores.models import MemoryStore, MemoryVersion
from workers.engine.values import Snapshot
from workers.failures import DreamFailed, Outdated, Stopped


@contextmanager
def fenced(claim: Claim) -> Iterator[None]:
    """A transaction that begins with the claim's UPDATE of its dream; raises Stopped when the claim is void."""
    with transaction.atomic():
        if not Dream.objects.hold(claim):
            raise Stopped
        yield


def mount_moved() -> DreamFailed:
    """The failure of a dream whose default memory was replaced, and be it by itself and back."""
    return DreamFailed(
        ErrorType.CONFLICT, "the default memory was replaced while the dream ran", ErrorCode.MEMORY_CHANGED
    )


def check_mount(dream: Dream) -> None:
    """Raises DreamFailed when the default memory is no longer the one that the dream was created for."""
    if dream.mount_id is not None:
        unmoved = Mount.objects.filter(pk=dream.mount_id, revision=int(dream.mount_revision or 0))
        if not unmoved.exists():
            raise mount_moved()


def check_store(store: MemoryStore | None, policy_revision: int | None) -> MemoryStore:
    """The input; raises DreamFailed when it is gone, closed or too large, or its policy moved since
    `policy_revision`."""
    if store is None or store.deleted_at is not None or store.archived_at is not None:
        raise DreamFailed(ErrorType.STORE_UNAVAILABLE, "the input memory store was archived or deleted")
    if policy_revision is not None and store.policy_revision != policy_revision:
        raise DreamFailed(ErrorType.CONFLICT, "the policy of the input memory store changed while the dream ran")
    if store.entry_count > settings.STORE_MAX_MEMORIES or store.total_size > settings.STORE_MAX_BYTES:
        raise DreamFailed(
            ErrorType.STORE_TOO_LARGE,
            f"the input memory store holds {store.entry_count} memories and {store.total_size} bytes; "
            f"at most {settings.STORE_MAX_MEMORIES} and {settings.STORE_MAX_BYTES} can be dreamt of",
        )
    return store


def check_unredacted(snapshot: Snapshot) -> None:
    """Raises Outdated when a text of the snapshot was redacted; holds back whoever redacts one until our commit, so
    that what they then clear are all plans and journals that quote it. The caller holds the store's lock.

    The head of a live memory cannot be redacted, so only memories that were written since are in question. One that is
    being redacted just now is skipped and not waited for: redactions lock versions before texts, an apply after them.
    """
    since = MemoryVersion.objects.filter(store_id=snapshot.store_id, store_revision__gt=snapshot.revision)
    written = set(since.values_list("memory_id", flat=True))
    read = [memory.version_id for memory in snapshot.memories if memory.id in written]
    versions = MemoryVersion.objects.filter(id__in=read, redacted_at__isnull=True).order_by("id")
    held = versions.select_for_update(no_key=True, skip_locked=True).values_list("id", flat=True)
    if len(held) != len(read):
        raise Outdated


def check_sessions(dream: Dream) -> None:
    """Raises DreamFailed when a session that the dream was given is gone."""
    known = Session.objects.for_workspace(dream.workspace_id).filter(id__in=dream.session_ids)
    missing = set(dream.session_ids) - set(known.values_list("id", flat=True))
    if missing:
        raise DreamFailed(ErrorType.SESSION_UNAVAILABLE, f"session {min(missing)} was deleted")


def check_inputs(dream: Dream, policy_revision: int | None) -> None:
    """All of the above on what is committed now; at the end of an apply they are asked again under locks."""
    check_mount(dream)
    check_store(MemoryStore.objects.filter(pk=dream.primary_store_id).first(), policy_revision)
    check_sessions(dream)
