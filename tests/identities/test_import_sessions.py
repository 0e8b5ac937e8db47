from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamsvc.errors import InvalidRequest
from identities.models import Session, SessionEvent
from identities.serializers.imports import MAX_ERRORS, SessionLines
from tests.conftest import Answer, ApiClient

HEAD = {"session": "a", "title": "Monday", "created_at": "2025-01-06T10:00:00Z"}
SAID = {"session": "a", "type": "user.message", "content": "hi", "created_at": "2025-01-06T10:00:01Z"}


def lines(*rows: Any) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def send(api: ApiClient, raw: bytes, content_type: str = "application/x-ndjson", **headers: str) -> Answer:
    return api.request("POST", "/v1/sessions/import", raw=raw, content_type=content_type, headers=headers)


def test_makes_sessions_with_events(api: ApiClient) -> None:
    other = {"session": "b", "type": "agent.message", "content": "yo", "created_at": "2024-12-31T23:00:00-01:00"}
    answer = send(api, lines(HEAD, other, SAID))
    assert answer.status == 200
    first, second = answer.body["data"]
    assert [(each["session"], each["event_count"]) for each in answer.body["data"]] == [("a", 1), ("b", 1)]
    head = api.get(f"/v1/sessions/{first['id']}").body
    assert (head["title"], head["created_at"]) == ("Monday", "2025-01-06T10:00:00.000000Z")
    events = api.get(f"/v1/sessions/{first['id']}/events").body["data"]
    assert [(each["content"], each["created_at"]) for each in events] == [("hi", "2025-01-06T10:00:01.000000Z")]
    began = api.get(f"/v1/sessions/{second['id']}").body["created_at"]
    assert began == "2025-01-01T00:00:00.000000Z", "without a head of its own it began with its first event"


def test_events_are_put_in_the_order_of_time(api: ApiClient) -> None:
    times = (3, 1, 2, 1)
    rows = [SAID | {"content": str(n), "created_at": f"2025-01-0{day}T00:00:00Z"} for n, day in enumerate(times)]
    session = send(api, lines(*rows, HEAD)).body["data"][0]
    events = api.get(f"/v1/sessions/{session['id']}/events").body["data"]
    assert "".join(each["content"] for each in events) == "1320", "equal times as in the file"


def test_a_session_that_goes_on(api: ApiClient) -> None:
    session = send(api, lines(SAID)).body["data"][0]
    url = f"/v1/sessions/{session['id']}/events"
    api.post(url, {"events": [{"type": "user.message", "content": "more"}]})
    assert [each["content"] for each in api.get(url).body["data"]] == ["hi", "more"]


@pytest.mark.parametrize("year", ["0001", "1969", "9999"])
def test_any_time_that_exists(api: ApiClient, year: str) -> None:
    began = f"{year}-06-15T12:00:00.000000Z"
    answer = send(api, lines(HEAD | {"created_at": began}, SAID | {"created_at": began}))
    session = answer.body["data"][0]["id"]
    assert api.get(f"/v1/sessions/{session}").body["created_at"] == began
    assert api.get(f"/v1/sessions/{session}/events").body["data"][0]["created_at"] == began
    assert len(api.get("/v1/sessions", {"created_at[gte]": began}).body["data"]) == 1


@pytest.mark.parametrize("content_type", ["application/jsonl", "text/plain", "text/plain; charset=utf-8"])
def test_other_names_of_the_format(api: ApiClient, content_type: str) -> None:
    assert send(api, lines(SAID), content_type).status == 200


@pytest.mark.parametrize(
    "content_type", ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"]
)
@pytest.mark.parametrize("headers", [{}, {"idempotency_key": "k"}])
def test_no_other_format(api: ApiClient, content_type: str, headers: dict[str, str]) -> None:
    answer = send(api, lines(SAID), content_type, **headers)
    assert (answer.status, answer.error["type"]) == (415, "invalid_request_error")
    assert "application/x-ndjson" in answer.error["message"]


def test_line_ends_and_blank_lines(api: ApiClient) -> None:
    raw = b"\n" + lines(HEAD) + b"\r\n\r\n  \n" + lines(SAID | {"content": "a\u2028b"}) + b"\n"
    session = send(api, raw).body["data"][0]
    assert api.get(f"/v1/sessions/{session['id']}/events").body["data"][0]["content"] == "a\u2028b"


@pytest.mark.parametrize(
    ("row", "param"),
    [
        ({"title": "x"}, "session"),
        ({"session": ""}, "session"),
        ({"session": "c", "created_at": "yesterday"}, "created_at"),
        ({"session": "c", "colour": "red"}, "colour"),
        (SAID | {"created_at": None}, "created_at"),
        ({"session": "a", "type": "user.message", "content": "x"}, "created_at"),
        (SAID | {"content": 5}, "content"),
        (SAID | {"title": "x"}, "title"),
        (HEAD, "session"),
        ([], None),
        ("{", None),
        ('{"session": "c", "session": "d"}', None),
        ('{"session": "c\\u0000"}', None),
        ('{"session": "\\ud800"}', None),
        ("[" * 65 + "]" * 65, None),
        ("NaN", None),
    ],
)
def test_all_or_nothing_with_the_line(api: ApiClient, row: Any, param: str | None) -> None:
    answer = send(api, lines(HEAD, SAID, row, SAID))
    assert answer.status == 400
    assert [(each["line"], each["param"]) for each in answer.error["errors"]] == [(3, param)]
    assert answer.error["message"] == f"line 3: {answer.error['errors'][0]['message']}"
    assert not Session.objects.exists()
    assert not SessionEvent.objects.exists()


def test_every_bad_line_is_named_up_to_a_limit(api: ApiClient) -> None:
    answer = send(api, lines(*(["x", HEAD] * 2)))
    assert [each["line"] for each in answer.error["errors"]] == [1, 3, 4]
    many = send(api, b"x\n" * (MAX_ERRORS + 5))
    assert len(many.error["errors"]) == MAX_ERRORS


@pytest.mark.parametrize("raw", [b"", b"\n \n", b"\xff\n"])
def test_nothing_to_import(api: ApiClient, raw: bytes) -> None:
    assert send(api, raw).status == 400


def test_an_idempotency_key_imports_once(api: ApiClient) -> None:
    first = send(api, lines(SAID), idempotency_key="k")
    assert send(api, lines(SAID), idempotency_key="k").body == first.body
    assert send(api, lines(HEAD), idempotency_key="k").status == 409
    assert Session.objects.count() == 1


def test_only_writers(reader: ApiClient, api: ApiClient) -> None:
    assert send(reader, lines(SAID)).status == 403
    assert api.get("/v1/sessions/import").status == 405


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"), st.integers(1, 28), st.text(st.characters(codec="utf-8", exclude_characters="\0"))
        )
    )
)
def test_every_event_arrives_once(said: list[tuple[str, int, str]]) -> None:
    rows = [
        {"session": key, "type": "user.message", "content": text, "created_at": f"2025-01-{day:02}T00:00:00Z"}
        for key, day, text in said
    ]
    if not rows:
        with pytest.raises(InvalidRequest):
            SessionLines().read(lines(*rows))
        return
    read = SessionLines().read(lines(*rows))
    for session in read:
        mine = sorted((row for row in rows if row["session"] == session.key), key=lambda row: row["created_at"])
        assert [event.content for event in session.events] == [row["content"] for row in mine]
    assert {session.key for session in read} == {row["session"] for row in rows}
