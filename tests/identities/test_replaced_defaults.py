"""Defaults that a dream replaced are archived after their time, unless somebody uses them again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from dreamsvc.actors import Actor
from identities.models import Mount, MountChange
from identities.services.defaults import archive_replaced_defaults, mount_swap
from memorystores.models import MemoryStore
from tests.conftest import ApiClient
from tests.identities.conftest import PairIds

Store = Callable[..., str]
Dreamt = Callable[[], str]


@pytest.fixture
def dreamt(api: ApiClient, pair: PairIds, store: Store) -> Dreamt:
    """`dreamt()` replaces the pair's default as a dream does and gives the id of the store that was replaced."""
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store("first")})

    def replace() -> str:
        mount = Mount.objects.get(access="read_write")
        with transaction.atomic():
            assert mount_swap(
                mount_id=mount.pk,
                expected_revision=mount.revision,
                new_store_id=store("output"),
                actor=Actor.dream("drm_1"),
            )
        return mount.store_id

    return replace


def age(days: float) -> None:
    MountChange.objects.update(created_at=timezone.now() - timedelta(days=days))


def archived(store_id: str) -> bool:
    return MemoryStore.objects.get(id=store_id).archived_at is not None


def test_after_the_time_and_once(dreamt: Dreamt) -> None:
    old = dreamt()
    age(29.9)
    assert archive_replaced_defaults(10) == 0
    age(30.1)
    assert (archive_replaced_defaults(10), archived(old)) == (1, True)
    assert not archived(Mount.objects.get().store_id)
    assert archive_replaced_defaults(10) == 0


def test_by_setting(dreamt: Dreamt, settings: Settings) -> None:
    old = dreamt()
    age(2)
    settings.REPLACED_DEFAULT_ARCHIVE_DAYS = 0
    assert archive_replaced_defaults(10) == 0
    settings.REPLACED_DEFAULT_ARCHIVE_DAYS = 1
    assert (archive_replaced_defaults(10), archived(old)) == (1, True)


def test_the_oldest_first_within_the_limit(dreamt: Dreamt) -> None:
    first, second = dreamt(), dreamt()
    age(40)
    MountChange.objects.filter(retired_store_id=first).update(created_at=timezone.now() - timedelta(days=50))
    assert (archive_replaced_defaults(1), archived(first), archived(second)) == (1, True, False)
    assert (archive_replaced_defaults(1), archived(second)) == (1, True)


def test_a_busy_store_waits(dreamt: Dreamt) -> None:
    old = dreamt()
    age(40)
    assert archive_replaced_defaults(10, busy=[old]) == 0
    assert archive_replaced_defaults(10) == 1


def test_a_store_mounted_again_stays(api: ApiClient, pair: PairIds, dreamt: Dreamt) -> None:
    old = dreamt()
    api.post(f"{pair.url}/memory_stores", {"memory_store_id": old})
    age(40)
    assert (archive_replaced_defaults(10), archived(old)) == (0, False)


def test_a_store_that_was_the_default_again_stays(api: ApiClient, pair: PairIds, store: Store, dreamt: Dreamt) -> None:
    old = dreamt()
    for store_id in (old, store("other")):
        api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
    age(40)
    assert (archive_replaced_defaults(10), archived(old)) == (0, False)


def test_a_deleted_store_is_settled(dreamt: Dreamt) -> None:
    old = dreamt()
    MemoryStore.objects.filter(id=old).update(deleted_at=timezone.now())
    age(40)
    assert archive_replaced_defaults(10) == 0
    assert not MountChange.objects.filter(retired_store_id__isnull=False).exists()


def test_what_a_person_replaced_stays(api: ApiClient, pair: PairIds, store: Store) -> None:
    for store_id in (store("one"), store("two")):
        api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
    age(40)
    assert archive_replaced_defaults(10) == 0
    assert not MemoryStore.objects.filter(archived_at__isnull=False).exists()
