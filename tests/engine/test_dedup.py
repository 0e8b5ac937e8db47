"""What is merged by rule, who survives, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.engine.stores import dreamt, memory, output, run, snapshot, store, texts
from workers.engine import canonical, places
from workers.engine.passages import Passage
from workers.engine.rebase import rebase
from workers.engine.values import Memory, Signals, Snapshot

LONG = "The backup of the billing database runs every night."


def after(files: Mapping[str, str], **changes: object) -> dict[str, str]:
    """The texts that a dream leaves of a store."""
    return texts(dreamt(store(files, **changes)))


def survivor(*memories: Memory) -> Memory:
    """The only memory that is left."""
    (left,) = dreamt(snapshot(memories)).memories
    return left


def test_the_newest_copy_survives() -> None:
    assert survivor(memory("/a.md", LONG, number=3), memory("/b.md", LONG, number=1)).path == "/a.md"


def test_of_equally_old_copies_the_first_path_survives() -> None:
    assert survivor(memory("/b.md", LONG), memory("/a.md", LONG)).path == "/a.md"


def test_the_survivor_inherits_tags_use_times_and_the_highest_trust() -> None:
    left = survivor(
        memory("/new.md", LONG, number=5, tags=("b",), trust="inferred", signals=Signals(0.2, 14, 2, None, 1, None)),
        memory("/old.md", LONG, number=1, tags=("a", "b"), trust="verified", signals=Signals(0.9, 20, 3, None, 4, 0.5)),
    )
    assert (left.path, left.tags, left.trust) == ("/new.md", ("b", "a"), "verified")
    assert left.signals == Signals(0.9, 20, 5, None, 5, 0.5)
    assert left.observed_at == memory("/x.md", "", number=1).observed_at


@pytest.mark.parametrize(("other", "kept"), [("Ana calls the vendor tomorrow at nine.", 9), ("Ana likes the sea.", 1)])
def test_the_day_that_a_survivors_tomorrow_counts_from_stays(other: str, kept: int) -> None:
    left = survivor(memory("/a.md", f"{other}\n\n{LONG}\n", number=9), memory("/b.md", LONG, number=1))
    assert left.observed_at == memory("/x.md", "", number=kept).observed_at


def test_a_longer_text_keeps_its_own_trust() -> None:
    left = survivor(
        memory("/a.md", "Deploys run from main.", number=1),
        memory("/b.md", "Deploys run from main, on Tuesdays.", trust="inferred"),
    )
    assert (left.path, left.trust) == ("/b.md", "inferred")


def test_metadata_of_a_copy_is_inherited_where_the_survivor_has_none() -> None:
    left = survivor(
        memory("/a.md", LONG, number=1, metadata={"k": "mine"}),
        memory("/b.md", LONG, metadata={"k": "theirs", "l": "x"}),
    )
    assert left.metadata == {"k": "mine", "l": "x"}


def test_whole_memories_of_several_passages_are_compared_first() -> None:
    text = "# Notes\n\n- first of all things\n- ok\n\n1. a step\n2. another step\n"
    assert after({"/a.md": text, "/b.md": text.replace("- first", "* First")}) == {
        "/b.md": text.replace("- first", "* First")
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/2026-03-01.md", "/2026-03-02.md"),
        ("/log/2026-03-01.md", "/log/2026-03-02.md"),
    ],
)
def test_the_notes_of_two_days_stay_two(one: str, other: str) -> None:
    assert len(after({one: LONG, other: LONG})) == 2


def test_equal_indexes_stay_both() -> None:
    index = "# Index\n\n- [A](a.md) — the first\n"
    assert set(after({"/MEMORY.md": index, "/INDEX.md": index, "/a.md": LONG})) == {"/MEMORY.md", "/INDEX.md", "/a.md"}


def test_equal_words_with_links_to_other_places_are_not_the_same() -> None:
    text = "The details of all our deploys are in [the plan](note.md).\n"
    files = {"/x/a.md": text, "/y/a.md": text, "/x/note.md": "One thing.", "/y/note.md": "Another thing."}
    assert after(files) == files


def test_passages_with_links_to_other_places_are_not_the_same() -> None:
    text = "The details of all our deploys are in [the plan](note.md).\n\nMore of {}.\n"
    files = {"/x/a.md": text.format("x"), "/y/a.md": text.format("y"), "/x/note.md": "One thing.", "/y/note.md": "Two."}
    assert after(files) == files
    longer = {**files, "/x/a.md": "See [the plan](note.md).", "/y/a.md": "See [the plan](note.md), on Tuesdays."}
    assert after(longer) == longer
    same = {"/x/a.md": longer["/x/a.md"], "/x/b.md": longer["/y/a.md"], "/x/note.md": "One thing."}
    assert after(same) == {path: text for path, text in same.items() if path != "/x/a.md"}


@pytest.mark.parametrize("text", ["ok", "Steps:", "See above for it.", "1. the first step"])
def test_what_means_nothing_alone_is_not_merged_alone(text: str) -> None:
    files = {"/a.md": text, "/b.md": text}
    assert after(files) == files


def test_code_goes_only_for_equal_bytes() -> None:
    code = "```\nmake deploy now please\n```\n"
    assert after({"/a.md": code, "/b.md": code}) == {"/b.md": code}
    spaced = code.replace("deploy now", "deploy  now")
    assert len(after({"/a.md": code, "/b.md": spaced})) == 2


def test_lines_under_other_headings_stay() -> None:
    text = "## 2026-03-01\n\n- all checks are green\n\n## 2026-03-02\n\n- all checks are green\n"
    assert after({"/log.md": text}) == {"/log.md": text}


def test_an_emptied_heading_goes_where_the_survivor_stands_under_an_equal_one() -> None:
    assert after({"/a.md": "# Rules\n\n- Run tests first\n\n# Rules\n\n- run tests first.\n"}) == {
        "/a.md": "# Rules\n\n- Run tests first\n"
    }


def test_an_emptied_heading_stays_where_its_name_would_be_lost() -> None:
    """The line under "Berlin" goes to /Berlin.md, and that note to a fuller one, whose place says nothing of Berlin."""
    own = "## Rooms\n\n- Something of its own\n"
    fuller = LONG.replace(".", ", on Tuesdays too.")
    left = after({"/a.md": f"## Berlin\n\n- {LONG}\n\n{own}", "/Berlin.md": LONG, "/n.md": fuller})
    assert left == {"/a.md": f"## Berlin\n\n{own}", "/n.md": fuller}


def test_a_file_emptied_of_its_passages_goes_and_its_use_is_inherited_once() -> None:
    taken = snapshot(
        [
            memory("/a.md", f"- {LONG}\n- Something of its own\n", number=2, signals=Signals(access_count=1)),
            memory("/b.md", f"{LONG}\n", signals=Signals(access_count=2), tags=("b",)),
        ]
    )
    (left,) = dreamt(taken).memories
    assert (left.path, left.signals.access_count, left.tags) == ("/a.md", 3, ("b",))


def test_front_matter_that_stands_nowhere_else_keeps_its_file() -> None:
    files = {"/a.md": f"---\ntags: backups\n---\n\n{LONG}\n", "/b.md": f"- {LONG}\n- Something of its own\n"}
    assert after(files) == {"/a.md": files["/a.md"], "/b.md": "- Something of its own\n"}


def test_differing_front_matter_keeps_both() -> None:
    files = {"/a.md": f"---\nname: a\n---\n\n{LONG}\n", "/b.md": f"---\nname: b\n---\n\n{LONG}\n"}
    assert after(files) == files


def test_copies_of_what_becomes_a_whole_memory_go_in_the_same_dream() -> None:
    """The first round leaves one line in /n1.md; only then is it the same memory as /n2.md."""
    line = "Run tests first."
    assert after({"/n1.md": f"{line}\n\n{line}\n", "/n2.md": f"{line}\n"}) == {"/n2.md": f"{line}\n"}


def test_a_contained_survivor_of_copies_passes_all_its_sources_on() -> None:
    longer = "Deploys run from main, on Tuesdays."
    taken = store({"/a.md": "Deploys run from main.", "/b.md": "deploys run from main", "/c.md": longer})
    rebased = rebase(run(taken), taken)
    assert texts(output(taken, rebased)) == {"/c.md": longer}
    assert {each.source.path for each in rebased.lineage} == {"/a.md", "/b.md", "/c.md"}
    assert {each.output_path for each in rebased.lineage} == {"/c.md"}


def test_rings_do_not_mix() -> None:
    for other in (LONG, LONG.replace(".", ", on Tuesdays too.")):
        taken = snapshot([memory("/a.md", LONG, ring="practice"), memory("/b.md", other, ring="longterm")])
        assert len(dreamt(taken).memories) == 2
        together = [replace(each, ring="none") for each in taken.memories]
        assert len(dreamt(snapshot(together)).memories) == 1


PROTECTED: dict[str, dict[str, Any]] = {
    "pinned": {"pinned": True},
    "shocks": {"ring": "shocks"},
    "untrusted": {"trust": "untrusted"},
    "forgotten": {"decay_stage": "forgotten"},
}


@pytest.mark.parametrize("reason", PROTECTED)
def test_two_protected_copies_stay_both(reason: str) -> None:
    taken = snapshot([memory("/a.md", LONG, **PROTECTED[reason]), memory("/b.md", LONG, **PROTECTED[reason])])
    assert dreamt(taken).memories == taken.memories


@pytest.mark.parametrize(("reason", "left"), [("pinned", 1), ("shocks", 2), ("untrusted", 2), ("forgotten", 2)])
def test_only_a_pinned_memory_survives_for_its_copies(reason: str, left: int) -> None:
    bound = memory("/a.md", LONG, **PROTECTED[reason])
    found = dreamt(snapshot([bound, memory("/b.md", LONG, number=1)])).memories
    assert len(found) == left
    assert (found[0].path, found[0].text, found[0].pinned) == ("/a.md", LONG, bound.pinned)


def test_a_pinned_memory_takes_exact_copies_only() -> None:
    taken = snapshot([memory("/a.md", LONG, pinned=True), memory("/b.md", LONG.lower())])
    assert len(dreamt(taken).memories) == 2
    longer = snapshot([memory("/a.md", LONG.replace(".", ", at 2:00."), pinned=True), memory("/b.md", LONG)])
    assert len(dreamt(longer).memories) == 2


def test_what_a_pinned_text_links_to_does_not_go() -> None:
    taken = snapshot(
        [memory("/index.md", "- [A](a.md)\n", pinned=True), memory("/a.md", LONG), memory("/b.md", LONG, number=3)]
    )
    assert set(texts(dreamt(taken))) == {"/index.md", "/a.md"}


def test_what_a_pinned_text_links_to_is_not_emptied() -> None:
    files = {"/a.md": f"- {LONG}\n", "/b.md": f"- Something of its own\n- {LONG}\n"}
    free = [memory(path, text, number=n) for n, (path, text) in enumerate(files.items())]
    assert set(texts(dreamt(snapshot(free)))) == {"/b.md"}
    index = memory("/index.md", "- [A](a.md)\n", pinned=True)
    kept = texts(dreamt(snapshot([index, *free])))
    assert kept == {"/index.md": index.text, "/a.md": files["/a.md"], "/b.md": "- Something of its own\n"}


def test_a_file_that_must_stay_keeps_one_passage_and_the_next_dream_finds_no_more() -> None:
    other = LONG.replace("backup", "audit")
    both = f"- {LONG}\n- {other}\n"
    index = memory("/index.md", "- [A](a.md)\n", pinned=True)
    once = dreamt(
        snapshot([index, memory("/a.md", both), memory("/b.md", f"{both}- Something of its own\n", number=1)])
    )
    assert texts(once)["/a.md"] == f"- {LONG}\n"
    assert texts(once)["/b.md"] == f"- {other}\n- Something of its own\n"
    assert run(once).operations == ()


def test_protected_paths_stay() -> None:
    files = {"/private/a.md": LONG, "/b.md": LONG}
    assert after(files, protected_paths=("/private/",)) == files


def test_a_text_that_a_person_deleted_is_left_alone() -> None:
    taken = store({"/a.md": LONG, "/b.md": LONG}, tombstones=frozenset({canonical.key(LONG)}))
    assert dreamt(taken).memories == taken.memories


def test_a_text_repeated_in_many_places_is_held_against_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    compatible = places.compatible

    def counted(a: Passage, b: Passage, *, whole: bool) -> bool:
        calls.append(1)
        return compatible(a, b, whole=whole)

    monkeypatch.setattr(places, "compatible", counted)
    count = 500
    lines = "".join(f"## 2026-{n}\n\n- all checks are green again\n\n" for n in range(count))
    assert run(store({"/log.md": lines})).operations == ()
    assert count < len(calls) < 20 * count


def test_phases_that_are_not_named_do_not_run() -> None:
    taken = store({"/a.md": LONG, "/b.md": LONG})
    assert run(taken, phases=("consolidate",)).operations == ()
    assert run(taken, phases=("dedup",)).operations


def _explicit(old: Memory, new: Memory) -> Snapshot:
    return dreamt(snapshot([old, new], supersede="explicit"))


OLD = memory("/a.md", "The orders API is at /v1/orders.", tags=("api",))
NEW = memory("/b.md", "The orders API moved from /v1/orders to /v2/orders on 2026-03-04.", number=4)


def test_explicit_supersession_lets_the_old_value_go() -> None:
    (left,) = _explicit(OLD, NEW).memories
    assert (left.text, left.tags, left.observed_at) == (NEW.text, ("api",), NEW.observed_at)


def test_by_default_a_supersession_is_only_suggested() -> None:
    assert len(dreamt(snapshot([OLD, NEW])).memories) == 2


def test_a_value_learned_after_the_change_is_not_superseded() -> None:
    assert len(_explicit(replace(OLD, observed_at=memory("/x", "", number=9).observed_at), NEW).memories) == 2


def test_protected_values_are_not_superseded() -> None:
    assert len(_explicit(replace(OLD, pinned=True), NEW).memories) == 2
    assert len(_explicit(OLD, replace(NEW, trust="untrusted")).memories) == 2
