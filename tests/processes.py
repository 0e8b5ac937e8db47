"""Real processes of the service for tests: embedded as `manage.py up`, or in production by the Procfile's lines."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import httpx2
import psycopg
import redis

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 60.0
STOP_SECONDS = 15.0


@dataclass
class Service:
    """A running service: its base URL, an admin key, the environment of its processes, and these by name."""

    url: str
    key: str
    environment: Mapping[str, str]
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def manage(self, *arguments: str) -> str:
        """Runs a management command beside the service; its standard output."""
        return manage(self.environment, *arguments)


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def embedded(var: Path, **settings: str) -> Iterator[Service]:
    """One process with SQLite and the in-memory broker; `settings` are environment variables."""
    environment = _environment(var, settings, without=("DATABASE_URL", "REDIS_URL"))
    port = free_port()
    with _stopping() as processes:
        processes["up"] = start(environment, var, sys.executable, "manage.py", "up", "--port", str(port))
        url = f"http://127.0.0.1:{port}"
        _await_ready(url, processes["up"], var)
        key = manage(environment, "create_key", "--workspace", "test", "--scope", "admin").strip()
        yield Service(url, key, environment, processes)


@contextmanager
def production(var: Path, database_url: str, redis_url: str, **settings: str) -> Iterator[Service]:
    """gunicorn, two Celery workers and beat on a new database of the server and a flushed database of the Redis."""
    with new_database(database_url) as own_url:
        redis.Redis.from_url(redis_url).flushdb()
        port = free_port()
        given = {"DATABASE_URL": own_url, "REDIS_URL": redis_url, "PORT": str(port), **settings}
        environment = _environment(var, given)
        manage(environment, "migrate")
        key = manage(environment, "create_key", "--workspace", "test", "--scope", "admin").strip()
        with _stopping() as processes:
            for name, line in procfile().items():
                processes[name] = start(environment, var, "sh", "-c", f"exec env {line}", name=name)
            url = f"http://127.0.0.1:{port}"
            _await_ready(url, processes["web"], var)
            yield Service(url, key, environment, processes)


def procfile() -> dict[str, str]:
    """The Procfile's lines by process name."""
    lines = (line.partition(":") for line in (ROOT / "Procfile").read_text().splitlines() if line and line[0] != "#")
    return {name.strip(): command.strip() for name, _, command in lines}


@contextmanager
def new_database(server_url: str) -> Iterator[str]:
    """A database of its own on the server, dropped afterwards whoever is still connected."""
    name = f"dreamsvc_{uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def start(environment: Mapping[str, str], var: Path, *command: str, name: str = "up") -> subprocess.Popen[bytes]:
    """Starts a process in a group of its own; what it prints goes to `<var>/<name>.log`."""
    with (var / f"{name}.log").open("ab") as log:
        return subprocess.Popen(
            command, cwd=ROOT, env=dict(environment), stdout=log, stderr=log, start_new_session=True
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills the process and all its children, as a power cut would."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _environment(var: Path, given: Mapping[str, str], without: tuple[str, ...] = ()) -> dict[str, str]:
    venv = str(Path(sys.executable).parent)
    own = {"DREAMSVC_VAR": str(var), "PATH": f"{venv}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}
    inherited = {key: value for key, value in os.environ.items() if key not in without}
    return {**inherited, **own, **given}


@contextmanager
def _stopping() -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        yield processes
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            kill(process)


def _await_ready(url: str, process: subprocess.Popen[bytes], var: Path) -> None:
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, _logs(var)
        with contextlib.suppress(httpx2.TransportError):
            if httpx2.get(f"{url}/readyz", timeout=5).status_code == httpx2.codes.OK:
                return
        time.sleep(0.1)
    raise AssertionError(_logs(var))


def _logs(var: Path) -> str:
    return "\n".join(f"== {log.name}\n{log.read_text()[-4000:]}" for log in sorted(var.glob("*.log")))
