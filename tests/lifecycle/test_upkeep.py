from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from dreamsvc.models import ApiKey, IdempotentRequest, Workspace
from identities.models import MountChange
from memorystores.models import Content, MemoryStore, MemoryVersion
from memorystores.services.stores import store_delete
from tests.lifecycle.pairs import new_pair
from tests.lifecycle.stores import ended, new_dream, new_store
from workers import upkeep
from workers.sweep import sweep

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
NOTES = {"/a.md": "The invoice run starts on the 5th.\n", "/b.md": "The invoice run starts on the 5th.\n"}


@pytest.fixture(autouse=True)
def due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every chore, whatever an earlier test did."""
    monkeypatch.setattr(upkeep, "CHORES", tuple(upkeep.Chore(chore.work, chore.every) for chore in upkeep.CHORES))


def test_a_deleted_store_and_its_texts(workspace: Workspace, sent: list[str]) -> None:
    store, other = new_store(workspace, NOTES), new_store(workspace, {"/x.md": "x\n"})
    store_delete(workspace_id=workspace.id, store_id=store.id)
    Content.objects.update(touched_at=LONG_AGO)
    sweep()
    assert list(MemoryStore.objects.all()) == [other]
    assert {version.store_id for version in MemoryVersion.objects.all()} == {other.id}
    assert [content.text for content in Content.objects.all()] == ["x\n"]


def test_answers_of_yesterday(workspace: Workspace, sent: list[str]) -> None:
    key = ApiKey.objects.create(workspace=workspace, prefix="p", digest="d", scope="write")
    for name in ("old", "new"):
        IdempotentRequest.objects.create(api_key=key, key=name, method="POST", path="/", body_sha256="")
    IdempotentRequest.objects.filter(key="old").update(created_at=LONG_AGO)
    sweep()
    assert [row.key for row in IdempotentRequest.objects.all()] == ["new"]


def test_a_replaced_default(workspace: Workspace, sent: list[str], settings: Settings) -> None:
    mount = new_pair(workspace, store := new_store(workspace, NOTES))
    ended(new_dream(store, mount=mount))
    MountChange.objects.update(created_at=LONG_AGO)
    reading = new_dream(store)
    sweep()
    store.refresh_from_db()
    assert store.archived_at is None  # a dream would fail of it
    ended(reading)
    upkeep.defaults_archive()
    store.refresh_from_db()
    assert store.archived_at is not None


def test_a_chore_waits_its_time() -> None:
    done: list[int] = []
    chore = upkeep.Chore(lambda: done.append(1), every=3600.0)
    chore.do()
    chore.do()
    assert done == [1]
