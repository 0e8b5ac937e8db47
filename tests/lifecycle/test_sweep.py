from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.db.models import F
from django.db.models.functions import Now

from dreams import queue
from dreams.clock import NowPlus
from dreams.ending import DreamError, dream_end
from dreams.lifecycle import NUDGE_BATCH
from dreams.models import Dream
from dreams.status import ErrorType, Status
from dreamsvc.models import Workspace
from tests.lifecycle.conftest import MakeDream
from workers.sweep import sweep

LAPSED = NowPlus(-0.05)


def now() -> datetime:
    moment: datetime = Dream.objects.values_list(Now(), flat=True)[0]
    return moment


def dream_due(dream: Dream) -> datetime:
    return Dream.objects.values_list("nudge_at", flat=True).get(id=dream.id)


def error_of(dream: Dream) -> tuple[str, str | None, str | None]:
    dream.refresh_from_db()
    return dream.status, dream.error_type, dream.error_code


def test_pending_is_sent_at_once_and_then_less_and_less_often(make_dream: MakeDream, sent: list[str]) -> None:
    dream = make_dream()
    waits = []
    for _ in range(7):
        sweep()
        waits.append(round((dream_due(dream) - now()).total_seconds()))
        Dream.objects.update(nudge_at=Now())
    assert sent == [dream.id] * 7
    assert waits == [30, 60, 120, 240, 300, 300, 300]


def test_nothing_is_sent_before_it_is_due(make_dream: MakeDream, sent: list[str]) -> None:
    make_dream()
    for _ in range(5):
        sweep()
    assert len(sent) == 1


def test_ten_minutes_of_many_pending_dreams(make_dream: MakeDream, sent: list[str]) -> None:
    """Every row is made ten seconds older per tick, as a tick ten seconds later would find it."""
    for _ in range(30):
        make_dream()
    for _ in range(60):
        sweep()
        Dream.objects.update(nudge_at=F("nudge_at") - timedelta(seconds=10))
    assert 30 * 4 <= len(sent) <= 30 * 6


def test_lapsed_is_sent_and_held_is_not(make_dream: MakeDream, sent: list[str]) -> None:
    make_dream(Status.RUNNING)
    lapsed = make_dream(Status.RUNNING, lease_until=LAPSED)
    sweep()
    assert sent == [lapsed.id]


def test_a_claim_makes_the_next_loss_due_at_once(make_dream: MakeDream, sent: list[str]) -> None:
    dream = make_dream(nudges=4, nudge_at=NowPlus(300))
    assert Dream.objects.claim(dream.id)
    Dream.objects.update(lease_until=LAPSED)
    sweep()
    assert sent == [dream.id]


def test_overdue(make_dream: MakeDream, sent: list[str]) -> None:
    held = make_dream(Status.RUNNING, deadline_at=LAPSED)
    lost = make_dream(Status.RUNNING, deadline_at=LAPSED, lease_until=LAPSED, lost=3)
    sweep()
    assert error_of(held) == ("failed", "timeout", None)
    assert error_of(lost) == ("failed", "timeout", None)


def test_lost_three_times(make_dream: MakeDream, sent: list[str]) -> None:
    lost = make_dream(Status.RUNNING, lease_until=LAPSED, lost=3)
    running = make_dream(Status.RUNNING, lost=3)
    twice = make_dream(Status.RUNNING, lease_until=LAPSED, lost=2)
    sweep()
    assert error_of(lost) == ("failed", "internal_error", "worker_lost")
    assert error_of(running)[0] == "running"
    assert error_of(twice)[0] == "running"
    assert sent == [twice.id]


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.FAILED, Status.CANCELED])
def test_ended_dreams_are_left_alone(make_dream: MakeDream, sent: list[str], status: Status) -> None:
    make_dream(status, deadline_at=LAPSED, lost=3, attempt=3)
    before = Dream.objects.values().get()
    sweep()
    assert Dream.objects.values().get() == before
    assert sent == []


def test_a_round_is_bounded(make_dream: MakeDream, sent: list[str]) -> None:
    for _ in range(NUDGE_BATCH + 10):
        make_dream()
    sweep()
    assert len(set(sent)) == len(sent) == NUDGE_BATCH
    sweep()
    assert len(set(sent)) == NUDGE_BATCH + 10


def test_a_broker_that_is_away_puts_nothing_off(make_dream: MakeDream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "outage", queue.Outage())
    for _ in range(3):
        make_dream()
    tried: list[str] = []

    def refuse(dream_id: str) -> bool:
        tried.append(dream_id)
        return False

    monkeypatch.setattr("dreams.queue.send", refuse)
    for _ in range(3):
        sweep()
    assert {dream.nudges for dream in Dream.objects.all()} == {0}
    assert len(tried) == 9
    queue.outage.begin()
    sweep()
    assert len(tried) == 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("status", [Status.COMPLETED, Status.FAILED, Status.CANCELED])
def test_an_end_sends_the_workspaces_oldest_pending(make_dream: MakeDream, sent: list[str], status: Status) -> None:
    dream = make_dream(Status.RUNNING)
    make_dream(workspace=Workspace.objects.create(name="other"))
    oldest, _ = make_dream(), make_dream()
    error = DreamError(ErrorType.INTERNAL, "x") if status == Status.FAILED else None
    assert dream_end(dream_id=dream.id, status=status, error=error)
    assert not dream_end(dream_id=dream.id, status=status, error=error)
    assert sent == [oldest.id]


def test_waits_grow(make_dream: MakeDream, sent: list[str]) -> None:
    dream = make_dream()
    dues = []
    for _ in range(5):
        sweep()
        dues.append(dream_due(dream) - now())
        Dream.objects.update(nudge_at=Now())
    assert all(later > sooner for sooner, later in pairwise(dues))
