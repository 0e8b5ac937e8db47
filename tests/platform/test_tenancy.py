"""Nobody sees or touches another workspace's objects, at any endpoint.

The endpoints come from the URL map, so that a new one is tried without anybody thinking of it: no key → 401, a key of
another workspace → 404, a scope too small → 403. A URL argument that is new here fails the tests until `World` can
make an object for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dreamsvc.models import Scope
from tests.conftest import ApiClient, Tenant
from tests.platform.world import ENDPOINTS, ROUTES, Endpoint, World, ask

OPEN = {"healthz", "readyz", "docs", "v1/openapi.json", ""}
"""Routes without a key; the empty one answers 404 for every unknown URL."""
WITH_OBJECTS = [endpoint for endpoint in ENDPOINTS if endpoint.kwargs]
LISTS = [each for each in ENDPOINTS if each.method == "GET" and not each.kwargs]
each_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
each_with_objects = pytest.mark.parametrize("endpoint", WITH_OBJECTS, ids=str)


def test_every_route_asks_for_a_key_or_is_known_to_be_open() -> None:
    guarded = {endpoint.route for endpoint in ENDPOINTS}
    assert set(ROUTES) - guarded == OPEN
    assert len(ENDPOINTS) > 40


NOT_YET = {"GET /v1/dreams/<str:dream_id>/journal"}
"""What a dream has only when it has ended."""


@pytest.fixture
def mine(alice: Tenant) -> World:
    return World(alice, "alice")


@pytest.fixture
def theirs(bob: Tenant) -> World:
    return World(bob, "bob")


def nowhere(endpoint: Endpoint) -> dict[str, str]:
    return dict.fromkeys(endpoint.kwargs, "none_00000000000000000000000000000000")


# --- Keys ----------------------------------------------------------------------------------------------------------
@each_endpoint
def test_without_a_key(db: None, endpoint: Endpoint) -> None:
    for headers in ({}, {"x-api-key": "dsk_" + "a" * 32}, {"authorization": "Bearer none"}):
        answer = ask(ApiClient(None, **headers), endpoint, nowhere(endpoint))
        assert (answer.status, answer.error["type"]) == (401, "authentication_error")


@each_endpoint
def test_with_a_key_and_another_workspaces_name(alice: Tenant, bob: Tenant, endpoint: Endpoint) -> None:
    headers = {"anthropic-workspace-id": bob.workspace.id}
    answer = ask(ApiClient(alice.admin, **headers), endpoint, nowhere(endpoint))
    assert (answer.status, answer.error["type"]) == (403, "permission_error")


@each_endpoint
def test_with_a_scope_too_small(alice: Tenant, endpoint: Endpoint) -> None:
    smaller = {Scope.READ: [], Scope.WRITE: [alice.read], Scope.ADMIN: [alice.read, alice.write]}
    for key in smaller[endpoint.scope]:
        answer = ask(ApiClient(key), endpoint, nowhere(endpoint))
        assert (answer.status, answer.error["type"]) == (403, "permission_error")


def test_reading_needs_no_more_than_read() -> None:
    more = {str(endpoint) for endpoint in ENDPOINTS if endpoint.method == "GET" and endpoint.scope != Scope.READ}
    assert more == set()


# --- Objects -------------------------------------------------------------------------------------------------------
@each_with_objects
def test_ones_own_objects_are_there(mine: World, endpoint: Endpoint) -> None:
    """The control: the same request is answered to whom the objects belong, so a 404 below is about the workspace."""
    mine.everything()
    answer = ask(mine.api, endpoint, mine.ids(endpoint), mine)
    assert answer.status < 500
    assert (answer.status == 404) == (str(endpoint) in NOT_YET), answer.body
    assert answer.status not in (401, 403)


@each_with_objects
def test_another_workspaces_objects_are_not(mine: World, theirs: World, endpoint: Endpoint) -> None:
    own, foreign = mine.ids(endpoint), theirs.ids(endpoint)
    for kwarg in [None, *endpoint.kwargs]:  # all of them, then each in turn below one's own
        ids = foreign if kwarg is None else {**own, kwarg: foreign[kwarg]}
        answer = ask(mine.api, endpoint, ids, mine)
        assert answer.status != 400, f"{endpoint} needs a good body in BODIES: {answer.body}"
        assert (answer.status, answer.error["type"]) == (404, "not_found_error"), (kwarg, answer.body)


@each_with_objects
def test_unknown_objects_look_the_same_as_another_workspaces(mine: World, theirs: World, endpoint: Endpoint) -> None:
    foreign = theirs.ids(endpoint)
    unknown = {kwarg: id[:-12] + "0" * 12 for kwarg, id in foreign.items()}
    there = ask(mine.api, endpoint, foreign, mine)
    nothing = ask(mine.api, endpoint, unknown, mine)
    assert nothing.status == there.status == 404
    told = there.error["message"]
    for kwarg in endpoint.kwargs:
        told = told.replace(foreign[kwarg], unknown[kwarg])
    assert {**there.error, "message": told} == nothing.error


@pytest.mark.parametrize("endpoint", LISTS, ids=str)
def test_lists_show_only_ones_own(mine: World, theirs: World, endpoint: Endpoint) -> None:
    own, foreign = mine.everything(), theirs.everything()
    shown = ask(mine.api, endpoint, {}).raw.decode()
    assert any(id in shown for id in own.values())
    assert not any(id in shown for id in foreign.values())


def pair(of_identity: World, of_template: World) -> dict[str, str]:
    return {"identity_id": of_identity.identity_id, "template_id": of_template.template_id}


def dream(*inputs: dict[str, Any]) -> dict[str, Any]:
    return {"inputs": list(inputs)}


def of_store(world: World) -> dict[str, Any]:
    return {"type": "memory_store", "memory_store_id": world.memory_store_id}


def of_pair(of_identity: World, of_template: World) -> dict[str, Any]:
    return {"type": "identity_template", **pair(of_identity, of_template)}


def of_session(world: World) -> dict[str, Any]:
    return {"type": "sessions", "session_ids": [world.session_id]}


def mounted(of_identity: World, of_template: World) -> dict[str, Any]:
    return {"name": "s", "mount": {**pair(of_identity, of_template), "access": "read_only"}}


def store(world: World) -> dict[str, Any]:
    return {"memory_store_id": world.memory_store_id}


MOUNTS = "identities/{identity_id}/templates/{template_id}/memory_stores"
DEFAULT = "identities/{identity_id}/templates/{template_id}/default_memory"
Body = Callable[[World, World], dict[str, Any]]
REFERENCES: dict[str, tuple[str, str, Body]] = {
    "a dream of a store": ("POST", "dreams", lambda mine, theirs: dream(of_store(theirs))),
    "a dream of an identity": ("POST", "dreams", lambda mine, theirs: dream(of_pair(theirs, mine))),
    "a dream of a template": ("POST", "dreams", lambda mine, theirs: dream(of_pair(mine, theirs))),
    "a dream of a session": ("POST", "dreams", lambda mine, theirs: dream(of_store(mine), of_session(theirs))),
    "a session of an identity": ("POST", "sessions", lambda mine, theirs: pair(theirs, mine)),
    "a session of a template": ("POST", "sessions", lambda mine, theirs: pair(mine, theirs)),
    "a store mounted for an identity": ("POST", "memory_stores", lambda mine, theirs: mounted(theirs, mine)),
    "a store mounted for a template": ("POST", "memory_stores", lambda mine, theirs: mounted(mine, theirs)),
    "a mount of a store": ("POST", MOUNTS, lambda mine, theirs: store(theirs)),
    "a default memory": ("PUT", DEFAULT, lambda mine, theirs: store(theirs)),
}
"""Requests whose body names one object of theirs; with one of mine in its place each is good."""


@pytest.mark.parametrize(("method", "path", "body"), REFERENCES.values(), ids=REFERENCES.keys())
def test_another_workspaces_objects_in_bodies(mine: World, theirs: World, method: str, path: str, body: Body) -> None:
    ids = mine.everything()
    answer = mine.api.request(method, f"/v1/{path.format(**ids)}", body=body(mine, theirs))
    assert (answer.status, answer.error["type"]) == (404, "not_found_error"), answer.body
    assert mine.api.request(method, f"/v1/{path.format(**ids)}", body=body(mine, mine)).status == 200


def test_another_workspaces_ids_in_filters_find_nothing(mine: World, theirs: World) -> None:
    found = mine.api.get("/v1/dreams", {"memory_store_id": theirs.memory_store_id})
    assert (found.status, found.body["data"]) == (200, [])
    found = mine.api.get("/v1/sessions", {"identity_ids": theirs.identity_id})
    assert (found.status, found.body["data"]) == (200, [])
