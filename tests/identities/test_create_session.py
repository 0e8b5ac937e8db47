from __future__ import annotations

from typing import Any

import pytest

from identities.models import Session
from memorystores.models import MemoryStore
from tests.conftest import ApiClient
from tests.identities.conftest import Made, PairIds

AGENT = {"agent": "agent_1", "environment_id": "env_1"}


def test_with_an_agent_answers_every_key(api: ApiClient) -> None:
    answer = api.post("/v1/sessions", AGENT)
    assert answer.status == 200
    assert answer.body["id"].startswith("sesn_")
    assert answer.body | {"id": "", "created_at": "", "updated_at": ""} == {
        "id": "",
        "type": "session",
        "agent": {"type": "agent", "id": "agent_1", "version": None, "name": None, "model": None},
        "environment_id": "env_1",
        "identity_id": None,
        "template": None,
        "status": "idle",
        "title": None,
        "metadata": {},
        "resources": [],
        "vault_ids": [],
        "outcome_evaluations": [],
        "stats": {},
        "usage": {},
        "created_at": "",
        "updated_at": "",
        "archived_at": None,
    }
    assert api.get(f"/v1/sessions/{answer.body['id']}").body == answer.body


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        (
            {"type": "agent", "id": "agent_1", "version": 3},
            {"type": "agent", "id": "agent_1", "version": 3, "name": None, "model": None},
        ),
        (
            {"type": "agent_with_overrides", "id": "agent_1", "model": "m-1", "tools": [{"type": "bash"}]},
            {
                "type": "agent",
                "id": "agent_1",
                "version": None,
                "name": None,
                "model": {"id": "m-1", "speed": "standard"},
                "tools": [{"type": "bash"}],
            },
        ),
        (
            {"id": "agent_1", "name": "Ada", "model": {"id": "m-1", "speed": "fast"}},
            {"type": "agent", "id": "agent_1", "version": None, "name": "Ada", "model": {"id": "m-1", "speed": "fast"}},
        ),
    ],
)
def test_an_agent_may_be_an_object(api: ApiClient, agent: dict[str, Any], shown: dict[str, Any]) -> None:
    answer = api.post("/v1/sessions", {**AGENT, "agent": agent})
    assert (answer.status, answer.body["agent"]) == (200, shown)
    assert [each["id"] for each in api.get("/v1/sessions", {"agent_id": "agent_1"}).body["data"]] == [answer.body["id"]]


def test_with_a_pair(api: ApiClient, pair: PairIds) -> None:
    body = api.post("/v1/sessions", {**pair.key, "title": "Monday", "metadata": {"k": "v"}}).body
    template = {"id": pair.template_id, "type": "template", "name": "helper", "model": "auto"}
    assert (body["identity_id"], body["template"]) == (pair.identity_id, template)
    assert (body["agent"], body["environment_id"]) == (None, "env_1")
    assert (body["title"], body["metadata"]) == ("Monday", {"k": "v"})


def test_the_first_one_of_a_pair_provides_its_default_memory(api: ApiClient, made: Made, pair: PairIds) -> None:
    made("sessions", **pair.key)
    first = api.get(f"{pair.url}/memory_stores").body["data"]
    assert [(each["access"], each["system_managed"]) for each in first] == [("read_write", True)]
    made("sessions", **pair.key)
    assert api.get(f"{pair.url}/memory_stores").body["data"] == first
    assert MemoryStore.objects.count() == 1
    other = made("identities", external_id="bo")
    made("sessions", identity_id=other["id"], template_id=pair.template_id)
    assert MemoryStore.objects.count() == 2


def test_a_default_that_is_there_is_kept(api: ApiClient, made: Made, pair: PairIds, store: Any) -> None:
    store_id = store("mine")
    api.put(f"{pair.url}/default_memory", {"memory_store_id": store_id})
    made("sessions", **pair.key)
    assert [each["memory_store_id"] for each in api.get(f"{pair.url}/memory_stores").body["data"]] == [store_id]


def test_a_long_name_still_makes_a_store(made: Made) -> None:
    identity = made("identities", external_id="x" * 255)
    template = made("templates", name="y" * 255)
    made("sessions", identity_id=identity["id"], template_id=template["id"])
    assert len(MemoryStore.objects.get().name) == 255


def test_an_agents_session_makes_no_store(made: Made) -> None:
    made("sessions", **AGENT)
    assert not MemoryStore.objects.exists()


def test_initial_events_come_with_it(api: ApiClient) -> None:
    events = [{"type": "user.message", "content": "one"}, {"type": "user.define_outcome", "description": "two"}]
    session = api.post("/v1/sessions", {**AGENT, "initial_events": events}).body
    listed = api.get(f"/v1/sessions/{session['id']}/events").body["data"]
    assert [each["type"] for each in listed] == ["user.message", "user.define_outcome"]


def test_empty_lists_of_what_we_do_not_serve_are_true(api: ApiClient) -> None:
    assert api.post("/v1/sessions", {**AGENT, "resources": [], "vault_ids": []}).status == 200


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "agent"),
        ({"agent": "a"}, "environment_id"),
        ({"environment_id": "e"}, "agent"),
        ({**AGENT, "identity_id": "i", "template_id": "t"}, "agent"),
        ({"identity_id": "i"}, "template_id"),
        ({"identity_id": "i", "template_id": "t", "environment_id": "e"}, "environment_id"),
        ({**AGENT, "agent": 5}, "agent"),
        ({**AGENT, "agent": ""}, "agent.id"),
        ({**AGENT, "agent": {"type": "agent"}}, "agent.id"),
        ({**AGENT, "agent": {"id": "a", "version": 0}}, "agent.version"),
        ({**AGENT, "agent": {"id": "a", "type": "robot"}}, "agent.type"),
        ({**AGENT, "agent": {"id": "a", "colour": "red"}}, "agent.colour"),
        ({**AGENT, "title": "x" * 1025}, "title"),
        ({**AGENT, "metadata": {"": "x"}}, "metadata"),
        ({**AGENT, "initial_events": [{"type": "user.message"}]}, "initial_events.0.content"),
        ({**AGENT, "resources": [{"type": "file"}]}, "resources"),
        ({**AGENT, "budget": {}}, "budget"),
        ({**AGENT, "agent": {"id": "a", "tools": ["x" * 65_536]}}, "agent.tools"),
        ({**AGENT, "agent": {"id": "a", "skills": ["x" * 30_000], "system": "é" * 20_000}}, "agent.system"),
    ],
)
def test_a_bad_body_names_its_field(api: ApiClient, body: Any, param: str) -> None:
    answer = api.post("/v1/sessions", body)
    assert (answer.status, answer.error["param"]) == (400, param), answer.body
    assert not Session.objects.exists()


def test_the_pair_must_be_of_the_workspace(bobs: ApiClient, api: ApiClient, pair: PairIds) -> None:
    assert bobs.post("/v1/sessions", pair.key).error["param"] == "identity_id"
    answer = api.post("/v1/sessions", {**pair.key, "template_id": "tmpl_none"})
    assert (answer.status, answer.error["param"]) == (404, "template_id")
    assert not MemoryStore.objects.exists()


def test_an_idempotency_key_makes_one(api: ApiClient, pair: PairIds) -> None:
    first = api.post("/v1/sessions", pair.key, idempotency_key="k")
    assert api.post("/v1/sessions", pair.key, idempotency_key="k").body == first.body
    assert Session.objects.count() == 1


def test_readers_may_not(reader: ApiClient) -> None:
    assert reader.post("/v1/sessions", AGENT).status == 403
