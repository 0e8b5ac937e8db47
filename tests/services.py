"""Finds or starts the PostgreSQL and Redis that the service tests talk to.

Given by `DATABASE_URL` / `REDIS_URL`; else on the standard ports of 127.0.0.1; else private servers from installed
binaries, stopped at exit; else None.
"""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
import redis

START_SECONDS = 20.0


@dataclass(frozen=True)
class Services:
    """URLs of a PostgreSQL server and a Redis that tests may fill and flush."""

    database_url: str
    redis_url: str


def find() -> Services | None:
    """Both services, or None when one of them is neither running nor installed."""
    database_url = os.environ.get("DATABASE_URL") or _running_postgres() or _private_postgres()
    redis_url = os.environ.get("REDIS_URL") or _running_redis() or _private_redis()
    return Services(database_url, redis_url) if database_url and redis_url else None


def _running_postgres() -> str | None:
    url = "postgres://postgres@127.0.0.1:5432/postgres"
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError:
        return None
    return url


def _running_redis() -> str | None:
    url = "redis://127.0.0.1:6379/0"
    return url if _answers(url) else None


def _answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1).ping())
    except redis.RedisError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _private_redis() -> str | None:
    binary = shutil.which("redis-server")
    if binary is None:
        return None
    port = _free_port()
    _Child([binary, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"])
    url = f"redis://127.0.0.1:{port}/0"
    return url if _until(lambda: _answers(url)) else None


def _private_postgres() -> str | None:
    initdb = shutil.which("initdb") or next(
        iter(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True)), ""
    )
    if not initdb:
        return None
    directory = Path(tempfile.mkdtemp(prefix="dreamsvc-postgres-"))
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    if user:
        shutil.chown(directory, user)
    data, port = directory / "data", _free_port()
    setup = [initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"]
    subprocess.run(setup, check=True, user=user, cwd="/", stdout=subprocess.DEVNULL)
    server = [str(Path(initdb).with_name("postgres")), "-D", str(data), "-p", str(port), "-k", str(directory)]
    _Child([*server, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"], user=user, directory=directory)
    url = f"postgres://postgres@127.0.0.1:{port}/postgres"
    return url if _until(lambda: _connects(url)) else None


def _connects(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=1).close()
    except psycopg.OperationalError:
        return False
    return True


def _until(ready: object) -> bool:
    assert callable(ready)
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if ready():
            return True
        time.sleep(0.1)
    return False


class _Child:
    """A server process that ends with this one."""

    def __init__(self, command: list[str], user: str | None = None, directory: Path | None = None) -> None:
        self._directory = directory
        self._process = subprocess.Popen(
            command, user=user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        atexit.register(self.stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=START_SECONDS)
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
