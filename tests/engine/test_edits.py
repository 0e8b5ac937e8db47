from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.markdown import documents
from workers.engine import edits
from workers.engine.drafts import Cut, Draft, draft
from workers.engine.edits import EditResult, SpanEdit, apply
from workers.engine.lines import is_blank
from workers.engine.passages import Document, Passage, parse

PATH = "/a.md"


def removal(passage: Passage, key: str = "k") -> SpanEdit:
    return SpanEdit(passage.start, passage.end, None, key)


def remove(text: str, *indexes: int, path: str = PATH) -> EditResult:
    passages = parse(path, text).passages
    return apply(text, [removal(passages[index], str(index)) for index in indexes], path=path)


def replace(text: str, index: int, replacement: str) -> EditResult:
    passage = parse(PATH, text).passages[index]
    return apply(text, [SpanEdit(passage.start, passage.end, replacement, "k")], path=PATH)


def description(passage: Passage) -> tuple[object, ...]:
    place = passage.place
    return passage.kind, passage.text, passage.ordered, place.path, place.headings, place.intro


def full_lines(document: Document, without: frozenset[int] = frozenset()) -> list[str]:
    lines = enumerate(line.removeprefix("\ufeff") for line in document.lines)
    return [line for number, line in lines if number not in without and not is_blank(line)]


@given(documents(), st.sampled_from([PATH, "/a.txt", "/a.json", "/a"]))
def test_nothing_to_do_changes_nothing(text: str, path: str) -> None:
    assert apply(text, [], path=path) == EditResult(text)


@given(documents(), st.data())
def test_removing_one_passage_leaves_the_others_or_is_dropped(text: str, data: st.DataObject) -> None:
    before = parse(PATH, text)
    if not before.passages:
        return
    gone = data.draw(st.sampled_from(before.passages))
    result = apply(text, [removal(gone)], path=PATH)
    if result.dropped:
        assert result == EditResult(text, ("k",))
        return
    after = parse(PATH, result.text)
    if result.emptied:
        assert {passage.kind for passage in before.passages} <= {gone.kind, "front_matter"}
        assert not before.headings
        return
    assert [description(p) for p in after.passages] == [description(p) for p in before.passages if p is not gone]
    assert [(h.level, h.text) for h in after.headings] == [(h.level, h.text) for h in before.headings]
    assert full_lines(after) == full_lines(before, frozenset(range(gone.start, gone.end)))
    assert result.text.startswith("\ufeff") == text.startswith("\ufeff")


@given(documents(), st.data())
def test_many_edits_come_in_any_order_and_keep_what_they_do_not_touch(text: str, data: st.DataObject) -> None:
    before = parse(PATH, text)
    headings = [heading.start for heading in before.headings]
    chosen = data.draw(st.lists(st.sampled_from(before.passages), unique=True)) if before.passages else []
    words = st.sampled_from([None, None, "Other words.", "- another item", "two\nlines", "```\nopen", "# heading"])
    wanted = [SpanEdit(p.start, p.end, data.draw(words), str(p.index)) for p in chosen]
    result = apply(text, wanted, path=PATH, removable_headings=headings)
    assert apply(text, data.draw(st.permutations(wanted)), path=PATH, removable_headings=headings) == result
    if result.emptied:
        assert result.text == ""
        return
    touched = {passage.index for passage in chosen} - {int(key) for key in result.dropped}
    found = iter([(p.kind, p.text, p.place.headings) for p in parse(PATH, result.text).passages])
    assert all((p.kind, p.text, p.place.headings) in found for p in before.passages if p.index not in touched)


@given(documents(), st.data())
def test_an_edit_done_is_done(text: str, data: st.DataObject) -> None:
    """Edits keyed by content, made again on the result, find nothing more to do."""
    words = [passage.text for passage in parse(PATH, text).passages]
    unwanted = data.draw(st.sets(st.sampled_from(words))) if words else set()

    def without(source: str) -> str:
        gone = [p for p in parse(PATH, source).passages if p.text in unwanted]
        result = apply(source, [removal(p, str(p.index)) for p in gone], path=PATH)
        return source if result.dropped else result.text

    once = without(text)
    if once != text:
        assert without(once) == once


def test_a_removed_passage_takes_the_blank_lines_before_it_along() -> None:
    assert remove("a.\n\nb.\n\n\nc.\n", 1).text == "a.\n\n\nc.\n"
    assert remove("a.\n\n\nb.\n", 1).text == "a.\n"


def test_the_first_passage_takes_those_after_it() -> None:
    assert remove("\n\na.\n\nb.\n", 0).text == "b.\n"
    assert remove("a.\n\nb.\n\nc.\n", 0, 1).text == "c.\n"


def test_list_items_stay_tight() -> None:
    assert remove("# H\n\n- a\n- b\n- c\n", 1).text == "# H\n\n- a\n- c\n"
    assert remove("# H\n\n- a\n- b\n- c\n", 2).text == "# H\n\n- a\n- b\n"


def test_the_next_item_stands_where_a_removed_first_one_stood() -> None:
    assert remove("# H\n\n- a\n- b\n", 0).text == "# H\n\n- b\n"
    assert remove("Steps:\n\n- a\n- b\n- c\n", 1, 2).text == "Steps:\n\n- c\n"


def test_front_matter_survives_when_the_body_changes() -> None:
    text = "---\nname: testing\ntype: feedback\n---\n\nRun tests before pushing.\n\nRun tests before pushing.\n"
    assert remove(text, 2).text == "---\nname: testing\ntype: feedback\n---\n\nRun tests before pushing.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_paragraphs_that_would_join_get_a_blank_line_in_the_texts_own_line_end(end: str) -> None:
    text = f"a{end}```{end}b{end}```{end}c{end}"
    assert remove(text, 1).text == f"a{end}{end}c{end}"


def test_a_second_step_does_not_fall_into_the_paragraph_before_the_first() -> None:
    assert remove("text:\n1. a\n2. b\n", 1).text == "text:\n\n2. b\n"


def test_without_a_final_newline_there_is_none_afterwards_where_its_line_stays() -> None:
    assert remove("a.\n\nb.", 0).text == "b."
    assert remove("a.\n\nb.", 1).text == "a.\n"
    assert replace("a.\n\nb.", 1, "c.\nd.").text == "a.\n\nc.\nd."


def test_a_byte_order_mark_stays() -> None:
    assert remove("\ufeffa.\n\nb.\n", 0).text == "\ufeffb.\n"


def test_a_removal_that_makes_front_matter_of_a_rule_is_dropped() -> None:
    text = "a\n\n---\nb\n\n---\n"
    assert remove(text, 0) == EditResult(text, ("0",))


def test_a_label_stays_while_something_stands_under_it() -> None:
    text = "Steps:\n\n- a\n- b\n"
    assert remove(text, 0) == EditResult(text, ("0",))
    assert remove(text, 0, 1) == EditResult("Steps:\n\n- b\n", ("0",))
    assert remove("# H\n\nSteps:\n\n- a\n- b\n", 0, 1, 2) == EditResult("# H\n")


def test_a_label_may_be_reworded() -> None:
    assert replace("Steps:\n\n- a\n", 0, "Steps (daily):").text == "Steps (daily):\n\n- a\n"


def test_only_the_edit_at_fault_is_dropped() -> None:
    text = "a.\n\n---\nb.\n\n---\n\nc.\n\nd.\n"
    assert remove(text, 0, 4) == EditResult("a.\n\n---\nb.\n\n---\n\nd.\n", ("0",))


def test_a_replacement_takes_the_texts_line_ends() -> None:
    assert replace("a\r\n\r\nb\r\n", 0, "c\nd").text == "c\r\nd\r\n\r\nb\r\n"
    assert replace("a\n\nb\n", 0, "c\r\n").text == "c\n\nb\n"


def test_a_blank_replacement_is_a_removal() -> None:
    assert replace("a\n\nb\n", 1, " \n").text == "a\n"


@pytest.mark.parametrize("replacement", ["```\nnever closed", "# A heading", "<!-- open"])
def test_a_replacement_that_reaches_into_others_is_dropped(replacement: str) -> None:
    text = "a\n\nb\n\nc\n"
    assert replace(text, 1, replacement) == EditResult(text, ("k",))


def test_a_replacement_is_kept_apart_from_its_neighbours() -> None:
    assert replace("a.\n```\nb.\n```\nc.\n", 1, "d.").text == "a.\n\nd.\n\nc.\n"


def test_of_overlapping_edits_the_first_is_made() -> None:
    wanted = [SpanEdit(0, 3, None, "wide"), SpanEdit(2, 3, None, "narrow"), SpanEdit(0, 3, None, "twin")]
    assert apply("a.\n\nb.\n\nc.\n", wanted, path=PATH) == EditResult("c.\n", ("narrow",))


@pytest.mark.parametrize("span", [(-1, 1), (0, 0), (2, 1), (0, 4)])
def test_a_span_outside_the_text_is_an_error(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="edit k"):
        apply("a\n\nb\n", [SpanEdit(*span, None, "k")], path=PATH)


def test_a_heading_stays_unless_it_may_go_with_its_section() -> None:
    text = "# A\n\na\n\n## B\n\nb\n\n## C\n\nc\n"
    headings = [heading.start for heading in parse(PATH, text).headings]
    passages = parse(PATH, text).passages
    last_two = [removal(passages[1], "1"), removal(passages[2], "2")]
    assert apply(text, last_two, path=PATH).text == "# A\n\na\n\n## B\n\n## C\n"
    assert apply(text, last_two, path=PATH, removable_headings=headings[1:2]).text == "# A\n\na\n\n## C\n"
    assert apply(text, last_two, path=PATH, removable_headings=headings).text == "# A\n\na\n"


def test_a_heading_does_not_go_over_a_subheading_that_stays() -> None:
    text = "# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
    wanted = [removal(passage, str(passage.index)) for passage in parse(PATH, text).passages[:2]]
    assert apply(text, wanted, path=PATH, removable_headings=[0]).text == "# A\n\n## B\n\n# C\n\nc\n"


def test_a_section_that_was_empty_before_keeps_its_heading() -> None:
    text = "# A\n\n# B\n\nb.\n\nc.\n"
    wanted = [removal(parse(PATH, text).passages[0])]
    assert apply(text, wanted, path=PATH, removable_headings=[0, 2]).text == "# A\n\n# B\n\nc.\n"


def test_a_file_left_without_passages_is_empty() -> None:
    assert remove("a\n", 0) == EditResult("", emptied=True)
    assert remove("\ufeff---\nname: x\n---\n\na\n\n", 1) == EditResult("", emptied=True)
    assert remove("# H\n\na\n", 0) == EditResult("# H\n")
    passage = parse(PATH, "# H\n\na\n").passages[0]
    assert apply("# H\n\na\n", [removal(passage)], path=PATH, removable_headings=[0]).emptied
    assert not apply("# H\n", [], path=PATH, removable_headings=[0]).emptied


def test_part_of_a_passage_may_go() -> None:
    text = "- a\n  - b\n  - c\n- d\n"
    assert apply(text, [SpanEdit(1, 2, None, "k")], path=PATH).text == "- a\n  - c\n- d\n"


def test_plain_text_is_edited_by_its_own_rules() -> None:
    assert remove("# a.\n\n```.\n\nb.\n", 1, path="/a.txt").text == "# a.\n\nb.\n"


def test_a_seam_goes_where_the_neighbours_meet() -> None:
    text = "- a\n- b\n- c\n\nd | e\n```\nf\n```\n|---|---|\n"
    assert remove(text, 1, 4).text == "- a\n- c\n\nd | e\n\n|---|---|\n"


def test_many_seams_are_found_in_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def counted(lines: Sequence[str], cuts: Sequence[Cut], seams: frozenset[Cut]) -> Draft:
        rounds.append(len(seams))
        return draft(lines, cuts, seams)

    monkeypatch.setattr(edits, "draft", counted)
    text = "a.\n```\nb.\n```\n" * 300 + "a.\n"
    fences = [passage for passage in parse(PATH, text).passages if passage.kind == "fence"]
    result = apply(text, [removal(passage, str(passage.index)) for passage in fences], path=PATH)
    assert result == EditResult("a.\n\n" * 300 + "a.\n")
    assert rounds == [0, 300]
