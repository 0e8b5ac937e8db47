"""The service in production, with clocks short enough to watch it lose workers and find its dreams again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import httpx2
import psycopg
import pytest
import redis

from tests.processes import Service, free_port, kill, procfile, production, start
from tests.waiting import until

CLOCKS = {
    "DREAM_LEASE_SECONDS": "3",
    "DREAM_BEAT_SECONDS": "0.5",
    "DREAM_SWEEP_SECONDS": "0.5",
    "DREAM_WORKER_CONCURRENCY": "2",
}
PARAGRAPHS = 10
WORDS = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "joker", "koala", "lemon")


@dataclass
class Plant:
    """A service whose parts can be broken and mended."""

    service: Service
    var: Path

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = httpx2.request(
            method, f"{self.service.url}/v1{path}", json=body, headers={"x-api-key": self.service.key}, timeout=60
        )
        assert answer.is_success, answer.text
        return answer.json()

    def store(self, passages: int) -> str:
        """A store of distinct paragraphs: embedding them takes a dream some hundredths of a second each."""
        store: str = self.call("POST", "/memory_stores", {"name": "notes"})["id"]
        choose = random.Random(passages + time.monotonic_ns())
        texts = [" ".join(choose.choices(WORDS, k=20)) + f" {number}.\n" for number in range(passages)]
        for first in range(0, passages, PARAGRAPHS):
            body = {"path": f"/n{first}.md", "content": "\n".join(texts[first : first + PARAGRAPHS])}
            self.call("POST", f"/memory_stores/{store}/memories", body)
        return store

    def dream(self, store: str, **body: Any) -> str:
        inputs = [{"type": "memory_store", "memory_store_id": store}]
        dream_id: str = self.call("POST", "/dreams", {"inputs": inputs, **body})["id"]
        return dream_id

    def quick_dream(self, store: str) -> str:
        return self.dream(store, phases=["dedup"])

    def row(self, dream_id: str) -> dict[str, Any]:
        (row,) = self.rows("SELECT * FROM dreams_dream WHERE id = %s", dream_id)
        return row

    def rows(self, sql: LiteralString, *parameters: Any) -> list[dict[str, Any]]:
        """What the database says, past the API."""
        with psycopg.connect(self.service.environment["DATABASE_URL"], row_factory=psycopg.rows.dict_row) as link:
            return link.execute(sql, parameters).fetchall()

    def await_embedding(self, dream_id: str, attempt: int = 1) -> None:
        """Until the dream is in the middle of its longest phase."""
        until(lambda: self._embedding(dream_id, attempt), seconds=90)

    def _embedding(self, dream_id: str, attempt: int) -> bool:
        row = self.row(dream_id)
        assert row["status"] in ("pending", "running"), row
        return bool(row["attempt"] == attempt and (row["progress"] or {}).get("phase") == "consolidate")

    def await_end(self, dream_id: str) -> dict[str, Any]:
        until(lambda: self.row(dream_id)["status"] not in ("pending", "running"), seconds=180)
        return self.row(dream_id)

    def outputs(self, store: str) -> list[str]:
        return [
            row["id"] for row in self.rows("SELECT id FROM memorystores_memorystore WHERE derived_from = %s", store)
        ]

    def start(self, name: str) -> None:
        line = procfile()[name]
        self.service.processes[name] = start(
            self.service.environment, self.var, "sh", "-c", f"exec env {line}", name=name
        )

    def kill(self, name: str) -> None:
        kill(self.service.processes[name])

    def signal(self, name: str, number: signal.Signals) -> None:
        """To the process and its children, as a terminal or a supervisor does."""
        os.killpg(self.service.processes[name].pid, number)

    def children(self, name: str) -> list[int]:
        pid = self.service.processes[name].pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Broker:
    """A Redis of our own, to be stopped, silenced and flushed."""

    def __init__(self, binary: str) -> None:
        self.port = free_port()
        self._command = [binary, "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/5"

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until(self._answers)

    def _answers(self) -> bool:
        try:
            return bool(redis.Redis(port=self.port, socket_connect_timeout=1, socket_timeout=1).ping())
        except redis.RedisError:
            return False

    def flush(self) -> None:
        redis.Redis(port=self.port).flushall()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    binary = shutil.which("redis-server")
    if binary is None or "DATABASE_URL" not in os.environ:
        pytest.skip("needs PostgreSQL, and a redis-server to break")
    broker = Broker(binary)
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def running(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plant]:
    var = tmp_path_factory.mktemp("faults")
    with production(var, os.environ["DATABASE_URL"], broker.url, **CLOCKS) as service:
        yield Plant(service, var)


@pytest.fixture
def plant(running: Plant) -> Iterator[Plant]:
    """The running service; what a test has stopped is started again for the next one."""
    yield running
    for name, process in running.service.processes.items():
        if process.poll() is not None:
            running.start(name)
