"""The broker flushed, silent and gone: it only carries nudges, and the rows stay."""

from __future__ import annotations

import signal
import time

import pytest

from tests.faults.conftest import Broker, Plant

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.xdist_group("faults")]


def test_flushed_while_dreams_wait(plant: Plant, broker: Broker) -> None:
    plant.kill("worker")
    dreams = [plant.quick_dream(plant.store(2)) for _ in range(4)]
    broker.flush()
    plant.start("worker")
    assert {plant.await_end(dream_id)["status"] for dream_id in dreams} == {"completed"}
    assert max(plant.row(dream_id)["attempt"] for dream_id in dreams) == 1


def test_silent(plant: Plant, broker: Broker) -> None:
    store = plant.store(2)
    broker.process.send_signal(signal.SIGSTOP)
    try:
        start = time.monotonic()
        dream_id = plant.quick_dream(store)
        first = time.monotonic() - start
        start = time.monotonic()
        another = plant.quick_dream(store)
        second = time.monotonic() - start
    finally:
        broker.process.send_signal(signal.SIGCONT)
    assert min(first, second) <= 3.0
    assert max(first, second) <= 10.0  # bounded, on a busy machine too
    assert plant.await_end(dream_id)["status"] == "completed"
    assert plant.await_end(another)["status"] == "completed"


def test_gone_and_back(plant: Plant, broker: Broker) -> None:
    """A worker in the middle of a dream goes on with it, and with the next one afterwards."""
    running, store = plant.dream(plant.store(160)), plant.store(2)
    plant.await_embedding(running)
    workers = [plant.service.processes[name] for name in ("worker", "control", "beat")]
    broker.kill()
    try:
        waiting = plant.quick_dream(store)
        assert plant.await_end(running)["status"] == "completed"
        assert plant.row(waiting)["status"] == "pending"
    finally:
        broker.start()
    assert plant.await_end(waiting)["status"] == "completed"
    assert plant.row(running)["attempt"] == 1
    assert [worker.poll() for worker in workers] == [None] * 3
