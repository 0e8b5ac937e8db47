"""Edits of whole lines that leave every other passage what it was."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from workers.engine.blocks import Span
from workers.engine.drafts import Cut, Draft, draft
from workers.engine.lines import BYTE_ORDER_MARK
from workers.engine.passages import Document, Heading, Passage, parse


@dataclass(frozen=True, slots=True)
class SpanEdit:
    """Removes the lines `start:end` of a text, or puts `replacement` in their place; `key` is for the result's list."""

    start: int
    end: int
    replacement: str | None
    key: str


@dataclass(frozen=True, slots=True)
class EditResult:
    """`dropped` are the sorted keys of edits that were not made, since another passage would have changed or they
    overlap another edit. `emptied`: nothing but front matter and removable headings was left, so `text` is ""."""

    text: str
    dropped: tuple[str, ...] = ()
    emptied: bool = False


def apply(text: str, spans: Sequence[SpanEdit], *, path: str, removable_headings: Collection[int] = ()) -> EditResult:
    """`text` of the memory at `path` after the edits, in whatever order they come.

    The new text is parsed again: passages that no edit touches must be the same, in the same place. Where they are not,
    a blank line goes into the seam; where that does not help, the edit is dropped. `removable_headings` are first lines
    of headings that may go with a section which the edits emptied.
    Raises ValueError for a span outside the text.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    before = parse(path, text[len(mark) :])
    keys, dropped = _disjoint(spans, len(before.lines))
    removable = frozenset(removable_headings)
    edited = _settle(before, sorted(keys), removable)
    kept = set(edited.cuts)
    dropped |= {key for cut, names in keys.items() if cut not in kept for key in names}
    if not kept:
        return EditResult(text, tuple(sorted(dropped)))
    if _is_empty(edited, removable):
        return EditResult("", tuple(sorted(dropped)), emptied=True)
    return EditResult(mark + edited.draft.text, tuple(sorted(dropped)))


def _disjoint(spans: Iterable[SpanEdit], length: int) -> tuple[dict[Cut, set[str]], set[str]]:
    """The cuts to make with the keys of their edits, and the keys of edits that overlap an earlier, different one."""
    keys: dict[Cut, set[str]] = {}
    overlapping: set[str] = set()
    end = 0
    for cut, key in sorted((_cut(edit, length), edit.key) for edit in spans):
        if cut in keys:
            keys[cut].add(key)
        elif cut.start < end:
            overlapping.add(key)
        else:
            keys[cut] = {key}
            end = cut.end
    return keys, overlapping


def _cut(edit: SpanEdit, length: int) -> Cut:
    if not 0 <= edit.start < edit.end <= length:
        raise ValueError(f"edit {edit.key}: lines {edit.start}:{edit.end} are not in a text of {length}")
    replacement = edit.replacement or ""
    return Cut(edit.start, edit.end, replacement if replacement.strip() else "")


@dataclass(frozen=True, slots=True)
class _Edited:
    """One try: `cuts` are those of the edits and of headings that go with their sections, as `draft.edges` has them."""

    before: Document
    cuts: tuple[Cut, ...]
    draft: Draft
    after: Document


def _settle(before: Document, cuts: Sequence[Cut], removable: frozenset[int]) -> _Edited:
    """The most cuts that leave the rest as it is: one at fault first gets a seam, then is left out."""
    seams: frozenset[Cut] = frozenset()
    while True:
        edited = _edit(before, cuts, seams, removable)
        faults = list(_faults(edited))
        if not faults:
            return edited
        fresh = {cut for suspects in faults for cut in suspects if cut not in seams}
        hopeless = {suspects[0] for suspects in faults if fresh.isdisjoint(suspects)}
        cuts = [cut for cut in cuts if cut not in hopeless]
        removable -= {cut.start for cut in hopeless}
        seams |= fresh


def _edit(before: Document, cuts: Sequence[Cut], seams: frozenset[Cut], removable: frozenset[int]) -> _Edited:
    headings = [Cut(heading.start, heading.end) for heading in _emptied_headings(before, cuts, removable)]
    every = tuple(sorted({*cuts, *headings}))
    drafted = draft(before.lines, every, seams)
    return _Edited(before, every, drafted, parse(before.path, drafted.text))


def _emptied_headings(before: Document, cuts: Sequence[Cut], removable: frozenset[int]) -> Iterator[Heading]:
    """Removable headings whose section, subsections included, held passages and is left with none."""
    if not removable:
        return
    removed = _lines_of(cut for cut in cuts if not cut.replacement)
    for number, heading in enumerate(before.headings):
        below = before.headings[number + 1 :]
        end = next((other.start for other in below if other.level <= heading.level), len(before.lines))
        inside = [passage for passage in before.passages if heading.end <= passage.start < end]
        headings = {heading.start, *(other.start for other in below if other.start < end)}
        gone = all(removed.issuperset(range(passage.start, passage.end)) for passage in inside)
        if inside and gone and removable >= headings and removed.isdisjoint(range(heading.start, heading.end)):
            yield heading


def _lines_of(cuts: Iterable[Cut]) -> frozenset[int]:
    return frozenset(number for cut in cuts for number in range(cut.start, cut.end))


def _faults(edited: _Edited) -> Iterator[Sequence[Cut]]:
    """The suspected cuts, likeliest first, for each run of passages and headings that are not what they were."""
    cut_lines = _lines_of(edited.cuts)
    replaced = _lines_of(cut for cut in edited.cuts if cut.replacement)
    after: dict[int, Passage | Heading] = {passage.start: passage for passage in edited.after.passages}
    after |= {heading.start: heading for heading in edited.after.headings}
    intact = True
    units: list[Passage | Heading] = [*edited.before.passages, *edited.before.headings]
    for unit in sorted(units, key=lambda unit: unit.start):
        if not cut_lines.isdisjoint(range(unit.start, unit.end)):
            continue
        span = edited.draft.moved((unit.start, unit.end))
        found = after.get(span[0])
        same = found is not None and _same(edited.before, unit, found, replaced)
        if intact and not same:
            yield _suspects(edited, unit, span, found)
        intact = same


def _same(before: Document, unit: Passage | Heading, found: Passage | Heading, replaced: frozenset[int]) -> bool:
    """Whether `found` is what `unit` was. A new wording of the lines that introduce it is no change of its own."""
    if isinstance(unit, Heading) or isinstance(found, Heading):
        return isinstance(unit, Heading) and isinstance(found, Heading) and _key(unit) == _key(found)
    introducers = (before.passages[index] for index in unit.introducers)
    reworded = any(not replaced.isdisjoint(range(label.start, label.end)) for label in introducers)
    introduced = reworded or unit.place.intro == found.place.intro
    same_block = (unit.kind, unit.text, unit.ordered) == (found.kind, found.text, found.ordered)
    return introduced and same_block and unit.place.headings == found.place.headings


def _key(heading: Heading) -> tuple[int, str]:
    return heading.level, heading.text


def _suspects(edited: _Edited, unit: Passage | Heading, span: Span, found: Passage | Heading | None) -> Sequence[Cut]:
    """Where only the introduction of `unit` is lost, the cuts of its label lines; where `unit` has grown, those that it
    has grown over; else the nearest, of those equally near the one before it."""
    edges = list(zip(edited.cuts, edited.draft.edges, strict=True))
    if found is not None and isinstance(unit, Passage) and isinstance(found, Passage):
        if found.end == span[1]:
            labels = [edited.before.passages[index] for index in unit.introducers]
            guilty = [cut for cut, _ in edges if any(cut.start < p.end and p.start < cut.end for p in labels)]
        else:
            grown = [cut for cut, edge in edges if span[1] <= edge[0] < found.end and found.kind == unit.kind]
            # Paragraphs join at each seam by itself; a fence that has lost its end swallows all else through one.
            guilty = grown if unit.kind == "paragraph" else grown[:1]
        if guilty:
            return guilty
    distances = [(max(edge[0] - span[1], span[0] - edge[1]), number) for number, (_, edge) in enumerate(edges)]
    return [edges[min(distances)[1]][0]]


def _is_empty(edited: _Edited, removable: frozenset[int]) -> bool:
    """Whether the cuts left only front matter and headings that may go."""
    stayed = (h for h in edited.before.headings if edited.draft.positions[h.start] >= 0)
    return (
        not any(cut.replacement for cut in edited.cuts)
        and all(passage.kind == "front_matter" for passage in edited.after.passages)
        and all(heading.start in removable for heading in stayed)
    )
