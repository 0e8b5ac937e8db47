"""Every endpoint of the URL map, and a workspace with an object for each URL argument and a good body for each POST."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from dreamsvc.authentication import required_scope
from dreamsvc.models import Scope
from dreamsvc.views import ApiView
from tests.conftest import Answer, ApiClient, Tenant

METHODS = ("get", "post", "put", "patch", "delete")
KWARG = re.compile(r"<(?:\w+:)?(\w+)>")


# --- The endpoints -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Endpoint:
    method: str
    route: str
    view: type[ApiView]

    def __str__(self) -> str:
        return f"{self.method} /{self.route}"

    @property
    def kwargs(self) -> list[str]:
        return KWARG.findall(self.route)

    def path(self, ids: dict[str, str]) -> str:
        return "/" + KWARG.sub(lambda match: ids[match[1]], self.route)

    @property
    def scope(self) -> Scope:
        return required_scope(self.view(), self.method)


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for each in patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, route)
        else:
            yield route, each.callback


ROUTES = dict(routes(get_resolver("dreamsvc.urls").url_patterns))
ENDPOINTS = [
    Endpoint(method.upper(), route, callback.cls)
    for route, callback in ROUTES.items()
    if issubclass(getattr(callback, "cls", object), ApiView)
    for method in METHODS
    if hasattr(callback.cls, method)
]


# --- A workspace full of objects -----------------------------------------------------------------------------------
class World:
    """One object for each URL argument, made over the API when it is first asked for."""

    def __init__(self, tenant: Tenant, name: str) -> None:
        self.api = ApiClient(tenant.admin)
        self.name = name

    def ids(self, endpoint: Endpoint) -> dict[str, str]:
        """The object of each URL argument of the endpoint."""
        return {kwarg: self.id_of(kwarg, endpoint) for kwarg in endpoint.kwargs}

    def id_of(self, kwarg: str, endpoint: Endpoint) -> str:
        if not isinstance(getattr(World, kwarg, None), cached_property):
            pytest.fail(f"{endpoint}: tests/platform/test_tenancy.py knows no object for <{kwarg}>; teach `World`")
        return str(getattr(self, kwarg))

    def make(self, path: str, **body: Any) -> str:
        return str(self._made(path, body)["id"])

    def _made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.api.post(f"/v1/{path}", body)
        assert answer.status == 200, answer.body
        made: dict[str, Any] = answer.body
        return made

    @cached_property
    def memory_store_id(self) -> str:
        """Mounted read-only for the pair, as one of the routes needs it."""
        store = self.make("memory_stores", name=f"store of {self.name}")
        pair = f"identities/{self.identity_id}/templates/{self.template_id}"
        self._made(f"{pair}/memory_stores", {"memory_store_id": store})
        return store

    @cached_property
    def memory_id(self) -> str:
        memory = self._made(f"memory_stores/{self.memory_store_id}/memories", {"path": "/a", "content": "first"})
        self.first_version = str(memory["memory_version_id"])
        self._made(f"memory_stores/{self.memory_store_id}/memories/{memory['id']}", {"content": "second"})
        return str(memory["id"])

    @cached_property
    def memory_version_id(self) -> str:
        """Not the head: that one cannot be redacted."""
        assert self.memory_id
        return self.first_version

    @cached_property
    def identity_id(self) -> str:
        return self.make("identities", external_id=f"identity of {self.name}")

    @cached_property
    def template_id(self) -> str:
        return self.make("templates", name=f"template of {self.name}")

    @cached_property
    def session_id(self) -> str:
        """Of the pair, which so gets a default memory."""
        return self.make("sessions", identity_id=self.identity_id, template_id=self.template_id)

    @cached_property
    def dream_id(self) -> str:
        return self.make("dreams", inputs=[{"type": "memory_store", "memory_store_id": self.memory_store_id}])

    def everything(self) -> dict[str, str]:
        return {name: getattr(self, name) for name, value in vars(World).items() if isinstance(value, cached_property)}


BODIES: dict[str, Callable[[World], dict[str, Any]]] = {
    "POST /v1/memory_stores": lambda _: {"name": "new"},
    "POST /v1/identities": lambda _: {"external_id": "new"},
    "POST /v1/templates": lambda _: {"name": "new"},
    "POST /v1/sessions": lambda world: {"identity_id": world.identity_id, "template_id": world.template_id},
    "POST /v1/dreams": lambda world: {"inputs": [{"type": "memory_store", "memory_store_id": world.memory_store_id}]},
    "POST /v1/memory_stores/<str:memory_store_id>/memories": lambda _: {"path": "/b", "content": "b"},
    "POST /v1/memory_stores/<str:memory_store_id>/search": lambda _: {"query": "b", "mode": "lexical"},
    "POST /v1/identities/<str:identity_id>/templates/<str:template_id>/memory_stores": lambda world: {
        "memory_store_id": world.memory_store_id
    },
    "PUT /v1/identities/<str:identity_id>/templates/<str:template_id>/default_memory": lambda world: {
        "memory_store_id": world.make("memory_stores", name="new default")
    },
    "POST /v1/sessions/<str:session_id>/events": lambda _: {"events": [{"type": "user.message", "content": "hello"}]},
}
"""Good bodies of the endpoints that need one: only a good request shows that the object is what is refused."""


def ask(api: ApiClient, endpoint: Endpoint, ids: dict[str, str], world: World | None = None) -> Answer:
    make = BODIES.get(str(endpoint))
    return api.request(endpoint.method, endpoint.path(ids), body=make(world) if make and world else None)
