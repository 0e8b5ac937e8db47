"""A store of alice's, and shorthands for what most of these tests send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Answer, ApiClient, Tenant

STORES = "/v1/memory_stores"


@dataclass(frozen=True)
class Store:
    """A store over HTTP, with a key that may do everything."""

    api: ApiClient
    id: str

    @property
    def url(self) -> str:
        return f"{STORES}/{self.id}"

    def row(self) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get(self.url).body
        return found

    def add(self, path: str, content: str = "text", **fields: Any) -> dict[str, Any]:
        """A new memory as it was answered."""
        answer = self.api.post(f"{self.url}/memories", {"path": path, "content": content, **fields})
        assert answer.status == 200, answer.body
        made: dict[str, Any] = answer.body
        return made

    def edit(self, memory: dict[str, Any], **fields: Any) -> Answer:
        return self.api.post(f"{self.url}/memories/{memory['id']}", fields)

    def remove(self, memory: dict[str, Any]) -> Answer:
        return self.api.delete(f"{self.url}/memories/{memory['id']}")

    def versions(self, **query: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.api.get(f"{self.url}/memory_versions", query).body["data"]
        return found


@pytest.fixture
def new_store(client: Callable[..., ApiClient], alice: Tenant) -> Callable[..., Store]:
    """`new_store(**fields)` makes one of alice's."""
    api = client(alice.admin)

    def make(**fields: Any) -> Store:
        answer = api.post(STORES, {"name": "notes", **fields})
        assert answer.status == 200, answer.body
        return Store(api, answer.body["id"])

    return make


@pytest.fixture
def store(new_store: Callable[..., Store]) -> Store:
    return new_store()
