"""The thread beside a dream, run as it is: real threads, a real database, short clocks."""

from __future__ import annotations

import threading

import pytest
from django.db import OperationalError, connection
from django.db.models.functions import Now
from pytest_django import Settings

from dreams.clock import NowPlus
from dreams.lifecycle import Claim, DreamQuerySet
from dreams.models import Dream
from dreams.status import Status
from tests.lifecycle.conftest import MakeDream
from tests.waiting import until
from workers import handover, heart
from workers.failures import Stopped
from workers.heart import Heart

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def short_clocks(settings: Settings) -> None:
    settings.DREAM_BEAT_SECONDS = 0.02
    settings.DREAM_LEASE_SECONDS = 20.0


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> bytearray:
    """The shared byte, of this test alone."""
    flag = bytearray(1)
    monkeypatch.setattr(handover, "_flag", flag)
    return flag


@pytest.fixture
def claim(make_dream: MakeDream) -> Claim:
    claim = Dream.objects.claim(make_dream().id)
    assert claim is not None
    return claim


def row() -> Dream:
    return Dream.objects.get()


def stopped(beating: Heart) -> bool:
    try:
        beating.touch()
    except Stopped:
        return True
    return False


def test_it_beats_while_the_main_thread_lives(claim: Claim) -> None:
    Dream.objects.update(lease_until=NowPlus(1))
    soon = row().lease_until
    assert soon is not None
    with Heart(claim) as beating:
        until(lambda: (row().lease_until or soon) > soon)
        beating.touch()
    assert row().status == "running"


def test_nothing_is_left_behind(claim: Claim) -> None:
    with Heart(claim) as beating:
        beating.touch()
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("heart")] == []
    if connection.vendor == "postgresql":
        until(lambda: backends() == 1)


def backends() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        count: int = cursor.fetchone()[0]
        return count


@pytest.mark.parametrize("end", ["canceled", "taken over"])
def test_it_tells_the_main_thread_that_the_dream_is_gone(claim: Claim, end: str) -> None:
    with Heart(claim) as beating:
        if end == "canceled":
            Dream.objects.update(status=Status.CANCELED, ended_at=Now(), lease_until=None)
        else:
            Dream.objects.update(attempt=2)
        until(lambda: stopped(beating))
    assert row().attempt == (1 if end == "canceled" else 2)


def test_a_stop_hands_the_dream_back(claim: Claim, stopping: bytearray, sent: list[str]) -> None:
    with Heart(claim) as beating:
        beating.touch()
        stopping[0] = 1
        until(lambda: stopped(beating))
    assert sent == [claim.dream_id]
    assert row().lost == 0
    assert Dream.objects.claim(claim.dream_id) is not None


def test_an_exit_of_the_process_hands_the_dream_back(claim: Claim, sent: list[str]) -> None:
    with pytest.raises(SystemExit), Heart(claim):
        raise SystemExit(0)
    assert sent == [claim.dream_id]
    assert row().lost == 0


def test_an_exit_in_the_middle_of_a_statement(claim: Claim, sent: list[str]) -> None:
    """The main thread's connection is of no use then."""
    connection.ensure_connection()
    connection.connection.close()
    with pytest.raises(SystemExit), Heart(claim):
        raise SystemExit(0)
    connection.close()
    assert sent == [claim.dream_id]
    assert row().lost == 0


def test_a_bug_does_not(claim: Claim, sent: list[str]) -> None:
    with pytest.raises(ValueError, match="bug"), Heart(claim):
        raise ValueError("bug")
    assert (sent, row().lost) == ([], 1)


def test_a_hung_main_thread_is_not_kept_alive(claim: Claim, settings: Settings) -> None:
    settings.DREAM_STALL_SECONDS = 0.2
    with Heart(claim) as beating:
        until(lambda: beating._lost.is_set())
        Dream.objects.update(lease_until=NowPlus(-1))
        assert Dream.objects.claim(claim.dream_id) is not None
        with pytest.raises(Stopped):
            beating.touch()


def test_a_step_keeps_it_alive(claim: Claim, settings: Settings) -> None:
    settings.DREAM_STALL_SECONDS = 0.5
    with Heart(claim) as beating:
        for _ in range(20):
            threading.Event().wait(0.05)
            beating.touch()


class Trouble:
    """A database that fails a number of beats, and then is back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.left = times
        self.beats = 0
        self._beat = DreamQuerySet.beat
        monkeypatch.setattr(DreamQuerySet, "beat", lambda dreams, claim: self.beat(dreams, claim))

    def beat(self, dreams: DreamQuerySet, claim: Claim) -> bool:
        if self.left > 0:
            self.left -= 1
            raise OperationalError("server closed the connection unexpectedly")
        self.beats += 1
        return self._beat(dreams, claim)


def test_a_database_error_is_not_no_row(claim: Claim, monkeypatch: pytest.MonkeyPatch) -> None:
    trouble = Trouble(monkeypatch, times=5)
    with Heart(claim) as beating:
        until(lambda: trouble.beats > 0)
        beating.touch()


def test_without_a_beat_for_a_lease_it_stops(claim: Claim, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.DREAM_LEASE_SECONDS = 0.3
    Trouble(monkeypatch, times=10_000)
    with Heart(claim) as beating:
        until(lambda: stopped(beating))


def test_the_database_cuts_the_connection(claim: Claim) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connection to cut")
    with Heart(claim) as beating:
        until(lambda: backends() == 2)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        Dream.objects.update(lease_until=NowPlus(1))
        soon = row().lease_until
        assert soon is not None
        until(lambda: (row().lease_until or soon) > soon)
        beating.touch()


def test_the_ticks_are_short_enough_for_a_hand_over() -> None:
    assert heart.TICK_SECONDS <= 0.1
