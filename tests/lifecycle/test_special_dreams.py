"""Dry runs, stores that nothing may read, sessions, and what cannot be done without a model."""

from __future__ import annotations

from typing import Any

import pytest

from dreams.models import DreamOperation, JournalEntry
from dreamsvc.models import Workspace
from identities.models import Session, SessionEvent
from memorystores.models import Memory, MemoryStore, PassageVector
from tests.lifecycle.pairs import new_pair
from tests.lifecycle.stores import at, claimed, edit, ended, new_dream, new_store, output, texts, write
from workers import pipeline
from workers.apply import dream_apply

FACT = "The invoice run starts on the 5th of the month.\n"
NOTES = {"/a.md": FACT, "/b.md": FACT}


@pytest.mark.parametrize("in_place", [False, True])
def test_a_dry_run_writes_no_store(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    store = new_store(workspace, NOTES)
    dream = ended(new_dream(store, dry_run=True, in_place=in_place))
    assert (dream.status, dream.output_store_id, dream.files_touched) == ("completed", None, None)
    assert texts(store.id) == NOTES
    assert MemoryStore.objects.count() == 1
    assert MemoryStore.objects.get().revision == store.revision
    assert [op.outcome for op in DreamOperation.objects.filter(dream=dream)] == ["planned"]
    assert JournalEntry.objects.get(dream=dream).markdown.startswith("# [DRY RUN]")
    assert (dream.report or {})["exact_merged"] == 1


def test_a_dry_run_moves_no_mount(workspace: Workspace, sent: list[str]) -> None:
    mount = new_pair(workspace, store := new_store(workspace, NOTES))
    assert ended(new_dream(store, mount=mount, dry_run=True)).status == "completed"
    mount.refresh_from_db()
    assert (mount.store_id, mount.revision) == (store.id, 1)


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that anything tried to read, embed or count."""
    read: list[str] = []

    def embed(self: Any, texts: list[str]) -> Any:
        read.extend(texts)
        raise AssertionError("embedded")

    monkeypatch.setattr("workers.providers.embedders.LocalEmbedder.embed", embed)
    return read


@pytest.mark.parametrize("in_place", [False, True])
def test_legal(workspace: Workspace, sent: list[str], forbidden: list[str], in_place: bool) -> None:
    store = new_store(workspace, NOTES, trust_tier="legal")
    dream = ended(new_dream(store, phases=None, in_place=in_place))
    assert output(dream) == NOTES
    assert dream.files_touched == []
    assert "skipped" in JournalEntry.objects.get(dream=dream).markdown
    assert MemoryStore.objects.get(id=str(dream.output_store_id)).trust_tier == "legal"
    assert forbidden == []
    assert not PassageVector.objects.exists()


def test_legal_texts_are_not_even_fetched(workspace: Workspace, sent: list[str]) -> None:
    """Late writes are carried by copying their rows."""
    store = new_store(workspace, NOTES, trust_tier="legal")
    claim, heart = claimed(new_dream(store, phases=None))
    job = pipeline.dream_plan(claim, heart)
    assert [memory.text for memory in job.taken.snapshot.memories] == ["", ""]
    edit(at(store.id, "/a.md"), text="The settlement is 40,000 EUR.\n")
    write(store, "/late.md", "late\n")
    dream_apply(job, heart)
    dream = type(job.dream).objects.get(id=job.dream.id)
    assert output(dream) == {"/a.md": "The settlement is 40,000 EUR.\n", "/b.md": FACT, "/late.md": "late\n"}


def quoting(workspace: Workspace, *said: str) -> Session:
    session = Session.objects.create(workspace=workspace)
    for seq, text in enumerate(said, start=1):
        SessionEvent.objects.create(session=session, seq=seq, type="user.message", content=text)
    return session


def counts(store_id: str) -> dict[str, int]:
    return dict(Memory.objects.filter(store_id=store_id).values_list("path", "access_count"))


@pytest.mark.parametrize("in_place", [False, True])
def test_sessions_count_as_access_once(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    store = new_store(workspace, {"/a.md": FACT, "/b.md": FACT, "/c.md": "Nothing of this was said by anybody.\n"})
    sessions = [quoting(workspace, f"As you know: {FACT}").id, quoting(workspace, "Hello.").id]
    dream = ended(new_dream(store, sessions=sessions, in_place=in_place))
    assert counts(str(dream.output_store_id)) == {"/b.md": 1, "/c.md": 0}
    output_store = MemoryStore.objects.get(id=str(dream.output_store_id))
    again = ended(new_dream(output_store, sessions=sessions, in_place=in_place))
    assert counts(str(again.output_store_id)) == {"/b.md": 1, "/c.md": 0}
    more = ended(new_dream(output_store, sessions=[quoting(workspace, FACT).id], in_place=in_place))
    assert counts(str(more.output_store_id)) == {"/b.md": 2, "/c.md": 0}
    assert "only counted as access" in JournalEntry.objects.get(dream=dream).markdown


def test_what_needs_a_model_is_said(workspace: Workspace, sent: list[str]) -> None:
    store = new_store(workspace, NOTES)
    dream = ended(new_dream(store, model_id="claude-x", instructions="Keep it short."))
    markdown = JournalEntry.objects.get(dream=dream).markdown
    assert "`claude-x`" in markdown
    assert "instructions" in markdown
