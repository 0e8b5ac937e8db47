"""What a dream leaves to be read: its plan with what became of it, its journal, its lineage and its report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.db.models.functions import Now

from dreams.ending import Result
from dreams.models import Dream, DreamOperation, JournalEntry, Lineage, OutputBehavior
from workers import copying
from workers.copying import KEPT
from workers.engine import chronicle, codec
from workers.engine.journal import Entry, JournalRecord, Mode, code, render
from workers.engine.rebase import Rebased
from workers.engine.report import Report
from workers.engine.values import Memory
from workers.job import Draft, Job
from workers.predecessors import Arrival, ArrivalKind
from workers.storage import Stored

BATCH = 500
GENERIC_MODELS = frozenset({"auto", "lite", "ultimate"})
Outcome = DreamOperation.Outcome
ARRIVED: Mapping[ArrivalKind, str] = {
    "replaced": "{path} was written in the former default memory and is here as {to}.",
    "beside": "{path} was written in the former default memory, while it had changed here: it is beside it, as {to}.",
    "new": "{path} was written in the former default memory and is here now.",
    "deleted": "{path} was deleted in the former default memory and is gone here too.",
    "not deleted": "{path} was deleted in the former default memory; here {to} had changed meanwhile and stays.",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How the dream ends, and its journal as it will be written."""

    result: Result
    record: JournalRecord


def plan_ending(job: Job) -> Ending:
    """The end of a dry run: its plan."""
    report = _timed(job, job.plan.report)
    record = _record(job, job.plan.journal, report, output_store_id=None)
    return Ending(Result(report=codec.encode(report), plan_digest=job.plan.digest), record)


def outcome(job: Job, draft: Draft, stored: Stored) -> Ending:
    """The end of an apply: what was done, dropped and carried over."""
    rebased = draft.rebased
    concluded = chronicle.conclude(job.plan.report, job.taken.snapshot, rebased, job.count_tokens)
    report = _timed(job, concluded)
    told = chronicle.finish(job.plan.journal, _carried_once(draft))
    record = _record(job, told, report, output_store_id=stored.store_id)
    result = Result(
        report=codec.encode(report),
        output_store_id=stored.store_id,
        files_touched=rebased.files_touched,
        applied_revision=draft.late.revision,
        plan_digest=job.plan.digest,
    )
    return Ending(result, replace(record, entries=(*record.entries, *_arrivals(draft.inherited.arrivals))))


def operations_write(job: Job, rebased: Rebased | None) -> None:
    """The plan with what became of each operation; of a dry run, which has no `rebased`, nothing yet."""
    dropped = {each.operation_id: each.reason for each in rebased.dropped} if rebased else {}
    rows = [*_operation_rows(job, dropped, applied=rebased is not None), *_suggestion_rows(job)]
    for seq, row in enumerate(rows, start=1):
        row.seq = seq
    DreamOperation.objects.bulk_create(rows, batch_size=BATCH)


def _operation_rows(job: Job, dropped: Mapping[str, str], *, applied: bool) -> Iterator[DreamOperation]:
    for operation in job.plan.operations:
        fate = Outcome.DROPPED if operation.id in dropped else Outcome.APPLIED if applied else Outcome.PLANNED
        yield DreamOperation(
            dream=job.dream,
            kind=operation.kind,
            body=codec.encode(operation),
            outcome=fate,
            outcome_reason=dropped.get(operation.id, ""),
        )


def _suggestion_rows(job: Job) -> Iterator[DreamOperation]:
    for suggestion in job.plan.suggestions:
        body = codec.encode(suggestion)
        yield DreamOperation(dream=job.dream, kind=suggestion.kind, body=body, outcome=Outcome.SUGGESTED)


def _timed(job: Job, report: Report) -> Report:
    """The report with the time since the first claim, by the database's clock."""
    now, started = Dream.objects.values_list(Now(), "started_at").get(id=job.dream.id)
    return replace(report, duration_ms=round((now - started).total_seconds() * 1000))


# --- Journal -------------------------------------------------------------------------------------------------------
def journal_write(job: Job, ending: Ending) -> None:
    """The journal, as JSON and as people read it."""
    JournalEntry.objects.create(
        dream=job.dream,
        workspace_id=job.dream.workspace_id,
        record=codec.encode(ending.record),
        markdown=render(ending.record),
    )


def _record(job: Job, record: JournalRecord, report: Report, *, output_store_id: str | None) -> JournalRecord:
    return replace(
        record,
        report=report,
        entries=(*record.entries, *_unheard(job)),
        dry_run=job.dream.dry_run,
        dream_id=job.dream.id,
        mode=_mode(job.dream),
        output_store_id=output_store_id,
    )


def _mode(dream: Dream) -> Mode:
    if dream.mount_id is not None:
        return "identity_template"
    return "update_existing" if dream.output_behavior == OutputBehavior.UPDATE_EXISTING else "create_new"


def _unheard(job: Job) -> Iterator[Entry]:
    """What was asked for and could not be done without a language model."""
    if job.plan.journal.skipped is not None:
        return
    if job.dream.model_id not in GENERIC_MODELS:
        name = code(job.dream.model_id)
        yield Entry("note", f"No provider serves the model {name}; the dream ran as {code('auto')}, by rules alone.")
    if job.dream.instructions:
        yield Entry("note", "There was no language model to follow the instructions; rules alone decided.")


def _carried_once(draft: Draft) -> Rebased:
    """Without what came from former defaults, which the journal names in its own words."""
    inherited = {write.memory_id for write in draft.inherited.writes}
    carried = tuple(write for write in draft.rebased.carried if write.memory_id not in inherited)
    return replace(draft.rebased, carried=carried)


def _arrivals(arrivals: Iterable[Arrival]) -> Iterator[Entry]:
    for arrival in arrivals:
        why = ARRIVED[arrival.kind].format(path=code(arrival.path), to=code(arrival.to))
        yield Entry("carried_over", why)


# --- Lineage -------------------------------------------------------------------------------------------------------
def lineage_write(job: Job, draft: Draft, stored: Stored) -> None:
    """Where each memory of the output came from."""
    copying.lineage_copy(job.dream.id, stored.store_id, stored.copies)
    rows = [*_merged(job, draft, stored), *_relinked(job, draft, stored), *_replaced(job, draft, stored)]
    Lineage.objects.bulk_create(rows, batch_size=BATCH)


def _merged(job: Job, draft: Draft, stored: Stored) -> Iterator[Lineage]:
    kinds = {operation.id: operation.kind for operation in draft.rebased.kept}
    for entry in draft.rebased.lineage:
        source = entry.source
        yield Lineage(
            dream=job.dream,
            store_id=stored.store_id,
            memory_id=stored.ids.get(name := entry.output_id or entry.output_path, name),
            path=entry.output_path,
            source_memory_id=source.memory_id,
            source_version_id=source.version_id,
            source_path=source.path,
            passage_hash=source.sha256,
            operation=kinds[entry.operation_id],
        )


def _relinked(job: Job, draft: Draft, stored: Stored) -> Iterator[Lineage]:
    """Memories of which only links were rewritten."""
    told = {entry.output_id for entry in draft.rebased.lineage}
    for output in draft.rebased.changed:
        if output.source_id is not None and output.source_id not in told:
            yield _own(job, stored, output.source_id, output.memory, "relinked")


def _replaced(job: Job, draft: Draft, stored: Stored) -> Iterator[Lineage]:
    """Memories that a former default's write replaced: they come from both."""
    before = {memory.id: memory for memory in job.taken.snapshot.memories}
    for memory_id, origin in draft.inherited.origins.items():
        if memory_id in before and memory_id in stored.ids:
            moved = replace(before[memory_id], path=origin.path or before[memory_id].path)
            yield _own(job, stored, memory_id, moved, KEPT)


def _own(job: Job, stored: Stored, source_id: str, memory: Memory, operation: str) -> Lineage:
    return Lineage(
        dream=job.dream,
        store_id=stored.store_id,
        memory_id=stored.ids[source_id],
        path=memory.path,
        source_memory_id=source_id,
        source_version_id=memory.version_id,
        source_path=memory.path,
        operation=operation,
    )
