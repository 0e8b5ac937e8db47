"""Races on PostgreSQL: real threads, each with its connection, released at once, round after round.

Every test asserts its invariant in each round, and in the end that the race did happen. Beside it runs a control: the
same rounds with one rule broken, in which the invariant must fail, or the test would prove nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from dreamsvc.models import Workspace

MEMBERS = 8


class Crew:
    """Threads that keep their connections from round to round."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(MEMBERS)

    def together(self, *calls: Callable[[], Any]) -> list[Any]:
        """Runs the calls at once, each in a thread of its own; what each returned or raised."""
        barrier = threading.Barrier(len(calls))

        def run(call: Callable[[], Any]) -> Any:
            barrier.wait()
            return call()

        futures = [self._pool.submit(run, call) for call in calls]
        return [_outcome(future) for future in futures]

    def go_home(self) -> None:
        barrier = threading.Barrier(MEMBERS)

        def leave() -> None:
            barrier.wait()
            connection.close()

        for future in [self._pool.submit(leave) for _ in range(MEMBERS)]:
            future.result()
        self._pool.shutdown()


def _outcome(future: Future[Any]) -> Any:
    error = future.exception()
    return future.result() if error is None else error


@pytest.fixture
def crew(transactional_db: None) -> Iterator[Crew]:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: SQLite has one writer at a time")
    crew = Crew()
    yield crew
    crew.go_home()


@pytest.fixture(autouse=True)
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens to the broker here, and these tests are not about it."""
    monkeypatch.setattr("dreams.queue.send", lambda dream_id: True)


@pytest.fixture
def workspace(transactional_db: None) -> Workspace:
    return Workspace.objects.create(name="races")
