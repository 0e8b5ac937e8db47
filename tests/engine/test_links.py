from __future__ import annotations

import pytest
from hypothesis import given

from tests.engine.markdown import documents
from tests.engine.stores import dreamt, store, texts
from workers.engine.links import is_index_line, outgoing, resolve, rewrite
from workers.engine.passages import parse

PATH = "/notes/a.md"
LIVE = frozenset(
    {PATH, "/notes/deploys.md", "/notes/my file (1).md", "/rules.md", "/notes/sub/deep.md", "/notes/plain"}
)

TARGETS = [
    ("[Deploys](deploys.md)", ["/notes/deploys.md"]),
    ("[Deploys](./deploys.md 'title')", ["/notes/deploys.md"]),
    ('[Deploys](<deploys.md> "title")', ["/notes/deploys.md"]),
    ("[Deploys](deploys.md#how-we-ship)", ["/notes/deploys.md"]),
    ("[Deploys](deploys.md?raw)", ["/notes/deploys.md"]),
    ("[Deploys](deploys)", ["/notes/deploys.md"]),
    ("[Plain](plain)", ["/notes/plain"]),
    ("[Rules](../rules.md)", ["/rules.md"]),
    ("[Rules](/rules.md)", ["/rules.md"]),
    ("[Deep](sub/deep.md) and [again](../notes/sub/deep.md)", ["/notes/sub/deep.md", "/notes/sub/deep.md"]),
    ("[File](my%20file%20\\(1\\).md)", ["/notes/my file (1).md"]),
    ("[File](my%20file%20(1).md)", ["/notes/my file (1).md"]),
    ("[File](<my file (1).md>)", ["/notes/my file (1).md"]),
    ("![Deploys](deploys.md)", ["/notes/deploys.md"]),
    ("[![alt](/rules.md)](deploys.md)", ["/notes/deploys.md", "/rules.md"]),
    ("[a [b](deploys.md) c](/rules.md)", ["/notes/deploys.md"]),
    ("![a [b](deploys.md) c](/rules.md)", ["/rules.md", "/notes/deploys.md"]),
    ("[a *b* `c]` d](deploys.md)", ["/notes/deploys.md"]),
    ("[two\nlines](deploys.md\n'title')", ["/notes/deploys.md"]),
    ("[Deploys][x]\n\n[X]: deploys.md\n", ["/notes/deploys.md", "/notes/deploys.md"]),
    ("[Deploys][]\n\n[deploys]: <deploys.md> 't'\n", ["/notes/deploys.md", "/notes/deploys.md"]),
    ("[deploys] here\n\n[Deploys]:\n  deploys.md\n", ["/notes/deploys.md", "/notes/deploys.md"]),
    ("- a\n\n  [x]: deploys.md\n- [b][x]\n", ["/notes/deploys.md", "/notes/deploys.md"]),
    ("[[deploys]]", ["/notes/deploys.md"]),
    ("[[deploys.md]]", ["/notes/deploys.md"]),
    ("[[deploys#part|our deploys]]", ["/notes/deploys.md"]),
    ("[[rules]]", ["/rules.md"]),
    ("[[notes/sub/deep]]", ["/notes/sub/deep.md"]),
    ("[[deep]]", ["/notes/sub/deep.md"]),
    ("| a |\n|---|\n| [Deploys](deploys.md) |\n", ["/notes/deploys.md"]),
    ("> quoted [Deploys](deploys.md)", ["/notes/deploys.md"]),
    ("# [Deploys](deploys.md)", ["/notes/deploys.md"]),
    ("- [ ] [Deploys](deploys.md)", ["/notes/deploys.md"]),
    ("x <y and [Deploys](deploys.md) > z", ["/notes/deploys.md"]),
    ("`a` [Deploys](deploys.md) `b", ["/notes/deploys.md"]),
]


@pytest.mark.parametrize(("text", "targets"), TARGETS)
def test_links_lead_to_memories(text: str, targets: list[str]) -> None:
    assert [resolve(link, LIVE) for link in outgoing(PATH, text)] == targets


@pytest.mark.parametrize(
    "text",
    [
        "`[Deploys](deploys.md)`",
        "``a ` [Deploys](deploys.md)``",
        "```\n[Deploys](deploys.md)\n```",
        "    [Deploys](deploys.md)",
        "- a\n\n  ```\n  [[deploys]]\n  ```",
        "<div>\n[Deploys](deploys.md)\n</div>",
        "text <b a='[Deploys](deploys.md)'>",
        "\\[Deploys](deploys.md)",
        "[Deploys] (deploys.md)",
        "[Deploys](deploys.md",
        "[Deploys](https://example.org/deploys.md)",
        "[Deploys](//example.org/deploys.md)",
        "[Mail](mailto:deploys.md)",
        "[Part](#deploys)",
        "[Up](../../rules.md)",
        "[Folder](sub/)",
        "[deploys][nowhere] and [deploys]",
        "---\nsee: '[[deploys]]'\n---\n",
        "[x]: deploys.md is a note and no definition [",
    ],
)
def test_these_are_no_links_into_the_store(text: str) -> None:
    assert [link for link in outgoing(PATH, text) if resolve(link, LIVE)] == []
    assert not any(is_index_line(passage, LIVE) for passage in parse(PATH, text).passages)


def test_a_name_that_two_files_have_is_resolved_by_place_or_not_at_all() -> None:
    (link,) = outgoing("/x/a.md", "[[deep]]")
    assert resolve(link, frozenset({"/a/deep.md", "/b/deep.md"})) is None
    assert resolve(link, frozenset({"/a/deep.md", "/deep.md"})) == "/deep.md"


def test_a_link_has_its_characters() -> None:
    text = "\ufeffa\r\n\r\n- see ![the *words*](<deploys.md#x> 'title') now\r\n"
    (link,) = outgoing(PATH, text)
    assert text[slice(*link.whole)] == "![the *words*](<deploys.md#x> 'title')"
    assert text[slice(*link.words)] == "the *words*"
    assert text[slice(*link.address)] == "deploys.md"
    assert parse(PATH, text).passages[1].links == (link,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [Deploys](deploys.md) — how we ship", True),
        ("- Topics\n  - [Deploys](deploys.md)\n", True),
        ("- see also [Deploys](deploys.md)", True),
        ("1. [[deploys]]", True),
        ("- [Deploys](gone.md)", False),
        ("- [Home](https://example.org)", False),
        ("[Deploys](deploys.md) in a paragraph", False),
        ("- nothing", False),
    ],
)
def test_index_line(text: str, expected: bool) -> None:
    assert is_index_line(parse(PATH, text).passages[0], LIVE) is expected


def rewritten(text: str, to: str | None, path: str = PATH) -> str:
    return rewrite(path, text, {"/notes/deploys.md": to}, live=LIVE - {"/notes/deploys.md"} | ({to} if to else set()))


MOVED = [
    ("See [Deploys](deploys.md 'title').", "See [Deploys](sub/ship.md 'title')."),
    ("See [Deploys](./deploys.md#part).", "See [Deploys](./sub/ship.md#part)."),
    ("See [Deploys](/notes/deploys.md).", "See [Deploys](/notes/sub/ship.md)."),
    ("See [Deploys](<deploys.md>).", "See [Deploys](<sub/ship.md>)."),
    ("See [Deploys](deploys).", "See [Deploys](sub/ship)."),
    ("See [Deploys][x].\n\n[x]: deploys.md 'title'\n", "See [Deploys][x].\n\n[x]: sub/ship.md 'title'\n"),
    ("See [[deploys]].", "See [[ship]]."),
    ("See [[notes/deploys#part|our deploys]].", "See [[notes/sub/ship#part|our deploys]]."),
    ("| [a](deploys.md) |\n|---|\n", "| [a](sub/ship.md) |\n|---|\n"),
    ("- [Deploys](deploys.md) — how\n- b\n", "- [Deploys](sub/ship.md) — how\n- b\n"),
    ("\ufeffa\r\n\r\n- [a](deploys.md)\r\n", "\ufeffa\r\n\r\n- [a](sub/ship.md)\r\n"),
    ("`[a](deploys.md)` stays", "`[a](deploys.md)` stays"),
]


@pytest.mark.parametrize(("text", "expected"), MOVED)
def test_links_follow_a_moved_memory_in_their_own_manner(text: str, expected: str) -> None:
    assert rewritten(text, "/notes/sub/ship.md") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](deploys.md)", "[a](../New%20notes/a%20%281%29%23.md)"),
        ("[a](<deploys.md>)", "[a](<../New notes/a (1)%23.md>)"),
        ("[a](de%70loys.md)", "[a](../New%20notes/a%20%281%29%23.md)"),
        ("see [[deploys|that]]", "see that"),
    ],
)
def test_a_new_path_is_encoded_where_its_characters_would_end_the_link(text: str, expected: str) -> None:
    new = "/New notes/a (1)#.md"
    assert rewritten(text, new) == expected
    assert all(resolve(link, {new}) == new for link in outgoing(PATH, expected))


GONE = [
    ("See [the *deploys*](deploys.md 'title') now.", "See the *deploys* now."),
    ("See ![picture](deploys.md).", "See picture."),
    ("See [[deploys]] and [[deploys#p|that]].", "See deploys and that."),
    ("See [Deploys][x].\n\n[x]: deploys.md\n", "See Deploys.\n"),
    ("See [Deploys][x].\n\n[x]: deploys.md\n[y]: ../rules.md\n", "See Deploys.\n\n[y]: ../rules.md\n"),
    ("See [x].\n\n[x]:\n  deploys.md\n  'title'\n", "See x.\n"),
    ("[![alt](/rules.md)](deploys.md)", "![alt](/rules.md)"),
    ("[# words](deploys.md)", "[# words]"),
    ("[- words](deploys.md)", "[- words]"),
    ("- [Deploys](deploys.md) — how we ship\n- [Rules](../rules.md)\n", "- [Rules](../rules.md)\n"),
    ("# Index\n\n- **[Deploys](deploys.md)** — how we ship\n", "# Index\n"),
    ("- Topics\n  - [Deploys](deploys.md)\n  - [Rules](../rules.md)\n", "- Topics\n  - [Rules](../rules.md)\n"),
    ("- Topics\r\n  * [[deploys]]\r\n", "- Topics\r\n"),
    ("- [Deploys](deploys.md) run at 17:30\n- b\n", "- Deploys run at 17:30\n- b\n"),
    ("- [Deploys](deploys.md), see [Rules](../rules.md)\n", "- Deploys, see [Rules](../rules.md)\n"),
    ("- [ ] [Deploys](deploys.md)\n", "- [ ] Deploys\n"),
    ("- Ship as [Deploys](deploys.md) say\n", "- Ship as Deploys say\n"),
    ("- [Deploys](deploys.md)\n", "- Deploys\n"),
    ("---\nname: index\n---\n\n- [Deploys](deploys.md)\n", "---\nname: index\n---\n\n- Deploys\n"),
    ("- [Gone before](gone.md)\n- [Deploys](deploys.md)\n", "- [Gone before](gone.md)\n"),
]


@pytest.mark.parametrize(("text", "expected"), GONE)
def test_links_to_a_memory_that_is_gone_become_words_and_index_lines_go(text: str, expected: str) -> None:
    assert rewritten(text, None) == expected


def test_an_index_line_of_a_merged_memory_goes_where_its_survivor_has_one() -> None:
    text = "# Index\n\n- [Deploys](deploys.md) — how we ship\n- [Shipping](shipping.md) — how we ship\n"
    moves = {"/deploys.md": "/shipping.md"}
    expected = "# Index\n\n- [Shipping](shipping.md) — how we ship\n"
    assert rewrite("/MEMORY.md", text, moves, live=frozenset({"/shipping.md"})) == expected


def test_of_two_index_lines_of_merged_memories_one_leads_to_the_survivor() -> None:
    moves = {"/a.md": "/c.md", "/b.md": "/c.md"}
    text = "- [A](a.md)\n- [B](b.md)\n- x\n"
    assert rewrite("/MEMORY.md", text, moves, live=frozenset({"/c.md"})) == "- [A](c.md)\n- x\n"
    assert rewrite("/MEMORY.md", text, moves) == "- [A](c.md)\n- x\n"


def test_an_index_line_with_a_fact_of_its_own_keeps_it() -> None:
    text = "- [A](a.md) runs at 17:30\n- [C](c.md)\n"
    expected = "- [A](c.md) runs at 17:30\n- [C](c.md)\n"
    assert rewrite("/MEMORY.md", text, {"/a.md": "/c.md"}, live=frozenset({"/c.md"})) == expected


STATING = [
    "[Lease](a.md): never sublet it, since neighbours complain",
    "[Do not sublet without Ben](a.md)",
    "[Lease, ask Priya (tel. 4711)](a.md)",
    "[Lease](a.md) — the landlord prefers letters over calls",
    "[Mietvertrag](a.md): niemals untervermieten",
]


@pytest.mark.parametrize("line", STATING)
def test_an_index_line_that_states_something_goes_on_stating_it(line: str) -> None:
    text = f"- {line}\n- [Copy](c.md)\n"
    expected = text.replace("a.md", "c.md")
    assert rewrite("/MEMORY.md", text, {"/a.md": "/c.md"}, live=frozenset({"/c.md"})) == expected


@pytest.mark.parametrize("line", ["[Never sublet](a.md)", "[Lease](a.md): ask if in doubt", "[Tel. 4711](a.md)"])
def test_an_index_line_of_a_memory_that_is_gone_keeps_what_it_states(line: str) -> None:
    text = f"- {line}\n- x\n"
    expected = text.replace("](a.md)", "").replace("- [", "- ")
    assert rewrite("/MEMORY.md", text, {"/a.md": None}, live=frozenset()) == expected


def test_memories_that_change_names_keep_their_links() -> None:
    moves = {"/a.md": "/b.md", "/b.md": "/a.md"}
    text = "- [A](a.md)\n- [B](b.md)\n\n[a] [b]\n\n[a]: a.md\n[b]: b.md\n"
    expected = "- [A](b.md)\n- [B](a.md)\n\n[a] [b]\n\n[a]: b.md\n[b]: a.md\n"
    assert rewrite("/i.md", text, moves) == expected


def test_the_links_of_a_memory_follow_when_it_moves_itself() -> None:
    text = "[Rules](../rules.md), [x](./sub/deep.md), [home](/rules.md), [[deep]], [a](gone.md)\n"
    expected = "[Rules](../../rules.md), [x](../sub/deep.md), [home](/rules.md), [[deep]], [a](../gone.md)\n"
    assert rewrite(PATH, text, {PATH: "/notes/new/a.md"}, live=LIVE) == expected


def test_a_wiki_name_that_would_lead_elsewhere_is_written_in_full() -> None:
    moves = {"/notes/deploys.md": "/old/ship.md"}
    live = frozenset({"/old/ship.md", "/notes/ship.md"})
    assert rewrite(PATH, "[[deploys]]", moves, live=live) == "[[old/ship]]"


MOVES = {"/deploys.md": None, "/old.md": "/sub dir/new (1).md"}
AFTER = frozenset({"/a.md", "/sub dir/new (1).md"})


@given(documents())
def test_no_link_leads_to_a_memory_that_is_gone(text: str) -> None:
    known = AFTER | MOVES.keys()
    new = rewrite("/a.md", text, MOVES, live=AFTER)
    if not any(resolve(link, known) in MOVES for link in outgoing("/a.md", text)):
        assert new == text
    assert [
        link for link in outgoing("/a.md", new) if link.form != "definition" and resolve(link, known) in MOVES
    ] == []
    assert rewrite("/a.md", new, MOVES, live=AFTER) == new


@given(documents())
def test_other_passages_do_not_change(text: str) -> None:
    before = parse("/a.md", text)
    after = {passage.text for passage in parse("/a.md", rewrite("/a.md", text, MOVES, live=AFTER)).passages}
    assert all(passage.text in after for passage in before.passages if not passage.links)


RULE = "Ship on Tuesday from main.\n"
NAMED = {
    "html": 'See <a href="{}">that</a> for it.\n',
    "html block": '<div>\n<img src="{}">\n</div>\n',
    "unquoted": "See <a href={}>that</a> for it.\n",
    "front matter": "---\nrelated: {}\n---\n\nText of it here.\n",
    "list of front matter": "---\nlinks:\n  - {}\n  - x.md\n---\n\nText of it here.\n",
    "quoted": 'The rules are in "{}".\n',
    "prose": "The rules are in {}.\n",
    "emphasis": "The rules are in _{}_ and **more**.\n",
    "Chinese": "规则见 {}。\n",
    "code": "Run `cat {}` or `{}` first.\n",
    "fence": "```\nsee [that]({}:3)\n```\n",
    "autolink": "See <{}> for it.\n",
    "fragment": "The rules are in {}#part, by the way.\n",
    "heading": "# On {}\n\nText of it here.\n",
}


@pytest.mark.parametrize("name", ["deploys.md", "/notes/deploys.md", "./deploys.md", "../notes/deploys.md"])
@pytest.mark.parametrize("form", NAMED)
def test_a_file_that_text_names_other_than_by_a_link_does_not_go(form: str, name: str) -> None:
    text = NAMED[form].replace("{}", name)
    files = {"/notes/deploys.md": RULE, "/notes/shipping.md": RULE, "/notes/index.md": text}
    assert texts(dreamt(store(files))) == {"/notes/deploys.md": RULE, "/notes/index.md": text}


@pytest.mark.parametrize(
    "text",
    [
        "See [it](deploys.md).\n",
        "See [deploys.md](deploys.md).\n",
        "See [[deploys.md]].\n",
        "See [it][d].\n\n[d]: deploys.md\n",
        "See ndeploys.md, x/deploys.md, deploys.mdx and https://a.example/deploys.md.\n",
        "We deploy deploys often.\n",
    ],
)
def test_links_and_other_names_hold_no_file(text: str) -> None:
    files = {"/notes/deploys.md": RULE, "/notes/shipping.md": RULE, "/notes/index.md": text}
    assert texts(dreamt(store(files))).keys() == {"/notes/shipping.md", "/notes/index.md"}


def test_names_with_blanks_are_found_in_quotes_and_values() -> None:
    for text in (
        'See <a href="our%20rules.md">that</a>.\n',
        "Run `our rules.md` now.\n",
        "---\nsee: our rules.md\n---\n",
    ):
        files = {"/our rules.md": RULE, "/shipping.md": RULE, "/index.md": text}
        assert texts(dreamt(store(files))).keys() == {"/our rules.md", "/index.md"}


def test_two_files_that_text_names_stay_both() -> None:
    files = {"/a.md": RULE, "/b.md": RULE, "/index.md": "The rules are in a.md and b.md.\n"}
    assert texts(dreamt(store(files))) == files


def test_equal_words_that_name_files_of_two_folders_are_two_facts() -> None:
    text = "The rules of the deploys are in rules.md.\n"
    files = {"/x/a.md": text, "/y/a.md": text, "/x/rules.md": "One of x.\n", "/y/rules.md": "One of y.\n"}
    assert texts(dreamt(store(files))) == files
