"""Writes between snapshot and apply: every role in a merge, every kind of write, both kinds of output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from posixpath import dirname, join

import pytest

from dreams.models import Dream, DreamOperation, JournalEntry
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore
from tests.lifecycle.stores import at, claimed, delete, edit, new_dream, new_store, output, texts, write
from workers import pipeline
from workers.apply import dream_apply

FACT = "The invoice run starts on the 5th of the month.\n"
OTHER = "Ana leads the billing team in Graz.\n"
NOTES = {
    "/a.md": FACT,
    "/b.md": FACT,
    "/c.md": OTHER,
    "/d.md": OTHER,
    "/index.md": "# Index\n\n- [invoices](a.md)\n- [team](c.md)\n",
}
ROLES = {"source": "/a.md", "survivor": "/b.md", "index": "/index.md"}
WRITES: dict[str, Callable[[Memory], None]] = {
    "edit": lambda memory: edit(memory, text="The invoice run starts on the 6th now.\n"),
    "delete": delete,
    "rename": lambda memory: edit(memory, path="/moved/here.md"),
    "pin": lambda memory: edit(memory, pinned=True),
    "tag": lambda memory: edit(memory, tags=["late"]),
    "trust": lambda memory: edit(memory, trust="untrusted"),
    "metadata": lambda memory: edit(memory, metadata_patch={"late": "yes"}),
    "observed": lambda memory: edit(memory, observed_at=memory.created_at.replace(year=2001)),
}


@pytest.fixture(params=["create_new", "update_existing"])
def in_place(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "update_existing")


@contextmanager
def meanwhile(dream: Dream) -> Iterator[None]:
    """What the block does happens between the dream's snapshot and its apply."""
    claim, heart = claimed(dream)
    job = pipeline.dream_plan(claim, heart)
    yield
    dream_apply(job, heart)


def again(dream: Dream) -> Dream:
    return Dream.objects.get(id=dream.id)


def dangling(notes: dict[str, str]) -> set[str]:
    """Paths that a link leads to and nothing is at."""
    linked = ((path, target) for path, text in notes.items() for target in re.findall(r"\]\((.*?)\)", text))
    return {join(dirname(path), target) for path, target in linked} - notes.keys()


@pytest.mark.parametrize("kind", WRITES)
@pytest.mark.parametrize("role", ROLES)
def test_every_role_and_write(workspace: Workspace, sent: list[str], in_place: bool, role: str, kind: str) -> None:
    store = new_store(workspace, NOTES)
    memory = at(store.id, ROLES[role])
    dream = new_dream(store, in_place=in_place)
    with meanwhile(dream):
        WRITES[kind](memory)
        late = Memory.objects.filter(id=memory.id).select_related("content").first()
        before = texts(store.id)
    dream = again(dream)
    after = output(dream)

    assert {FACT, OTHER} & set(before.values()) <= set(after.values())  # no fact lost
    if late is None:
        if role != "index":
            assert memory.path not in after  # nothing deleted comes back
    else:
        kept = at(str(dream.output_store_id), late.path)
        assert kept.content_id == late.content_id  # the late text, verbatim
        marks = ("pinned", "tags", "trust", "metadata", "observed_at")
        assert [getattr(kept, name) for name in marks] == [getattr(late, name) for name in marks]
    assert dangling(after) <= dangling(before)  # but what the writer broke
    outcomes = {op.body["survivor"]["path"]: op.outcome for op in DreamOperation.objects.filter(dream=dream)}
    if role != "index":
        assert outcomes == {"/b.md": "dropped", "/d.md": "applied"}
    assert "Written while I dreamt" in JournalEntry.objects.get(dream=dream).markdown
    assert (dream.report or {})["carried_over"] == 1
    if in_place:
        consistent(store)


def consistent(store: MemoryStore) -> None:
    """The store's own figures and versions agree with its memories."""
    store.refresh_from_db()
    rows = Memory.objects.filter(store=store).select_related("content")
    assert store.entry_count == len(rows)
    assert store.total_size == sum(row.content.size for row in rows)
    assert store.revision == max(
        [row.revision for row in rows]
        + list(store.versions.order_by("-store_revision").values_list("store_revision", flat=True)[:1])
    )


def test_created_late(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    dream = new_dream(store := new_store(workspace, NOTES), in_place=in_place)
    with meanwhile(dream):
        write(store, "/new.md", "A cat sat.\n", pinned=True, tags=["x"])
    dream = again(dream)
    assert output(dream)["/new.md"] == "A cat sat.\n"
    kept = at(str(dream.output_store_id), "/new.md")
    assert (kept.pinned, kept.tags) == (True, ["x"])
    assert "/new.md" not in (dream.files_touched or [])


def test_replaced_under_its_path(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    """By memory id, never by path: another memory at the survivor's path is not the survivor."""
    dream = new_dream(store := new_store(workspace, NOTES), in_place=in_place)
    with meanwhile(dream):
        delete(at(store.id, "/b.md"))
        write(store, "/b.md", "Something else altogether.\n")
    after = output(again(dream))
    assert (after["/a.md"], after["/b.md"]) == (FACT, "Something else altogether.\n")


def test_changed_and_changed_back(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    dream = new_dream(store := new_store(workspace, NOTES), in_place=in_place)
    with meanwhile(dream):
        memory = at(store.id, "/a.md")
        edit(memory, text="x\n")
        edit(memory, text=FACT)
    dream = again(dream)
    assert "/a.md" not in output(dream)
    assert (dream.report or {})["carried_over"] == 0


def test_counters_are_no_writes(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    dream = new_dream(store := new_store(workspace, NOTES), in_place=in_place)
    with meanwhile(dream):
        Memory.objects.filter(store=store).update(access_count=5)
    dream = again(dream)
    counts = dict(Memory.objects.filter(store_id=dream.output_store_id).values_list("path", "access_count"))
    assert counts == {"/b.md": 10, "/d.md": 10, "/index.md": 5}
    assert (dream.report or {})["carried_over"] == 0


def test_all_deleted(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    dream = new_dream(store := new_store(workspace, NOTES), in_place=in_place)
    with meanwhile(dream):
        for path in NOTES:
            delete(at(store.id, path))
    assert output(again(dream)) == {}
