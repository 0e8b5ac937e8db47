"""An apply against a redaction of what it read: the text must not come back in the plan or the journal."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from typing import Any

import pytest

from dreams.models import Dream, DreamOperation, JournalEntry
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore
from memorystores.services.versions import version_redact
from tests.lifecycle.stores import KEY, at, edit, ended, new_dream, new_store
from tests.races.conftest import Crew
from tests.races.rounds import planned, set_ports
from tests.races.test_finish import Rival, race
from workers import apply
from workers.heart import hand_back

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("races")]
ROUNDS = int(os.environ.get("RACE_ROUNDS", "25"))
NOTES = {"/a.md": "The door code of the archive is 4711.\n", "/b.md": "The door code of the archive is 4712.\n"}


@pytest.fixture(autouse=True)
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    set_ports(monkeypatch)


def redact(store: MemoryStore, version_id: str) -> None:
    version_redact(workspace_id=store.workspace_id, store_id=store.id, version_id=version_id, actor=KEY)


def rounds(crew: Crew, workspace: Workspace) -> Counter[tuple[str, bool]]:
    """Whether the dream was applied or started over, and whether the redacted text is nowhere."""
    seen: Counter[tuple[str, bool]] = Counter()
    rival = Rival()
    for _ in range(ROUNDS):
        store = new_store(workspace, NOTES)
        dream = planned(new_dream(store))
        memory = at(store.id, "/a.md")
        edit(memory, text="It is at the porter's.\n")
        assert race(crew, rival, dream, partial(redact, store, memory.version_id)) is None
        row = dream.again()
        how = row.status
        if row.status == "running":
            hand_back(dream.job.claim)
            row = ended(row)
        assert row.status == "completed"
        seen[how, "archive is 4711" not in told(row)] += 1
    return seen


def told(dream: Dream) -> str:
    """All that can be read of the dream."""
    journal = JournalEntry.objects.get(dream=dream)
    plan: list[Any] = list(DreamOperation.objects.filter(dream=dream).values_list("body", flat=True))
    return journal.markdown + str(journal.record) + str(plan)


def test_it_is_nowhere(crew: Crew, workspace: Workspace) -> None:
    seen = rounds(crew, workspace)
    assert seen.keys() == {("completed", True), ("running", True)}, seen


def test_control_not_asked(crew: Crew, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "check_unredacted", lambda snapshot: None)
    assert ("completed", False) in rounds(crew, workspace)
