from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ApiClient


def test_answers_every_key(api: ApiClient) -> None:
    answer = api.post("/v1/identities", {"external_id": "ana"})
    assert answer.status == 200
    assert answer.body["id"].startswith("idn_")
    assert answer.body | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "type": "identity",
        "external_id": "ana",
        "name": None,
        "identity_type": "user",
        "enabled": True,
        "metadata": {},
        "created_at": "",
        "updated_at": "",
    }
    assert api.get(f"/v1/identities/{answer.body['id']}").body == answer.body


def test_keeps_what_it_is_given(api: ApiClient) -> None:
    given = {"external_id": "bot-1", "name": "Bo", "identity_type": "service", "enabled": False, "metadata": {"a": "b"}}
    answer = api.post("/v1/identities", given)
    assert answer.status == 200
    assert {key: answer.body[key] for key in given} == given


def test_null_is_absent(api: ApiClient) -> None:
    answer = api.post("/v1/identities", {"external_id": "ana", "name": None, "enabled": None, "metadata": None})
    assert (answer.status, answer.body["enabled"], answer.body["metadata"]) == (200, True, {})


def test_a_taken_external_id_is_a_conflict(api: ApiClient, bobs: ApiClient) -> None:
    assert api.post("/v1/identities", {"external_id": "ana"}).status == 200
    again = api.post("/v1/identities", {"external_id": "ana", "name": "Other"})
    assert (again.status, again.error["type"], again.error["param"]) == (409, "conflict_error", "external_id")
    assert again.headers["x-should-retry"] == "false"
    assert bobs.post("/v1/identities", {"external_id": "ana"}).status == 200, "another workspace has its own ids"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "external_id"),
        ({"external_id": ""}, "external_id"),
        ({"external_id": None}, "external_id"),
        ({"external_id": 5}, "external_id"),
        ({"external_id": "a\nb"}, "external_id"),
        ({"external_id": "a" * 256}, "external_id"),
        ({"external_id": "a", "enabled": "true"}, "enabled"),
        ({"external_id": "a", "metadata": {"k": 1}}, "metadata.k"),
        ({"external_id": "a", "nickname": "x"}, "nickname"),
        ({"external_id": "a", "id": "idn_1"}, "id"),
        ([], None),
    ],
)
def test_a_bad_body_names_its_field(api: ApiClient, body: Any, param: str | None) -> None:
    answer = api.post("/v1/identities", body)
    assert (answer.status, answer.error.get("param")) == (400, param)


def test_an_idempotency_key_makes_one(api: ApiClient) -> None:
    first = api.post("/v1/identities", {"external_id": "ana"}, idempotency_key="k")
    again = api.post("/v1/identities", {"external_id": "ana"}, idempotency_key="k")
    assert (first.status, again.status) == (200, 200)
    assert again.body == first.body
    assert again.headers["idempotent-replayed"] == "true"


def test_needs_a_key_that_may_write(reader: ApiClient) -> None:
    assert reader.post("/v1/identities", {"external_id": "ana"}).status == 403
    assert ApiClient(None).post("/v1/identities", {"external_id": "ana"}).status == 401
