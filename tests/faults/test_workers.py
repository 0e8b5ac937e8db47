"""Workers killed, stopped, frozen and cut off: every dream ends, once, with one output."""

from __future__ import annotations

import os
import signal

import pytest

from tests.faults.conftest import Plant
from tests.processes import kill
from tests.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.xdist_group("faults")]
LONG = 160
"""Passages of a dream that takes some seconds to embed them, in ten batches."""


def completed_once(plant: Plant, store: str, dream_id: str) -> bool:
    row = plant.await_end(dream_id)
    assert row["status"] == "completed", (row["error_type"], row["error_message"])
    return plant.outputs(store) == [row["output_store_id"]]


def test_a_killed_worker_is_taken_over(plant: Plant) -> None:
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    plant.await_embedding(dream_id)
    plant.kill("worker")
    plant.start("worker")
    assert completed_once(plant, store, dream_id)
    assert plant.row(dream_id)["attempt"] == 2


def test_a_killed_child_is_taken_over(plant: Plant) -> None:
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    plant.await_embedding(dream_id)
    for child in plant.children("worker"):
        os.kill(child, signal.SIGKILL)
    assert completed_once(plant, store, dream_id)
    assert plant.row(dream_id)["attempt"] == 2


def test_a_dream_that_kills_its_workers_is_given_up(plant: Plant) -> None:
    dream_id = plant.dream(plant.store(LONG))
    for attempt in (1, 2, 3):
        plant.await_embedding(dream_id, attempt)
        plant.kill("worker")
        plant.start("worker")
    row = plant.await_end(dream_id)
    assert (row["status"], row["error_type"], row["error_code"]) == ("failed", "internal_error", "worker_lost")


@pytest.mark.parametrize("whole_group", [False, True])
def test_three_hand_overs_lose_nothing(plant: Plant, whole_group: bool) -> None:
    """As three deployments in a row would, by a supervisor that signals the worker, or all of its group."""
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    for attempt in (1, 2, 3):
        plant.await_embedding(dream_id, attempt)
        worker = plant.service.processes["worker"]
        if whole_group:
            plant.signal("worker", signal.SIGTERM)
        else:
            worker.send_signal(signal.SIGTERM)
        until(lambda: plant.row(dream_id)["lost"] == 0, seconds=5)
        worker.wait(30)
        plant.start("worker")
    assert completed_once(plant, store, dream_id)
    row = plant.row(dream_id)
    assert (row["attempt"], row["lost"]) == (4, 1)


def test_a_frozen_worker_wakes_up_to_find_its_dream_done(plant: Plant) -> None:
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    plant.await_embedding(dream_id)
    frozen = plant.service.processes["worker"]
    os.killpg(frozen.pid, signal.SIGSTOP)
    try:
        plant.start("worker")
        assert completed_once(plant, store, dream_id)
    finally:
        os.killpg(frozen.pid, signal.SIGCONT)
    frozen.terminate()
    frozen.wait(60)
    row = plant.row(dream_id)
    assert (row["status"], row["attempt"]) == ("completed", 2)
    assert plant.outputs(store) == [row["output_store_id"]]


def test_cut_connections(plant: Plant) -> None:
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    plant.await_embedding(dream_id)
    plant.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    assert completed_once(plant, store, dream_id)


def test_a_busy_worker_keeps_no_message_that_an_idle_one_could_take(plant: Plant) -> None:
    busy = [plant.dream(plant.store(3 * LONG)) for _ in range(2)]
    for dream_id in busy:
        plant.await_embedding(dream_id)
    waiting = plant.quick_dream(plant.store(2))
    first = plant.service.processes["worker"]
    plant.start("worker")
    try:
        assert plant.await_end(waiting)["status"] == "completed"
        assert {plant.row(dream_id)["status"] for dream_id in busy} == {"running"}
    finally:
        kill(first)
        for dream_id in busy:
            plant.call("POST", f"/dreams/{dream_id}/cancel")


def test_canceled_in_the_middle(plant: Plant) -> None:
    store = plant.store(LONG)
    dream_id = plant.dream(store)
    plant.await_embedding(dream_id)
    assert plant.call("POST", f"/dreams/{dream_id}/cancel")["status"] == "canceled"
    after = plant.quick_dream(plant.store(2))
    assert plant.await_end(after)["status"] == "completed"
    assert plant.outputs(store) == []
    assert plant.row(dream_id)["status"] == "canceled"
