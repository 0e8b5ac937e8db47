"""Rows for the lifecycle: a workspace, a store, and dreams in any status and age."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now

from dreams.clock import NowPlus
from dreams.models import Dream
from dreams.status import LIVE, Status
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore

MakeDream = Callable[..., Dream]


@pytest.fixture
def workspace(db: None) -> Workspace:
    return Workspace.objects.create(name="lifecycle")


@pytest.fixture
def store(workspace: Workspace) -> MemoryStore:
    return MemoryStore.objects.create(workspace=workspace, name="notes")


def columns_of(status: Status) -> dict[str, Any]:
    """What the constraints ask of a row in this status."""
    columns: dict[str, Any] = {"status": status}
    if status not in LIVE:
        columns["ended_at"] = Now()
    if status == Status.RUNNING:
        columns |= {"attempt": 1, "lost": 1, "lease_until": NowPlus(30), "deadline_at": NowPlus(1800)}
        columns["started_at"] = Now()
    if status == Status.FAILED:
        columns["error_type"] = "internal_error"
    return columns


@pytest.fixture
def make_dream(workspace: Workspace, store: MemoryStore) -> MakeDream:
    """Makes a dream of `store`; keywords are columns, and may be database expressions."""

    def make(status: Status = Status.PENDING, **columns: Any) -> Dream:
        given = {"workspace": workspace, "primary_store_id": store.id, "created_by": "apikey_x", "inputs": []}
        return Dream.objects.create(**{**given, **columns_of(status), **columns})

    return make


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids sent to the broker: the broker itself is tested with a real one, in `test_queue.py` and `tests/faults`."""
    ids: list[str] = []

    def send(dream_id: str) -> bool:
        ids.append(dream_id)
        return True

    monkeypatch.setattr("dreams.queue.send", send)
    return ids
