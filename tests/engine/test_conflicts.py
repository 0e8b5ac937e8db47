"""Contradictions: one word apart, or one side says that the other's value is no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine.stores import dreamt, memory, run, snapshot, store
from workers.engine.plan import Suggestion


def asked(*lines: str, **changes: object) -> list[Suggestion]:
    """The contradictions that a dream of these one-line memories names."""
    taken = store({f"/{n}.md": f"{line}\n" for n, line in enumerate(lines)}, **changes)
    return [each for each in run(taken).suggestions if each.kind == "conflict"]


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ("The on-call rotation is weekly.", "The on-call rotation is fortnightly.", ("weekly", "fortnightly")),
        ("The gateway timeout is 5 s.", "The gateway timeout is 30 s.", ("5", "30")),
        ("用户喜欢喝咖啡。", "用户喜欢喝绿茶。", ("咖啡", "绿茶")),
        ("用户住在上海。", "用户住在哈尔滨。", ("上海", "哈尔滨")),
    ],
)
def test_one_word_apart_is_asked(one: str, other: str, differs: tuple[str, str]) -> None:
    (suggestion,) = asked(one, other)
    assert tuple(member.differs for member in suggestion.members) == tuple((each,) for each in differs)
    assert [member.text for member in suggestion.members] == [one, other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The freeze starts on 2026-03-04.", "The freeze starts on 2026-03-14."),
        ("The vendor call is at 10:30.", "The vendor call is at 11:30."),
        ("Kim approved the design of the importer.", "Kim rejected the budget of the importer."),
        ("Run the linter.", "Run the linter, then commit."),
    ],
)
def test_occasions_and_larger_differences_are_not_asked(one: str, other: str) -> None:
    assert asked(one, other) == []


def test_a_series_is_no_contradiction() -> None:
    names = ("amber", "blue", "coral", "denim", "ecru")
    assert asked(*(f"Worker {name} reports its queue length." for name in names)) == []


def test_a_statement_of_change_names_the_old_value() -> None:
    (suggestion,) = asked("The orders API is at /v1/orders.", "The orders API moved from /v1/orders to /v2/orders.")
    assert "says that /v1/orders is no more" in suggestion.reason
    assert [member.differs for member in suggestion.members] == [(), ("/v2/orders",)]


def test_a_change_told_before_the_old_value_is_no_later_note() -> None:
    moved = memory("/a.md", "The wiki moved from atlas-1 to atlas-2.", number=1)
    old = memory("/b.md", "The wiki is at atlas-1.", number=9)
    (suggestion,) = [each for each in run(snapshot((moved, old))).suggestions if each.kind == "conflict"]
    assert suggestion.reason.startswith("One note says that atlas-1 is no more, and the other, which is no older")
    (suggestion,) = [
        each
        for each in run(
            snapshot((replace(moved, observed_at=memory("/x", "", number=20).observed_at), old))
        ).suggestions
        if each.kind == "conflict"
    ]
    assert suggestion.reason.startswith("The later note says that atlas-1 is no more.")


def test_what_both_sides_have_is_not_told_as_one_sides_own() -> None:
    (suggestion,) = asked("The wiki is at atlas-1.", "The wiki moved from atlas-1 to atlas-2.")
    assert "atlas-1" in suggestion.shared
    assert [member.differs for member in suggestion.members] == [(), ("atlas-2",)]


def test_no_more_than_twenty_are_asked_in_one_dream() -> None:
    topics = [chr(ord("a") + n) + "nt" for n in range(22)]
    lines = [f"The colour of the {topic} is {value}." for topic in topics for value in ("red", "blue")]
    taken = store({f"/{n}.md": line for n, line in enumerate(lines)})
    plan = run(taken)
    assert sum(each.kind == "conflict" for each in plan.suggestions) == 20
    assert any("2 more pairs" in entry.why for entry in plan.journal.entries)


def test_protected_texts_are_not_quoted() -> None:
    one, other = "The on-call rotation is weekly.", "The on-call rotation is fortnightly."
    assert run(snapshot([memory("/a.md", one, pinned=True), memory("/b.md", other)])).suggestions == ()


def test_lines_in_other_places_are_not_compared() -> None:
    text = "## Staging\n\n- The queue is red.\n\n## Production\n\n- The queue is green.\n"
    assert run(store({"/a.md": text})).suggestions == ()


def test_the_next_dream_asks_the_same_question() -> None:
    taken = store({"/a.md": "The on-call rotation is weekly.", "/b.md": "The on-call rotation is fortnightly."})
    assert [each.id for each in run(dreamt(taken)).suggestions] == [each.id for each in run(taken).suggestions]


def test_a_change_told_elsewhere_is_asked_about_and_not_acted_on() -> None:
    before = snapshot(
        [
            memory("/api.md", "# API\n\n- The readings endpoint is at /v1/readings.\n"),
            memory("/news.md", "# News\n\n- The readings endpoint moved from /v1/readings to /v2/readings.\n"),
        ],
        supersede="explicit",
    )
    plan = run(before)
    assert plan.operations == ()
    assert [suggestion.kind for suggestion in plan.suggestions] == ["conflict"]


PLAIN = "The orders API is at /v1/orders."


def explicit(older: str, newer: str) -> int:
    """How many memories a dream leaves that may let old values go."""
    taken = snapshot([memory("/a.md", older), memory("/b.md", newer, number=4)], supersede="explicit")
    return len(dreamt(taken).memories)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders."),
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders on 2026-03-04."),
        (PLAIN, "Previously the orders API was at /v1/orders, now at /v2/orders."),
        ("The queue of orders is Kafka.", "The queue of orders was switched from Kafka to NATS 3."),
        ("Die Datenbank liegt auf db-1.", "Die Datenbank liegt nicht mehr auf db-1."),
        ("数据库在北京机房。", "数据库从北京机房迁移到上海。"),
    ],
)
def test_a_change_of_the_same_subject_lets_the_old_value_go(older: str, newer: str) -> None:
    assert explicit(older, newer) == 1


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (PLAIN, "The docs of the orders API moved from /v1/orders to /v2/orders."),
        (PLAIN, "The old orders API moved from /v1/orders to /v2/orders."),
        (PLAIN, "On staging the orders API moved from /v1/orders to /v2/orders."),
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders on staging."),
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders and back."),
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders. Reverted on Monday."),
        (PLAIN, "The orders API moved from /v1/orders to /v2/orders, then moved again."),
        (PLAIN, "Previously the docs of the orders API were at /v1/orders."),
        ("The queue of orders is Kafka.", "The test queue of orders was switched from Kafka to NATS 3."),
        ("Die Datenbank liegt auf db-1.", "Die Kopie der Datenbank liegt nicht mehr auf db-1."),
        ("Die Datenbank liegt auf db-1.", "Die Datenbank liegt nicht mehr auf db-1. Sie kam wieder zurück."),
        ("数据库在北京机房。", "数据库的备份从北京机房迁移到上海。"),
    ],
)
def test_a_change_of_something_else_or_taken_back_lets_nothing_go(older: str, newer: str) -> None:
    assert explicit(older, newer) == 2
