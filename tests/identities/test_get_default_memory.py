from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from django.utils import timezone

from dreamsvc.actors import Actor
from identities.models import Mount
from identities.services.defaults import mount_swap
from memorystores.models import MemoryStore, MemoryVersion, Operation
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import Made, PairIds

Store = Callable[..., str]


def write(store_id: str, *revisions: int) -> None:
    """Versions as writes leave them; the rest of a write is not looked at here."""
    for revision in revisions:
        MemoryVersion.objects.create(
            store_id=store_id,
            store_revision=revision,
            memory_id=f"mem_{revision}",
            operation=Operation.MODIFIED,
            path=f"/{revision}.md",
            actor_type="api_actor",
            actor_id="apikey_1",
        )


def test_a_pair_without_one(api: ApiClient, pair: PairIds) -> None:
    answer = api.get(f"{pair.url}/default_memory")
    assert (answer.status, answer.error["code"]) == (404, "default_memory_not_found")


def test_shows_what_the_first_session_made(api: ApiClient, reader: ApiClient, made: Made, pair: PairIds) -> None:
    made("sessions", **pair.key)
    body = reader.get(f"{pair.url}/default_memory").body
    assert (body["revision"], body["system_managed"], body["name"]) == (1, True, "Ana with helper")
    assert [each["memory_store_id"] for each in body["history"]] == [body["memory_store_id"]]
    assert (body["predecessor_writes"], body["predecessor_write_count"]) == ([], 0)


def shown(api: ApiClient, pair: PairIds) -> list[tuple[str, int]]:
    """The late writes that the pair's default memory shows, as store and revision."""
    body = api.get(f"{pair.url}/default_memory").body
    assert body["predecessor_write_count"] == len(body["predecessor_writes"])
    return [(each["memory_store_id"], each["store_revision"]) for each in body["predecessor_writes"]]


@pytest.fixture
def line(api: ApiClient, pair: PairIds, store: Store) -> list[str]:
    """Three defaults one after the other, each made from the one before when that had two versions."""
    ids: list[str] = []
    for name in ("old", "mid", "new"):
        origin = {"derived_from": ids[-1], "derived_revision": 2} if ids else {}
        ids.append(store(name, **origin))
        write(ids[-1], 1, 2)
        api.put(f"{pair.url}/default_memory", {"memory_store_id": ids[-1]})
    return ids


def test_shows_writes_that_its_predecessors_got_since(api: ApiClient, pair: PairIds, line: list[str]) -> None:
    old, mid, new = line
    assert shown(api, pair) == []
    write(mid, 3)
    write(old, 3, 4)
    write(new, 3)
    assert shown(api, pair) == [(old, 4), (old, 3), (mid, 3)]
    newest = api.get(f"{pair.url}/default_memory").body["predecessor_writes"][0]
    assert (newest["path"], newest["operation"], newest["memory_id"]) == ("/4.md", "modified", "mem_4")


def test_not_of_a_store_that_is_somebodys_default(api: ApiClient, made: Made, pair: PairIds, line: list[str]) -> None:
    old, mid, _ = line
    other = made("identities", external_id="bo")
    api.put(f"/v1/identities/{other['id']}/templates/{pair.template_id}/default_memory", {"memory_store_id": mid})
    write(mid, 3)
    write(old, 3)
    assert shown(api, pair) == [], "the line ends there"


def test_not_of_a_store_that_was_never_its_default(api: ApiClient, pair: PairIds, store: Store) -> None:
    old = store("old")
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store("new", derived_from=old, derived_revision=0)})
    write(old, 1)
    assert shown(api, pair) == []


def test_not_of_a_store_of_another_tier(api: ApiClient, pair: PairIds, line: list[str]) -> None:
    MemoryStore.objects.filter(id=line[1]).update(trust_tier="legal")
    write(line[1], 3)
    assert shown(api, pair) == []


def test_not_of_a_deleted_store(api: ApiClient, pair: PairIds, line: list[str]) -> None:
    write(line[1], 3)
    MemoryStore.objects.filter(id=line[1]).update(deleted_at=timezone.now())
    assert shown(api, pair) == []


def test_says_who_made_it_the_default(api: ApiClient, alice: Tenant, pair: PairIds, line: list[str]) -> None:
    with transaction.atomic():
        mount = Mount.objects.get()
        actor = Actor.dream("drm_1")
        assert mount_swap(mount_id=mount.pk, expected_revision=3, new_store_id=line[0], actor=actor)
    history = api.get(f"{pair.url}/default_memory").body["history"]
    assert [each["created_by"] for each in history[:2]] == [
        {"type": "service_account_actor", "service_account_id": "drm_1"},
        {"type": "api_actor", "api_key_id": alice.keys["write"].id},
    ]


def test_only_the_workspace_sees_it(bobs: ApiClient, made: Made, pair: PairIds) -> None:
    made("sessions", **pair.key)
    assert bobs.get(f"{pair.url}/default_memory").status == 404
