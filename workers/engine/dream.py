"""A dream from snapshot to plan: a generator of steps, so that the caller can beat and cancel between them."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar, cast

from workers.engine import chronicle, orient, plan, quotes
from workers.engine.conflicts import conflicts
from workers.engine.consolidate import Consolidated, cluster_suggestions, conflict_suggestions, recurring_suggestions
from workers.engine.dedup import Deduped, dedup, untouched
from workers.engine.inventory import Inventory, Item, take
from workers.engine.journal import Entry, JournalRecord, Survey, plural
from workers.engine.operations import operations
from workers.engine.plan import Plan, Suggestion
from workers.engine.protection import sealed
from workers.engine.rebase import rebase
from workers.engine.report import Report
from workers.engine.values import PHASES, Phase, Policy, Ports, Snapshot, Transcript

T = TypeVar("T")

SEALED = (
    "This store is in the legal tier, so it was skipped: nothing in it was read, compared or sent anywhere, and the "
    "output is the same byte for byte."
)


@dataclass(frozen=True, slots=True)
class Step:
    """Where a dream is: `done` of `total` units of work of a phase."""

    phase: Phase
    done: int
    total: int


def run(
    snapshot: Snapshot,
    transcripts: Sequence[Transcript],
    policy: Policy,
    ports: Ports,
    now: datetime,
    phases: Collection[Phase] = PHASES,
) -> Generator[Step, None, Plan]:
    """Dream over one snapshot; orient and journal always run. The same input gives the same plan.

    Only the embedder's time limit (`Ports.time_left`) may make two runs differ, and only in their suggestions.
    """
    if sealed(snapshot):
        return _sealed(snapshot, now)
    return (yield from _Dream(snapshot, transcripts, policy, ports, now, frozenset(phases)).steps())


def _sealed(snapshot: Snapshot, now: datetime) -> Plan:
    report = Report(protected_skipped=len(snapshot.memories))
    record = JournalRecord(snapshot.store_id, snapshot.revision, now, report, skipped=SEALED)
    return Plan(snapshot.store_id, plan.snapshot_digest(snapshot), (), (), (), record, report).sealed()


@dataclass(frozen=True, slots=True)
class _Asked:
    suggestions: tuple[Suggestion, ...]
    more_conflicts: int
    clustered: Consolidated


@dataclass(frozen=True, slots=True)
class _Dream:
    snapshot: Snapshot
    transcripts: Sequence[Transcript]
    policy: Policy
    ports: Ports
    now: datetime
    phases: frozenset[Phase]

    def steps(self) -> Generator[Step, None, Plan]:
        """All phases in order."""
        inventory = yield from _steps("orient", take(self.snapshot))
        survey = yield from _steps("orient", orient.survey(inventory, self.ports.count_tokens))
        deduped = untouched(inventory)
        if "dedup" in self.phases:
            deduped = yield from _steps("dedup", dedup(inventory, self.policy))
        asked = yield from self._questions(inventory, _free(deduped, inventory))
        yield Step("journal", 0, 1)
        return self._plan(inventory, survey, deduped, asked)

    def _questions(self, inventory: Inventory, items: Sequence[Item]) -> Generator[Step, None, _Asked]:
        """Suggestions about what no rule decides."""
        count = self.ports.count_tokens
        found, more = conflicts(items, self.policy.max_conflict_suggestions) if "dedup" in self.phases else ((), 0)
        suggestions = conflict_suggestions(inventory, found, count)
        clustered = Consolidated(calibration=self.snapshot.calibration)
        if "consolidate" in self.phases:
            suggestions += recurring_suggestions(inventory, items, self.policy, count)
            clustering = cluster_suggestions(inventory, items, self.policy, self.ports)
            clustered = yield from _steps("consolidate", clustering)
        return _Asked((*suggestions, *clustered.suggestions), more, clustered)

    def _plan(self, inventory: Inventory, survey: Survey, deduped: Deduped, asked: _Asked) -> Plan:
        made = operations(deduped.merges, inventory)
        report = Report(
            scanned=len(inventory.sheets),
            passages=survey.passages,
            clusters_found=asked.clustered.found,
            clusters_left=asked.clustered.left,
            protected_skipped=len(inventory.protections),
            suggestions=len(asked.suggestions),
            tokens_before=survey.tokens,
            partial=asked.clustered.vectors < asked.clustered.wanted,
        )
        entries = (
            *chronicle.deeds(made, inventory),
            *chronicle.questions(asked.suggestions, inventory),
            *chronicle.untouched(inventory, deduped.refused),
            *self._notes(asked),
        )
        seen = replace(survey, vectors=asked.clustered.vectors, vectors_wanted=asked.clustered.wanted)
        record = JournalRecord(self.snapshot.store_id, self.snapshot.revision, self.now, report, entries, seen)
        read = (item for sheet in inventory.sheets.values() for item in sheet.items)
        draft = Plan(
            store_id=self.snapshot.store_id,
            snapshot_digest=plan.snapshot_digest(self.snapshot),
            operations=made,
            suggestions=asked.suggestions,
            accesses=quotes.accesses(self.transcripts, read),
            journal=record,
            report=report,
            calibration=asked.clustered.calibration,
        )
        return self._concluded(draft)

    def _concluded(self, draft: Plan) -> Plan:
        """The plan with the counts of its own application."""
        rebased = rebase(draft, self.snapshot)
        report = chronicle.conclude(draft.report, self.snapshot, rebased, self.ports.count_tokens)
        journal = replace(chronicle.finish(draft.journal, rebased), report=report)
        return replace(draft, report=report, journal=journal).sealed()

    def _notes(self, asked: _Asked) -> Iterator[Entry]:
        if self.transcripts:
            sessions = plural(len(self.transcripts), "session")
            yield Entry("note", f"There was no language model for this store, so {sessions} only counted as access.")
        if asked.more_conflicts:
            more = plural(asked.more_conflicts, "more pair")
            yield Entry("note", f"{more} of notes may contradict each other; a dream names only the first ones.")
        if self.ports.embedder is None and "consolidate" in self.phases:
            yield Entry("note", "There was no embedder for this store, so nothing was compared by meaning.")
        waiting = asked.clustered.wanted - asked.clustered.vectors
        if waiting:
            passages = plural(waiting, "passage")
            yield Entry("note", f"Time ran out before {passages} could be compared by meaning: the next dream goes on.")
        if asked.clustered.unpaired:
            passages = plural(asked.clustered.unpaired, "passage")
            yield Entry("note", f"{passages} belong to a matter too large to be read at once, and stay as they are.")
        if asked.clustered.left:
            clusters = plural(asked.clustered.left, "more group")
            yield Entry("note", f"{clusters} of related notes are not named here: a dream names only the first ones.")


def _steps(phase: Phase, work: Generator[tuple[int, int], None, T]) -> Generator[Step, None, T]:
    """Work that yields (done, total), as steps of a phase."""
    while True:
        try:
            done, total = next(work)
        except StopIteration as stop:
            return cast(T, stop.value)
        yield Step(phase, done, total)


def _free(deduped: Deduped, inventory: Inventory) -> list[Item]:
    """Passages that are left and that nobody protects."""
    sheets = (sheet for sheet in deduped.sheets.values() if sheet.memory.id not in inventory.protections)
    return [item for sheet in sheets for item in sheet.items]
