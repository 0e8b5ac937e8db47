"""What the tests of identities start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from dreamsvc.actors import Actor
from memorystores.services.stores import store_create
from tests.conftest import ApiClient, Tenant

Made = Callable[..., dict[str, Any]]


def read_pages(api: ApiClient, url: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every object of a list, page by page; fails on a list that does not end."""
    query, seen = dict(query), []
    for _ in range(20):
        body = api.get(url, query).body
        seen += body["data"]
        if not body["has_more"]:
            return seen
        query["page"] = body["next_page"]
    raise AssertionError(f"{url} has no end")


@dataclass(frozen=True)
class PairIds:
    """An identity and a template over the wire, and the URL below which their mounts are."""

    identity_id: str
    template_id: str

    @property
    def url(self) -> str:
        return f"/v1/identities/{self.identity_id}/templates/{self.template_id}"

    @property
    def key(self) -> dict[str, str]:
        return {"identity_id": self.identity_id, "template_id": self.template_id}


@pytest.fixture
def api(alice: Tenant) -> ApiClient:
    return ApiClient(alice.write)


@pytest.fixture
def bobs(bob: Tenant) -> ApiClient:
    """The client of another workspace."""
    return ApiClient(bob.write)


@pytest.fixture
def reader(charlie: str) -> ApiClient:
    """A client that may only read."""
    return ApiClient(charlie)


@pytest.fixture
def actor(alice: Tenant) -> Actor:
    return Actor.key(alice.keys["write"])


@pytest.fixture
def made(api: ApiClient) -> Made:
    """`made("identities", external_id="ana")` creates over the API and gives the object."""

    def create(path: str, **body: Any) -> dict[str, Any]:
        answer = api.post(f"/v1/{path}", body)
        assert answer.status == 200, answer.body
        created: dict[str, Any] = answer.body
        return created

    return create


@pytest.fixture
def pair(made: Made) -> PairIds:
    identity = made("identities", external_id="ana", name="Ana")
    template = made("templates", name="helper", model="auto", environment_id="env_1")
    return PairIds(identity["id"], template["id"])


@pytest.fixture
def store(alice: Tenant) -> Callable[..., str]:
    """`store("notes")` is the id of a new store of alice's; `workspace_id` makes it somebody else's."""

    def create(name: str = "notes", workspace_id: str | None = None, **origin: Any) -> str:
        owner = workspace_id or alice.workspace.id
        return store_create(workspace_id=owner, fields={"name": name}, admin=False, **origin).id

    return create
