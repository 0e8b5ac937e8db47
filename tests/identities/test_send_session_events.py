from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ApiClient
from tests.identities.conftest import Made


@pytest.fixture
def url(made: Made) -> str:
    session = made("sessions", agent="a", environment_id="e")
    return f"/v1/sessions/{session['id']}/events"


def test_answers_what_it_kept(api: ApiClient, url: str) -> None:
    text = {"type": "text", "text": "I moved to Oslo"}
    events = [
        {"type": "user.message", "content": "hi"},
        {"type": "agent.message", "content": [text], "created_at": "2025-03-01T12:00:00+02:00"},
    ]
    answer = api.post(url, {"events": events})
    assert answer.status == 200
    first, second = answer.body["data"]
    assert first["id"].startswith("sevt_")
    assert (first["content"], second["content"]) == ("hi", [text]), "as it was sent"
    assert second["created_at"] == second["processed_at"] == "2025-03-01T10:00:00.000000Z"
    assert api.get(url).body["data"] == [first, second]


def test_moves_the_sessions_updated_at_only(api: ApiClient, url: str) -> None:
    head = url.removesuffix("/events")
    before = api.get(head).body
    api.post(url, {"events": [{"type": "user.interrupt"}]})
    after = api.get(head).body
    assert after["updated_at"] > before["updated_at"]
    assert after | {"updated_at": ""} == before | {"updated_at": ""}


def test_keeps_what_the_clients_events_carry(api: ApiClient, url: str) -> None:
    events: list[dict[str, Any]] = [
        {
            "type": "user.tool_result",
            "tool_use_id": "t1",
            "is_error": False,
            "content": [{"type": "text", "text": "2"}],
        },
        {"type": "user.tool_confirmation", "tool_use_id": "t1", "result": "deny", "deny_message": "no\nway"},
        {
            "type": "user.define_outcome",
            "description": "d",
            "rubric": {"type": "text", "content": "r"},
            "max_iterations": 2,
        },
        {"type": "agent.mcp_tool_use", "mcp_server_name": "files", "name": "read", "input": {"path": "/a"}},
    ]
    kept = api.post(url, {"events": events}).body["data"]
    for sent, each in zip(events, kept, strict=True):
        assert {key: each[key] for key in sent} == sent
    assert "tool_use_id" not in kept[2], "what a type does not carry is left out"
    assert api.get(url).body["data"] == kept


@pytest.mark.parametrize(
    ("events", "param"),
    [
        (None, "events"),
        ([], "events"),
        ("hi", "events"),
        (["hi"], "events.0"),
        ([{"content": "x"}], "events.0.type"),
        ([{"type": "", "content": "x"}], "events.0.type"),
        ([{"type": "t" * 129}], "events.0.type"),
        ([{"type": "user.message"}], "events.0.content"),
        ([{"type": "user.message", "content": None}], "events.0.content"),
        ([{"type": "user.message", "content": 5}], "events.0.content"),
        ([{"type": "user.message", "content": {"type": "text", "text": "x"}}], "events.0.content"),
        ([{"type": "user.message", "content": ["x"]}], "events.0.content.0"),
        ([{"type": "user.message", "content": [{"text": "x"}]}], "events.0.content.0"),
        ([{"type": "user.message", "content": [{"type": "text"}]}], "events.0.content.0.text"),
        ([{"type": "user.message", "content": "x", "colour": "red"}], "events.0.colour"),
        ([{"type": "user.message", "content": "x", "created_at": "2025-03-01"}], "events.0.created_at"),
        ([{"type": "user.message", "content": "x", "created_at": "2025-03-01T00:00:00"}], "events.0.created_at"),
        ([{"type": "ok"}, {"type": "agent.tool_use", "input": "x"}], "events.1.input"),
    ],
)
def test_a_bad_event_names_its_field_and_nothing_is_kept(api: ApiClient, url: str, events: Any, param: str) -> None:
    answer = api.post(url, {"events": events})
    assert (answer.status, answer.error["param"]) == (400, param), answer.body
    assert api.get(url).body["data"] == []


def test_an_idempotency_key_sends_once(api: ApiClient, url: str) -> None:
    body = {"events": [{"type": "user.message", "content": "hi"}]}
    first = api.post(url, body, idempotency_key="k")
    assert api.post(url, body, idempotency_key="k").body == first.body
    assert len(api.get(url).body["data"]) == 1


def test_only_writers_of_the_workspace(bobs: ApiClient, reader: ApiClient, url: str) -> None:
    body = {"events": [{"type": "user.message", "content": "hi"}]}
    assert bobs.post(url, body).status == 404
    assert reader.post(url, body).status == 403
    assert reader.get(url).status == 200
