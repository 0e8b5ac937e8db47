from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from dreams.clock import NowPlus
from dreams.lifecycle import Claim, DreamQuerySet
from dreams.models import Dream
from dreamsvc.models import Workspace
from tests.races.conftest import Crew

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("races")]
THREADS = 8


def pending(workspace: Workspace, count: int) -> list[str]:
    rows = [
        Dream(workspace=workspace, created_by="apikey_x", inputs=[], primary_store_id="memstore_x")
        for _ in range(count)
    ]
    Dream.objects.bulk_create(rows)
    return [row.id for row in rows]


def winners(crew: Crew, dream_id: str) -> list[int]:
    """The threads that got the dream."""
    claims = crew.together(*[partial(Dream.objects.claim, dream_id)] * THREADS)
    return [number for number, claim in enumerate(claims) if isinstance(claim, Claim)]


@pytest.mark.parametrize("lapsed", [False, True])
def test_one_dream_has_one_worker(crew: Crew, workspace: Workspace, lapsed: bool) -> None:
    first: set[int] = set()
    for _ in range(40):
        (dream_id,) = pending(workspace, 1)
        if lapsed:
            assert Dream.objects.claim(dream_id)
            Dream.objects.filter(id=dream_id).update(lease_until=NowPlus(-1))
        won = winners(crew, dream_id)
        assert len(won) == 1
        first.update(won)
        assert Dream.objects.get(id=dream_id).attempt == (2 if lapsed else 1)
        Dream.objects.all()._raw_delete("default")
    assert len(first) > 1  # it was a race: not always the same thread


def running_after_a_rush(crew: Crew, workspace: Workspace) -> int:
    ids = pending(workspace, THREADS)
    crew.together(*[partial(Dream.objects.claim, dream_id) for dream_id in ids])
    running: int = Dream.objects.filter(status="running").count()
    Dream.objects.all()._raw_delete("default")
    return running


def test_a_workspace_runs_no_more_than_it_may(crew: Crew, workspace: Workspace) -> None:
    assert {running_after_a_rush(crew, workspace) for _ in range(40)} == {4}


def test_control_without_the_workspaces_lock(crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlocked(self: Any, workspace_id: str, dream_id: str) -> bool:
        return bool(self.filter(workspace_id=workspace_id, status="running").exclude(id=dream_id).count() < 4)

    monkeypatch.setattr(DreamQuerySet, "_may_run", unlocked)
    assert max(running_after_a_rush(crew, workspace) for _ in range(40)) > 4


def test_sweeps_share_the_messages_out(crew: Crew, workspace: Workspace) -> None:
    shared = 0
    for _ in range(20):
        ids = pending(workspace, 60)
        parts = crew.together(*[Dream.objects.nudge] * 4)
        sent = [dream_id for part in parts for dream_id in part]
        assert sorted(sent) == sorted(ids)  # each once
        shared += min(len(part) for part in parts) < len(ids)
        Dream.objects.all()._raw_delete("default")
    assert shared
