from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine.markup import CODE, blocks, drop_emphasis, is_verbatim, lift_code


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("run `a b` now", ("`a b`",)),
        ("``a ` b`` and `c`", ("``a ` b``", "`c`")),
        ("`a\nb`", ("`a b`",)),
        ("no `code", ()),
        (r"\`not code` here", ()),
        (r"\``code` here", ("`code`",)),
        (r"\\`code` here", ("`code`",)),
        ("`a`` b`", ("`a`` b`",)),
    ],
)
def test_code_spans_are_lifted_as_written(text: str, spans: tuple[str, ...]) -> None:
    plain, lifted = lift_code(text)
    assert lifted == spans
    for span in spans:
        plain = plain.replace(CODE, span, 1)
    assert plain == text.replace("\n", " ")


@given(st.text(alphabet="a` \\\n", max_size=40))
def test_lifting_loses_nothing(text: str) -> None:
    plain, spans = lift_code(text)
    assert plain.count(CODE) == len(spans)
    for span in spans:
        plain = plain.replace(CODE, span, 1)
    assert plain.replace("\n", " ") == text.replace("\n", " ")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**Use uv** for it", "Use uv for it"),
        ("a *b c* d", "a b c d"),
        ("***both*** of it", "both of it"),
        ("**Note:** it", "Note: it"),
        ("*a **b** c*", "a b c"),
        ("这是**重要**的", "这是重要的"),
        ("(*so*)", "(so)"),
    ],
)
def test_emphasis_is_left_out(text: str, plain: str) -> None:
    assert drop_emphasis(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4",
        "*.md and *.txt",
        "**kwargs and *args",
        "a * b * c",
        "5* and 4* hotels",
        "x**2**y",
        r"\*a\*",
        "**** a",
        "****a****",
    ],
)
def test_other_stars_stay(text: str) -> None:
    assert drop_emphasis(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", [((), "plain")]),
        ("- item", [((), "item")]),
        ("+ item", [(("+",), "item")]),
        ("- 5 of it", [(("-",), "5 of it")]),
        ("1. item", [(("1.",), "item")]),
        ("- [ ] item", [(("[ ]",), " item")]),
        ("- [X] item", [(("[x]",), " item")]),
        ("> said", [((">",), "said")]),
        ("> one\n> two", [((">",), "one two")]),
        ("one\ntwo", [((), "one two")]),
        ("one\n\ntwo", [((), "one"), (("\t0p",), "two")]),
        ("host: a\nport: b", [((), "host: a"), (("\t0p",), "port: b")]),
        ("- a\n  - b\n    - c\n  - d", [((), "a"), (("\t2",), "b"), (("\t3",), "c"), (("\t2",), "d")]),
        ("- a\n\n  more\n  1) b", [((), "a"), (("\t1p",), "more"), (("\t2", "1)"), "b")]),
    ],
)
def test_blocks(text: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert [(block.marks, block.text) for block in blocks(text)] == expected


def test_verbatim() -> None:
    assert all(map(is_verbatim, ["```\na\n```", "~~~\na", "| a |", "<div>", "a\n|b|", ":--|--:", CODE]))
    assert not any(map(is_verbatim, ["a `b` c", "a < b", "~~a~~", "a | b"]))
