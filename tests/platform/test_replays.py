"""Every endpoint that creates takes an Idempotency-Key: what is asked twice is made once."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from tests.conftest import Tenant
from tests.platform.world import BODIES, ENDPOINTS, Endpoint, World

CREATING = [each for each in ENDPOINTS if getattr(getattr(each.view, each.method.lower()), "idempotent", False)]
IMPORT = "POST /v1/sessions/import"
LINES = b'{"session": "a", "type": "user.message", "content": "hi", "created_at": "2026-01-01T00:00:00Z"}\n'
NOT_CREATING = ("archive", "cancel", "rollback", "search", "redact", "enable", "disable")


def rows() -> dict[str, int]:
    """How many there are of everything."""
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


def test_every_post_to_a_list_is_one_of_them() -> None:
    posts = {each.route for each in ENDPOINTS if each.method == "POST"}
    lists = {route for route in posts if not route.endswith(">") and not route.endswith(NOT_CREATING)}
    assert {each.route for each in CREATING} == lists


@pytest.mark.parametrize("endpoint", CREATING, ids=str)
def test_what_is_asked_twice_is_made_once(alice: Tenant, endpoint: Endpoint) -> None:
    world = World(alice, "alice")
    world.everything()
    path, headers = endpoint.path(world.ids(endpoint)), {"idempotency-key": "k"}
    sent: dict[str, Any]
    if str(endpoint) == IMPORT:
        sent = {"raw": LINES, "content_type": "application/x-ndjson"}
    else:
        sent = {"body": BODIES[str(endpoint)](world)}
    first = world.api.request("POST", path, headers=headers, **sent)
    made = rows()
    second = world.api.request("POST", path, headers=headers, **sent)
    assert first.status == 200, first.body
    assert (second.status, second.raw) == (200, first.raw)
    assert second.headers["idempotent-replayed"] == "true"
    assert rows() == made
