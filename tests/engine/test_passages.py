from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.markdown import documents
from workers.engine import blocks
from workers.engine.lines import is_blank
from workers.engine.passages import Document, parse, split_lines


def kinds(text: str, path: str = "/a.md") -> list[tuple[str, str]]:
    return [(passage.kind, passage.text) for passage in parse(path, text).passages]


def assert_covered(document: Document) -> None:
    spans = [(unit.start, unit.end) for unit in document.passages] + [(h.start, h.end) for h in document.headings]
    owners = [number for span in spans for number in range(*span)]
    wanted = [n for n, line in enumerate(document.lines) if not is_blank(line.removeprefix("\ufeff"))]
    assert len(owners) == len(set(owners))
    assert set(owners) >= set(wanted)
    assert "".join(document.lines) == document.text


@given(st.text(alphabet="a \t\r\n\x0b\x0c\x85\u2028\u2029\x1c"))
def test_lines_end_where_markdown_ends_them(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert [line.rstrip("\r\n") for line in lines] == re.split(r"\r\n|\r|\n", text)[: len(lines)]
    assert all(line.rstrip("\r\n") != line for line in lines[:-1])


def test_separators_of_other_standards_stay_inside_their_line() -> None:
    assert kinds("a\u2028b\x85c\x0bd\x0ce\n") == [("paragraph", "a\u2028b\x85c\x0bd\x0ce")]
    assert kinds("\x0c\n\nb\n") == [("paragraph", "\x0c"), ("paragraph", "b")]


@given(documents())
def test_every_line_has_one_owner(text: str) -> None:
    for path in ("/a.md", "/a.txt", "/a.json"):
        assert_covered(parse(path, text))


@given(documents())
def test_spans_are_trimmed_and_texts_are_their_lines(text: str) -> None:
    document = parse("/a.md", text)
    for passage in document.passages:
        source = "".join(document.lines[passage.start : passage.end]).removeprefix("\ufeff")
        assert source.rstrip("\r\n") == passage.text.rstrip("\r\n")
        assert source.startswith(passage.text)
        first, last = split_lines(passage.text)[0], split_lines(passage.text)[-1]
        assert not is_blank(first)
        assert not is_blank(last)


@given(st.text(alphabet=st.characters(categories=["L"]), min_size=1, max_size=1), st.text(max_size=30))
def test_a_line_that_begins_with_a_letter_is_a_paragraph_to_the_parser_too(letter: str, rest: str) -> None:
    text = letter + rest.replace("\r", " ").replace("\n", " ") + "\n"
    shortcut = blocks.outline("markdown", text)
    parsed = blocks.outline("markdown", "\n" + text)  # the blank line before it takes the long way
    assert [(b.kind, b.start + 1) for b in shortcut.blocks] == [(b.kind, b.start) for b in parsed.blocks]


SAMPLES = [
    ("", []),
    ("\n\n  \n", []),
    ("One fact", [("paragraph", "One fact")]),
    ("a\nb\n\n\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
    ("a\r\nb\r\n\r\nc\r\n", [("paragraph", "a\r\nb"), ("paragraph", "c")]),
    ("a\rb\r\rc\r", [("paragraph", "a\rb"), ("paragraph", "c")]),
    ("- a\n  - b\n- c\n", [("item", "- a\n  - b"), ("item", "- c")]),
    ("- a\n\n  more\n\n- c\n\n\nd\n", [("item", "- a\n\n  more"), ("item", "- c"), ("paragraph", "d")]),
    ("- [ ] a\n- [x] b\n", [("item", "- [ ] a"), ("item", "- [x] b")]),
    ("1. a\n2. b\n", [("item", "1. a"), ("item", "2. b")]),
    ("> a\n> - b\nlazy\n", [("quote", "> a\n> - b\nlazy")]),
    ("|a|b|\n|-|-|\n|1|2|\nc\n", [("table", "|a|b|\n|-|-|\n|1|2|\nc")]),
    ("```\na\n\nb\n```\nc\n", [("fence", "```\na\n\nb\n```"), ("paragraph", "c")]),
    ("a\n```\nb\n\n# c\n\n", [("paragraph", "a"), ("fence", "```\nb\n\n# c")]),
    ("a\n\n    b\n", [("paragraph", "a"), ("code", "    b")]),
    ("<details>\n\na\n\n</details>\n", [("html", "<details>"), ("paragraph", "a"), ("html", "</details>")]),
    ("---\nname: a\n---\n\nb\n", [("front_matter", "---\nname: a\n---"), ("paragraph", "b")]),
    ("---\nname: a\n", [("rule", "---"), ("paragraph", "name: a")]),
    ("a\n\n---\nname: b\n---\n", [("paragraph", "a"), ("rule", "---"), ("paragraph", "name: b"), ("rule", "---")]),
    ("Title\n===\n\nTitle\n---\n", [("paragraph", "Title\n==="), ("paragraph", "Title"), ("rule", "---")]),
    ("[x]: a.md 'b'\n[y]: c\nd\n", [("definition", "[x]: a.md 'b'"), ("definition", "[y]: c"), ("paragraph", "d")]),
    ("a[^1]\n\n[^1]: A longer note.\n", [("paragraph", "a[^1]"), ("footnote", "[^1]: A longer note.")]),
    ("~~old~~ text\n", [("paragraph", "~~old~~ text")]),
    ("\ufeff---\na: b\n---\nc\n", [("front_matter", "---\na: b\n---"), ("paragraph", "c")]),
    ("\ufeffa\n", [("paragraph", "a")]),
    ("\ufeff", []),
    ("a\x00b\n", [("paragraph", "a\x00b")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SAMPLES)
def test_kinds(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_headings_are_structure_and_make_the_path() -> None:
    document = parse("/notes/a.md", "\ufeff# A #\n\nx\n\n## B\ny\n\n# C\n- z\n")
    assert [(heading.level, heading.text) for heading in document.headings] == [(1, "A"), (2, "B"), (1, "C")]
    assert [passage.place.headings for passage in document.passages] == [("A",), ("A", "B"), ("C",)]
    assert document.passages[0].place.directory == "/notes"
    assert parse("/a.md", "x").passages[0].place.directory == "/"


@pytest.mark.parametrize(
    ("text", "kind", "verbatim"),
    [
        ("- a\n  ```\n  b\n  ```\n", "item", True),
        ("- a\n\n  |b|\n  |-|\n", "item", True),
        ("- a\n  <div>\n", "item", True),
        ("- a\n\n      code\n", "item", True),
        ("- a `b`\n", "item", False),
        ("> ```\n> a\n", "quote", True),
        ("> a\n", "quote", False),
        ("```\na\n", "fence", True),
        ("<!-- a -->\n", "html", True),
        ("---\n", "rule", False),
        ("- " * 12 + "a\n", "item", True),
    ],
)
def test_verbatim(text: str, kind: str, verbatim: bool) -> None:
    (passage,) = parse("/a.md", text).passages
    assert (passage.kind, passage.verbatim) == (kind, verbatim)


def test_only_numbered_items_are_ordered() -> None:
    passages = parse("/a.md", "- a\n\n1. b\n\n2) c\n\n* d\n").passages
    assert [passage.ordered for passage in passages] == [False, True, True, False]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("/a.txt", "# a\n- b\n\n\n```\nc\n", [("paragraph", "# a\n- b"), ("paragraph", "```\nc")]),
        ("/a.log", "a\n\nb", [("paragraph", "a"), ("paragraph", "b")]),
        ("/a.json", '{"a": 1}\n\n{}\n\n', [("data", '{"a": 1}\n\n{}')]),
        ("/a.YAML", "a:\n  - b\n\nc: d\n", [("data", "a:\n  - b\n\nc: d")]),
        ("/a.yml", "\n\n", []),
        ("/notes/a", "- a\n- b\n", [("item", "- a"), ("item", "- b")]),
    ],
)
def test_the_suffix_decides_how_a_file_is_read(path: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text, path) == expected


def intros(text: str) -> list[tuple[str, str]]:
    return [(passage.text, passage.place.intro) for passage in parse("/a.md", text).passages]


def test_a_label_line_introduces_what_follows_it() -> None:
    assert intros("a.\n\nSteps:\n- b\n- c\n\n```\nd\n```\n") == [
        ("a.", ""),
        ("Steps:", ""),
        ("- b", "Steps:"),
        ("- c", "Steps:"),
        ("```\nd\n```", "Steps:"),
    ]


def test_a_label_ends_at_the_next_one_or_a_heading() -> None:
    assert dict(intros("Old:\n\na.\n\nNew：\n\nb.\n\n# H\n\nc.\n")) == {
        "Old:": "",
        "a.": "Old:",
        "New：": "",
        "b.": "New：",
        "c.": "",
    }


def test_labels_nest_by_rank_and_when_they_follow_each_other() -> None:
    text = "**Monday**\n\nSteps:\n\n- Early:\n- a\n\nb.\n\n**Tuesday**\n\nSteps:\n\nc.\n\nOne:\n\nTwo:\n\nd\n"
    found = [passage.place.intro for passage in parse("/a.md", text).passages if len(passage.text) < 4]
    assert found == [
        "**Monday**\nSteps:\n- Early:",
        "**Monday**\nSteps:",
        "**Tuesday**\nSteps:",
        "**Tuesday**\nOne:\nTwo:",
    ]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Steps:", True),
        ("**Steps:**", True),
        ("__Steps__:  ", True),
        ("- 步骤：", True),
        ("A line\nand steps:", True),
        ("- Steps:\n  - a", False),
        ("At 10:00", False),
        ("```\na:", False),
    ],
)
def test_label(text: str, label: bool) -> None:
    assert parse("/a.md", text).passages[0].label is label


@pytest.mark.parametrize(
    ("text", "refers"),
    [
        ("See the table above.", True),
        ("Listed Below", True),
        ("This file holds the rules.", True),
        ("本文件记录部署规则。", True),
        ("Siehe unten.", True),
        ("- このファイルは規則。", True),
        ("The aboveboard deal.", False),
        ("Files are deleted weekly.", False),
        ("배포하기 전에 테스트를 실행한다.", False),
    ],
)
def test_self_reference(text: str, refers: bool) -> None:
    assert parse("/a.md", text).passages[0].self_reference is refers


HOSTILE = {
    "quotes": "> " * 50_000,
    "brackets": "[" * 100_000,
    "references": "[x]: y\n\n" + "[x" * 50_000,
    "backticks": "".join("`" * n + " " for n in range(1, 440)),
    "items on a line": "* " * 50_000 + "a",
    "nested items": "".join("  " * n + "- a\n" for n in range(300)),
    "unclosed links": '[a](b "' * 14_000,
    "unclosed tags": "[" + "<a b='" * 16_000,
    "labels": "a:\n\n" * 4_000,
    "lazy quote": ">" * 20_000 + "a\n" + "a\n" * 40_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_of_full_size_is_read(name: str) -> None:
    assert_covered(parse("/a.md", HOSTILE[name]))


def test_more_lines_than_prose_has_are_kept_whole() -> None:
    assert [passage.kind for passage in parse("/a.md", "- a\n" * (blocks.MAX_LINES + 1)).passages] == ["data"]
    assert len(parse("/a.md", "- a\n" * blocks.MAX_LINES).passages) == blocks.MAX_LINES


def test_a_fault_of_the_parser_keeps_the_text_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = blocks._parser()
    parser.block.ruler.enableOnly([])
    monkeypatch.setattr(blocks, "_PARSER", parser)
    assert kinds("- a text that no other test reads\n\n- b\n") == [("data", "- a text that no other test reads\n\n- b")]
