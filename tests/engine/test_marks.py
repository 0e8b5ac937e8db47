"""Articles, plural endings and commas: one text may have more of them than its copy, but none may have moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.stores import dreamt, memory, output, run, snapshot, store, texts, words
from tests.engine.test_consolidate import WordVectors
from workers.engine import canonical
from workers.engine.marks import NO_MARKS, Mark, covers
from workers.engine.plurals import singular
from workers.engine.rebase import rebase
from workers.engine.values import Ports

FULLER = [
    # articles
    ("The API key rotates every 90 days.", "API key rotates every 90 days."),
    ("The user likes green tea.", "A user likes green tea."),
    ("Kim has a key for the lab.", "Kim has key for lab."),
    ("Kim is writing the book.", "Kim is writing a book."),
    ("Kim is the lead of the team.", "Kim is lead of the team."),
    ("The man is playing the guitar.", "A man is playing a guitar."),
    ("Kim sees an engineer.", "Kim sees engineer."),
    ("Run the `lint` target first.", "Run `lint` target first."),
    # plural endings
    ("Kim deletes backups after 30 days.", "Kim deletes backup after 30 days."),
    ("Kim packs boxes with policies.", "Kim packs box with policy."),
    ("Kim found caches full of cookies.", "Kim found cache full of cookie."),
    # commas
    ("If the build fails, restart the worker.", "If the build fails restart the worker."),
    ("Deploys run from main, at ten sharp.", "Deploys run from main at ten sharp."),
    ("We use tests, lint, and types.", "We use tests, lint and types."),
    # several at once
    ("In the morning, Kim deletes backups.", "In morning Kim deletes backup."),
]
"""The fuller text first."""

MOVED = [
    ("Kim has the signed contract.", "Kim has signed the contract."),
    ("Kim went to the deploy branch.", "Kim went to deploy the branch."),
    ("Test the build server.", "The test build server."),
    ("Kim is helping the repair crew.", "Kim is helping repair the crew."),
    ("The user prefers dark mode.", "The users prefer dark mode."),
    ("The user likes green tea.", "Users like green tea."),
    ("A test runs the build.", "Tests run the build."),
    ("The test checks fail.", "The tests check fail."),
    ("Kim owns a server in Berlin.", "Kim owns servers in Berlin."),
    ("Kim is the owner of it.", "Kim is an owner of it."),
    ("Kim works as the lead here.", "Kim works as a lead here."),
    ("The man is playing a guitar.", "A man is playing the guitar."),
    ("In Berlin, on a Tuesday it restarts.", "In Berlin on a Tuesday, it restarts."),
    ("If the users ask, the admin helps.", "If the user asks the admin helps."),
]
"""Equal tokens, and each text has a mark that the other lacks."""

FORMS: Mapping[str, Callable[[str, str], Mapping[str, str]]] = {
    "whole": lambda a, b: {"/a.md": f"{a}\n", "/b.md": f"{b}\n"},
    "notes": lambda a, b: {"/a.md": f"# Notes\n\n{a}\n\nOne more.\n", "/b.md": f"# Notes\n\n{b}\n\nOne more.\n"},
    "bullets": lambda a, b: {"/n.md": f"# Notes\n\n- {a}\n- {b}\n"},
    "two files": lambda a, b: {"/x.md": f"# Notes\n\n- {a}\n- Of x\n", "/y.md": f"# Notes\n\n- {b}\n- Of y\n"},
    "headings": lambda a, b: {"/a.md": f"# {a}\n\nAll of it.\n", "/b.md": f"# {b}\n\nAll of it.\n"},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("fuller", "barer"), FULLER)
def test_the_fuller_text_stays(form: str, fuller: str, barer: str) -> None:
    for files in (FORMS[form](fuller, barer), FORMS[form](barer, fuller)):
        left = "".join(texts(dreamt(store(files))).values())
        assert (left.count(fuller), left.count(barer)) == (1, fuller.count(barer))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pair", MOVED, ids=lambda pair: pair[0])
def test_a_mark_that_moved_keeps_both(form: str, pair: tuple[str, str]) -> None:
    assert canonical.tokens(pair[0]) == canonical.tokens(pair[1])
    assert not canonical.same(*pair)
    files = FORMS[form](*pair)
    assert texts(dreamt(store(files))) == files


def test_what_the_marks_are() -> None:
    found = canonical.read("The users have a key, if they pay.").marks
    assert found.every == {
        *(Mark(0, "article"), Mark(0, "definite"), Mark(0, "plural")),
        *(Mark(2, "article"), Mark(2, "comma")),
    }
    assert found.firm == {Mark(0, "plural")}
    assert canonical.read("Kim is an owner").marks.every == {Mark(2, "article"), Mark(2, "indefinite")}
    assert canonical.read("Users, who pay, win").marks.firm >= {Mark(0, "comma"), Mark(2, "comma")}


def test_the_marks_of_a_beginning_leave_out_the_comma_that_ends_it() -> None:
    found = canonical.read("Ask the users, who pay, in May.").marks
    assert found.before(2) == canonical.read("Ask the users.").marks
    assert found.before(4) == canonical.read("Ask the users, who pay.").marks


@pytest.mark.parametrize(
    "text",
    [
        "Die Server laufen",
        "Les serveurs sont là et le reste",
        "发布前必须跑回归测试",
        "`the users, who`",
        "The Who",
        "a",
    ],
)
def test_only_english_words_leave_marks(text: str) -> None:
    assert canonical.read(text).marks == NO_MARKS


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        *(("users", "user"), ("policies", "policy"), ("boxes", "box"), ("branches", "branch"), ("hashes", "hash")),
        *(("masses", "mass"), ("databases", "database"), ("caches", "cache"), ("uses", "use"), ("ties", "tie")),
        *(("cookies", "cookie"), ("potatoes", "potato"), ("toes", "toe"), ("sizes", "size")),
    ],
)
def test_a_plural_has_its_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    "word",
    [
        *("news", "means", "goods", "works", "always", "besides", "perhaps", "status", "basis", "class", "this", "was"),
        *("stocks", "terms", "looks", "classes", "papers", "lens", "series", "canvas", "spaces", "notes"),
        *("https", "mondays", "costs", "theirs", "bus", "Users", "user_ids", "users'", "users2", "APIs", "größes"),
    ],
)
def test_other_words_in_s_stay_as_they_are(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Los perros grandes son de Kim", "Los perros grande son de Kim"),
        ("Le chat noir mange", "Le chat noir manges"),
    ],
)
def test_texts_of_other_languages_keep_their_endings(one: str, other: str) -> None:
    assert canonical.tokens(one) != canonical.tokens(other)


def test_a_hundred_copies_in_several_wordings_make_one_survivor() -> None:
    wordings = (
        "The lab deletes backups at night.",
        "The lab deletes backup at night",
        "Lab deletes backups at night!",
        "Lab deletes backup at night",
    )
    taken = store({f"/{n}.md": wordings[n % 4] for n in range(100)})
    rebased = rebase(run(taken), taken)
    (left,) = output(taken, rebased).memories
    assert (left.text, len({each.source for each in rebased.lineage})) == (wordings[0], 100)


def test_copies_of_many_wordings_of_which_none_covers_another_each_find_their_own() -> None:
    slots = "Before {}release {}server restart {}worker in {}lab of {}site by {}team"
    wordings = [
        slots.format(*("the " if n in chosen else "" for n in range(6))) for chosen in combinations(range(6), 3)
    ]
    left = dreamt(store({f"/{n}.md": text for n, text in enumerate(wordings * 2)})).memories
    assert sorted(each.text for each in left) == sorted(wordings)


def test_the_order_of_the_memories_does_not_matter() -> None:
    wordings = ("Kim went to deploy the branch", "Kim went to the deploy branch", "Kim went to deploy branch")
    memories = [memory(f"/{n}.md", text) for n, text in enumerate(wordings)]
    found = [texts(dreamt(snapshot(order))) for order in permutations(memories)]
    assert found == [{"/0.md": wordings[0], "/1.md": wordings[1]}] * 6


def test_a_pinned_text_that_lacks_a_mark_leaves_the_fuller_one() -> None:
    taken = snapshot(
        [memory("/a.md", "API key rotates daily.", pinned=True), memory("/b.md", "The API key rotates daily.")]
    )
    assert dreamt(taken).memories == taken.memories


def test_a_text_that_must_not_go_leaves_the_fuller_one() -> None:
    index = memory("/index.md", "- [A](a.md)\n", pinned=True)
    taken = snapshot([memory("/a.md", "API key rotates daily."), memory("/b.md", "The API key rotates daily."), index])
    assert dreamt(taken).memories == taken.memories


def test_marks_of_a_whole_memory_are_told_apart_by_part() -> None:
    """Steps of a list are never merged alone, so only the whole of it may go."""
    steps = "1. Ask {}server first\n2. Restart {}tool then\n"
    files = {"/a.md": steps.format("the ", ""), "/b.md": steps.format("", "the ")}
    assert texts(dreamt(store(files))) == files
    fuller = {"/c.md": steps.format("the ", "the "), **files}
    assert texts(dreamt(store(fuller))) == {"/c.md": fuller["/c.md"]}


def test_clause_ends_are_prefix_lengths() -> None:
    text = "The deploys run from main, on Tuesdays: at ten."
    assert canonical.tokens(text) == ("deploy", "run", "from", "main", "on", "Tuesdays", ":", "at", "10")
    assert canonical.read(text).ends == {4, 6, 9}
    assert canonical.words(text) == ("the", "deploys", "run", "from", "main", ",", "on", "Tuesdays", ":", "at", "10")


def test_the_words_behind_a_prefix_begin_with_what_was_dropped_there() -> None:
    text = canonical.read("Deploys run from main, at the weekend.")
    assert text.words_after(4) == (",", "at", "the", "weekend")
    assert text.words_after(6) == ()


def test_a_comma_is_a_clause_end_though_no_token() -> None:
    assert canonical.tokens("Run tests, lint, and types") == ("run", "test", "lint", "and", "type")
    assert canonical.read("Run tests, lint, and types").ends == {2, 3}


def _sentence(draw: st.DrawFn) -> str:
    article, plural = st.sampled_from(("", "a ", "the ")), st.sampled_from(("", "s"))
    comma, stop = st.sampled_from(("", ",")), st.sampled_from(("", ".", "!"))
    return (
        f"Before {draw(article)}release{draw(plural)}{draw(comma)} {draw(article)}server{draw(plural)} "
        f"restart{draw(plural)} {draw(article)}worker{draw(plural)}{draw(comma)} in {draw(article)}lab{draw(stop)}"
    )


SENTENCES = st.composite(_sentence)()


def test_texts_whose_marks_moved_are_read_together_as_two() -> None:
    taken = store({f"/{n}.md": text for n, text in enumerate(MOVED[0])})
    (suggestion,) = run(taken, ports=Ports(words, WordVectors())).suggestions
    assert (suggestion.kind, len(suggestion.members)) == ("cluster", 2)


def test_texts_whose_marks_moved_are_no_recurring_line() -> None:
    lines = [*[MOVED[0][0]] * 4, MOVED[0][1]]
    log = "".join(f"## 2026-03-0{n}\n\n- {line}\n\n" for n, line in enumerate(lines, start=1))
    assert run(store({"/log.md": log})).suggestions == ()


def test_a_change_told_in_the_present_is_heard_though_its_ending_is_a_mark() -> None:
    taken = store(
        {"/a.md": "The orders API is at /v1/orders.", "/b.md": "The orders API moves from /v1/orders to /v2/orders."}
    )
    (suggestion,) = run(taken).suggestions
    assert (suggestion.kind, suggestion.members[1].differs) == ("conflict", ("/v2/orders",))
    assert "/v1/orders is no more" in suggestion.reason


@given(SENTENCES, SENTENCES)
def test_same_is_symmetric_and_means_that_the_marks_of_one_include_the_others(a: str, b: str) -> None:
    left, right = canonical.read(a), canonical.read(b)
    fuller = covers(left.marks, right.marks) or covers(right.marks, left.marks)
    assert canonical.same(a, b) == canonical.same(b, a) == (left.tokens == right.tokens and fuller)
    assert canonical.same(a, a)


@given(st.lists(SENTENCES, min_size=2, max_size=6, unique=True))
def test_a_dream_never_loses_a_mark_and_finds_nothing_in_its_output(wordings: list[str]) -> None:
    once = dreamt(store({f"/{n}.md": text for n, text in enumerate(wordings)}))
    left = [canonical.read(each.text) for each in once.memories]
    for wording in wordings:
        said = canonical.read(wording)
        assert any(kept.tokens == said.tokens and covers(kept.marks, said.marks) for kept in left)
    assert run(once).operations == ()
