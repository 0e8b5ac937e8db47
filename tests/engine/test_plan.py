"""Plans as JSON, their digests, and what each operation names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from tests.engine.stores import SNAPSHOTS, run, store
from workers.engine import plan as plans
from workers.engine.plan import Plan
from workers.engine.values import Snapshot


@given(SNAPSHOTS)
def test_a_plan_survives_json(taken: Snapshot) -> None:
    plan = run(taken)
    assert plans.from_json(json.loads(json.dumps(plans.to_json(plan)))) == plan


@given(SNAPSHOTS)
def test_an_operation_writes_its_sources_and_its_survivor(taken: Snapshot) -> None:
    for operation in run(taken).operations:
        assert operation.survivor is not None
        named = {source.memory_id for source in (*operation.sources, operation.survivor)}
        assert operation.writes == named
        assert operation.survivor.memory_id in operation.relies_on
        assert {*operation.removes, *(edit.memory_id for edit in operation.edits)} <= operation.writes
        assert len(operation.sources) == len(operation.removes) + len(operation.edits)


@given(SNAPSHOTS)
def test_each_passage_goes_at_most_once(taken: Snapshot) -> None:
    gone = [(s.memory_id, s.passage_index) for operation in run(taken).operations for s in operation.sources]
    assert len(gone) == len(set(gone))


def _plan() -> Plan:
    return run(store({"/a.md": "The build takes four minutes.", "/b.md": "The build takes 4 minutes."}))


def test_ids_and_digest_depend_on_content_alone() -> None:
    assert _plan() == _plan()
    assert _plan().digest


def test_a_plan_that_was_tampered_with_is_refused() -> None:
    data = plans.to_json(_plan())
    data["operations"][0]["reason"] = "because"
    with pytest.raises(ValueError, match="digest"):
        plans.from_json(data)


@pytest.mark.parametrize("data", [None, [], {}, {"operations": 3}, "plan"])
def test_what_is_no_plan_is_refused(data: object) -> None:
    with pytest.raises(ValueError):
        plans.from_json(data)
