"""What the journal says about operations, suggestions, protected parts and late writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from workers.engine.inventory import Inventory, Unit
from workers.engine.journal import Entry, JournalRecord, code, day, listed, plural, quoted
from workers.engine.plan import Member, Operation, OperationKind, SourceRef, Suggestion
from workers.engine.protection import Protection
from workers.engine.rebase import CarriedKind, CarriedWrite, DroppedOperation, Rebased
from workers.engine.report import Report
from workers.engine.values import Snapshot, TokenCounter

PROTECTED: Mapping[Protection, tuple[str, str]] = {
    "protected_path": ("memory under a protected path was", "memories under protected paths were"),
    "shocks": ("memory of the shocks ring was", "memories of the shocks ring were"),
    "pinned": ("pinned memory was", "pinned memories were"),
    "untrusted": ("memory from an untrusted source was", "memories from untrusted sources were"),
    "forgotten": ("forgotten memory was", "forgotten memories were"),
}
CARRIED: Mapping[CarriedKind, str] = {
    "created": "was written",
    "deleted": "was deleted",
    "renamed": "was renamed",
    "edited": "was edited",
    "marked": "got another pin, trust, ring, date, other tags or metadata",
}


FILES = "files"
"""Reference of the entries about files, which are written anew when late writes change what is applied."""


def deeds(operations: Iterable[Operation], inventory: Inventory) -> Iterator[Entry]:
    """An entry for each operation. Pinned text is never quoted."""
    for operation in operations:
        assert operation.survivor is not None
        pinned = operation.survivor.memory_id in inventory.protections
        yield Entry(
            section="superseded" if operation.kind == "supersede" else "merged",
            why=_why(operation, inventory),
            to=operation.survivor.path,
            sources=tuple(source.path for source in operation.sources),
            quote=None if pinned else text_of(operation.survivor, inventory),
            reference=operation.id,
        )


def _why(operation: Operation, inventory: Inventory) -> str:
    assert operation.survivor is not None
    if operation.kind == "merge_same":
        others = tuple(source.path for source in operation.sources if source.path != operation.survivor.path)
        again = "in the same file" if len(others) < len(operation.sources) else ""
        return f"The same stood {' and '.join(filter(None, (again, f'in {listed(others)}' if others else '')))}."
    gone = "; ".join(f"{quoted(text_of(source, inventory))} ({code(source.path)})" for source in operation.sources)
    if operation.kind == "supersede":
        return f"It says itself that {code(operation.evidence['value'])} is no more, so this went: {gone}"
    return f"It begins with all that this said, which went: {gone}"


def text_of(source: SourceRef, inventory: Inventory) -> str:
    """The snapshot's text of a passage or memory."""
    unit = Unit(source.memory_id, source.passage_index)
    document = inventory.sheets[unit.memory_id].document
    return document.text if unit.passage is None else document.passages[unit.passage].text


def questions(suggestions: Iterable[Suggestion], inventory: Inventory) -> Iterator[Entry]:
    """An entry for each suggestion, with its members below."""
    for suggestion in suggestions:
        why = suggestion.reason + _figures(suggestion)
        details = tuple(_member(member, inventory) for member in suggestion.members)
        if suggestion.kind == "recurring":
            first = suggestion.members[0]
            details = (f"{quoted(first.text)} in {listed(tuple(m.source.path for m in suggestion.members))}",)
        yield Entry("suggested", why, details=details, reference=suggestion.id)


def _figures(suggestion: Suggestion) -> str:
    parts = []
    if suggestion.similarity is not None:
        parts.append(f"similarity {suggestion.similarity:.2f}")
    if suggestion.shared:
        parts.append("they share " + ", ".join(map(code, suggestion.shared)))
    if suggestion.tokens_saved and suggestion.kind != "conflict":
        parts.append(f"up to {plural(suggestion.tokens_saved, 'token')} less")
    return f" ({'; '.join(parts)})" if parts else ""


def _member(member: Member, inventory: Inventory) -> str:
    observed = inventory.sheets[member.source.memory_id].memory.observed_at
    only = f"; only here: {', '.join(map(code, member.differs))}" if member.differs else ""
    return f"{quoted(member.text)} ({code(member.source.path)}, {day(observed)}{only})"


def untouched(inventory: Inventory, refused: Iterable[Unit]) -> Iterator[Entry]:
    """What was protected, by reason and number only, and what could not be cut out."""
    reasons = list(inventory.protections.values())
    for reason, (one, many) in PROTECTED.items():
        if count := reasons.count(reason):
            yield Entry("skipped", f"{plural(count, one, many)} left as {'it is' if count == 1 else 'they are'}.")
    paths = tuple(sorted({inventory.sheets[unit.memory_id].memory.path for unit in refused}))
    if paths:
        why = f"A copy in {listed(paths)} stays: without it the text around it, or what links to it, would change."
        yield Entry("left_alone", why)


def conclude(report: Report, snapshot: Snapshot, rebased: Rebased, count_tokens: TokenCounter) -> Report:
    """The report of what was applied in the end: operations kept and dropped, writes carried over, tokens saved."""
    before = {memory.id: memory for memory in snapshot.memories}
    went = sum(count_tokens(before[each.memory_id].text) for each in rebased.removed)
    for each in rebased.changed:
        if each.text_changed:
            went += count_tokens(before[each.source_id].text) if each.source_id in before else 0
            went -= count_tokens(each.memory.text)
    counts: Counter[OperationKind] = Counter()
    for operation in rebased.kept:
        counts[operation.kind] += len(operation.sources)
    return replace(
        report,
        exact_merged=counts["merge_same"],
        contained_merged=counts["merge_contained"],
        superseded=counts["supersede"],
        carried_over=len(rebased.carried),
        dropped_operations=len(rebased.dropped),
        tokens_after=report.tokens_before - went,
        tokens_saved=went,
    )


def finish(record: JournalRecord, rebased: Rebased) -> JournalRecord:
    """The record of what was applied: links that followed, operations dropped for late writes, writes carried over.

    The caller adds what only it knows (`JournalRecord.mode`, `dream_id`, `dry_run` …).
    """
    gone = {operation.operation_id for operation in rebased.dropped}
    done = tuple(entry for entry in record.entries if entry.reference not in {*gone, FILES})
    late = (*(_dropped(each) for each in rebased.dropped), *(_carried(each) for each in rebased.carried))
    return replace(record, entries=(*done, *late, *_files(rebased)))


def _files(rebased: Rebased) -> Iterator[Entry]:
    if rebased.removed:
        gone = tuple(each.path for each in rebased.removed)
        why = f"{plural(len(gone), 'file')} went, since all of it stands elsewhere now: {listed(gone)}."
        yield Entry("note", why, reference=FILES)
    edited = {edit.memory_id for operation in rebased.kept for edit in operation.edits}
    led = [each for each in rebased.changed if each.text_changed and each.source_id not in {None, *edited}]
    if led:
        where = listed(tuple(each.memory.path for each in led))
        yield Entry("note", f"Links in {where} follow what was merged.", reference=FILES)


def _dropped(operation: DroppedOperation) -> Entry:
    verb = "was" if len(operation.paths) == 1 else "were"
    why = f"A planned change was given up: {listed(operation.paths)} {verb} {operation.reason}."
    return Entry("left_alone", why, reference=operation.operation_id)


def _carried(write: CarriedWrite) -> Entry:
    before = f" (it was {code(write.old_path)})" if write.old_path else ""
    return Entry("carried_over", f"{code(write.path)} {CARRIED[write.kind]}{before}.")
