"""A plan becomes storage: one transaction, its fences last, so that writers of the input hardly ever wait.

The texts go first, in transactions of their own. Then, without any lock, late writes are read and the plan is rebased
on them; then all rows are written, unseen; and only then come the locks: the dream is still ours, the mount moves, the
input store is at the revision that was read. If it is not, but what was written since concerns no operation, those
memories are copied again under the lock; else everything is rolled back and read again. After three rounds the locks
come first: a store whose merged memories are never left alone gets its dream, and its writers wait once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from django.db import IntegrityError, OperationalError, connection, transaction

from dreams.ending import Result, dream_end
from dreams.models import Dream, OutputBehavior
from dreams.status import Status
from dreamsvc.actors import Actor
from identities.models import Mount
from identities.services.defaults import mount_swap
from memorystores.models import MemoryStore
from memorystores.services.contents import content_upsert, contents_upsert, sha256
from workers import records
from workers.accesses import accesses_count
from workers.catchup import Redo, caught_up
from workers.engine.rebase import rebase
from workers.failures import Stopped
from workers.fences import check_mount, check_sessions, check_store, check_unredacted, mount_moved
from workers.heart import Heart
from workers.job import Draft, Job
from workers.late import late_read, live_signals
from workers.predecessors import Mark, inherited_read, marks_move
from workers.storage import Stored, Vanished, calibration_keep, store_create, store_in_place, store_update

ROUNDS = 3
DEADLOCK_TRIES = 3
DEADLOCKS = frozenset({"40P01", "40001"})
"""SQLSTATE of a deadlock and of a failed serialisation: the transaction was chosen to be run again."""

logger = logging.getLogger(__name__)


class Upsert(Protocol):
    """Makes the rows of texts; their ids by sha256."""

    def __call__(self, *, workspace_id: str, texts: Iterable[str]) -> dict[str, int]: ...


def dream_apply(job: Job, heart: Heart) -> None:
    """Ends the dream with its output.

    Raises DreamFailed when an input is gone or the mount moved, and Stopped when the claim is void; then nothing is
    written.
    """
    if job.dream.dry_run:
        _retried(lambda: _dry_round(job))
        return
    for _ in range(ROUNDS):
        heart.touch()
        try:
            return _retried(lambda: _round(job))
        except (Redo, Vanished, IntegrityError):
            # A text that a redaction took away breaks a foreign key; a real fault shows in the last round as well.
            logger.info("%s: the input was written to, once more", job.claim.dream_id)
    heart.touch()
    _retried(lambda: _locked_round(job))


def _retried(work: Callable[[], None]) -> None:
    """Runs again what the database broke off as a deadlock; any other trouble of the database is not ours to judge."""
    for _ in range(DEADLOCK_TRIES):
        try:
            return work()
        except OperationalError as trouble:
            if getattr(trouble.__cause__, "sqlstate", None) not in DEADLOCKS:
                raise
    work()


def _round(job: Job) -> None:
    draft = _draft(job, contents_upsert)
    with transaction.atomic():
        _write(job, draft)


def _locked_round(job: Job) -> None:
    with transaction.atomic():
        _lock(job)
        _write(job, _draft(job, _contents_upsert_here))


def _dry_round(job: Job) -> None:
    with transaction.atomic():
        _lock(job)
        records.operations_write(job, None)
        ending = records.plan_ending(job)
        records.journal_write(job, ending)
        _end(job, ending.result)


def _draft(job: Job, upsert: Upsert) -> Draft:
    """The plan on the input as it is now, its texts upserted."""
    late = late_read(job.taken.snapshot)
    inherited = inherited_read(job.dream, job.taken.snapshot, late)
    signals = live_signals(job.dream.primary_store_id) if job.plan.operations else {}
    rebased = rebase(job.plan, job.taken.snapshot, (*late.writes, *inherited.writes), signals=signals)
    texts = [output.memory.text for output in rebased.changed]
    return Draft(late, inherited, rebased, upsert(workspace_id=job.dream.workspace_id, texts=texts))


def _contents_upsert_here(*, workspace_id: str, texts: Iterable[str]) -> dict[str, int]:
    """As `contents_upsert`, within the transaction that holds all other locks already: texts are locked last."""
    ordered = sorted({sha256(text): text for text in texts}.items())
    return {digest: content_upsert(workspace_id=workspace_id, text=text).pk for digest, text in ordered}


def _write(job: Job, draft: Draft) -> None:
    """All rows of the output and then the fences; a store changed in place is written under them."""
    in_place = job.dream.output_behavior == OutputBehavior.UPDATE_EXISTING
    stored = store_in_place(job.dream, draft.rebased) if in_place else store_create(job.dream, draft)
    records.operations_write(job, draft.rebased)
    records.lineage_write(job, draft, stored)
    if not in_place:
        accesses_count(job, draft, stored)
    _check_constraints()
    if _moved_on(job, draft):
        draft, stored = caught_up(job, draft, stored)  # most of it now, so that there is little left under the lock
    ending = records.outcome(job, draft, stored)
    if _fence(job, draft, stored):
        draft, stored = caught_up(job, draft, stored)
        ending = records.outcome(job, draft, stored)
    if in_place:
        store_update(job.dream, draft, stored)
        accesses_count(job, draft, stored)
    calibration_keep(stored, job.plan.calibration)
    marks_move(draft.inherited.marks)
    records.journal_write(job, ending)
    _end(job, ending.result)


def _moved_on(job: Job, draft: Draft) -> bool:
    store = MemoryStore.objects.filter(pk=job.dream.primary_store_id)
    return not store.filter(revision=draft.late.revision).exists()


def _fence(job: Job, draft: Draft, stored: Stored) -> bool:
    """The dream is still ours, the mount moves, the input is locked; whether it was written to since it was read."""
    if not Dream.objects.hold(job.claim):
        raise Stopped
    if job.dream.mount_id is not None:
        _swap(job, stored.store_id)
    return _locked_input(job, draft.inherited.marks).revision != draft.late.revision


def _check_constraints() -> None:
    """Checks ten thousand foreign keys now, before there is a lock to hold, and not in the COMMIT."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _end(job: Job, ending: Result) -> None:
    claim = job.claim
    if not dream_end(dream_id=claim.dream_id, status=Status.COMPLETED, attempt=claim.attempt, result=ending):
        raise Stopped


def _swap(job: Job, store_id: str) -> None:
    moved = mount_swap(
        mount_id=int(job.dream.mount_id or 0),
        expected_revision=int(job.dream.mount_revision or 0),
        new_store_id=store_id,
        actor=Actor.dream(job.dream.id),
    )
    if not moved:
        raise mount_moved()


def _lock(job: Job) -> None:
    """The fences first: dream, mount and input, in the order in which everybody locks them."""
    if not Dream.objects.hold(job.claim):
        raise Stopped
    if job.dream.mount_id is not None:
        Mount.objects.filter(pk=job.dream.mount_id).select_for_update(no_key=True).first()
        check_mount(job.dream)
    _locked_input(job, ())


def _locked_input(job: Job, marks: Sequence[Mark]) -> MemoryStore:
    """The input store, locked and fit to be applied to; with it, by id, the stores whose marks are to be moved."""
    ids = {job.dream.primary_store_id, *(mark.store_id for mark in marks)}
    locked = MemoryStore.objects.filter(pk__in=ids).order_by("id").select_for_update(no_key=True)
    store = {store.id: store for store in locked}.get(job.dream.primary_store_id)
    store = check_store(store, job.taken.policy_revision)
    check_sessions(job.dream)
    check_unredacted(job.taken.snapshot)
    return store
