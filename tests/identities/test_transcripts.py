"""What a dream reads of sessions."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from identities.transcripts import Transcript, event_text, is_said, transcripts
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import Made


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("user.message", True),
        ("user.tool_result", True),
        ("agent.message", True),
        ("agent.tool_use", True),
        ("agent.mcp_tool_result", True),
        ("tool.result", True),
        ("agent.thinking", False),
        ("session.status_idle", False),
        ("span.model_request_end", False),
        ("system.message", False),
        ("username.message", False),
    ],
)
def test_who_is_heard(kind: str, said: bool) -> None:
    assert is_said(kind) is said


@pytest.mark.parametrize(
    ("content", "details", "text"),
    [
        ("hi", {}, "hi"),
        (None, {}, ""),
        ([], {}, ""),
        ("  \n", {}, ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], {}, "a\n\nb"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "b"}], {}, "b"),
        ([{"type": "image", "source": {"data": "AAAA"}}], {}, ""),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "42"}]}], {}, "42"),
        ([{"type": "tool_result", "content": "42"}], {}, "42"),
        ([{"type": "search_result", "title": "t", "content": [{"type": "text", "text": "found"}]}], {}, "found"),
        ([{"type": "tool_use", "name": "read", "input": {"path": "/å"}}], {}, 'read {"path": "/å"}'),
        (None, {"name": "bash", "input": {"command": "ls"}}, 'bash {"command": "ls"}'),
        (None, {"description": "Write a poem", "max_iterations": 3}, "Write a poem"),
        (None, {"result": "deny", "deny_message": "too dear"}, "too dear"),
        ([{"type": "tool_result", "content": [5, {"no": "type"}, None]}], {}, ""),
        ([{"type": "text", "text": [{"type": "text", "text": "deep"}]}], {}, "deep"),
    ],
)
def test_what_is_heard(content: Any, details: dict[str, Any], text: str) -> None:
    assert event_text(content, details) == text


def session(made: Made, title: str, *said: tuple[str, str]) -> str:
    events = [{"type": kind, "content": text} for kind, text in said]
    found: str = made("sessions", agent="a", environment_id="e", title=title, initial_events=events)["id"]
    return found


def read(tenant: Tenant, *ids: str) -> list[Transcript]:
    return transcripts(workspace_id=tenant.workspace.id, session_ids=ids)


def test_in_the_order_asked_for(made: Made, alice: Tenant, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    said = [("user.message", "one"), ("agent.thinking", "hm"), ("agent.message", "two"), ("session.status_idle", "x")]
    first = session(made, "first", *said)
    silent = session(made, "silent")
    third = session(made, "third", ("user.message", "three"))
    with django_assert_num_queries(1):
        found = read(alice, third, first, silent)
    assert [each.session_id for each in found] == [third, first, silent]
    assert [[event.text for event in each.events] for each in found] == [["three"], ["one", "two"], []]
    assert found[1].title == "first"
    assert found[1].events[0].type == "user.message"
    assert found[1].created_at.tzinfo is not None


def test_missing_ones_are_left_out(made: Made, alice: Tenant, bob: Tenant) -> None:
    mine = session(made, "mine", ("user.message", "hi"))
    assert [each.session_id for each in read(alice, "sesn_none", mine, mine)] == [mine]
    assert read(bob, mine) == []
    assert read(alice) == []


def test_archived_ones_are_read(api: ApiClient, made: Made, alice: Tenant) -> None:
    mine = session(made, "mine", ("user.message", "hi"))
    api.post(f"/v1/sessions/{mine}/archive")
    assert [event.text for event in read(alice, mine)[0].events] == ["hi"]
