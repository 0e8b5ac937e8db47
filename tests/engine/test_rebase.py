"""Writes that arrive while a dream runs: they win, whatever part of an operation they touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.stores import SNAPSHOTS, contents, dangling, edited, memory, output, run, store, texts
from workers.engine.components import components
from workers.engine.plan import NewMemory, Operation, Plan, SnapshotMismatch
from workers.engine.rebase import LateWrite, Rebased, rebase
from workers.engine.values import Memory, Signals, Snapshot

LINE = "The backup of the billing database runs every night.\n"
OTHER = "Ship on Tuesday from main.\n"
OTHER_LONG = "The office of the Vienna team closes at six in winter.\n"
STORE = store(
    {
        "/index.md": "# Index\n\n- [Old](old.md)\n- [New](new.md)\n",
        "/old.md": LINE,
        "/new.md": LINE,
        "/else.md": OTHER,
        "/more.md": OTHER,
    }
)
Change = Callable[[Memory], Memory | None]
EDIT: Change = lambda before: edited(before, before.text + "\nAnd a late word.\n")  # noqa: E731
DELETE: Change = lambda _: None  # noqa: E731
RENAME: Change = lambda before: replace(before, path="/renamed" + before.path, revision=9)  # noqa: E731
PIN: Change = lambda before: replace(before, pinned=not before.pinned, revision=9)  # noqa: E731


def held(taken: Snapshot, path: str) -> Memory:
    return next(each for each in taken.memories if each.path == path)


def late_write(taken: Snapshot, path: str, change: Change) -> LateWrite:
    return LateWrite(held(taken, path).id, change(held(taken, path)))


def removed(rebased: Rebased) -> set[str]:
    return {each.path for each in rebased.removed}


def test_without_late_writes_both_copies_become_one() -> None:
    rebased = rebase(run(STORE), STORE)
    assert removed(rebased) == {"/old.md", "/else.md"}
    assert texts(output(STORE, rebased))["/index.md"] == "# Index\n\n- [New](new.md)\n"
    assert rebased.files_touched == ("/else.md", "/index.md", "/old.md")


@pytest.mark.parametrize("path", ["/old.md", "/new.md"])
@pytest.mark.parametrize("change", [EDIT, DELETE, RENAME, PIN])
def test_a_late_write_to_source_or_survivor_drops_its_component_alone(path: str, change: Change) -> None:
    late = late_write(STORE, path, change)
    rebased = rebase(run(STORE), STORE, [late])
    after = output(STORE, rebased, [late])
    assert removed(rebased) == {"/else.md"}
    assert [each.paths for each in rebased.dropped] == [((late.state or held(STORE, path)).path,)]
    if late.state is None:
        assert path not in texts(after)
    else:
        assert held(after, late.state.path) == late.state


@pytest.mark.parametrize("change", [EDIT, RENAME, PIN])
def test_a_late_index_that_links_to_a_copy_keeps_the_copy(change: Change) -> None:
    late = late_write(STORE, "/index.md", change)
    rebased = rebase(run(STORE), STORE, [late])
    after = output(STORE, rebased, [late])
    assert late.state is not None
    assert held(after, late.state.path).text == late.state.text
    assert dangling(after) <= dangling(replace(STORE, memories=tuple(_live(STORE, late))))
    if change is not RENAME:
        assert removed(rebased) == {"/else.md"}


def _live(taken: Snapshot, late: LateWrite) -> list[Memory]:
    rest = [each for each in taken.memories if each.id != late.memory_id]
    return rest if late.state is None else [*rest, late.state]


def test_a_late_index_without_the_link_lets_the_copy_go() -> None:
    late = late_write(STORE, "/index.md", lambda before: edited(before, "- [New](new.md)\n"))
    rebased = rebase(run(STORE), STORE, [late])
    assert removed(rebased) == {"/old.md", "/else.md"}
    assert texts(output(STORE, rebased, [late]))["/index.md"] == "- [New](new.md)\n"


def test_a_deleted_index_lets_the_copy_go() -> None:
    late = late_write(STORE, "/index.md", DELETE)
    rebased = rebase(run(STORE), STORE, [late])
    assert set(texts(output(STORE, rebased, [late]))) == {"/new.md", "/more.md"}


def test_a_new_memory_is_carried_and_holds_what_it_links_to() -> None:
    new = memory("/fresh.md", "See [the backup](old.md).\n", number=9)
    late = LateWrite(new.id, new)
    rebased = rebase(run(STORE), STORE, [late])
    assert removed(rebased) == {"/else.md"}
    assert held(output(STORE, rebased, [late]), "/fresh.md") == new
    assert [(each.kind, each.path) for each in rebased.carried] == [("created", "/fresh.md")]


def test_counters_and_a_write_that_changes_nothing_are_no_late_writes() -> None:
    used = replace(held(STORE, "/old.md"), signals=Signals(access_count=5), revision=9)
    rebased = rebase(run(STORE), STORE, [LateWrite(used.id, used)])
    assert removed(rebased) == {"/old.md", "/else.md"}
    assert rebased.carried == ()


def test_a_witness_is_relied_on() -> None:
    plan = run(STORE)
    first = next(each for each in plan.operations if each.survivor and each.survivor.path == "/new.md")
    witnessed = replace(first, relies_on=first.relies_on | {held(STORE, "/index.md").id})
    plan = _with(plan, [witnessed if each is first else each for each in plan.operations])
    late = late_write(STORE, "/index.md", lambda before: edited(before, "nothing\n"))
    assert removed(rebase(plan, STORE, [late])) == {"/else.md"}


def _with(plan: Plan, operations: list[Operation]) -> Plan:
    return replace(plan, operations=tuple(operations)).sealed()


@pytest.mark.parametrize(
    ("late_path", "given_path"),
    [
        ("/unrelated.md", "/dreams/2026-03/c1.md"),
        ("/dreams/2026-03/c1.md", "/dreams/2026-03/c1-2.md"),
        ("/dreams", "/dreams-2/2026-03/c1.md"),
        ("/dreams/2026-03/c1.md/x.md", "/dreams/2026-03/c1-2.md"),
    ],
)
def test_a_created_path_that_is_taken_gets_a_number(late_path: str, given_path: str) -> None:
    plan = run(STORE)
    first = plan.operations[0]
    plan = _with(plan, [replace(first, creates=NewMemory("/dreams/2026-03/c1.md", "New.\n")), *plan.operations[1:]])
    new = memory(late_path, "Late.\n", number=9)
    rebased = rebase(plan, STORE, [LateWrite(new.id, new)])
    created = next(each for each in rebased.changed if each.source_id is None)
    assert created.memory.path == given_path
    assert created.memory.text == "New.\n"
    assert given_path in rebased.files_touched
    assert {each.source.path for each in rebased.lineage if each.output_id is None} == {
        source.path for source in first.sources
    }


def test_operations_that_share_a_memory_are_dropped_together() -> None:
    taken = store(
        {
            "/b.md": f"- Something of its own\n- {LINE}",
            "/c.md": f"- Another thing of its own\n- {OTHER_LONG}",
            "/a.md": f"- {LINE}- {OTHER_LONG}",
            "/d.md": OTHER,
            "/e.md": OTHER,
        }
    )
    plan = run(taken)
    assert len(plan.operations) == 3
    rebased = rebase(plan, taken, [late_write(taken, "/c.md", EDIT)])
    assert len(rebased.dropped) == 2
    assert texts(output(taken, rebase(plan, taken)))["/b.md"] == "- Something of its own\n"
    assert removed(rebased) == {"/d.md"}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_components_are_closed_under_sharing(order: tuple[int, ...]) -> None:
    sample = run(STORE).operations[0]
    memories = ("ab", "bc", "cd", "ef")
    linked = [
        replace(sample, id=each, writes=frozenset(each[0]), relies_on=frozenset(each[1]))
        for each in (memories[n] for n in order)
    ]
    assert {frozenset(each.id for each in group) for group in components(linked)} == {
        frozenset(("ab", "bc", "cd")),
        frozenset(("ef",)),
    }


def test_live_counters_are_inherited() -> None:
    old, new = held(STORE, "/old.md"), held(STORE, "/new.md")
    counters = {old.id: Signals(access_count=3), new.id: Signals(access_count=4, success_score=0.5)}
    rebased = rebase(run(STORE), STORE, signals=counters)
    survivor = next(each for each in rebased.changed if each.source_id == new.id)
    assert survivor.memory.signals.access_count == 7
    assert survivor.memory.signals.success_score == 0.5
    assert survivor.absorbed == (old.id,)
    assert not survivor.text_changed


def test_a_plan_refuses_another_snapshot() -> None:
    plan = run(STORE)
    old = held(STORE, "/old.md")
    others = [
        replace(STORE, revision=8),
        replace(STORE, store_id="memstore_2"),
        replace(STORE, memories=STORE.memories[1:]),
        replace(STORE, protected_paths=("/x",)),
        *(
            replace(STORE, memories=(changed, *(each for each in STORE.memories if each is not old)))
            for changed in (
                edited(old, "x"),
                replace(old, pinned=True),
                replace(old, path="/o.md"),
                replace(old, tags=("t",)),
            )
        ),
    ]
    for other in others:
        with pytest.raises(SnapshotMismatch):
            rebase(plan, other)


LATE_TEXTS = contents(["Late.", "See [a](a.md) and [[deploys]]."])


@given(SNAPSHOTS, st.data())
def test_late_states_are_verbatim_and_no_link_dangles_for_our_sake(taken: Snapshot, data: st.DataObject) -> None:
    late = []
    for each in data.draw(st.lists(st.sampled_from(taken.memories), unique_by=lambda each: each.id, max_size=2)):
        change = data.draw(st.sampled_from((DELETE, PIN, RENAME, EDIT, lambda m: edited(m, data.draw(LATE_TEXTS)))))
        late.append(LateWrite(each.id, change(each)))
    if data.draw(st.booleans()):
        new = memory("/fresh/note.md", data.draw(LATE_TEXTS), number=9)
        late.append(LateWrite(new.id, new))
    rebased = rebase(run(taken), taken, late)
    after = output(taken, rebased, late)
    gone = {write.memory_id for write in late if write.state is None}
    live = {each.id: each for each in taken.memories if each.id not in gone}
    live |= {write.memory_id: write.state for write in late if write.state is not None}
    by_id = {each.id: each for each in after.memories}
    assert not gone & by_id.keys()
    for write in late:
        if write.state is not None:
            assert by_id[write.memory_id] == write.state
    assert dangling(after) <= dangling(replace(taken, memories=tuple(live.values())))
