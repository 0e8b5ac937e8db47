"""Rows that dreams are made of, and dreams made over the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from dreamsvc.actors import Actor
from identities.models import Identity, Mount, Session, Template
from identities.services.defaults import default_memory_set
from memorystores.models import MemoryStore
from memorystores.mounting import Access
from tests.conftest import ApiClient, Tenant

MakeClient = Callable[..., ApiClient]


@dataclass(frozen=True)
class Pair:
    """An identity and a template with a default memory."""

    identity: Identity
    template: Template
    mount: Mount

    @property
    def input(self) -> dict[str, str]:
        return {"type": "identity_template", "identity_id": self.identity.id, "template_id": self.template.id}


@pytest.fixture
def api(client: MakeClient, alice: Tenant) -> ApiClient:
    return client(alice.admin)


@pytest.fixture
def store(alice: Tenant) -> MemoryStore:
    return MemoryStore.objects.create(workspace=alice.workspace, name="notes")


@pytest.fixture
def session(alice: Tenant) -> Session:
    return Session.objects.create(workspace=alice.workspace)


@pytest.fixture
def pair(alice: Tenant, store: MemoryStore) -> Pair:
    identity = Identity.objects.create(workspace=alice.workspace, external_id="ana")
    template = Template.objects.create(workspace=alice.workspace, name="helper")
    mount = default_memory_set(
        workspace_id=alice.workspace.id,
        identity_id=identity.id,
        template_id=template.id,
        store_id=store.id,
        actor=Actor.key(alice.keys["admin"]),
    )
    assert mount.access == Access.READ_WRITE
    return Pair(identity, template, mount)


def of_store(store: MemoryStore, **more: Any) -> dict[str, Any]:
    """A request body for a dream of the store."""
    return {"inputs": [{"type": "memory_store", "memory_store_id": store.id}], **more}


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids that were sent to the broker; the broker has its own tests, with a real one."""
    ids: list[str] = []

    def send(dream_id: str) -> bool:
        ids.append(dream_id)
        return True

    monkeypatch.setattr("dreams.queue.send", send)
    return ids
