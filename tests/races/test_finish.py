"""An apply against whoever ends, replaces or closes what it works on."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from dreams.clock import NowPlus
from dreams.ending import Result
from dreams.lifecycle import DreamQuerySet
from dreams.models import Dream
from dreams.services import dream_cancel
from dreamsvc.models import Workspace
from identities.models import Mount
from identities.services.defaults import mount_swap
from memorystores.models import MemoryStore
from memorystores.services.stores import store_archive, store_delete, store_update
from tests.lifecycle.pairs import new_pair, replace_default
from tests.lifecycle.stores import new_dream, new_store
from tests.races.conftest import Crew
from tests.races.rounds import NOTES, Planned, consistent, outputs_of, planned, round_of, set_ports
from workers import apply, records
from workers.failures import Stopped
from workers.job import Job

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("races")]
ROUNDS = int(os.environ.get("RACE_ROUNDS", "25"))
LONGEST = 0.06
"""Seconds after which the rival strikes at the latest: about what an apply takes."""


@pytest.fixture(autouse=True)
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    set_ports(monkeypatch)


class Rival:
    """Strikes at another moment of each apply, sweeping from its start to its end."""

    def __init__(self) -> None:
        self.longest = LONGEST
        self.random = random.Random(7)

    def after_a_while(self, strike: Callable[[], Any]) -> Callable[[], Any]:
        pause = self.random.uniform(0, self.longest)

        def wait_and_strike() -> Any:
            time.sleep(pause)  # not for luck: to meet the apply at all its points
            return strike()

        return wait_and_strike

    def learn(self, seconds: float) -> None:
        """How long the last apply took."""
        self.longest = 1.2 * seconds


@pytest.fixture
def rival() -> Rival:
    return Rival()


def race(crew: Crew, rival: Rival, dream: Planned, strike: Callable[[], Any]) -> Any:
    """The rival's answer."""

    def timed() -> None:
        start = time.monotonic()
        dream.apply()
        rival.learn(time.monotonic() - start)

    done, answer = crew.together(timed, rival.after_a_while(strike))
    assert done is None, done
    return answer


def always(*args: Any, **kwargs: Any) -> bool:
    """A fence that lets everybody pass."""
    return True


def never(*args: Any, **kwargs: Any) -> None:
    """A step that is left out."""


class TestCancel:
    def rounds(self, crew: Crew, rival: Rival, workspace: Workspace) -> Counter[tuple[str, bool]]:
        """How dreams ended, and whether status and output agree."""
        seen: Counter[tuple[str, bool]] = Counter()
        for _ in range(ROUNDS):
            store, dream = round_of(workspace)
            race(crew, rival, dream, partial(dream_cancel, workspace_id=workspace.id, dream_id=dream.id))
            seen[dream.again().status, consistent(store, dream.again())] += 1
        return seen

    def test_ended_once(self, crew: Crew, rival: Rival, workspace: Workspace) -> None:
        seen = self.rounds(crew, rival, workspace)
        assert seen.keys() == {("completed", True), ("canceled", True)}, seen

    def test_control_an_end_that_is_not_asked(
        self, crew: Crew, rival: Rival, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        original = apply._end

        def unasked(*args: Any) -> None:
            try:
                original(*args)
            except Stopped:
                return

        monkeypatch.setattr(apply, "_end", unasked)
        monkeypatch.setattr(DreamQuerySet, "hold", always)
        assert ("canceled", False) in self.rounds(crew, rival, workspace)


class TestMount:
    @pytest.fixture(params=["replaced", "and back"])
    def back(self, request: pytest.FixtureRequest) -> bool:
        return bool(request.param == "and back")

    def rounds(self, crew: Crew, rival: Rival, workspace: Workspace, back: bool) -> Counter[tuple[str, bool]]:
        """How dreams ended, and whether the mount is whose it must be."""
        seen: Counter[tuple[str, bool]] = Counter()
        other = new_store(workspace, {"/x.md": "x\n"})
        for number in range(ROUNDS):
            store = new_store(workspace, NOTES)
            mount = new_pair(workspace, store, f"pair-{number}")
            dream = planned(new_dream(store, mount=mount))

            def replace(mount: Mount = mount, store: MemoryStore = store) -> None:
                replace_default(mount, other)
                if back:
                    replace_default(mount, store)

            race(crew, rival, dream, replace)
            row = dream.again()
            history = list(mount.changes.order_by("revision").values_list("store_id", flat=True))
            ours = [row.output_store_id] if row.status == "completed" else []
            expected = [store.id, *ours, other.id, *([store.id] if back else [])]
            seen[row.error_code or row.status, consistent(store, row) and history == expected] += 1
            Mount.objects.filter(pk=mount.pk).update(store=store)
        return seen

    def test_the_newer_mount_stays(self, crew: Crew, rival: Rival, workspace: Workspace, back: bool) -> None:
        seen = self.rounds(crew, rival, workspace, back)
        assert seen.keys() == {("completed", True), ("memory_changed_during_dream", True)}, seen

    def test_control_whatever_the_revision(
        self, crew: Crew, rival: Rival, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By the store that is mounted instead of by the revision, a change there and back is not seen."""

        def by_store(*, mount_id: int, expected_revision: int, new_store_id: str, actor: Any) -> bool:
            mount = Mount.objects.get(pk=mount_id)
            was = mount.changes.order_by("revision").values_list("store_id", flat=True)[0]
            if mount.store_id != was:
                return False
            return mount_swap(
                mount_id=mount_id, expected_revision=mount.revision, new_store_id=new_store_id, actor=actor
            )

        monkeypatch.setattr(apply, "mount_swap", by_store)
        seen = self.rounds(crew, rival, workspace, True)
        assert ("completed", False) in seen, seen


def test_two_dreams_of_one_mount(crew: Crew, workspace: Workspace) -> None:
    winners: Counter[int] = Counter()
    for number in range(ROUNDS):
        store = new_store(workspace, NOTES)
        mount = new_pair(workspace, store, f"pair-{number}")
        dreams = [planned(new_dream(store, mount=mount)) for _ in range(2)]
        assert crew.together(*[dream.apply for dream in dreams]) == [None, None]
        rows = [dream.again() for dream in dreams]
        ends = sorted((row.status, row.error_code) for row in rows)
        assert ends == [("completed", None), ("failed", "memory_changed_during_dream")]
        winner = next(row for row in rows if row.status == "completed")
        mount.refresh_from_db()
        assert [mount.store_id] == [winner.output_store_id] == outputs_of(store)
        winners[rows.index(winner)] += 1
    assert len(winners) == 2  # it was a race


class TestZombie:
    """A worker that was thought dead wakes up in its apply, while another one has taken its dream over."""

    def rounds(self, crew: Crew, workspace: Workspace) -> Counter[tuple[int, int]]:
        """Attempts that completed, and outputs that are there."""
        seen: Counter[tuple[int, int]] = Counter()
        for _ in range(ROUNDS):
            store, zombie = round_of(workspace)
            Dream.objects.filter(id=zombie.id).update(lease_until=NowPlus(-1))
            successor = planned(zombie.again())
            assert crew.together(zombie.apply, successor.apply) == [None, None]
            row = zombie.again()
            assert row.status == "completed"
            seen[row.attempt, len(outputs_of(store))] += 1
        return seen

    def test_one_output(self, crew: Crew, workspace: Workspace) -> None:
        assert self.rounds(crew, workspace).keys() == {(2, 1)}

    def test_control_without_the_attempt(
        self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without the unique rows of a dream's journal and plan either, which would stop the second one as well."""

        def unfenced(job: Job, ending: Result) -> None:
            Dream.objects.filter(id=job.dream.id).update(
                status="completed", ended_at=Now(), lease_until=None, output_store_id=ending.output_store_id
            )

        monkeypatch.setattr(records, "operations_write", never)
        monkeypatch.setattr(records, "journal_write", never)
        monkeypatch.setattr(apply, "_end", unfenced)
        monkeypatch.setattr(DreamQuerySet, "hold", always)
        assert (2, 2) in self.rounds(crew, workspace)


def archive(store: MemoryStore) -> None:
    store_archive(workspace_id=store.workspace_id, store_id=store.id)


def delete(store: MemoryStore) -> None:
    store_delete(workspace_id=store.workspace_id, store_id=store.id)


def close(store: MemoryStore) -> None:
    fields: Any = {"trust_tier": "legal"}
    store_update(workspace_id=store.workspace_id, store_id=store.id, fields=fields, admin=True)


class TestClosing:
    """The input is archived, deleted or closed by its policy."""

    def rounds(
        self, crew: Crew, rival: Rival, workspace: Workspace, act: Callable[[MemoryStore], None]
    ) -> Counter[tuple[str, bool]]:
        """How dreams ended, and whether none completed after the change was committed."""
        seen: Counter[tuple[str, bool]] = Counter()
        for _ in range(ROUNDS):
            store, dream = round_of(workspace)

            def strike(store: MemoryStore = store) -> Any:
                act(store)
                return clock()

            committed = race(crew, rival, dream, strike)
            row = dream.again()
            in_order = row.status != "completed" or (row.ended_at is not None and row.ended_at <= committed)
            seen[row.error_type or row.status, in_order and consistent(store, row)] += 1
        return seen

    @pytest.mark.parametrize(
        ("act", "error"),
        [
            (archive, "input_memory_store_unavailable"),
            (delete, "input_memory_store_unavailable"),
            (close, "conflict"),
        ],
    )
    def test_no_output_afterwards(
        self, crew: Crew, rival: Rival, workspace: Workspace, act: Callable[[MemoryStore], None], error: str
    ) -> None:
        seen = self.rounds(crew, rival, workspace, act)
        assert seen.keys() == {("completed", True), (error, True)}, seen

    def test_control_not_asked_again(
        self, crew: Crew, rival: Rival, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(apply, "check_store", lambda store, policy_revision: store)
        assert ("completed", False) in self.rounds(crew, rival, workspace, close)


def clock() -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]
