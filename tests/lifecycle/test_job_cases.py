"""The `job` cases of `tests/cases`: the tests that prove each, and those tests that stand nowhere else.

A case that is neither proved nor known to be open fails `test_each_case_is_proved`. What `job-cancel-running` and
`job-kill` say of model requests is proved for the embedder's calls, the only ones that a dream makes so far.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from django.db import connections
from django.urls import resolve

from dreams.models import Dream, DreamOperation
from dreamsvc.models import Workspace
from memorystores.models import Memory, MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.lifecycle.stores import ended, new_dream, new_store, output
from tests.platform.test_idempotency import REPLAYED, at_once
from workers import pipeline
from workers.engine.values import Embedder, Ports, Vectors
from workers.ports import dream_ports

PROOFS: Mapping[str, tuple[str, ...]] = {
    "job-late-write": (
        "tests.lifecycle.test_late_writes:test_created_late",
        "tests.lifecycle.test_rounds:test_what_concerns_no_operation_is_caught_up_with",
        "tests.races.test_writers:test_nothing_is_lost",
    ),
    "job-late-edit": (
        "tests.lifecycle.test_late_writes:test_every_role_and_write",
        "tests.lifecycle.test_rounds:test_what_concerns_an_operation_is_read_again",
        "tests.races.test_writers:test_nothing_is_lost",
    ),
    "job-mount-replaced": (
        "tests.lifecycle.test_failures:test_mount_replaced",
        "tests.races.test_finish:TestMount.test_the_newer_mount_stays",
    ),
    "job-two-dreams": (
        "tests.lifecycle.test_failures:test_two_dreams_of_one_pair",
        "tests.races.test_finish:test_two_dreams_of_one_mount",
    ),
    "job-cancel-running": (
        "tests.lifecycle.test_job_cases:test_job_cancel_running",
        "tests.faults.test_workers:test_canceled_in_the_middle",
    ),
    "job-kill": (
        "tests.faults.test_workers:test_a_killed_worker_is_taken_over",
        "tests.faults.test_workers:test_a_killed_child_is_taken_over",
        "tests.faults.test_up:test_killed",
    ),
    "job-broker-down": (
        "tests.faults.test_broker:test_gone_and_back",
        "tests.lifecycle.test_queue:test_a_dead_broker_costs_three_seconds_once",
    ),
    "job-same-key": ("tests.lifecycle.test_job_cases:test_job_same_key",),
    "job-fixed-point": ("tests.lifecycle.test_job_cases:test_job_fixed_point",),
}
OPEN: Mapping[str, str] = {"job-gate": "/v1/dream_schedules"}
"""Cases whose subject is not built yet, with the path that it will have."""

FACT = "The invoice run starts on the 5th of the month.\n"
RULE = "Deploys run from main.\n"
NOTES = {
    "/a.md": FACT,
    "/b.md": FACT,
    "/deploys.md": RULE,
    "/k/deploys.md": RULE,
    "/n.md": "Rules of the deploys are in [[deploys]].\n",
    "/o/b.md": "Rules of the deploys are in [[deploys]].\n",
    "/o/deploys.md": RULE,
    "/keys.md": "The API key rotates every 90 days.\n",
    "/kim.md": "The API key rotates every 90 days; Kim watches it.\n",
    "/port.md": "The health check listens on port 80.\n",
    "/ports.md": "The health check listens on port 81.\n",
    "/rules.md": "# Rules\n\n- Run tests first\n- Keep commits small\n- Run tests first.\n",
    "/index.md": "# Index\n\n- [invoices](a.md)\n- [deploys](deploys.md)\n- [rules](rules.md)\n",
}
"""Copies, a text within another, twins, an index, and two notes that are copies only once their links meet."""


def jobs() -> list[str]:
    lines = (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [case["id"] for case in map(json.loads, lines) if case["kind"] == "job" and "needs" not in case]


@pytest.mark.parametrize("case_id", jobs())
def test_each_case_is_proved(case_id: str) -> None:
    assert (case_id in PROOFS) is not (case_id in OPEN)
    for proof in PROOFS.get(case_id, ()):
        assert callable(resolve_name(proof))
        assert proof.rpartition(":")[2].rpartition(".")[2].startswith("test_")


def test_nothing_is_proved_that_is_no_case() -> None:
    assert {*PROOFS, *OPEN} == set(jobs())


@pytest.mark.parametrize("path", OPEN.values(), ids=OPEN)
def test_what_is_open_is_not_built(path: str) -> None:
    assert resolve(path).func == resolve("/v1/unheard_of").func


class Held:
    """An embedder in the middle of a call until it is let go."""

    def __init__(self, embedder: Embedder) -> None:
        self.id, self.baselines = embedder.id, embedder.baselines
        self.called, self.free = threading.Event(), threading.Event()
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.called.set()
        assert self.free.wait(60)
        return self._embedder.embed(texts)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Held]:
    """Dreams with such an embedder; what it answers is that of the latest dream, None before it has ports."""
    made: list[Held] = []
    ready = threading.Event()

    def holding(*args: Any) -> Ports:
        given = dream_ports(*args)
        assert given.embedder is not None
        made.append(Held(given.embedder))
        ready.set()
        return replace(given, embedder=made[-1])

    def latest() -> Held:
        assert ready.wait(60)
        return made[-1]

    monkeypatch.setattr("workers.pipeline.dream_ports", holding)
    return latest


@contextmanager
def running(dream: Dream, held: Callable[[], Held]) -> Iterator[None]:
    """A worker runs the dream; the block begins in the middle of a call, which goes on for as long as the block."""

    def work() -> None:
        try:
            pipeline.dream_run(dream.id)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        worker = pool.submit(work)
        try:
            assert held().called.wait(60)
            yield
        finally:
            held().free.set()
        worker.result(60)


@pytest.mark.django_db(transaction=True)
def test_job_cancel_running(
    alice: Tenant, client: Callable[..., ApiClient], sent: list[str], held: Callable[[], Held]
) -> None:
    store, api = new_store(alice.workspace, NOTES), client(alice.write)
    dream = new_dream(store, phases=None)
    with running(dream, held):
        answer = api.post(f"/v1/dreams/{dream.id}/cancel")
    assert (answer.status, answer.body["status"], answer.body["outputs"]) == (200, "canceled", [])
    assert api.get(f"/v1/dreams/{dream.id}").body == answer.body
    assert [each["id"] for each in api.get("/v1/memory_stores").body["data"]] == [store.id]
    assert MemoryStore.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_job_same_key(alice: Tenant, client: Callable[..., ApiClient], sent: list[str]) -> None:
    store = new_store(alice.workspace, NOTES)
    body = {"inputs": [{"type": "memory_store", "memory_store_id": store.id}]}
    answers = at_once(10, lambda _: client(alice.write).post("/v1/dreams", body, idempotency_key="night"))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.raw for answer in answers}) == 1
    assert sum(REPLAYED in answer.headers for answer in answers) == 9
    assert [dream.id for dream in Dream.objects.all()] == [answers[0].body["id"]] == sent


def heads(store_id: str | None) -> list[tuple[str, str, bool]]:
    rows = Memory.objects.filter(store_id=str(store_id)).order_by("path")
    return list(rows.values_list("path", "content__text", "pinned"))


@pytest.mark.parametrize("in_place", [False, True])
def test_job_fixed_point(workspace: Workspace, sent: list[str], in_place: bool) -> None:
    store = new_store(workspace, NOTES)
    Memory.objects.filter(store=store, path="/k/deploys.md").update(pinned=True)
    dream = ended(new_dream(store, in_place=in_place, phases=None))
    assert len(output(dream)) < len(NOTES)
    for _ in range(5):
        store = MemoryStore.objects.get(id=str(dream.output_store_id))
        dream = ended(new_dream(store, in_place=in_place, phases=None))
        assert (dream.status, dream.files_touched) == ("completed", [])
        assert heads(dream.output_store_id) == heads(store.id)
        assert set(DreamOperation.objects.filter(dream=dream).values_list("outcome", flat=True)) == {"suggested"}
        assert (dream.report or {})["model_calls"] == dream.input_tokens == dream.output_tokens == 0
        if in_place:
            assert MemoryStore.objects.get(id=store.id).revision == store.revision
