"""All 25 pairs of statuses: each move is possible exactly where the diagram has an arrow."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from dreams.clock import NowPlus
from dreams.ending import DreamError, dream_end
from dreams.models import Dream, DreamOperation
from dreams.status import ErrorType, Status
from tests.lifecycle.conftest import MakeDream, columns_of

ARROWS = {
    (Status.PENDING, Status.RUNNING),
    (Status.PENDING, Status.FAILED),
    (Status.PENDING, Status.CANCELED),
    (Status.RUNNING, Status.COMPLETED),
    (Status.RUNNING, Status.FAILED),
    (Status.RUNNING, Status.CANCELED),
}
BROKEN = DreamError(ErrorType.INTERNAL, "ValueError")


def move(dream: Dream, to: Status) -> bool:
    """Asks for the move by the only door to that status; there is none back to pending."""
    if to == Status.PENDING:
        return False
    if to == Status.RUNNING:
        return Dream.objects.claim(dream.id) is not None
    return dream_end(dream_id=dream.id, status=to, error=BROKEN if to == Status.FAILED else None)


@pytest.mark.parametrize(("before", "after"), list(itertools.product(Status, Status)))
def test_every_pair(make_dream: MakeDream, sent: list[str], before: Status, after: Status) -> None:
    dream = make_dream(before)
    was = Dream.objects.values().get(id=dream.id)
    moved = move(dream, after)
    assert moved is ((before, after) in ARROWS)
    row = Dream.objects.get(id=dream.id)
    assert row.status == (after if moved else before)
    if not moved:
        assert Dream.objects.values().get(id=dream.id) == was


@pytest.mark.parametrize("after", [Status.COMPLETED, Status.FAILED, Status.CANCELED])
def test_an_end_sets_what_the_wire_shows(make_dream: MakeDream, sent: list[str], after: Status) -> None:
    dream = make_dream(Status.RUNNING, progress={"phase": "dedup"})
    assert move(dream, after)
    row = Dream.objects.get(id=dream.id)
    assert row.ended_at is not None
    assert (row.lease_until, row.progress) == (None, None)
    assert row.report is not None
    assert row.report["scanned"] == 0
    assert (row.error_type, row.error_message) == (
        ("internal_error", "ValueError") if after == "failed" else (None, "")
    )


@pytest.mark.parametrize("attempt", [1, 2, 3])
def test_a_workers_end_needs_its_attempt(make_dream: MakeDream, sent: list[str], attempt: int) -> None:
    dream = make_dream(Status.RUNNING, attempt=2)
    assert dream_end(dream_id=dream.id, status=Status.COMPLETED, attempt=attempt) is (attempt == 2)


def test_a_workers_end_needs_a_running_dream(make_dream: MakeDream, sent: list[str]) -> None:
    dream = make_dream(Status.PENDING, attempt=0)
    assert not dream_end(dream_id=dream.id, status=Status.FAILED, attempt=0, error=BROKEN)


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "asleep"},
        {"status": "completed"},
        {"status": "pending", "ended_at": Now()},
        {"status": "running"},
        {"status": "pending", "lease_until": NowPlus(30)},
        {"status": "failed", "ended_at": Now()},
        {"status": "canceled", "ended_at": Now(), "error_type": "timeout"},
        {"output_behavior": "append"},
        {"model_speed": "fast"},
        {"sources": "burn"},
    ],
    ids=str,
)
def test_the_schema_refuses_a_row_that_no_move_makes(make_dream: MakeDream, columns: dict[str, Any]) -> None:
    dream = make_dream()
    with pytest.raises(IntegrityError), transaction.atomic():
        Dream.objects.filter(id=dream.id).update(**columns)


def test_an_operation_has_an_outcome_of_the_set(make_dream: MakeDream) -> None:
    dream = make_dream()
    for outcome in DreamOperation.Outcome:
        DreamOperation.objects.create(dream=dream, seq=DreamOperation.objects.count(), body={}, outcome=outcome)
    with pytest.raises(IntegrityError), transaction.atomic():
        DreamOperation.objects.update(outcome="forgotten")


def test_one_live_update_per_store(make_dream: MakeDream) -> None:
    update = {"output_behavior": "update_existing"}
    make_dream(Status.COMPLETED, **update)
    make_dream(Status.RUNNING, **update, dry_run=True)
    make_dream(Status.RUNNING, **update)
    make_dream(Status.PENDING)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_dream(Status.PENDING, **update)


def test_the_tests_rows_are_what_the_schema_asks(make_dream: MakeDream) -> None:
    assert {make_dream(status).status for status in Status} == {columns_of(status)["status"] for status in Status}
