"""A store mounted in the transaction that makes it, through the door of `memorystores`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from dreamsvc.actors import Actor
from dreamsvc.errors import Conflict, InvalidRequest, NotFound, ServiceError
from memorystores import mounting
from memorystores.models import MemoryStore
from memorystores.services.stores import store_create
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import PairIds

Mount = Callable[[str], str]


@pytest.fixture
def create(alice: Tenant, pair: PairIds, actor: Actor) -> Mount:
    """`create("read_write")` makes a store mounted to the pair, or neither."""

    def mounted(access: str) -> str:
        with transaction.atomic():
            store = store_create(workspace_id=alice.workspace.id, fields={"name": "notes"}, admin=False)
            mounting.registered().mount(store=store, **pair.key, access=access, actor=actor)
        return store.id

    return mounted


def test_read_write_becomes_the_default(api: ApiClient, pair: PairIds, create: Mount) -> None:
    store_id = create("read_write")
    body = api.get(f"{pair.url}/default_memory").body
    assert (body["memory_store_id"], body["system_managed"], body["revision"]) == (store_id, False, 1)


def test_over_the_api(api: ApiClient, pair: PairIds) -> None:
    body = {"name": "notes", "mount": {**pair.key, "access": "read_write"}}
    made = api.post("/v1/memory_stores", body)
    assert made.status == 200
    assert api.get(f"{pair.url}/default_memory").body["memory_store_id"] == made.body["id"]
    again = api.post("/v1/memory_stores", body)
    assert (again.status, again.error["param"]) == (409, "mount.access")
    assert MemoryStore.objects.count() == 1


def test_read_only_does_not(api: ApiClient, pair: PairIds, create: Mount) -> None:
    store_id = create("read_only")
    mounts = api.get(f"{pair.url}/memory_stores").body["data"]
    assert [(each["memory_store_id"], each["access"]) for each in mounts] == [(store_id, "read_only")]


def test_a_second_default_leaves_no_store(create: Mount) -> None:
    create("read_write")
    with pytest.raises(Conflict) as caught:
        create("read_write")
    assert caught.value.param == "mount.access"
    assert MemoryStore.objects.count() == 1


@pytest.mark.parametrize(
    ("url", "error", "param"),
    [
        ("/v1/identities/{identity_id}/disable", InvalidRequest, "mount.identity_id"),
        ("/v1/templates/{template_id}/archive", InvalidRequest, "mount.template_id"),
    ],
)
def test_needs_a_live_pair(
    api: ApiClient, pair: PairIds, create: Mount, url: str, error: type[ServiceError], param: str
) -> None:
    api.post(url.format(**pair.key))
    with pytest.raises(error) as caught:
        create("read_write")
    assert caught.value.param == param
    assert caught.value.message.startswith(f"{param}: ")
    assert not MemoryStore.objects.exists()


def test_not_with_a_pair_of_another_workspace(bob: Tenant, pair: PairIds, actor: Actor) -> None:
    store = store_create(workspace_id=bob.workspace.id, fields={"name": "notes"}, admin=False)
    with pytest.raises(NotFound) as caught, transaction.atomic():
        mounting.registered().mount(store=store, **pair.key, access="read_only", actor=actor)
    assert caught.value.param == "mount.identity_id"
