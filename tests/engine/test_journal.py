"""The journal as people read it, and as programs do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.engine.stores import SNAPSHOTS, edited, memory, run, snapshot, store, words
from workers.engine import chronicle, codec, journal
from workers.engine.journal import JournalRecord
from workers.engine.rebase import LateWrite, rebase
from workers.engine.values import Snapshot

LONG = "The backup of the billing database runs every night."


def told(taken: Snapshot) -> str:
    return journal.render(run(taken).journal)


def test_a_merge_names_what_stayed_what_went_and_why() -> None:
    text = told(store({"/a.md": LONG, "/b.md": LONG, "/log.md": "Something else."}))
    assert text.startswith("# Dream of 6 March 2026\n")
    assert "I merged 1 copy into notes that say the same." in text
    assert f"- `/b.md` keeps “{LONG}” The same stood in `/a.md`." in text
    assert "1 file went, since all of it stands elsewhere now: `/a.md`." in text
    assert "| tokens before → after | 20 → 11 |" in text


def test_a_copy_in_the_same_file_is_told() -> None:
    twice = f"- {LONG}\n- Other\n- {LONG}\n"
    assert "The same stood in the same file." in told(store({"/b.md": twice}))
    assert "The same stood in the same file and in `/a.md`." in told(store({"/a.md": LONG, "/b.md": twice}))


def test_a_supersession_names_the_value_and_quotes_what_went() -> None:
    old = memory("/a.md", "The orders API is at /v1/orders.")
    new = memory("/b.md", "The orders API moved from /v1/orders to /v2/orders on 2026-03-04.", number=4)
    text = told(snapshot([old, new], supersede="explicit"))
    assert "## Replaced by newer facts" in text
    assert "`/v1/orders` is no more" in text
    assert "“The orders API is at /v1/orders.” (`/a.md`)" in text


def test_many_copies_are_counted_not_listed() -> None:
    text = told(store({f"/{n:03}.md": LONG for n in range(100)}))
    assert "and 94 more." in text
    assert len(text) < 1500


def test_nothing_to_do_is_said() -> None:
    assert "Nothing had to change." in told(store({"/a.md": LONG}))


def test_pinned_text_is_not_quoted() -> None:
    secret = "The pinned words nobody shall print."
    text = told(snapshot([memory("/a.md", secret, pinned=True), memory("/b.md", secret)]))
    assert "pinned words" not in text
    assert "`/a.md` keeps its text." in text
    assert "1 pinned memory was left as it is." in text


def test_protected_paths_are_counted_only() -> None:
    text = told(store({"/private/salaries.md": "Ann earns 100.", "/b.md": LONG}, protected_paths=("/private/",)))
    assert "salaries" not in text
    assert "Ann" not in text
    assert "1 memory under a protected path was left as it is." in text


def test_a_dry_run_says_so_first_and_has_nothing_to_undo() -> None:
    record = replace(run(store({"/a.md": LONG, "/b.md": LONG})).journal, dry_run=True)
    text = journal.render(record)
    assert text.startswith("# [DRY RUN] Dream of 6 March 2026\n")
    assert "nothing was written" in text
    assert "There is nothing to undo." in text


@pytest.mark.parametrize(
    ("changes", "undo"),
    [
        ({"mode": "update_existing", "dream_id": "drm_1"}, "`POST /v1/dreams/drm_1/rollback` restores"),
        ({"mode": "identity_template", "dream_id": "drm_1"}, "mounts the previous default memory again"),
        ({"mode": "create_new", "output_store_id": "memstore_2"}, "leave the output `memstore_2` unused"),
        ({}, "(`memstore_1`) was not changed"),
    ],
)
def test_how_to_undo_depends_on_where_the_output_went(changes: dict[str, Any], undo: str) -> None:
    assert undo in journal.render(replace(run(store({"/a.md": LONG})).journal, **changes))


def test_late_writes_and_what_they_stopped_are_told() -> None:
    taken = store({"/a.md": LONG, "/b.md": LONG, "/c.md": "x"})
    plan = run(taken)
    new = memory("/new.md", "Late.", number=9)
    late = [
        LateWrite("mem_/a.md", edited(taken.memories[0], "Late.")),
        LateWrite("mem_/c.md", None),
        LateWrite(new.id, new),
    ]
    rebased = rebase(plan, taken, late)
    record = chronicle.finish(plan.journal, rebased)
    text = journal.render(replace(record, report=chronicle.conclude(plan.report, taken, rebased, words)))
    assert "## Merged" not in text
    assert "file went" not in text
    assert "A planned change was given up: `/a.md` was written to while the dream ran." in text
    assert "- `/a.md` was edited." in text
    assert "- `/c.md` was deleted." in text
    assert "- `/new.md` was written." in text
    assert "| writes carried over | 3 |" in text
    assert "Nothing had to change." in text


HOSTILE = (
    "# Title\n\n- x",
    "[click](javascript:alert(1)) and <script>alert(1)</script>",
    "![img](http://x/y.png) | table | `code` ``two``",
    "~~gone~~ &amp; &lt;b&gt; \\ *_bold_*",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_quoted_text_is_shown_and_not_obeyed(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(journal.quoted(text) + " and " + journal.code(text))
    inline = tokens[1].children or []
    assert {each.type for each in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    assert {each.type for each in inline} <= {"text", "code_inline", "text_special"}


@given(st.text())
def test_any_text_is_quoted_on_one_line(text: str) -> None:
    assert "\n" not in journal.quoted(text)
    assert "\n" not in journal.code(text)


@given(SNAPSHOTS)
def test_record_and_json_say_the_same(taken: Snapshot) -> None:
    record = run(taken).journal
    assert codec.decode(JournalRecord, codec.encode(record)) == record
    assert journal.render(record).endswith("\n")
