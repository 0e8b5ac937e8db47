"""Writes in the middle of an apply, between what it read and its locks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dreams.models import Dream, JournalEntry, Lineage
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore, MemoryVersion
from tests.lifecycle.stores import at, delete, edit, ended, new_dream, new_store, output, write
from workers import apply
from workers.late import late_read
from workers.storage import store_create

PAIRS = 4
FACTS = [f"The invoice run of region {number} starts on the 5th of the month.\n" for number in range(PAIRS)]
APART = {"/apart.md": "Nobody merges this.\n", "/other.md": "Nor this.\n"}
NOTES = {f"/{side}{number}.md": fact for number, fact in enumerate(FACTS) for side in "ab"} | APART
DREAMT = {f"/b{number}.md": fact for number, fact in enumerate(FACTS)} | APART


@pytest.fixture(params=["create_new", "update_existing"])
def in_place(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "update_existing")


class Meanwhile:
    """Writes after each draft, and remembers how the drafts were made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *writes: Callable[[], Any]) -> None:
        self.drafts: list[str] = []
        self._writes = list(writes)
        self._draft = apply._draft
        monkeypatch.setattr(apply, "_draft", self.draft)

    def draft(self, job: Any, upsert: Any) -> Any:
        made = self._draft(job, upsert)
        self.drafts.append("locked" if upsert is apply._contents_upsert_here else "free")
        if self._writes:
            self._writes.pop(0)()
        return made


@pytest.fixture
def store(workspace: Workspace) -> MemoryStore:
    return new_store(workspace, NOTES)


def carried(dream: Dream) -> int:
    count: int = (dream.report or {})["carried_over"]
    return count


CATCHES: dict[str, tuple[Callable[[MemoryStore], Any], dict[str, str | None]]] = {
    "create": (lambda store: write(store, "/new.md", "new\n"), {"/new.md": "new\n"}),
    "edit": (lambda store: edit(at(store.id, "/apart.md"), text="edited\n"), {"/apart.md": "edited\n"}),
    "delete": (lambda store: delete(at(store.id, "/apart.md")), {"/apart.md": None}),
    "rename": (
        lambda store: edit(at(store.id, "/apart.md"), path="/moved.md"),
        {"/apart.md": None, "/moved.md": APART["/apart.md"]},
    ),
}


@pytest.mark.parametrize("kind", CATCHES)
def test_what_concerns_no_operation_is_caught_up_with(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, in_place: bool, kind: str
) -> None:
    act, change = CATCHES[kind]
    meanwhile = Meanwhile(monkeypatch, lambda: act(store))
    dream = ended(new_dream(store, in_place=in_place))
    assert meanwhile.drafts == ["free"]
    expected = {path: text for path, text in {**DREAMT, **change}.items() if text is not None}
    assert output(dream) == expected
    assert carried(dream) == 1
    assert "Written while I dreamt" in JournalEntry.objects.get(dream=dream).markdown
    agrees(dream)


def agrees(dream: Dream) -> None:
    """The output's own figures, versions and lineage fit its rows."""
    made = MemoryStore.objects.get(id=str(dream.output_store_id))
    rows = list(Memory.objects.filter(store=made).select_related("content"))
    assert (made.entry_count, made.total_size) == (len(rows), sum(row.content.size for row in rows))
    for row in rows:
        version = MemoryVersion.objects.get(id=row.version_id)
        assert (version.store_id, version.memory_id, version.content_id) == (made.id, row.id, row.content_id)
        assert version.store_revision <= made.revision
    if made.derived_from:
        assert made.derived_revision == dream.applied_revision
        assert {row.id for row in rows} == set(Lineage.objects.filter(dream=dream).values_list("memory_id", flat=True))
        assert {row.id for row in rows} == set(made.versions.values_list("memory_id", flat=True))


def test_a_late_one_that_is_written_again(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    """What the draft took for late is deleted, edited, and undone before the lock."""

    def undo() -> None:
        delete(at(store.id, "/new.md"))
        edit(at(store.id, "/apart.md"), text=APART["/apart.md"])
        edit(at(store.id, "/other.md"), text="third\n")

    meanwhile = Meanwhile(monkeypatch, undo)
    original = late_read

    def written_first(snapshot: Any) -> Any:
        if not meanwhile.drafts and not Memory.objects.filter(store=store, path="/new.md").exists():
            write(store, "/new.md", "new\n")
            edit(at(store.id, "/apart.md"), text="second\n")
            edit(at(store.id, "/other.md"), text="second\n")
        return original(snapshot)

    monkeypatch.setattr(apply, "late_read", written_first)
    dream = ended(new_dream(store, in_place=in_place))
    assert meanwhile.drafts == ["free"]
    assert output(dream) == {**DREAMT, "/other.md": "third\n"}
    assert carried(dream) == 1
    agrees(dream)


def test_copied_in_the_middle_of_a_change_and_back(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = store_create

    def disturbed(*args: Any) -> Any:
        edit(at(store.id, "/apart.md"), text="for a moment\n")
        stored = original(*args)
        edit(at(store.id, "/apart.md"), text=APART["/apart.md"])
        return stored

    monkeypatch.setattr(apply, "store_create", disturbed)
    dream = ended(new_dream(store))
    assert output(dream) == DREAMT
    agrees(dream)


CONCERNS: dict[str, Callable[[MemoryStore], Any]] = {
    "source": lambda store: edit(at(store.id, "/a0.md"), text="edited\n"),
    "survivor": lambda store: edit(at(store.id, "/b0.md"), pinned=True),
    "deleted": lambda store: delete(at(store.id, "/a0.md")),
    "linked": lambda store: write(store, "/new.md", "See [it](a0.md).\n"),
}


@pytest.mark.parametrize("kind", CONCERNS)
def test_what_concerns_an_operation_is_read_again(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, in_place: bool, kind: str
) -> None:
    meanwhile = Meanwhile(monkeypatch, lambda: CONCERNS[kind](store))
    dream = ended(new_dream(store, in_place=in_place))
    assert meanwhile.drafts == ["free", "free"]
    after = output(dream)
    assert FACTS[0] in after.values()
    assert ("/a0.md" in after) == (kind != "deleted")
    assert set(FACTS[1:]) <= set(after.values())
    assert "/a1.md" not in after
    agrees(dream)


def test_the_last_round_locks_first(
    store: MemoryStore, sent: list[str], monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    """A store whose merged memories are never left alone."""
    edits = [
        lambda number=number: edit(at(store.id, f"/a{number}.md"), text=f"edited {number}\n") for number in range(3)
    ]
    meanwhile = Meanwhile(monkeypatch, *edits)
    dream = ended(new_dream(store, in_place=in_place))
    assert meanwhile.drafts == ["free", "free", "free", "locked"]
    after = output(dream)
    assert {after[f"/a{number}.md"] for number in range(3)} == {f"edited {number}\n" for number in range(3)}
    assert "/a3.md" not in after
    assert MemoryStore.objects.count() == (1 if in_place else 2)
    agrees(dream)
