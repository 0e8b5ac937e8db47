"""Writers, redactions, deletions and sweeps at once.

Each test makes the one wait for the other before it lets go, so that the race did happen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random
from typing import TypeVar

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from dreamsvc.actors import Actor, ActorType
from dreamsvc.errors import InvalidRequest, NotFound, PathConflict
from dreamsvc.ids import API_KEY, new_id
from dreamsvc.sqlite import base as sqlite
from memorystores.models import Content, Memory, MemoryStore, MemoryVersion
from memorystores.purge import purge_orphan_content
from memorystores.services.memories import memory_create, memory_delete, memory_update
from memorystores.services.stores import store_archive, store_create, store_delete
from memorystores.services.versions import version_redact
from memorystores.services.writer import writing
from tests.conftest import Tenant
from tests.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
ACTOR = Actor(ActorType.API, new_id(API_KEY))
T = TypeVar("T")


class Crowd:
    """Threads with connections of their own."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(16)

    def start(self, work: Callable[[], T]) -> Future[T]:
        return self._pool.submit(self._closing, work)

    def close(self) -> None:
        self._pool.shutdown()

    @staticmethod
    def _closing(work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            connections.close_all()


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    made = Crowd()
    yield made
    made.close()


@pytest.fixture
def store(alice: Tenant) -> MemoryStore:
    return store_create(workspace_id=alice.workspace.id, fields={"name": "n"}, admin=False)


def blocked(number: int = 1) -> None:
    """Waits until so many others wait for a lock of ours."""
    until(lambda: _waiting() >= number)


def _waiting() -> int:
    if connection.vendor == "sqlite":
        return len(sqlite._turn._waiting)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def create(store: MemoryStore, path: str, text: str = "text") -> Memory:
    return memory_create(workspace_id=store.workspace_id, store_id=store.id, actor=ACTOR, path=path, text=text)


def edit(store: MemoryStore, memory_id: str, text: str | None = None, path: str | None = None) -> Memory:
    return memory_update(
        workspace_id=store.workspace_id, store_id=store.id, memory_id=memory_id, actor=ACTOR, text=text, path=path
    )


def check_counts(store: MemoryStore) -> None:
    row = MemoryStore.objects.get(id=store.id)
    sizes = list(Memory.objects.filter(store=store).values_list("content__size", flat=True))
    revisions = list(
        MemoryVersion.objects.filter(store=store).order_by("store_revision").values_list("store_revision", flat=True)
    )
    assert (row.entry_count, row.total_size) == (len(sizes), sum(sizes))
    assert revisions == list(range(1, row.revision + 1))


def superseded(store: MemoryStore, path: str, text: str) -> str:
    """A version that holds the text and is no head any more."""
    memory = create(store, path, text)
    edit(store, memory.id, text="harmless")
    return memory.version_id


def redact(store: MemoryStore, version_id: str) -> list[str]:
    done = version_redact(workspace_id=store.workspace_id, store_id=store.id, version_id=version_id, actor=ACTOR)
    return [version.id for version in done.also_in]


def test_of_many_writers_on_one_path_one_wins(store: MemoryStore, crowd: Crowd) -> None:
    def attempt() -> str:
        try:
            return create(store, "a").id
        except PathConflict as conflict:
            return f"lost to {conflict.extra['conflicting_memory_id']}"

    with transaction.atomic():
        MemoryStore.objects.locked(store.workspace_id, store.id)
        attempts = [crowd.start(attempt) for _ in range(6)]
        blocked(6)
    winner = Memory.objects.filter(store=store)
    results = sorted(each.result() for each in attempts)
    assert results == [f"lost to {winner.get().id}"] * 5 + [winner.get().id]
    check_counts(store)


def test_a_path_and_one_below_it(store: MemoryStore, crowd: Crowd) -> None:
    def attempt(path: str) -> bool:
        try:
            create(store, path)
        except PathConflict:
            return False
        return True

    with transaction.atomic():
        MemoryStore.objects.locked(store.workspace_id, store.id)
        attempts = [crowd.start(partial(attempt, path)) for path in ("a", "a/b", "a/b/c")]
        blocked(3)
    assert sum(each.result() for each in attempts) == 1


def test_revisions_are_dense_and_unique_and_counts_exact(store: MemoryStore, crowd: Crowd) -> None:
    """Six writers create, edit, rename and delete at random; conflicts are part of the life."""
    barrier = threading.Barrier(6)

    def life(seed: int) -> int:
        random, refused = Random(seed), 0
        barrier.wait()
        for _ in range(12):
            try:
                step(random)
            except (PathConflict, NotFound):
                refused += 1
        return refused

    def step(random: Random) -> None:
        path = f"{random.randrange(6)}"
        memory = Memory.objects.filter(store=store, path=f"/{path}").first()
        if memory is None:
            create(store, path, "x" * random.randrange(50))
        elif random.random() < 0.3:
            memory_delete(workspace_id=store.workspace_id, store_id=store.id, memory_id=memory.id, actor=ACTOR)
        elif random.random() < 0.5:
            edit(store, memory.id, text="y" * random.randrange(50))
        else:
            edit(store, memory.id, path=f"{random.randrange(6)}")

    lives = [crowd.start(partial(life, seed)) for seed in range(6)]
    assert sum(each.result() for each in lives) > 0, "nobody met anybody: no race"
    check_counts(store)


def test_a_text_being_written_survives_a_redaction_that_comes_meanwhile(store: MemoryStore, crowd: Crowd) -> None:
    old = superseded(store, "a", "secret")
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=ACTOR) as writer:
        made = writer.create(path="b", text="secret")
        redaction = crowd.start(lambda: redact(store, old))
        blocked()
    assert redaction.result() == [made.memory.version_id]
    assert Memory.objects.select_related("content").get(id=made.memory.id).content.text == "secret"
    assert MemoryVersion.objects.get(id=old).content_id is None


def test_a_text_being_redacted_is_written_anew(store: MemoryStore, crowd: Crowd) -> None:
    old = superseded(store, "a", "secret")
    before = Content.objects.get(text="secret").pk
    with transaction.atomic():
        assert redact(store, old) == []
        writer = crowd.start(lambda: create(store, "b", "secret"))
        blocked()
    memory = Memory.objects.select_related("content").get(id=writer.result().id)
    assert memory.content.text == "secret"
    assert memory.content_id != before
    check_counts(store)


def test_two_redactions_of_one_text(store: MemoryStore, crowd: Crowd) -> None:
    first, second = superseded(store, "a", "secret"), superseded(store, "b", "secret")
    with transaction.atomic():
        assert redact(store, first) == [second]
        other = crowd.start(lambda: redact(store, second))
        blocked()
    assert other.result() == []
    assert not Content.objects.filter(text="secret").exists()


def test_one_version_redacted_twice(store: MemoryStore, crowd: Crowd) -> None:
    old = superseded(store, "a", "secret")
    with transaction.atomic():
        redact(store, old)
        again = crowd.start(lambda: redact(store, old))
        blocked()
    assert again.result() == []
    assert MemoryVersion.objects.get(id=old).redacted_by == ACTOR.id


@pytest.mark.parametrize(("close", "refusal"), [(store_delete, NotFound), (store_archive, InvalidRequest)])
def test_a_write_that_waited_for_the_stores_end_is_refused(
    store: MemoryStore, crowd: Crowd, close: Callable[..., object], refusal: type[Exception]
) -> None:
    with transaction.atomic():
        close(workspace_id=store.workspace_id, store_id=store.id)
        writer = crowd.start(lambda: create(store, "a"))
        blocked()
    assert isinstance(writer.exception(), refusal)
    assert not Memory.objects.exists()


def test_a_deletion_waits_for_the_write_before_it(store: MemoryStore, crowd: Crowd) -> None:
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=ACTOR) as writer:
        writer.create(path="a", text="text")
        deletion = crowd.start(lambda: store_delete(workspace_id=store.workspace_id, store_id=store.id))
        blocked()
    deletion.result()
    row = MemoryStore.objects.get(id=store.id)
    assert (row.deleted_at is None, row.entry_count) == (False, 1)


def test_a_text_upserted_meanwhile_is_no_orphan(store: MemoryStore, crowd: Crowd) -> None:
    Content.objects.create(
        workspace_id=store.workspace_id,
        sha256="982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1",  # of "text"
        text="text",
        size=4,
        touched_at=timezone.now() - timedelta(hours=2),
    )
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=ACTOR) as writer:
        writer.create(path="a", text="text")
        sweep = crowd.start(purge_orphan_content)
        blocked()
    assert sweep.result() == 0
    assert Content.objects.get().memories.count() == 1
