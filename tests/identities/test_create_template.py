from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ApiClient


def test_answers_every_key(api: ApiClient) -> None:
    answer = api.post("/v1/templates", {"name": "helper"})
    assert answer.status == 200
    assert answer.body["id"].startswith("tmpl_")
    assert answer.body | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "type": "template",
        "name": "helper",
        "description": None,
        "status": "active",
        "model": None,
        "environment_id": None,
        "system": None,
        "metadata": {},
        "created_at": "",
        "updated_at": "",
        "archived_at": None,
    }


@pytest.mark.parametrize("model", ["auto", {"id": "m", "speed": "fast", "effort": "low"}])
def test_keeps_and_echoes_what_it_does_not_know(api: ApiClient, model: Any) -> None:
    given = {
        "name": "helper",
        "description": "helps\nout",
        "model": model,
        "environment_id": "env_1",
        "system": "Be kind.",
        "tools": [{"type": "bash", "limits": {"seconds": 1.5}}],
        "vaults": {},
        "extra": {"nested": [None, True]},
        "max_tool_rounds": 3,
    }
    answer = api.post("/v1/templates", given)
    assert answer.status == 200, answer.body
    assert {key: answer.body[key] for key in given} == given
    assert api.get(f"/v1/templates/{answer.body['id']}").body == answer.body


def test_a_null_of_an_unknown_key_is_absent(api: ApiClient) -> None:
    assert "tools" not in api.post("/v1/templates", {"name": "helper", "tools": None}).body


def test_a_taken_name_is_a_conflict(api: ApiClient, bobs: ApiClient) -> None:
    made = api.post("/v1/templates", {"name": "helper"}).body
    assert api.post("/v1/templates", {"name": "helper"}).status == 409
    api.post(f"/v1/templates/{made['id']}/archive")
    again = api.post("/v1/templates", {"name": "helper"})
    assert (again.status, again.error["param"]) == (409, "name")
    assert bobs.post("/v1/templates", {"name": "helper"}).status == 200


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"model": "auto"}, "name"),
        ({"name": ""}, "name"),
        ({"name": "a", "model": 5}, "model"),
        ({"name": "a", "model": "m\u2028"}, "model"),
        ({"name": "a", "model": {"id": ""}}, "model"),
        ({"name": "a", "model": {"speed": "fast"}}, "model"),
        ({"name": "a", "system": {"x": 1}}, "system"),
        ({"name": "a", "status": "archived"}, "status"),
        ({"name": "a", "id": "tmpl_1"}, "id"),
        ({"name": "a", "archived_at": None}, "archived_at"),
        ({"name": "a", "system": "x" * 65_536}, "system"),
        ({"name": "a", "system": "x" * 30_000, "tools": ["é" * 20_000]}, "tools"),
        ({"name": "a", "model": {"id": "m", "notes": "x" * 65_536}}, "model"),
    ],
)
def test_a_bad_body_names_its_field(api: ApiClient, body: Any, param: str) -> None:
    answer = api.post("/v1/templates", body)
    assert (answer.status, answer.error["param"]) == (400, param)


def test_an_idempotency_key_makes_one(api: ApiClient) -> None:
    first = api.post("/v1/templates", {"name": "helper"}, idempotency_key="k")
    assert api.post("/v1/templates", {"name": "helper"}, idempotency_key="k").body == first.body


def test_needs_a_key_that_may_write(reader: ApiClient) -> None:
    assert reader.post("/v1/templates", {"name": "helper"}).status == 403
