from __future__ import annotations

import pytest
from hypothesis import given

from tests.engine.markdown import documents
from workers.engine.passages import Passage, parse
from workers.engine.places import compatible, mergeable, removable_copy

LONG = "The nightly backup of the orders database runs from the main office"


def passage(text: str, path: str = "/a.md", *, index: int = -1) -> Passage:
    """The last passage of a text, unless another is meant."""
    return parse(path, text).passages[index]


def test_whole_memories_are_compatible_wherever_they_are() -> None:
    a, b = passage("Use uv.", "/n0.md"), passage("Use uv.", "/notes/deploys-2.md")
    assert compatible(a, b, whole=True)
    assert not compatible(a, b, whole=False)


@pytest.mark.parametrize(
    ("path", "other", "expected"),
    [
        ("/log/2026-03-01.md", "/log/2026-03-02.md", False),
        ("/log/2026_03_01.md", "/20260302.md", False),
        ("/log/2026-03-01.md", "/log/20260301.txt", True),
        ("/log/2026-03-01.md", "/notes/a.md", True),
        ("/log/2026-03-01T09-00-00.md", "/log/2026-03-01T10-00-00.md", True),
    ],
)
def test_daily_notes_mean_their_day(path: str, other: str, expected: bool) -> None:
    assert compatible(passage("All is well.", path), passage("All is well.", other), whole=True) is expected


def test_short_lines_of_one_section_are_compatible() -> None:
    a, b = parse("/a.md", "# Rules\n\n- Run tests\n- x\n- Run tests\n").passages[::2]
    assert compatible(a, b, whole=False)


@pytest.mark.parametrize(
    "text",
    [
        "# Log\n\n## 2026-03-01\n\n- stable\n\n## 2026-03-02\n\n- stable\n",
        "# Staging\n\n- {line}\n\n# Production\n\n- {line}\n",
        "# On 2026-03-01\n\n- {line}\n\n# On 2026-03-02\n\n- {line}\n",
        "Staging:\n\n- {line}\n\nProduction:\n\n- {line}\n",
        "**Monday**\n\nSteps:\n\n- {line}\n\n**Tuesday**\n\nSteps:\n\n- {line}\n",
        "- Staging:\n- {line}\n- Production:\n- {line}\n",
        "# A\n\n- short line\n\n# A\n\n## B\n\n- short line\n",
    ],
)
def test_one_line_under_two_headings_or_labels_is_two_facts(text: str) -> None:
    found = [p for p in parse("/a.md", text.replace("{line}", LONG)).passages if not p.label]
    a, b = (p for p in found if p.text.startswith("- "))
    assert a.text == b.text
    assert not compatible(a, b, whole=False)


@pytest.mark.parametrize(
    ("path", "other", "heading", "other_heading", "line", "expected"),
    [
        ("/a.md", "/b.md", "# Deploys", "# Deploys ##", "Ship on Tuesday", True),
        ("/a.md", "/b.md", "# Deploys", "# deploys", "Ship on Tuesday", True),
        ("/a.md", "/b.md", "", "", "Ship on Tuesday", False),
        ("/a.md", "/b.md", "", "", LONG, True),
        ("/a.md", "/b.md", "# how we deploy", "", LONG, True),
        ("/a.md", "/b.md", "# how we deploy", "", "Ship on Tuesday", False),
        ("/a.md", "/b.md", "# Apollo", "", LONG, False),
        ("/a.md", "/b.md", "# 测试环境", "# 生产环境", LONG, False),
        ("/a.md", "/b.md", "# Staging", "# Production", LONG, False),
        ("/a.md", "/b.md", "# API v1", "# API v2", LONG, False),
        ("/a.md", "/b.md", "# Since 2026-03-01", "", LONG, False),
        ("/2026-03-01-log.md", "/2026-03-02-log.md", "# Deploys", "# Deploys", "Ship on Tuesday", False),
        ("/2026-03-01.md", "/log.md", "", "# 2026-03-01", LONG, True),
        ("/2026-03-01.md", "/log.md", "", "# 2026-03-02", LONG, False),
        ("/db1.md", "/db2.md", "", "", LONG, False),
        ("/db_notes.md", "/dbnotes.md", "", "", LONG, True),
        ("/users/alice/a.md", "/users/bob/a.md", "# Likes", "# Likes", LONG, False),
        ("/users/a.md", "/users/bob/a.md", "# Likes", "# Likes", LONG, True),
    ],
)
def test_parts_of_two_files(path: str, other: str, heading: str, other_heading: str, line: str, expected: bool) -> None:
    a = passage(f"{heading}\n\nOnly here.\n\n- {line}\n", path)
    b = passage(f"{other_heading}\n\nOnly there.\n\n- {line}.\n", other)
    assert compatible(a, b, whole=False) is expected
    assert compatible(b, a, whole=False) is expected


def test_an_introduction_counts_as_the_headings_do() -> None:
    a = passage(f"# Backups\n\nBefore March:\n\n- {LONG}\n", "/a.md")
    b = passage(f"# Backups\n\nAfter March:\n\n- {LONG}\n", "/b.md")
    assert not compatible(a, b, whole=False)
    assert compatible(a, passage(a.text, "/c.md"), whole=True)


@given(documents(), documents())
def test_compatibility_has_no_order(text: str, other: str) -> None:
    for a in parse("/a.md", text).passages[:3]:
        assert compatible(a, a, whole=False)
        for b in parse("/b.md", other).passages[:3]:
            assert compatible(a, b, whole=False) == compatible(b, a, whole=False)


@pytest.mark.parametrize(
    ("text", "alone", "copy"),
    [
        ("Run all tests.", True, False),
        ("- Run all tests", True, False),
        ("- [ ] run tests", True, False),
        ("> Run all tests", True, False),
        ("用户喜欢咖啡", True, False),
        ("Run tests", False, False),
        ("For every release:", False, False),
        ("1. Run all tests", False, False),
        ("See the rules above.", False, False),
        ("```\nrun all tests\n```", False, True),
        ("    run all tests", False, True),
        ("| run | all | tests |\n|---|---|---|", False, True),
        ("- Run this:\n  ```\n  make test\n  ```", False, True),
        ("1. Run this:\n   ```\n   make test\n   ```", False, False),
        ("```\nsee the rules above\n```", False, False),
        ("---\nname: the tests\n---", False, False),
        ("<p>Run all tests</p>", False, False),
        ("[tests]: run.md 'Run all tests'", False, False),
        ("[^1]: Run all tests.", False, False),
        ("***", False, False),
    ],
)
def test_what_may_be_merged_alone(text: str, alone: bool, copy: bool) -> None:
    found = passage(text)
    assert mergeable(found, index_line=False) is alone
    assert removable_copy(found, index_line=False) is copy
    assert not mergeable(found, index_line=True)
    assert not removable_copy(found, index_line=True)


def test_data_files_may_be_removed_only_as_copies() -> None:
    found = passage('{"a": 1, "b": [1, 2]}', "/a.json")
    assert not mergeable(found, index_line=False)
    assert removable_copy(found, index_line=False)
