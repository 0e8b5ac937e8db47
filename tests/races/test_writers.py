"""An apply against writers of its input: created, edited, deleted, renamed and pinned, from snapshot to commit."""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError

from dreams.models import Dream
from dreamsvc.errors import ServiceError
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore
from tests.lifecycle.stores import at, delete, edit, new_dream, new_store, write
from tests.races.conftest import Crew
from tests.races.rounds import FACTS, NOTES, Planned, consistent, output_state, planned, set_ports, state
from workers import apply, catchup, late, snapshot
from workers.engine.values import Snapshot
from workers.late import Late

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("races")]
ROUNDS = int(os.environ.get("RACE_ROUNDS", "25"))
WRITERS = 3
PLAIN = {f"/plain/{number}.md": f"Harbour {number} has room for {number + 40} ships.\n" for number in range(12)}
"""Memories that no operation of the dream concerns."""


@pytest.fixture(autouse=True)
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    set_ports(monkeypatch)


@dataclass
class Window:
    """When writers write: at once, or not before the apply has drafted, which then waits for the first of them."""

    opened: threading.Event = field(default_factory=threading.Event)
    used: threading.Event = field(default_factory=threading.Event)

    def after_drafts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        draft = apply._draft

        def drafted(*args: Any) -> Any:
            made = draft(*args)
            self.opened.set()
            self.used.wait(5)
            return made

        monkeypatch.setattr(apply, "_draft", drafted)

    def close(self) -> None:
        self.opened.clear()
        self.used.clear()


@dataclass
class Writer:
    """Writes at random until told to stop, as several sessions of an agent would."""

    store: MemoryStore
    seed: int
    over: threading.Event
    window: Window | None = None
    paths: tuple[str, ...] = tuple(NOTES)
    pins: list[tuple[str, int]] = field(default_factory=list)
    done: int = 0

    def __call__(self) -> int:
        choose = random.Random(self.seed)
        if self.window is not None:
            self.window.opened.wait(30)
        while not self.over.is_set():
            try:
                self.write(choose)
                self.done += 1
                if self.window is not None:
                    self.window.used.set()
            except (ServiceError, Memory.DoesNotExist, OperationalError):
                continue  # another writer was first, or the lock took too long
        return self.done

    def write(self, choose: random.Random) -> None:
        path = choose.choice(self.paths)
        kind = choose.choice(("create", "edit", "same", "delete", "rename", "pin"))
        if kind == "create":
            write(self.store, f"/new/{choose.randrange(10**9)}.md", choose.choice(FACTS))
        elif kind == "edit":
            edit(at(self.store.id, path), text=f"Edited as number {choose.randrange(10**9)}.\n")
        elif kind == "same":
            edit(at(self.store.id, path), text=choose.choice(FACTS))
        elif kind == "delete" and choose.random() < 0.4:
            delete(at(self.store.id, path))
        elif kind == "rename":
            edit(at(self.store.id, path), path=f"/moved/{choose.randrange(10**9)}.md")
        elif kind == "pin":
            memory = at(self.store.id, path)
            edit(memory, pinned=True)
            self.pins.append((memory.id, Memory.objects.values_list("revision", flat=True).get(id=memory.id)))


def violations(store: MemoryStore, dream: Dream, pins: list[tuple[str, int]]) -> list[str]:
    """What is wrong with the output of a completed dream, compared with the input as it was applied to."""
    before = state(store.id, int(dream.applied_revision or 0))
    after = output_state(dream)
    texts, made = {text for _, text in before.values()}, {text for _, text in after.values()}
    index = NOTES["/index.md"]
    found = [f"lost {text!r}" for text in texts - made if text != index]
    found += [f"back {text!r}" for text in made - texts if "# Index" not in text]
    paths = {path for path, _ in after.values()}
    places = {path for path, _ in before.values()}
    for memory_id, revision in pins:
        if revision <= int(dream.applied_revision or 0) and memory_id in before:
            path, text = before[memory_id]
            if (path, text) not in after.values():
                found.append(f"pinned {path} is gone")
    if index in texts and {"/a.md", "/c.md"} <= places:
        for path, text in after.values():
            linked = {f"/{name}.md" for name in "abcd" if f"({name}.md)" in text}
            found += [f"{path} links to {gone}" for gone in linked - paths if path == "/index.md"]
    return found


def planned_on(store: MemoryStore, **request: Any) -> Planned:
    return planned(new_dream(store, **request))


def rounds(
    crew: Crew,
    workspace: Workspace,
    plan: Callable[[MemoryStore], Planned],
    *,
    paths: tuple[str, ...] = tuple(NOTES),
    window: Window | None = None,
    until_wrong: bool = False,
) -> tuple[Counter[str], list[str]]:
    """What happened in some rounds, and what was wrong; a control ends with the first wrong one.

    Writers begin with the memories at `paths`, in the `window` if there is one.
    """
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(ROUNDS):
        if wrong and until_wrong:
            break
        store = new_store(workspace, NOTES | PLAIN)
        over = threading.Event()
        writers = [Writer(store, 100 * number + each, over, window, paths) for each in range(WRITERS)]

        def dream_it(store: MemoryStore = store, over: threading.Event = over) -> Dream:
            try:
                dream = plan(store)
                dream.apply()
                return dream.again()
            finally:
                over.set()
                if window is not None:
                    window.opened.set()

        if window is not None:
            window.close()
        dream, *counts = crew.together(dream_it, *writers)
        assert isinstance(dream, Dream), dream
        assert all(isinstance(count, int) for count in counts), counts
        seen[dream.status] += 1
        seen["late writes"] += int(dream.applied_revision or 0) - int(dream.snapshot_revision or 0)
        seen["carried"] += (dream.report or {}).get("carried_over", 0)
        if dream.status == "completed":
            pins = [pin for writer in writers for pin in writer.pins]
            wrong += [f"{dream.id}: {what}" for what in violations(store, dream, pins)]
    return seen, wrong


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often rounds were done again, how often locks came first, and how often an output caught up."""
    seen: Counter[str] = Counter()
    lock, draft, catch = apply._lock, apply._draft, catchup.caught_up

    def locked(job: Any) -> None:
        seen["locks first"] += 1
        lock(job)

    def drafted(*args: Any) -> Any:
        seen["drafts"] += 1
        return draft(*args)

    def caught(*args: Any) -> Any:
        found = catch(*args)
        seen["caught up"] += 1
        return found

    monkeypatch.setattr(apply, "_lock", locked)
    monkeypatch.setattr(apply, "caught_up", caught)
    monkeypatch.setattr(apply, "_draft", drafted)
    return seen


@pytest.mark.parametrize("in_place", [False, True])
def test_nothing_is_lost(crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, in_place: bool) -> None:
    again = counted(monkeypatch)
    seen, wrong = rounds(crew, workspace, partial(planned_on, in_place=in_place))
    assert wrong == []
    assert seen["completed"] == ROUNDS
    assert seen["carried"] > ROUNDS  # it was a race: the writers got in between
    assert again["drafts"] > ROUNDS


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("paths", [tuple(PLAIN), (*PLAIN, *NOTES)], ids=["apart", "mixed"])
def test_nothing_is_lost_by_catching_up(
    crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, paths: tuple[str, ...], in_place: bool
) -> None:
    """Writers of memories that no operation concerns, and some of others: the output takes those in as they are."""
    again, window = counted(monkeypatch), Window()
    window.after_drafts(monkeypatch)
    plan = partial(planned_on, in_place=in_place)
    seen, wrong = rounds(crew, workspace, plan, paths=paths, window=window)
    assert wrong == []
    assert seen["completed"] == ROUNDS
    assert again["caught up"] > ROUNDS / 2


class TestControls:
    """Broken rules that the checks above must notice."""

    def test_catching_up_whatever_was_written(
        self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(catchup, "_apart", lambda *args: True)
        window = Window()
        window.after_drafts(monkeypatch)
        _, wrong = rounds(crew, workspace, planned_on, window=window, until_wrong=True)
        assert wrong

    def test_catching_up_without_a_copy(
        self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(catchup, "store_patch", lambda dream, stored, *args: stored)
        window = Window()
        window.after_drafts(monkeypatch)
        _, wrong = rounds(crew, workspace, planned_on, paths=tuple(PLAIN), window=window, until_wrong=True)
        assert wrong

    def test_late_writes_by_nobody(self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        """In place, a merge that ignores what was written meanwhile."""

        def unread(taken: Snapshot) -> Late:
            return Late(late.late_read(taken).revision, ())

        monkeypatch.setattr(apply, "late_read", unread)
        _, wrong = rounds(crew, workspace, partial(planned_on, in_place=True), until_wrong=True)
        assert [what for what in wrong if "lost" in what or "back" in what]

    def test_the_revision_is_not_asked_again(
        self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        original = apply._fence

        def unasked(*args: Any) -> bool:
            original(*args)
            return False

        monkeypatch.setattr(apply, "_fence", unasked)
        _, wrong = rounds(crew, workspace, planned_on, until_wrong=True)
        assert wrong

    def test_rows_and_then_the_revision(
        self, crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A snapshot in two statements takes what was written between them for known."""
        original = snapshot.store_snapshot

        def in_two(store_id: str) -> tuple[Snapshot, int]:
            taken, policy_revision = original(store_id)
            time.sleep(0.1)  # as a large store takes
            revision = MemoryStore.objects.values_list("revision", flat=True).get(id=store_id)
            return Snapshot(taken.store_id, revision, taken.memories), policy_revision

        monkeypatch.setattr(snapshot, "store_snapshot", in_two)
        _, wrong = rounds(crew, workspace, planned_on, until_wrong=True)
        assert wrong


def test_memories_of_the_output_are_the_inputs(crew: Crew, workspace: Workspace) -> None:
    """Texts, and the store's own figures, agree with its rows after all the writing."""
    for number in range(5):
        store, over = new_store(workspace, NOTES), threading.Event()
        dream = planned(new_dream(store, in_place=bool(number % 2)))
        writers = [Writer(store, number, over)]

        def apply_and_stop(dream: Planned = dream, over: threading.Event = over) -> None:
            dream.apply()
            over.set()

        crew.together(apply_and_stop, *writers)
        row = dream.again()
        assert number % 2 or consistent(store, row)
        output = MemoryStore.objects.get(id=str(row.output_store_id))
        heads = list(Memory.objects.filter(store=output).select_related("content"))
        assert (output.entry_count, output.total_size) == (len(heads), sum(head.content.size for head in heads))
        assert {head.version_id for head in heads} <= set(output.versions.values_list("id", flat=True))
