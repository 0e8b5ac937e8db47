"""What a dream leaves to be read: its plan with what became of it, its journal, its lineage and its report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

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


def plan_write(job: Job) -> Result:
    """The records of a dry run, which ends with its plan."""
    _operations(job, {}, applied=False)
    report = _timed(job, job.plan.report)
    _journal(job, _record(job, job.plan.journal, report, output_store_id=None))
    return Result(report=codec.encode(report), plan_digest=job.plan.digest)


def outcome_write(job: Job, draft: Draft, stored: Stored) -> Result:
    """The records of an apply, written before its fences; what is known of the output is returned to end the dream."""
    rebased = draft.rebased
    _operations(job, {dropped.operation_id: dropped.reason for dropped in rebased.dropped}, applied=True)
    _lineage(job, draft, stored)
    concluded = chronicle.conclude(job.plan.report, job.taken.snapshot, rebased, job.count_tokens)
    report = _timed(job, concluded)
    record = _record(
        job, chronicle.finish(job.plan.journal, _carried_once(draft)), report, output_store_id=stored.store_id
    )
    _journal(job, replace(record, entries=(*record.entries, *_arrivals(draft.inherited.arrivals))))
    return Result(
        report=codec.encode(report),
        output_store_id=stored.store_id,
        files_touched=rebased.files_touched,
        applied_revision=draft.late.revision,
        plan_digest=job.plan.digest,
    )


def _operations(job: Job, dropped: Mapping[str, str], *, applied: bool) -> None:
    rows = [*_operation_rows(job, dropped, applied=applied), *_suggestion_rows(job)]
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
def _journal(job: Job, record: JournalRecord) -> None:
    JournalEntry.objects.create(
        dream=job.dream,
        workspace_id=job.dream.workspace_id,
        record=codec.encode(record),
        markdown=render(record),
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
def _lineage(job: Job, draft: Draft, stored: Stored) -> None:
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
