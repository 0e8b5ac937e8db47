"""A dream with an output store of its own: what is in it, and what is written beside it."""

from __future__ import annotations

import pytest

from dreams.models import Dream, DreamOperation, JournalEntry, Lineage
from dreams.report import empty_report
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore, MemoryVersion
from tests.lifecycle.stores import at, ended, new_dream, new_store, output, texts, versions, write
from workers.engine import codec
from workers.engine.report import Report

FACT = "The invoice run starts on the 5th of the month.\n"
NOTES = {
    "/a.md": FACT,
    "/b.md": FACT,
    "/c.md": "# Team\n\n- Ana leads the billing team.\n",
    "/index.md": "# Index\n\n- [billing](a.md)\n- [team](c.md)\n",
}


@pytest.fixture
def dreamt(workspace: Workspace, sent: list[str]) -> tuple[MemoryStore, Dream]:
    store = new_store(workspace, NOTES, description="d", metadata={"k": "v"}, decay="none", protected_paths=["/x/*"])
    return store, ended(new_dream(store))


def test_the_output(dreamt: tuple[MemoryStore, Dream]) -> None:
    store, dream = dreamt
    assert output(dream) == {
        "/b.md": FACT,
        "/c.md": NOTES["/c.md"],
        "/index.md": "# Index\n\n- [billing](b.md)\n- [team](c.md)\n",
    }
    assert dream.files_touched == ["/a.md", "/index.md"]
    assert texts(store.id) == NOTES


def test_the_store(dreamt: tuple[MemoryStore, Dream]) -> None:
    store, dream = dreamt
    made = MemoryStore.objects.get(id=str(dream.output_store_id))
    copied = ("workspace_id", "name", "description", "metadata", "trust_tier", "decay", "supersede", "protected_paths")
    assert [getattr(made, name) for name in copied] == [getattr(store, name) for name in copied]
    assert made.system_managed == store.system_managed
    assert (made.derived_from, made.derived_revision) == (store.id, store.revision)
    assert (made.entry_count, made.total_size) == (3, sum(len(text) for text in output(dream).values()))
    assert made.revision == 3
    assert dream.applied_revision == store.revision == dream.snapshot_revision


def test_the_versions(dreamt: tuple[MemoryStore, Dream]) -> None:
    _, dream = dreamt
    made = versions(str(dream.output_store_id))
    assert [(revision, operation, actor) for revision, operation, _, actor in made] == [
        (number, "created", dream.id) for number in (1, 2, 3)
    ]
    for memory in Memory.objects.filter(store_id=dream.output_store_id):
        version = MemoryVersion.objects.get(id=memory.version_id)
        assert (version.memory_id, version.path, version.content_id) == (memory.id, memory.path, memory.content_id)
        assert version.store_revision == memory.revision


def test_what_is_unchanged_keeps_its_columns(workspace: Workspace, sent: list[str]) -> None:
    store = new_store(workspace, NOTES)
    columns = {"relevance": 0.9, "stability_days": 20.0, "access_count": 7, "reinforcement_count": 3}
    Memory.objects.filter(store=store, path="/c.md").update(**columns, tags=["x"], ring="shocks", success_score=0.5)
    dream = ended(new_dream(store))
    before, after = at(store.id, "/c.md"), at(str(dream.output_store_id), "/c.md")
    own = {"id", "store", "version_id", "revision"}
    for field in Memory._meta.concrete_fields:
        if field.name not in own:
            assert getattr(after, field.attname) == getattr(before, field.attname), field.name
    assert after.id != before.id


def test_the_survivor_inherits(workspace: Workspace, sent: list[str]) -> None:
    store = new_store(workspace, {})
    first = write(store, "/a.md", FACT, tags=["a"], metadata={"m": "1"})
    second = write(store, "/b.md", FACT, tags=["b"])
    Memory.objects.filter(id=first.id).update(access_count=2, reinforcement_count=1, relevance=0.4)
    Memory.objects.filter(id=second.id).update(access_count=3, reinforcement_count=4, relevance=0.6)
    dream = ended(new_dream(store))
    kept = Memory.objects.get(store_id=dream.output_store_id)
    assert (kept.access_count, kept.reinforcement_count, kept.relevance) == (5, 5, 0.6)
    assert (sorted(kept.tags), kept.metadata) == (["a", "b"], {"m": "1"})


def test_the_lineage(dreamt: tuple[MemoryStore, Dream]) -> None:
    store, dream = dreamt
    rows = set(Lineage.objects.filter(dream=dream).values_list("path", "source_path", "operation"))
    assert rows == {
        ("/b.md", "/a.md", "merge_same"),
        ("/b.md", "/b.md", "merge_same"),
        ("/c.md", "/c.md", "kept"),
        ("/index.md", "/index.md", "relinked"),
    }
    for row in Lineage.objects.filter(dream=dream):
        assert Memory.objects.get(id=row.memory_id).store_id == row.store_id == dream.output_store_id
        assert MemoryVersion.objects.get(id=row.source_version_id).memory_id == row.source_memory_id
        assert Memory.objects.get(id=row.source_memory_id).store_id == store.id


def test_the_records(dreamt: tuple[MemoryStore, Dream]) -> None:
    _, dream = dreamt
    operation = DreamOperation.objects.get(dream=dream)
    assert (operation.seq, operation.kind, operation.outcome) == (1, "merge_same", "applied")
    journal = JournalEntry.objects.get(dream=dream)
    assert "/a.md" in journal.markdown
    assert journal.record["dream_id"] == dream.id
    assert journal.record["output_store_id"] == dream.output_store_id
    report = dream.report or {}
    assert (report["scanned"], report["exact_merged"], report["model_calls"]) == (4, 1, 0)
    assert report["tokens_saved"] == report["tokens_before"] - report["tokens_after"] > 0
    assert report["duration_ms"] >= 0
    assert dream.plan_digest


def test_a_report_of_nothing_has_the_same_keys() -> None:
    assert empty_report().keys() == codec.encode(Report()).keys()


def test_an_empty_store(workspace: Workspace, sent: list[str]) -> None:
    dream = ended(new_dream(new_store(workspace, {})))
    assert output(dream) == {}
    assert dream.files_touched == []


def test_a_fixed_point(workspace: Workspace, sent: list[str]) -> None:
    dream = ended(new_dream(new_store(workspace, NOTES)))
    for _ in range(3):
        again = ended(new_dream(MemoryStore.objects.get(id=str(dream.output_store_id))))
        assert (output(again), again.files_touched) == (output(dream), [])
        dream = again
