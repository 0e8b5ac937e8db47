"""The conditional replacement of a default memory, which a dream's apply and rollback use."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from dreamsvc.actors import Actor
from identities.models import Mount, MountChange
from identities.services.defaults import mount_swap
from tests.conftest import ApiClient
from tests.identities.conftest import PairIds

Store = Callable[..., str]
DREAM = Actor.dream("drm_1")


@pytest.fixture
def mount(api: ApiClient, pair: PairIds, store: Store) -> Mount:
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store("old")})
    return Mount.objects.get()


def swap(mount: Mount, revision: int, store_id: str, actor: Actor = DREAM) -> bool:
    with transaction.atomic():
        return mount_swap(mount_id=mount.pk, expected_revision=revision, new_store_id=store_id, actor=actor)


def test_replaces_and_says_who(mount: Mount, store: Store) -> None:
    new = store("new")
    assert swap(mount, 1, new)
    after = Mount.objects.get()
    assert (after.pk, after.store_id, after.revision, after.access) == (mount.pk, new, 2, "read_write")
    change = MountChange.objects.get(revision=2)
    assert (change.store_id, change.actor_type, change.actor_id) == (new, "service_account_actor", "drm_1")
    assert change.retired_store_id == mount.store_id


def test_does_nothing_when_the_mount_moved_on(api: ApiClient, pair: PairIds, mount: Mount, store: Store) -> None:
    there = store()
    api.put(f"{pair.url}/default_memory", {"memory_store_id": there})
    api.put(f"{pair.url}/default_memory", {"memory_store_id": mount.store_id})
    changes = MountChange.objects.count()
    assert not swap(mount, 1, store()), "there and back is a change"
    after = Mount.objects.get()
    assert (after.store_id, after.revision, MountChange.objects.count()) == (mount.store_id, 3, changes)


def test_does_nothing_when_the_mount_is_gone(api: ApiClient, pair: PairIds, mount: Mount, store: Store) -> None:
    api.delete(f"/v1/identities/{pair.identity_id}")
    assert not swap(mount, 1, store())


def test_a_person_retires_nothing(mount: Mount, store: Store, actor: Actor) -> None:
    assert swap(mount, 1, store(), actor)
    assert MountChange.objects.get(revision=2).retired_store_id is None


def test_takes_a_store_that_was_read_only(api: ApiClient, pair: PairIds, mount: Mount, store: Store) -> None:
    shared = store("shared")
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": shared})
    assert swap(mount, 1, shared)
    mounts = api.get(f"{pair.url}/memory_stores").body["data"]
    assert [(each["memory_store_id"], each["access"]) for each in mounts] == [(shared, "read_write")]


def test_a_lost_swap_leaves_the_read_only_mount(api: ApiClient, pair: PairIds, mount: Mount, store: Store) -> None:
    shared = store("shared")
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": shared})
    assert not swap(mount, 7, shared)
    assert len(api.get(f"{pair.url}/memory_stores").body["data"]) == 2


def test_the_same_store_is_a_replacement_too(mount: Mount) -> None:
    assert swap(mount, 1, mount.store_id)
    assert Mount.objects.get().revision == 2
