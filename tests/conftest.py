"""Fixtures that every test may use: two workspaces with keys of each scope, and a client that speaks JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.nodeid import coerce_node_id
from django.db import connections
from django.test import Client

from dreamsvc.keys import api_key_create
from dreamsvc.models import ApiKey, Workspace


@dataclass(frozen=True)
class Tenant:
    """A workspace and the secrets of its keys."""

    workspace: Workspace
    read: str
    write: str
    admin: str
    keys: Mapping[str, ApiKey]


@dataclass(frozen=True)
class Answer:
    """What came back; `body` is the parsed JSON, None when there is none."""

    status: int
    body: Any
    headers: Mapping[str, str]
    raw: bytes

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.body["error"]
        return found


class ApiClient:
    """Sends JSON with a key through the whole stack; `headers` are added to each request."""

    def __init__(self, key: str | None, **headers: str) -> None:
        self._client = Client()
        self._headers = {"x-api-key": key, **headers} if key else headers

    def get(self, path: str, query: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        return self.request("GET", path, query=query, headers=headers)

    def post(self, path: str, body: Any = None, query: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        return self.request("POST", path, body=body, query=query, headers=headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.request("PUT", path, body=body, headers=headers)

    def delete(self, path: str, query: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        return self.request("DELETE", path, query=query, headers=headers)

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        raw: bytes | None = None,
        content_type: str = "application/json",
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """`raw` is sent as it is; underscores in header names become hyphens."""
        named = {name.replace("_", "-"): value for name, value in {**self._headers, **(headers or {})}.items()}
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        response = self._client.generic(
            method, path, data, content_type, headers=named, query_params=dict(query) if query else None
        )
        return _answer(response)


def _answer(response: Any) -> Answer:
    content = response.getvalue()
    is_json = response.headers.get("content-type", "").startswith("application/json")
    return Answer(response.status_code, json.loads(content) if is_json and content else None, response.headers, content)


def renamed(item: pytest.Item, nodeid: str) -> None:
    """Gives a test another id. Plugins that write `_nodeid` are not heard: pytest reads `_id`."""
    item._id = coerce_node_id(nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Makes groups of distributed runs count, which pytest-xdist writes into `_nodeid`."""
    for item in items:
        if (grouped := getattr(item, "_nodeid", None)) is not None:
            renamed(item, grouped)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    # SQLite: a file, for threads to share as they do in service; in memory they would share one lock of another kind.
    # The folder is this run's own: two runs at once must not meet.
    if connections["default"].settings_dict["ENGINE"] == "dreamsvc.sqlite":
        folder: Path = tmp_path_factory.mktemp("database")
        connections["default"].settings_dict["TEST"]["NAME"] = str(folder / "test.sqlite3")


def _tenant(name: str) -> Tenant:
    made = {scope: api_key_create(workspace_name=name, scope=scope) for scope in ("read", "write", "admin")}
    rows = {scope: row for scope, (row, _) in made.items()}
    secrets = {scope: secret for scope, (_, secret) in made.items()}
    return Tenant(rows["read"].workspace, keys=rows, **secrets)


@pytest.fixture
def alice(db: None) -> Tenant:
    return _tenant("alice")


@pytest.fixture
def bob(db: None) -> Tenant:
    """Another workspace, whose objects alice must not see."""
    return _tenant("bob")


@pytest.fixture
def charlie(alice: Tenant) -> str:
    """A key of alice's workspace that may only read."""
    return alice.read


@pytest.fixture
def client() -> Callable[..., ApiClient]:
    """`client(key)` sends with that key, `client(None)` with none."""
    return ApiClient
