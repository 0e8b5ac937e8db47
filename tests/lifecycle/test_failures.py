"""A dream whose inputs are gone or changed ends as failed, says why, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from pytest_django import Settings

from dreams.clock import NowPlus
from dreams.models import Dream, DreamOperation, JournalEntry, Lineage
from dreams.services import dream_cancel
from dreamsvc.models import Workspace
from identities.models import Mount, Session
from memorystores.models import MemoryStore
from memorystores.services.stores import store_archive, store_delete, store_update
from tests.lifecycle.pairs import default_of, new_pair, replace_default
from tests.lifecycle.stores import claimed, ended, new_dream, new_store, output, texts
from workers import apply, pipeline
from workers.apply import dream_apply
from workers.engine import dream as engine
from workers.failures import Stopped
from workers.heart import Heart
from workers.job import Job

FACT = "The invoice run starts on the 5th of the month.\n"
NOTES = {"/a.md": FACT, "/b.md": FACT}
UNAVAILABLE = "input_memory_store_unavailable"
Meanwhile = Callable[[], Any]
MOMENTS = ("pending", "running", "applying")


@pytest.fixture
def store(workspace: Workspace) -> MemoryStore:
    return new_store(workspace, NOTES)


def run(dream: Dream, moment: str, meanwhile: Meanwhile, monkeypatch: pytest.MonkeyPatch) -> Dream:
    """The dream after a run in which something happened while it was pending, running, or about to be applied."""
    if moment == "pending":
        meanwhile()
    elif moment == "running":
        original = engine.run

        def disturbed(*args: Any) -> Any:
            meanwhile()
            return (yield from original(*args))

        monkeypatch.setattr(engine, "run", disturbed)
    else:

        def disturbed_apply(job: Job, heart: Heart) -> None:
            meanwhile()
            dream_apply(job, heart)

        return ended(dream, apply=disturbed_apply)
    return ended(dream)


def failed(dream: Dream, type: str, code: str | None = None) -> bool:
    """It failed so, and nothing of an output is to be found."""
    assert (dream.status, dream.error_type, dream.error_code) == ("failed", type, code)
    assert dream.error_message
    assert dream.output_store_id is None
    assert not DreamOperation.objects.filter(dream=dream).exists()
    assert not JournalEntry.objects.filter(dream=dream).exists()
    assert not Lineage.objects.filter(dream=dream).exists()
    return not MemoryStore.objects.filter(derived_from=dream.primary_store_id).exists()


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("end", [store_archive, store_delete])
def test_store_gone(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, end: Any, moment: str, in_place: bool
) -> None:
    dream = new_dream(store, in_place=in_place)

    def gone() -> None:
        end(workspace_id=store.workspace_id, store_id=store.id)

    assert failed(run(dream, moment, gone, monkeypatch), UNAVAILABLE)
    assert texts(store.id) == NOTES


@pytest.mark.parametrize("fields", [{"trust_tier": "legal"}, {"protected_paths": ["/a.md"]}, {"decay": "ladder"}])
@pytest.mark.parametrize("moment", ["running", "applying"])
def test_policy_changed(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, fields: Any, moment: str
) -> None:
    def change() -> None:
        store_update(workspace_id=store.workspace_id, store_id=store.id, fields=fields, admin=True)

    assert failed(run(new_dream(store), moment, change, monkeypatch), "conflict")


def test_policy_changed_before_the_run(store: MemoryStore, sent: list[str]) -> None:
    dream = new_dream(store)
    store_update(workspace_id=store.workspace_id, store_id=store.id, fields={"decay": "ladder"}, admin=True)
    assert output(ended(dream)) == {"/b.md": FACT}


@pytest.mark.parametrize("moment", MOMENTS)
def test_session_deleted(
    workspace: Workspace, store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    sessions = [Session.objects.create(workspace=workspace) for _ in range(2)]
    dream = new_dream(store, sessions=[session.id for session in sessions])
    gone = sessions[1].id
    dream = run(dream, moment, lambda: Session.objects.filter(id=gone).delete(), monkeypatch)
    assert failed(dream, "input_session_unavailable")
    assert gone in dream.error_message


def test_too_large(store: MemoryStore, sent: list[str], settings: Settings) -> None:
    settings.STORE_MAX_MEMORIES = 1
    assert failed(ended(new_dream(store)), "input_memory_store_too_large")
    settings.STORE_MAX_MEMORIES, settings.STORE_MAX_BYTES = 10, 10
    assert failed(ended(new_dream(store)), "input_memory_store_too_large")


def changes(mount: Mount, workspace: Workspace) -> dict[str, Callable[[], str]]:
    """Ways in which somebody may replace a default; each answers the store that must stay mounted."""
    other, first = new_store(workspace, {"/x.md": "x\n"}), mount.store

    def replaced() -> str:
        replace_default(mount, other)
        return other.id

    def and_back() -> str:
        replaced()
        replace_default(mount, first)
        return first.id

    return {"replaced": replaced, "and back": and_back}


@pytest.mark.parametrize("change", ["replaced", "and back"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_mount_replaced(
    workspace: Workspace, store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, moment: str, change: str
) -> None:
    mount = new_pair(workspace, store)
    mounted: list[str] = []
    swap = changes(mount, workspace)[change]
    dream = run(new_dream(store, mount=mount), moment, lambda: mounted.append(swap()), monkeypatch)
    assert failed(dream, "conflict", "memory_changed_during_dream")
    assert [default_of(mount)] == mounted


def test_the_output_becomes_the_default(workspace: Workspace, store: MemoryStore, sent: list[str]) -> None:
    mount = new_pair(workspace, store)
    dream = ended(new_dream(store, mount=mount))
    assert output(dream) == {"/b.md": FACT}
    assert default_of(mount) == dream.output_store_id
    assert Mount.objects.get(pk=mount.pk).revision == mount.revision + 1
    assert texts(store.id) == NOTES


def test_a_store_dream_moves_no_mount(workspace: Workspace, store: MemoryStore, sent: list[str]) -> None:
    mount = new_pair(workspace, store)
    assert output(ended(new_dream(store))) == {"/b.md": FACT}
    assert default_of(mount) == store.id
    assert Mount.objects.get(pk=mount.pk).revision == mount.revision


def test_two_dreams_of_one_pair(workspace: Workspace, store: MemoryStore, sent: list[str]) -> None:
    mount = new_pair(workspace, store)
    first, second = new_dream(store, mount=mount), new_dream(store, mount=mount)
    assert ended(first).status == "completed"
    second = ended(second)
    assert (second.status, second.error_code) == ("failed", "memory_changed_during_dream")
    assert default_of(mount) == Dream.objects.get(id=first.id).output_store_id


def test_canceled_while_running(store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in ("running", "applying"):
        dream = new_dream(store)

        def cancel(dream: Dream = dream) -> None:
            dream_cancel(workspace_id=dream.workspace_id, dream_id=dream.id)

        dream = run(dream, moment, cancel, monkeypatch)
        assert (dream.status, dream.output_store_id) == ("canceled", None)
    assert MemoryStore.objects.count() == 1


def test_overdue(store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    dream = new_dream(store)
    late = run(dream, "running", lambda: Dream.objects.update(deadline_at=NowPlus(-1)), monkeypatch)
    assert failed(late, "timeout")


class TestTrouble:
    """What the code or the database gets wrong."""

    def test_a_bug(
        self,
        store: MemoryStore,
        sent: list[str],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        def broken() -> None:
            raise ZeroDivisionError(f"in {FACT}")

        dream = run(new_dream(store), "running", broken, monkeypatch)
        assert failed(dream, "internal_error")
        assert dream.error_message == "ZeroDivisionError"
        assert FACT.strip() not in caplog.text
        assert "ZeroDivisionError" in caplog.text

    def test_the_database(self, store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        """It stays ours until the lease lapses: nobody can say what a broken commit did."""

        def broken() -> None:
            raise OperationalError("server closed the connection unexpectedly")

        dream = run(new_dream(store), "applying", broken, monkeypatch)
        assert (dream.status, dream.attempt) == ("running", 1)
        Dream.objects.update(lease_until=NowPlus(-1))
        monkeypatch.undo()
        assert output(ended(dream)) == {"/b.md": FACT}

    @pytest.mark.parametrize("times", [1, 3, 4])
    def test_deadlocks(self, store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        class Deadlock(Exception):
            sqlstate = "40P01"

        left = [times]
        original = apply._fence

        def fence(*args: Any) -> None:
            if left[0]:
                left[0] -= 1
                raise OperationalError("deadlock detected") from Deadlock()
            original(*args)

        monkeypatch.setattr(apply, "_fence", fence)
        dream = ended(new_dream(store))
        assert dream.status == ("completed" if times <= 3 else "running")
        assert MemoryStore.objects.count() == (2 if times <= 3 else 1)

    def test_a_void_claim_writes_nothing(
        self, store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dream = new_dream(store)
        claim, heart = claimed(dream)
        job = pipeline.dream_plan(claim, heart)
        Dream.objects.update(lease_until=NowPlus(-1))
        second = ended(dream)
        assert second.status == "completed"
        with pytest.raises(Stopped):
            dream_apply(job, heart)
        assert MemoryStore.objects.count() == 2
