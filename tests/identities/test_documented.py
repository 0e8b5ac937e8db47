"""What the OpenAPI document says of identities, templates and sessions is what the service does."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

from dreamsvc.openapi import document
from tests.conftest import ApiClient


def is_allowed(component: str, body: Any) -> bool:
    schema = {"$ref": f"#/components/schemas/{component}", "components": document()["components"]}
    return bool(Draft202012Validator(schema).is_valid(body))


@pytest.mark.parametrize(
    "agent",
    ["a", "", 5, {"id": "a", "version": 2, "tools": [{"x": 1}]}, {"id": "a", "colour": "red"}, {"id": "a", "tools": 1}],
)
def test_agents(api: ApiClient, agent: Any) -> None:
    body = {"agent": agent, "environment_id": "e"}
    assert is_allowed("SessionCreateRequest", body) == (api.post("/v1/sessions", body).status == 200)


def test_updates_have_components_of_their_own() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas.keys() >= {"IdentityUpdateRequest", "TemplateUpdateRequest", "SessionUpdateRequest"}
    assert not [name for name in schemas if name.startswith("Patched")]
