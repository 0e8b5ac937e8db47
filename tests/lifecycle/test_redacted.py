"""A text that is redacted while a dream has it in memory must not come back in its plan or journal."""

from __future__ import annotations

import pytest

from dreams.models import Dream, DreamOperation, JournalEntry
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore
from memorystores.services.versions import version_redact
from tests.lifecycle.stores import KEY, at, claimed, delete, edit, ended, new_dream, new_store, output
from workers import pipeline
from workers.apply import dream_apply
from workers.heart import hand_back

SECRET = "The door code of the archive is 4711 and was set by Ana.\n"
NOTES = {"/a.md": SECRET, "/b.md": SECRET, "/c.md": "Ship on Friday.\n"}


@pytest.fixture
def store(workspace: Workspace) -> MemoryStore:
    return new_store(workspace, NOTES)


def redact_all(store: MemoryStore) -> None:
    """Somebody deletes one copy, edits the other, and redacts what both held."""
    versions = [at(store.id, path).version_id for path in ("/a.md", "/b.md")]
    delete(at(store.id, "/a.md"))
    edit(at(store.id, "/b.md"), text="The code was changed.\n")
    for version in versions:
        version_redact(workspace_id=store.workspace_id, store_id=store.id, version_id=version, actor=KEY)


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("in_place", [False, True])
def test_redacted_in_mid_run(store: MemoryStore, sent: list[str], in_place: bool, dry_run: bool) -> None:
    dream = new_dream(store, in_place=in_place, dry_run=dry_run)
    claim, heart = claimed(dream)
    job = pipeline.dream_plan(claim, heart)
    redact_all(store)
    assert not pipeline.guarded(claim, lambda: dream_apply(job, heart))
    hand_back(claim)
    assert not DreamOperation.objects.exists()
    assert sent == [dream.id]
    again = ended(dream)
    assert (again.status, again.attempt, again.lost) == ("completed", 2, 1)
    assert dry_run or output(again) == {"/b.md": "The code was changed.\n", "/c.md": NOTES["/c.md"]}
    journal = JournalEntry.objects.get(dream=dream)
    assert "archive is 4711" not in journal.markdown + str(journal.record)
    assert "archive is 4711" not in str(list(DreamOperation.objects.values_list("body", flat=True)))


def test_edited_and_not_redacted(store: MemoryStore, sent: list[str]) -> None:
    dream = new_dream(store)
    claim, heart = claimed(dream)
    job = pipeline.dream_plan(claim, heart)
    delete(at(store.id, "/a.md"))
    assert pipeline.guarded(claim, lambda: dream_apply(job, heart))
    assert Dream.objects.get(id=dream.id).status == "completed"
