"""The SQLite backend: writers come first, first served, and nobody is told that the database is locked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction

from dreamsvc.models import Workspace
from dreamsvc.sqlite import base
from dreamsvc.sqlite.turn import WriteTurn

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="the backend of SQLite")
WRITERS = 8
ROUNDS = 25


def in_threads(count: int, work: Callable[[int], None]) -> None:
    """Runs `work` in so many threads that start together; raises what one of them raised."""
    barrier = threading.Barrier(count)

    def one(index: int) -> None:
        try:
            barrier.wait(10)
            work(index)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(one, index) for index in range(count)]:
            done.result()


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_the_database_is_in_wal_mode_and_a_file() -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert Path(connection.settings_dict["NAME"]).is_file()


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_eight_writers_and_a_long_transaction_among_them() -> None:
    counter = Workspace.objects.create(name="0")

    def write(index: int) -> None:
        # SQLite itself does not wait: whoever is not in turn fails at once.
        connection.cursor().execute("PRAGMA busy_timeout = 0")
        for _ in range(ROUNDS):
            with transaction.atomic():
                count = int(Workspace.objects.get(id=counter.id).name)
                if index == 0:  # the long one: many statements, as when a dream is applied
                    Workspace.objects.bulk_create([Workspace(name=f"{count}/{n}") for n in range(200)])
                    Workspace.objects.filter(name__startswith=f"{count}/").delete()
                Workspace.objects.filter(id=counter.id).update(name=str(count + 1))

    in_threads(WRITERS, write)
    counter.refresh_from_db()
    assert int(counter.name) == WRITERS * ROUNDS


def raises() -> None:
    with transaction.atomic():
        Workspace.objects.create(name="a")
        raise ZeroDivisionError


def violates_a_constraint() -> None:
    with transaction.atomic():
        Workspace.objects.bulk_create([Workspace(name="b"), Workspace(name="b")])


def closes_its_connection() -> None:
    with transaction.atomic():
        Workspace.objects.create(name="c")
        connection.close()


def rolls_back() -> None:
    with transaction.atomic():
        Workspace.objects.create(name="d")
        transaction.set_rollback(True)


@sqlite_only
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ending", [raises, violates_a_constraint, closes_its_connection, rolls_back])
def test_the_turn_comes_back_however_a_transaction_ends(ending: Callable[[], None]) -> None:
    with suppress(ZeroDivisionError, IntegrityError):
        ending()
    assert base._turn.take(0)
    base._turn.give_back()
    assert not Workspace.objects.exists()
    with transaction.atomic():
        Workspace.objects.create(name="after")


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_turn_that_does_not_come_is_a_database_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "TURN_SECONDS", 0.01)
    assert base._turn.take(1)
    try:
        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            raise AssertionError("not reached")
    finally:
        base._turn.give_back()
    with transaction.atomic():
        Workspace.objects.create(name="after")


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_readers_do_not_wait_for_a_writer() -> None:
    Workspace.objects.create(name="before")
    seen: list[list[str]] = []
    with transaction.atomic():
        Workspace.objects.update(name="after")
        in_threads(3, lambda _: seen.append(list(Workspace.objects.values_list("name", flat=True))))
    assert seen == [["before"]] * 3


@pytest.fixture
def turn() -> WriteTurn:
    return WriteTurn()


def test_first_come_first_served(turn: WriteTurn) -> None:
    order: list[int] = []
    assert turn.take(0)

    def wait(index: int) -> None:
        assert turn.take(10)
        order.append(index)
        turn.give_back()

    threads = []
    for index in range(6):
        threads.append(threading.Thread(target=wait, args=(index,)))
        threads[-1].start()
        while len(turn._waiting) <= index:  # until it stands in the queue
            threads[-1].join(0.001)
    turn.give_back()
    for thread in threads:
        thread.join(10)
    assert order == list(range(6))


def test_who_gives_up_leaves_the_queue(turn: WriteTurn) -> None:
    assert turn.take(0)
    assert not turn.take(0.01)
    assert not turn._waiting
    turn.give_back()
    assert turn.take(0)


def test_a_turn_that_comes_at_the_last_moment_is_taken(turn: WriteTurn) -> None:
    assert turn.take(0)
    late = threading.Event()
    turn._waiting.append(late)
    turn.give_back()  # hands it to the one who has just timed out
    assert turn._too_late(late)
    assert not turn.take(0)
