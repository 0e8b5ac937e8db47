"""The service in one process: killed at any moment, stopped with care, started twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.processes import ROOT, Service, embedded, kill, start
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("up")]
LONG = 160
"""Passages of a dream that takes some seconds to embed them."""


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Service]:
    with embedded(tmp_path, DREAM_SWEEP_SECONDS="0.5") as service:
        yield service


def call(up: Service, method: str, path: str, body: Any = None) -> Any:
    answer = httpx2.request(method, f"{up.url}/v1{path}", json=body, headers={"x-api-key": up.key}, timeout=60)
    assert answer.is_success, answer.text
    return answer.json()


def new_dream(up: Service, passages: int, **body: Any) -> str:
    store = call(up, "POST", "/memory_stores", {"name": "notes"})["id"]
    lines = [
        f"Note {number * 7919} of {time.monotonic_ns()} is about cedars and harbours." for number in range(passages)
    ]
    call(up, "POST", f"/memory_stores/{store}/memories", {"path": "/n.md", "content": "\n\n".join(lines)})
    inputs = [{"type": "memory_store", "memory_store_id": store}]
    dream_id: str = call(up, "POST", "/dreams", {"inputs": inputs, **body})["id"]
    return dream_id


def row(up: Service, dream_id: str) -> dict[str, Any]:
    file = Path(up.environment["DREAMSVC_VAR"]) / "dreamsvc.sqlite3"
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30) as link:
        link.row_factory = sqlite3.Row
        found = link.execute("SELECT * FROM dreams_dream WHERE id = ?", (dream_id,)).fetchone()
    link.close()
    return dict(found)


def dreaming(up: Service, dream_id: str) -> bool:
    found = row(up, dream_id)
    return found["status"] == "running" and "consolidate" in (found["progress"] or "")


def start_again(up: Service) -> None:
    port = up.url.rpartition(":")[2]
    var = Path(up.environment["DREAMSVC_VAR"])
    up.processes["up"] = start(up.environment, var, sys.executable, "manage.py", "up", "--port", port)
    until(lambda: answers(up))


def answers(up: Service) -> bool:
    try:
        return bool(httpx2.get(f"{up.url}/healthz", timeout=5).is_success)
    except httpx2.TransportError:
        return False


def ended(up: Service, dream_id: str) -> dict[str, Any]:
    until(lambda: row(up, dream_id)["status"] not in ("pending", "running"), seconds=180)
    return row(up, dream_id)


def test_killed(up: Service) -> None:
    running, pending = new_dream(up, LONG), new_dream(up, 2, phases=["dedup"])
    until(lambda: dreaming(up, running), seconds=60)
    kill(up.processes["up"])
    start_again(up)
    found = ended(up, running)
    assert (found["status"], found["attempt"]) == ("completed", 2)
    assert ended(up, pending)["status"] == "completed"
    file = Path(up.environment["DREAMSVC_VAR"]) / "dreamsvc.sqlite3"
    link = sqlite3.connect(file)
    assert link.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert link.execute("SELECT count(*) FROM memorystores_memorystore").fetchone() == (4,)
    link.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped(up: Service, number: signal.Signals) -> None:
    dream_id = new_dream(up, LONG)
    until(lambda: dreaming(up, dream_id), seconds=60)
    up.processes["up"].send_signal(number)
    assert up.processes["up"].wait(30) == 0
    handed_back = row(up, dream_id)
    assert (handed_back["status"], handed_back["lost"]) == ("running", 0)
    start_again(up)
    assert ended(up, dream_id)["status"] == "completed"


def test_a_second_ctrl_c_ends_it_at_once(up: Service) -> None:
    process = up.processes["up"]
    process.send_signal(signal.SIGINT)
    until(lambda: process.poll() is not None or _handled_once(process.pid))
    process.send_signal(signal.SIGINT)
    assert process.wait(30) in (130, 0)  # 0: it was done before the second one came


def _handled_once(pid: int) -> bool:
    """SIGTERM is ignored from the first Ctrl-C on."""
    status = Path(f"/proc/{pid}/status").read_text()
    ignored = next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn"))
    return bool(int(ignored, 16) >> (signal.SIGTERM - 1) & 1)


def test_a_second_one_on_the_same_folder_is_refused(up: Service) -> None:
    command = [sys.executable, "manage.py", "up", "--port", "0"]
    second = subprocess.run(command, cwd=ROOT, env=dict(up.environment), capture_output=True, text=True, timeout=60)
    assert second.returncode != 0
    assert "another `up`" in second.stderr
    assert answers(up)


def test_an_empty_database_says_how_to_make_a_key(tmp_path: Path) -> None:
    environment = {**os.environ, "DREAMSVC_VAR": str(tmp_path)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    process = start(environment, tmp_path, sys.executable, "-u", "manage.py", "up", "--port", "0")
    try:
        until(lambda: "create_key" in (tmp_path / "up.log").read_text(), seconds=60)
    finally:
        kill(process)
    assert "dsk_" not in (tmp_path / "up.log").read_text()
