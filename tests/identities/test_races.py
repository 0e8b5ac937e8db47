"""Races on PostgreSQL: every contender is seen to wait for the same row before one of them may go on.

The rounds alternate who asks first, so that both outcomes of each race are met.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.models import QuerySet

from dreamsvc.actors import Actor
from dreamsvc.errors import ServiceError
from identities.models import Identity, Mount, MountChange, Session, SessionEvent
from identities.services.defaults import default_memory_set, mount_swap
from identities.services.identities import identity_create, identity_delete
from identities.services.mounts import MAX_READ_ONLY, mount_add, mount_remove
from identities.services.sessions import (
    NewEvent,
    SessionDraft,
    pair_session_create,
    session_delete,
    session_events_add,
)
from identities.services.templates import template_create
from memorystores import mounting
from memorystores.models import MemoryStore
from memorystores.services.stores import store_archive, store_create
from tests.conftest import Tenant

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]

ROUNDS = 6
PATIENCE = 30.0
Action = Callable[[], Any]


@contextmanager
def held(rows: QuerySet[Any]) -> Iterator[None]:
    """The rows are locked within; whoever writes to them waits."""
    with transaction.atomic():
        assert list(rows.select_for_update())
        yield


def race(rows: QuerySet[Any], *actions: Action) -> list[Any]:
    """Starts each action once the one before waits for the rows; gives results or refusals in order."""
    with ThreadPoolExecutor(len(actions)) as pool:
        with held(rows):
            running = []
            for action in actions:
                running.append(pool.submit(outcome, action))
                wait_for_waiters(len(running))
        return [each.result(PATIENCE) for each in running]


def outcome(action: Action) -> Any:
    """The action's result or its refusal. Anything else, such as a broken constraint, fails the test."""
    try:
        return action()
    except ServiceError as error:
        return error
    finally:
        connections.close_all()


def wait_for_waiters(count: int) -> None:
    until = time.monotonic() + PATIENCE
    while waiters() < count:
        assert time.monotonic() < until, f"{waiters()} of {count} wait"
        time.sleep(0.01)


def waiters() -> int:
    with connection.cursor() as cursor:
        # Not by the ORM: it has no model of PostgreSQL's own activity, which a transaction otherwise sees frozen.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


class World:
    """A workspace with a template, and identities and stores as they are needed."""

    def __init__(self, tenant: Tenant) -> None:
        self.workspace_id = tenant.workspace.id
        self.actor = Actor.key(tenant.keys["write"])
        self.template_id = template_create(workspace_id=self.workspace_id, fields={"name": "helper"}).id

    def pair(self, name: str) -> dict[str, str]:
        identity = identity_create(workspace_id=self.workspace_id, fields={"external_id": name})
        return {"workspace_id": self.workspace_id, "identity_id": identity.id, "template_id": self.template_id}

    def store(self) -> str:
        return store_create(workspace_id=self.workspace_id, fields={"name": "notes"}, admin=False).id

    def begin(self, pair: dict[str, str]) -> Action:
        return partial(pair_session_create, **pair, actor=self.actor, draft=SessionDraft())

    def set_default(self, pair: dict[str, str], store_id: str) -> Action:
        return partial(default_memory_set, **pair, store_id=store_id, actor=self.actor)


@pytest.fixture
def world(alice: Tenant) -> World:
    return World(alice)


def refused(result: Any) -> bool:
    return isinstance(result, ServiceError)


def in_turn(number: int, *actions: Action) -> tuple[Action, ...]:
    return actions if number % 2 == 0 else actions[::-1]


def ordered(number: int, results: list[Any]) -> list[Any]:
    return results if number % 2 == 0 else results[::-1]


def test_first_sessions_make_one_default_and_no_other_store(world: World) -> None:
    pair = world.pair("ana")
    results = race(Identity.objects.filter(id=pair["identity_id"]), *[world.begin(pair)] * 6)
    assert not any(map(refused, results))
    assert Session.objects.count() == 6
    assert [mount.store_id for mount in Mount.objects.all()] == [store.id for store in MemoryStore.objects.all()]
    assert (Mount.objects.count(), MountChange.objects.count()) == (1, 1)


def test_a_first_session_and_a_store_made_as_default(world: World) -> None:
    def mounted(pair: dict[str, str]) -> str:
        with transaction.atomic():
            store = store_create(workspace_id=world.workspace_id, fields={"name": "mine"}, admin=False)
            ids = {"identity_id": pair["identity_id"], "template_id": pair["template_id"]}
            mounting.registered().mount(store=store, **ids, access="read_write", actor=world.actor)
        return store.id

    seen = set()
    for number in range(ROUNDS):
        pair = world.pair(f"u{number}")
        rows = Identity.objects.filter(id=pair["identity_id"])
        actions = in_turn(number, world.begin(pair), partial(mounted, pair))
        session, store = ordered(number, race(rows, *actions))
        assert not refused(session)
        assert Mount.objects.filter(identity=pair["identity_id"]).count() == 1
        seen.add(refused(store))
    assert MemoryStore.objects.count() == ROUNDS, "a refused store is not left behind"
    assert seen == {True, False}


def test_a_default_set_and_the_store_archived(world: World) -> None:
    pair, seen = world.pair("ana"), set()
    for number in range(ROUNDS):
        store_id = world.store()
        set_it = world.set_default(pair, store_id)
        archive = partial(store_archive, workspace_id=world.workspace_id, store_id=store_id)
        results = race(MemoryStore.objects.filter(id=store_id), *in_turn(number, set_it, archive))
        was_set, archived = ordered(number, results)
        assert refused(was_set) != refused(archived), "exactly one may be"
        store = MemoryStore.objects.get(id=store_id)
        assert (store.archived_at is None) == Mount.objects.filter(store=store).exists()
        seen.add(refused(archived))
    assert seen == {True, False}


def test_a_default_set_and_a_dreams_swap(world: World) -> None:
    pair, seen = world.pair("ana"), set()
    world.set_default(pair, world.store())()
    for number in range(ROUNDS):
        mount, chosen, dreamt = Mount.objects.get(), world.store(), world.store()

        def swap(mount: Mount = mount, dreamt: str = dreamt) -> bool:
            with transaction.atomic():
                actor = Actor.dream("drm_1")
                return mount_swap(mount_id=mount.pk, expected_revision=mount.revision, new_store_id=dreamt, actor=actor)

        rows = Mount.objects.filter(pk=mount.pk)
        was_set, swapped = ordered(number, race(rows, *in_turn(number, world.set_default(pair, chosen), swap)))
        after = Mount.objects.get()
        assert not refused(was_set)
        assert after.store_id == chosen, "the person's choice stands, before or after"
        assert after.revision == mount.revision + 1 + swapped
        seen.add(swapped)
    history = list(MountChange.objects.order_by("revision").values_list("revision", flat=True))
    assert history == list(range(1, Mount.objects.get().revision + 1))
    assert seen == {True, False}


def test_ten_read_only_mounts_whoever_asks(world: World) -> None:
    pair = world.pair("ana")
    stores = [world.store() for _ in range(MAX_READ_ONLY - 2)]
    for store_id in stores:
        mount_add(**pair, store_id=store_id)
    asked = [world.store() for _ in range(5)]
    actions = [partial(mount_add, **pair, store_id=store_id) for store_id in asked]
    results = race(Identity.objects.filter(id=pair["identity_id"]), *actions)
    assert [refused(each) for each in results].count(False) == 2
    assert Mount.objects.count() == MAX_READ_ONLY


def test_one_store_mounted_by_many_is_mounted_once(world: World) -> None:
    pair, store_id = world.pair("ana"), world.store()
    rows = Identity.objects.filter(id=pair["identity_id"])
    results = race(rows, *[partial(mount_add, **pair, store_id=store_id)] * 4)
    assert {each.pk for each in results} == {Mount.objects.get().pk}


def test_a_read_only_store_promoted_and_removed(world: World) -> None:
    seen = set()
    for number in range(ROUNDS):
        pair, store_id = world.pair(f"u{number}"), world.store()
        world.set_default(pair, world.store())()
        mount_add(**pair, store_id=store_id)
        remove = partial(mount_remove, **pair, store_id=store_id)
        rows = Mount.objects.filter(store=store_id)
        actions = in_turn(number, world.set_default(pair, store_id), remove)
        was_set, removed = ordered(number, race(rows, *actions))
        assert not refused(was_set)
        assert Mount.objects.get(identity=pair["identity_id"]).store_id == store_id
        seen.add(refused(removed))
    assert seen == {True, False}


def test_an_identity_deleted_as_its_first_session_begins(world: World) -> None:
    seen = set()
    for number in range(ROUNDS):
        pair = world.pair(f"u{number}")
        ids = {"workspace_id": world.workspace_id, "identity_id": pair["identity_id"]}
        delete = partial(identity_delete, **ids)
        rows = Identity.objects.filter(id=pair["identity_id"])
        session, deleted = ordered(number, race(rows, *in_turn(number, world.begin(pair), delete)))
        assert not refused(deleted)
        assert not Mount.objects.exists()
        assert Session.objects.filter(identity_id=pair["identity_id"]).exists() != refused(session)
        seen.add(refused(session))
    assert MemoryStore.objects.count() == Session.objects.count()
    assert seen == {True, False}


def test_events_of_many_senders_are_numbered_without_gaps(world: World) -> None:
    session = world.begin(world.pair("ana"))()

    def send(name: str) -> Any:
        events = [NewEvent("user.message", f"{name}{number}") for number in range(3)]
        return session_events_add(workspace_id=world.workspace_id, session_id=session.id, events=events)

    actions = [partial(send, name) for name in "abcd"]
    results = race(Session.objects.filter(id=session.id), *actions)
    assert not any(map(refused, results))
    rows = list(SessionEvent.objects.order_by("seq").values_list("seq", "content"))
    assert [seq for seq, _ in rows] == list(range(1, 13))
    texts = [str(content) for _, content in rows]
    assert sorted("".join(texts[start : start + 3]) for start in range(0, 12, 3)) == [f"{n}0{n}1{n}2" for n in "abcd"]
    assert Session.objects.get().event_count == 12


def test_a_session_deleted_as_events_come_in(world: World) -> None:
    pair, seen = world.pair("ana"), set()
    for number in range(ROUNDS):
        ids = {"workspace_id": world.workspace_id, "session_id": world.begin(pair)().id}
        send = partial(session_events_add, **ids, events=[NewEvent("user.message", "hi")])
        delete = partial(session_delete, **ids)
        rows = Session.objects.filter(id=ids["session_id"])
        sent, deleted = ordered(number, race(rows, *in_turn(number, send, delete)))
        assert not refused(deleted)
        assert not SessionEvent.objects.exists()
        seen.add(refused(sent))
    assert seen == {True, False}


def test_one_external_id_asked_for_by_many(world: World) -> None:
    fields = {"external_id": "ana"}
    create = partial(identity_create, workspace_id=world.workspace_id, fields=fields)
    with ThreadPoolExecutor(4) as pool:
        with transaction.atomic():
            # Not committed, and taken back in the end: the others wait to see whether the id is taken.
            Identity.objects.create(workspace_id=world.workspace_id, **fields)
            running = [pool.submit(outcome, create) for _ in range(4)]
            wait_for_waiters(4)
            transaction.set_rollback(True)
        results = [each.result(PATIENCE) for each in running]
    assert [refused(each) for each in results].count(False) == 1
    assert Identity.objects.count() == 1
