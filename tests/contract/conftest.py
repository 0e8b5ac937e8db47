"""The service as its clients meet it: over HTTP, embedded and in production."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.conftest import renamed
from tests.processes import Service, embedded, production


def _service(kind: str, var: Path) -> AbstractContextManager[Service]:
    if kind == "embedded":
        return embedded(var)
    return production(var, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Embedded in the run without services, else gunicorn, Celery, PostgreSQL and Redis."""
    kind = "production" if {"DATABASE_URL", "REDIS_URL"} <= os.environ.keys() else "embedded"
    with _service(kind, tmp_path_factory.mktemp(kind)) as running:
        yield running


def pytest_itemcollected(item: pytest.Item) -> None:
    """Gives each operation's test an id of its own; with one id for all, a distributed run runs one of them."""
    if not item.nodeid.endswith(item.name):
        renamed(item, f"{item.nodeid.rpartition('::')[0]}::{item.name}")
