"""Sessions begun before a dream replaced the default go on writing to the old one: the next dream takes that along."""

from __future__ import annotations

import pytest
from django.db.models import F

from dreams.models import Dream, JournalEntry, Lineage
from dreamsvc.models import Workspace
from identities.models import Mount
from memorystores.models import Memory, MemoryStore
from memorystores.services.stores import store_delete, store_update
from tests.lifecycle.pairs import new_pair, replace_default
from tests.lifecycle.stores import at, claimed, delete, edit, ended, new_dream, new_store, output, write
from workers import pipeline
from workers.apply import dream_apply

FACT = "The invoice run starts on the 5th of the month.\n"
TEAM = "# Team\n\n- Ana leads the billing team.\n"
NOTES = {"/a.md": FACT, "/b.md": FACT, "/team.md": TEAM, "/plan.md": "Ship on Friday.\n"}
DREAMT = {"/b.md": FACT, "/team.md": TEAM, "/plan.md": "Ship on Friday.\n"}


@pytest.fixture
def mount(workspace: Workspace, sent: list[str]) -> Mount:
    """A pair whose default is the output of a first dream."""
    mount = new_pair(workspace, new_store(workspace, NOTES))
    next_night(mount)
    return mount


def next_night(mount: Mount) -> Dream:
    mount.refresh_from_db()
    dream = ended(new_dream(mount.store, mount=mount))
    assert dream.status == "completed", (dream.error_type, dream.error_message)
    return dream


def now(mount: Mount) -> MemoryStore:
    return Mount.objects.select_related("store").get(pk=mount.pk).store


def old(mount: Mount, nights: int = 1) -> MemoryStore:
    """The default memory of so many nights ago."""
    store = now(mount)
    for _ in range(nights):
        store = MemoryStore.objects.get(id=str(store.derived_from))
    return store


def journal(dream: Dream) -> str:
    return JournalEntry.objects.get(dream=dream).markdown


def test_nothing_written(mount: Mount) -> None:
    assert output(next_night(mount)) == DREAMT


def test_a_new_memory(mount: Mount) -> None:
    write(old(mount), "/new.md", "new\n", tags=["x"])
    dream = next_night(mount)
    assert output(dream) == {**DREAMT, "/new.md": "new\n"}
    assert at(str(dream.output_store_id), "/new.md").tags == ["x"]
    assert "`/new.md` was written in the former default memory" in journal(dream)
    assert (dream.report or {})["carried_over"] == 1


def test_a_new_memory_at_a_taken_path(mount: Mount) -> None:
    write(old(mount), "/new.md", "old session\n")
    write(now(mount), "/new.md", "new session\n")
    dream = next_night(mount)
    assert output(dream) == {**DREAMT, "/new.md": "new session\n", "/new-2.md": "old session\n"}


def test_an_edit_of_a_copy_replaces_it(mount: Mount) -> None:
    edit(at(old(mount).id, "/plan.md"), text="Ship on Monday.\n")
    dream = next_night(mount)
    assert output(dream) == {**DREAMT, "/plan.md": "Ship on Monday.\n"}
    assert "`/plan.md` was written in the former default memory" in journal(dream)


def test_a_rename_and_a_pin(mount: Mount) -> None:
    edit(at(old(mount).id, "/plan.md"), path="/plans/ship.md")
    edit(at(old(mount).id, "/team.md"), pinned=True)
    dream = next_night(mount)
    assert output(dream).keys() == {"/b.md", "/team.md", "/plans/ship.md"}
    assert at(str(dream.output_store_id), "/team.md").pinned


@pytest.mark.parametrize("path", ["/a.md", "/b.md"])
def test_an_edit_of_a_merged_memory_arrives_beside_it(mount: Mount, path: str) -> None:
    edit(at(old(mount).id, path), text="On the 6th.\n")
    dream = next_night(mount)
    beside = "/a.md" if path == "/a.md" else "/b-2.md"
    assert output(dream) == {**DREAMT, beside: "On the 6th.\n"}
    assert "beside" in journal(dream)


def test_both_edited(mount: Mount) -> None:
    edit(at(old(mount).id, "/plan.md"), text="Ship on Monday.\n")
    edit(at(now(mount).id, "/plan.md"), text="Ship on Sunday.\n")
    assert output(next_night(mount)) == {**DREAMT, "/plan.md": "Ship on Sunday.\n", "/plan-2.md": "Ship on Monday.\n"}


def test_edited_here_while_the_dream_ran(mount: Mount) -> None:
    edit(at(old(mount).id, "/plan.md"), text="Ship on Monday.\n")
    mount.refresh_from_db()
    dream = new_dream(mount.store, mount=mount)
    claim, heart = claimed(dream)
    job = pipeline.dream_plan(claim, heart)
    edit(at(mount.store_id, "/plan.md"), text="Ship on Sunday.\n")
    write(mount.store, "/late.md", "late\n")
    dream_apply(job, heart)
    expected = {"/plan.md": "Ship on Sunday.\n", "/plan-2.md": "Ship on Monday.\n", "/late.md": "late\n"}
    assert output(Dream.objects.get(id=dream.id)) == {**DREAMT, **expected}


def test_a_deletion(mount: Mount) -> None:
    delete(at(old(mount).id, "/plan.md"))
    delete(at(old(mount).id, "/a.md"))
    dream = next_night(mount)
    assert output(dream) == {path: text for path, text in DREAMT.items() if path != "/plan.md"}
    assert "was deleted in the former default memory and is gone here too" in journal(dream)
    assert "stays" in journal(dream)  # what was merged into /b.md


def test_deleted_there_but_edited_here(mount: Mount) -> None:
    delete(at(old(mount).id, "/plan.md"))
    edit(at(now(mount).id, "/plan.md"), text="Ship on Sunday.\n")
    assert output(next_night(mount)) == {**DREAMT, "/plan.md": "Ship on Sunday.\n"}


def test_deleted_here_but_edited_there(mount: Mount) -> None:
    edit(at(old(mount).id, "/plan.md"), text="Ship on Monday.\n")
    delete(at(now(mount).id, "/plan.md"))
    assert output(next_night(mount)) == {**DREAMT, "/plan.md": "Ship on Monday.\n"}


def test_each_write_is_taken_once(mount: Mount) -> None:
    former = old(mount)
    write(former, "/new.md", "new\n")
    first = next_night(mount)
    assert MemoryStore.objects.get(id=str(first.primary_store_id)).derived_revision == former.revision + 1
    delete(at(now(mount).id, "/new.md"))
    assert output(next_night(mount)) == DREAMT


def test_a_session_that_outlives_two_nights(mount: Mount) -> None:
    former = old(mount)
    edit(at(former.id, "/plan.md"), text="Ship on Monday.\n")
    next_night(mount)
    edit(at(former.id, "/plan.md"), text="Ship on Tuesday.\n")
    write(former, "/new.md", "new\n")
    dream = next_night(mount)
    assert output(dream) == {**DREAMT, "/plan.md": "Ship on Tuesday.\n", "/new.md": "new\n"}
    edit(at(old(mount).id, "/plan.md"), text="Ship on Wednesday.\n")
    assert output(next_night(mount))["/plan.md"] == "Ship on Wednesday.\n"


def test_two_old_sessions_of_different_nights(mount: Mount) -> None:
    next_night(mount)
    edit(at(old(mount, 2).id, "/plan.md"), text="of the oldest\n")
    edit(at(old(mount, 1).id, "/plan.md"), text="of the newer\n")
    assert output(next_night(mount)) == {**DREAMT, "/plan.md": "of the newer\n", "/plan-2.md": "of the oldest\n"}


def test_lineage_leads_to_both(mount: Mount) -> None:
    former, before = at(old(mount).id, "/plan.md"), at(now(mount).id, "/plan.md")
    edit(former, text="Ship on Monday.\n")
    dream = next_night(mount)
    rows = Lineage.objects.filter(dream=dream, path="/plan.md")
    assert set(rows.values_list("source_memory_id", "operation")) == {(former.id, "kept"), (before.id, "kept")}


def test_a_failed_dream_moves_no_mark(mount: Mount, workspace: Workspace) -> None:
    write(old(mount), "/new.md", "new\n")
    store = now(mount)
    dream = new_dream(store, mount=mount)
    claim, heart = claimed(dream)
    job = pipeline.dream_plan(claim, heart)
    replace_default(mount, new_store(workspace, {}))
    pipeline.guarded(claim, lambda: dream_apply(job, heart))
    assert Dream.objects.get(id=job.dream.id).status == "failed"
    assert MemoryStore.objects.get(id=store.id).derived_revision == store.derived_revision


def test_the_store_dream_of_a_default_takes_nothing(mount: Mount) -> None:
    write(old(mount), "/new.md", "new\n")
    assert output(ended(new_dream(now(mount)))) == DREAMT


class TestNotTaken:
    """What was never this pair's, or must not be read here."""

    def test_of_another_store(self, workspace: Workspace, sent: list[str]) -> None:
        """Mounted by hand, a dream's output derives from a store that others may write."""
        source = new_store(workspace, NOTES)
        made = MemoryStore.objects.get(id=str(ended(new_dream(source)).output_store_id))
        mount = new_pair(workspace, made)
        write(source, "/others.md", "of somebody else\n")
        assert output(next_night(mount)) == DREAMT

    def test_of_a_store_that_another_pair_has_now(self, mount: Mount, workspace: Workspace) -> None:
        former = old(mount)
        new_pair(workspace, former, "ben")
        write(former, "/bens.md", "Ben's\n")
        assert output(next_night(mount)) == DREAMT

    def test_of_another_tier(self, mount: Mount) -> None:
        former = old(mount)
        write(former, "/new.md", "legal now\n")
        store_update(workspace_id=former.workspace_id, store_id=former.id, fields={"trust_tier": "legal"}, admin=True)
        assert output(next_night(mount)) == DREAMT

    def test_of_a_deleted_store(self, mount: Mount) -> None:
        former = old(mount)
        write(former, "/new.md", "new\n")
        store_delete(workspace_id=former.workspace_id, store_id=former.id)
        assert output(next_night(mount)) == DREAMT


def test_legal_is_carried_unread(workspace: Workspace, sent: list[str]) -> None:
    mount = new_pair(workspace, new_store(workspace, NOTES, trust_tier="legal"))
    next_night(mount)
    edit(at(old(mount).id, "/plan.md"), text="Settle on Monday.\n")
    write(old(mount), "/new.md", "new\n")
    Memory.objects.filter(store=now(mount)).update(access_count=F("access_count") + 1)
    assert output(next_night(mount)) == {**NOTES, "/plan.md": "Settle on Monday.\n", "/new.md": "new\n"}
