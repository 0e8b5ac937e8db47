from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from dreams.clock import NowPlus
from dreams.lifecycle import Claim
from dreams.models import Dream
from dreams.status import Status
from dreamsvc.models import Workspace
from tests.lifecycle.conftest import MakeDream

LAPSED = NowPlus(-0.05)


def claimed(dream: Dream) -> Claim:
    claim = Dream.objects.claim(dream.id)
    assert claim is not None
    return claim


def test_a_claim_starts_the_clocks(make_dream: MakeDream, settings: Settings) -> None:
    claim = claimed(make_dream())
    row = Dream.objects.get(id=claim.dream_id)
    now = Dream.objects.values_list(Now(), flat=True).get()
    assert (row.status, row.attempt, row.lost) == ("running", 1, 1)
    assert row.started_at is not None
    assert row.lease_until is not None
    assert row.deadline_at is not None
    near = timedelta(seconds=5)
    assert abs(row.lease_until - now - timedelta(seconds=settings.DREAM_LEASE_SECONDS)) < near
    assert abs(row.deadline_at - now - timedelta(seconds=settings.DREAM_DEADLINE_SECONDS)) < near


def test_a_held_dream_is_not_to_be_had(make_dream: MakeDream) -> None:
    dream = make_dream()
    claimed(dream)
    assert Dream.objects.claim(dream.id) is None


def test_a_lapsed_one_is_taken_over_once_and_keeps_its_deadline(make_dream: MakeDream) -> None:
    first = claimed(make_dream())
    before = Dream.objects.get(id=first.dream_id)
    Dream.objects.update(lease_until=LAPSED, progress={"phase": "dedup", "done": 1, "total": 2})
    second = claimed(before)
    row = Dream.objects.get(id=first.dream_id)
    assert (second.attempt, row.lost, row.progress) == (2, 2, None)
    assert (row.deadline_at, row.started_at) == (before.deadline_at, before.started_at)
    assert Dream.objects.claim(first.dream_id) is None
    assert not Dream.objects.beat(first)
    assert not Dream.objects.hold(first, progress={"phase": "late"})
    assert not Dream.objects.release(first)
    assert Dream.objects.beat(second)


def test_an_unknown_dream(workspace: Workspace) -> None:
    assert Dream.objects.claim("drm_0") is None


def test_lost_too_often(make_dream: MakeDream) -> None:
    dream = make_dream(Status.RUNNING, lost=3, lease_until=LAPSED)
    assert Dream.objects.claim(dream.id) is None


def test_overdue(make_dream: MakeDream) -> None:
    dream = make_dream(Status.RUNNING, lease_until=LAPSED, deadline_at=LAPSED)
    assert Dream.objects.claim(dream.id) is None


@pytest.mark.parametrize("others", [Status.RUNNING, "lapsed"])
def test_a_workspace_runs_four(make_dream: MakeDream, others: str) -> None:
    lease = LAPSED if others == "lapsed" else NowPlus(30)
    running = [make_dream(Status.RUNNING, lease_until=lease) for _ in range(4)]
    waiting = make_dream()
    assert Dream.objects.claim(waiting.id) is None
    if others == "lapsed":  # taking one over makes no fifth
        claimed(running[0])
    Dream.objects.filter(id=running[1].id).update(status="canceled", ended_at=Now(), lease_until=None)
    claimed(waiting)


def test_other_workspaces_do_not_count(make_dream: MakeDream) -> None:
    other = Workspace.objects.create(name="other")
    for _ in range(4):
        make_dream(Status.RUNNING, workspace=other)
    claimed(make_dream())


def test_a_beat_renews_even_a_lapsed_lease(make_dream: MakeDream) -> None:
    claim = claimed(make_dream())
    Dream.objects.update(lease_until=LAPSED)
    assert Dream.objects.beat(claim)
    assert Dream.objects.claim(claim.dream_id) is None


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.FAILED, Status.CANCELED])
def test_an_ended_dream_is_held_by_nobody(make_dream: MakeDream, status: Status) -> None:
    dream = make_dream(status, attempt=1)
    claim = Claim(dream.id, dream.workspace_id, 1)
    assert not Dream.objects.beat(claim)
    assert not Dream.objects.hold(claim)
    assert not Dream.objects.release(claim)


def test_a_release_hands_back_once(make_dream: MakeDream) -> None:
    claim = claimed(make_dream())
    assert Dream.objects.release(claim)
    assert not Dream.objects.release(claim)
    assert Dream.objects.get().lost == 0
    assert claimed(Dream.objects.get()).attempt == 2


def test_many_hand_overs_are_no_loss(make_dream: MakeDream) -> None:
    dream = make_dream()
    for _ in range(5):
        assert Dream.objects.release(claimed(dream))
    assert claimed(dream).attempt == 6


def test_void_leases_stay_counted(make_dream: MakeDream) -> None:
    claim = claimed(make_dream())
    make_dream(Status.COMPLETED)
    assert Dream.objects.void_leases() == 1
    assert Dream.objects.get(id=claim.dream_id).lost == 1
    claimed(Dream.objects.get(id=claim.dream_id))
