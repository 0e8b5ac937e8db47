"""What a redaction takes out of the plans and journals of dreams."""

from __future__ import annotations

import json

import pytest

from dreams.models import Dream, JournalEntry, Lineage
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore
from memorystores.services.versions import version_redact
from tests.lifecycle.stores import KEY, at, delete, edit, ended, new_dream, new_store

SECRET = "The vault code of the Lisbon office is 4711."
OTHER = "The vault code of the Lisbon office is 4712."

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def redact(store: MemoryStore, version_id: str) -> None:
    version_redact(workspace_id=store.workspace_id, store_id=store.id, version_id=version_id, actor=KEY)


def told(dream: Dream) -> str:
    """All that the dream's plan and journal say."""
    bodies = [json.dumps(operation.body, ensure_ascii=False) for operation in dream.operations.all()]
    entry = JournalEntry.objects.get(dream=dream)
    return "\n".join([*bodies, json.dumps(entry.record, ensure_ascii=False), entry.markdown])


def test_a_conflict_forgets_the_text_and_what_it_differs_in(workspace: Workspace) -> None:
    store = new_store(workspace, {"/a.md": SECRET, "/b.md": OTHER})
    dream = ended(new_dream(store, phases=["dedup", "consolidate"], dry_run=True))
    assert "4711" in told(dream)
    memory = at(store.id, "/a.md")
    edit(memory, text="Gone.")
    redact(store, memory.version_id)
    assert "4711" not in told(dream)
    assert "Its text was redacted." in JournalEntry.objects.get(dream=dream).markdown
    assert {one["source"]["path"] for one in dream.operations.get(kind="conflict").body["members"]} == {
        "/a.md",
        "/b.md",
    }


def test_a_merge_forgets_its_quote_once_nothing_holds_the_text(workspace: Workspace) -> None:
    store = new_store(workspace, {"/a.md": SECRET, "/b.md": SECRET, "/c.md": "Another fact stays here."})
    dream = ended(new_dream(store, in_place=True))
    assert SECRET in told(dream)
    survivor = next(path for path in ("/a.md", "/b.md") if store.memories.filter(path=path).exists())
    memory = at(store.id, survivor)
    delete(memory)
    for version in list(store.versions.filter(content__text=SECRET)):
        redact(store, version.id)
    assert SECRET not in told(dream)
    assert not Lineage.objects.filter(source_version_id=memory.version_id).exclude(passage_hash="").exists()


def test_other_texts_stay(workspace: Workspace) -> None:
    store = new_store(workspace, {"/a.md": SECRET, "/b.md": OTHER, "/c.md": "An unrelated note."})
    dream = ended(new_dream(store, phases=["dedup", "consolidate"], dry_run=True))
    before = told(dream)
    memory = at(store.id, "/c.md")
    edit(memory, text="Gone.")
    redact(store, memory.version_id)
    assert told(dream) == before
