"""A dream that changes its input in place, and the rollback that its records make possible."""

from __future__ import annotations

import pytest

from dreams.models import Dream, Lineage, TouchedMemory
from dreams.rollback import dream_rollback
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore
from tests.lifecycle.stores import KEY, at, edit, ended, new_dream, new_store, output, texts, versions, write

FACT = "The invoice run starts on the 5th of the month.\n"
NOTES = {
    "/a.md": FACT,
    "/b.md": FACT,
    "/c.md": "# Team\n\n- Ana leads the billing team.\n",
    "/index.md": "# Index\n\n- [billing](a.md)\n- [team](c.md)\n",
}


@pytest.fixture
def store(workspace: Workspace) -> MemoryStore:
    return new_store(workspace, NOTES)


@pytest.fixture
def dream(store: MemoryStore, sent: list[str]) -> Dream:
    return ended(new_dream(store, in_place=True))


def test_the_store_itself(store: MemoryStore, dream: Dream) -> None:
    assert dream.output_store_id == store.id
    assert output(dream) == {
        "/b.md": FACT,
        "/c.md": NOTES["/c.md"],
        "/index.md": "# Index\n\n- [billing](b.md)\n- [team](c.md)\n",
    }
    assert dream.files_touched == ["/a.md", "/index.md"]
    assert (dream.snapshot_revision, dream.applied_revision) == (4, 4)


def test_ids_stay(store: MemoryStore, sent: list[str]) -> None:
    ids = {path: at(store.id, path).id for path in NOTES}
    ended(new_dream(store, in_place=True))
    for path in texts(store.id):
        assert at(store.id, path).id == ids[path]


def test_versions(store: MemoryStore, dream: Dream) -> None:
    made = [row for row in versions(store.id) if row[3] == dream.id]
    assert [(operation, path) for _, operation, path, _ in made] == [("deleted", "/a.md"), ("modified", "/index.md")]
    store.refresh_from_db()
    assert store.revision == max(row.revision for row in Memory.objects.filter(store=store))
    heads = Memory.objects.filter(store=store)
    assert len({head.version_id for head in heads}) == len(heads) == store.entry_count
    assert store.total_size == sum(len(text) for text in texts(store.id).values())


def test_nothing_to_do_writes_nothing(workspace: Workspace, sent: list[str]) -> None:
    store = new_store(workspace, {"/a.md": FACT})
    dream = ended(new_dream(store, in_place=True))
    assert (dream.status, dream.files_touched) == ("completed", [])
    assert MemoryStore.objects.get(id=store.id).revision == store.revision


def test_lineage(dream: Dream) -> None:
    rows = set(Lineage.objects.filter(dream=dream).values_list("path", "source_path", "operation"))
    assert rows == {
        ("/b.md", "/a.md", "merge_same"),
        ("/b.md", "/b.md", "merge_same"),
        ("/index.md", "/index.md", "relinked"),
    }


def test_what_it_touched_is_kept(store: MemoryStore, dream: Dream) -> None:
    assert TouchedMemory.objects.filter(dream=dream).count() == 3  # gone, survivor, index


def test_rollback(store: MemoryStore, sent: list[str]) -> None:
    Memory.objects.filter(store=store, path="/a.md").update(tags=["a"], access_count=4)
    dream = ended(new_dream(store, in_place=True))
    assert at(store.id, "/b.md").tags == ["a"]
    dream_rollback(workspace_id=store.workspace_id, dream_id=dream.id, actor=KEY, discard_later_writes=False)
    assert texts(store.id) == NOTES
    assert (at(store.id, "/a.md").tags, at(store.id, "/a.md").access_count) == (["a"], 4)


def test_rollback_leaves_later_writes(store: MemoryStore, dream: Dream) -> None:
    edit(at(store.id, "/index.md"), text="mine\n")
    write(store, "/new.md", "new\n")
    dream_rollback(workspace_id=store.workspace_id, dream_id=dream.id, actor=KEY, discard_later_writes=False)
    assert texts(store.id) == {**NOTES, "/index.md": "mine\n", "/new.md": "new\n"}


def test_one_after_the_other(store: MemoryStore, dream: Dream, sent: list[str]) -> None:
    again = ended(new_dream(store, in_place=True))
    assert (again.status, again.files_touched) == ("completed", [])
