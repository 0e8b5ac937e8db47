"""Markdown for the property tests: real fragments in random order, with every line end and some hostile characters."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    "",
    "",
    "",
    " ",
    "\t",
    "# Deploys",
    "## On 2026-03-01",
    "### Deep ###",
    "#",
    "Run tests before pushing.",
    "The build takes four minutes",
    "Steps:",
    "**Monday**",
    "- first",
    "- second",
    "- [ ] task",
    "- [x] done",
    "  - nested",
    "    - deeper",
    "  continued",
    "-",
    "* star",
    "+ plus",
    "1. one",
    "2. two",
    "7) seven",
    "```",
    "```bash",
    "~~~",
    "  ```",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "a | b",
    "> quoted",
    "> - item in a quote",
    ">",
    "---",
    "...",
    "***",
    "===",
    "name: testing",
    "<details>",
    "</details>",
    "<summary>More</summary>",
    "<!-- a comment",
    "-->",
    "<script>",
    "[x]: deploys.md 'a title'",
    "[old]: old.md",
    "[^1]: A note on this.",
    "    indented",
    "\tindented",
    "- [Deploys](deploys.md) — how we ship",
    "  - [Old](./old.md)",
    "- [[deploys]]",
    "See [deploys][x] and [old].",
    "See `[code](deploys.md)` and [old](old.md#part \"t\").",
    "[# no heading](deploys.md)",
    "[- no item](deploys.md)",
    "![alt](deploys.md)",
    "[[old|the old one]] and [[deploys#part]]",
    "a\u2028b",
    "\u2028",
    "a\x0bb\x0cc\x85d",
    "\x0c",
    "\u00a0",
    "a\x00b",
    "~~gone~~",
    "用户喜欢喝咖啡：",
    "النسخ الاحتياطي كل ليلة.",
    "\\",
    "`",
    "[",
    "](",
)  # fmt: skip

LINE_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A document of up to 14 lines, of one or mixed line ends, perhaps with a byte order mark and no final newline."""
    usual = draw(LINE_ENDS)
    lines = draw(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=14))
    mixed = draw(st.booleans())
    ends = [draw(LINE_ENDS) if mixed else usual for _ in lines]
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return ("\ufeff" if draw(st.integers(0, 5)) == 0 else "") + text
