"""Whole dreams without a model: what may be lost, what must stay, and what a second night finds."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.stores import NOW, PORTS, SNAPSHOTS, dangling, dreamt, output, run, sha256, store, texts
from workers.engine import canonical, dream, journal
from workers.engine.passages import parse
from workers.engine.protection import protected
from workers.engine.rebase import rebase
from workers.engine.values import Policy, Ports, Snapshot, Transcript, TranscriptEvent


def said(taken: Snapshot) -> set[tuple[str, ...]]:
    """All that a store says, passage by passage, links apart."""
    return {
        canonical.tokens(passage.text)
        for each in taken.memories
        for passage in parse(each.path, each.text).passages
        if not passage.links
    }


@given(SNAPSHOTS)
def test_no_passage_is_lost_unless_an_operation_names_its_kept_successor(taken: Snapshot) -> None:
    plan = run(taken)
    after = said(output(taken, rebase(plan, taken)))
    let_go = {source.sha256 for each in plan.operations for source in each.sources if each.kind == "supersede"}
    superseded = {
        canonical.tokens(passage.text)
        for each in taken.memories
        for passage in parse(each.path, each.text).passages
        if sha256(passage.text) in let_go
    }
    for lost in said(taken) - after - superseded:
        assert any(longer[: len(lost)] == lost for longer in after), lost


@given(SNAPSHOTS, st.randoms(use_true_random=False))
def test_the_order_of_memories_decides_nothing(taken: Snapshot, shuffle: random.Random) -> None:
    shuffled = list(taken.memories)
    shuffle.shuffle(shuffled)
    assert run(replace(taken, memories=tuple(shuffled))) == run(taken)


@given(SNAPSHOTS)
def test_a_dream_of_its_own_output_changes_nothing(taken: Snapshot) -> None:
    once = dreamt(taken)
    again = run(once)
    assert again.operations == ()
    assert texts(dreamt(once)) == texts(once)


@given(SNAPSHOTS)
def test_no_link_is_left_dangling(taken: Snapshot) -> None:
    assert dangling(dreamt(taken)) <= dangling(taken)


@given(SNAPSHOTS)
def test_protected_memories_stay_byte_for_byte(taken: Snapshot) -> None:
    after = texts(dreamt(taken))
    for each in taken.memories:
        if each.id in protected(taken):
            assert after[each.path] == each.text


def test_a_legal_store_is_not_read() -> None:
    def refuse(text: str) -> int:
        raise AssertionError(f"read {text}")

    taken = store({"/a.md": "One fact of the case.", "/b.md": "One fact of the case."}, trust_tier="legal")
    plan = run(taken, SESSIONS, ports=Ports(count_tokens=refuse))
    assert (plan.operations, plan.suggestions, plan.accesses) == ((), (), ())
    assert dreamt(taken, ports=Ports(count_tokens=refuse)).memories == taken.memories
    assert plan.report.protected_skipped == 2
    assert "skipped" in journal.render(plan.journal)


QUOTE = TranscriptEvent("agent.message", "From memory: the CI job takes nine minutes.", NOW)
SESSIONS = (Transcript("sesn_1", NOW, "a talk", (QUOTE,)),)


def test_a_session_without_a_model_counts_as_access_of_what_it_quotes() -> None:
    taken = store({"/a.md": "# CI\n\n- The CI job takes nine minutes.\n", "/b.md": "The CI job takes nine hours."})
    plan = run(taken, SESSIONS)
    assert [(each.memory_id, each.session_id) for each in plan.accesses] == [("mem_/a.md", "sesn_1")]
    assert "1 session only counted as access" in journal.render(plan.journal)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("As you know: The CI job takes nine minutes. Noted.", True),
        ("“The CI job takes nine minutes”, it said.", True),
        ("We said that the CI job takes nine minutes on a good day.", True),
        ("The CI job of the fork takes nine minutes.", False),
        ("The CI job takes nine.", False),
    ],
)
def test_a_quotation_is_found_within_other_words(said: str, quoted: bool) -> None:
    taken = store({"/a.md": "The CI job takes nine minutes."})
    session = Transcript("sesn_1", NOW, "a talk", (TranscriptEvent("user.message", said, NOW),))
    assert bool(run(taken, (session,)).accesses) == quoted


def test_a_quoted_copy_counts_for_its_survivor() -> None:
    line = "The CI job takes nine minutes."
    taken = store({"/a.md": line, "/b.md": line})
    plan = run(taken, SESSIONS)
    assert [each.memory_id for each in rebase(plan, taken).accesses] == ["mem_/b.md"]


def test_steps_name_their_phase_and_progress() -> None:
    taken = store({f"/n/{n}.md": f"Fact number {n} of the store." for n in range(1100)})
    steps = list(dream.run(taken, (), Policy(), PORTS, NOW))
    assert [each.phase for each in steps[:4]] == ["orient"] * 4
    assert (steps[0].done, steps[0].total) == (500, 1100)
    assert steps[-1].phase == "journal"


def test_the_report_counts_what_the_plan_does() -> None:
    taken = store({"/a.md": "Run tests first.", "/b.md": "run tests first", "/c.md": "Run tests first, with uv."})
    report = run(taken).report
    assert (report.scanned, report.passages) == (3, 3)
    assert (report.exact_merged, report.contained_merged) == (1, 1)
    assert (report.tokens_before, report.tokens_after, report.tokens_saved) == (11, 5, 6)
