from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ApiClient
from tests.identities.conftest import Made, read_pages

TYPES = ("user.message", "agent.thinking", "agent.message", "session.status_idle", "user.message")


@pytest.fixture
def url(api: ApiClient, made: Made) -> str:
    """A session with events one to five; their times run backwards, as a client's clock may."""
    url = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}/events"
    for number, kind in enumerate(TYPES, start=1):
        event = {"type": kind, "content": str(number), "created_at": f"2025-01-0{6 - number}T00:00:00Z"}
        assert api.post(url, {"events": [event]}).status == 200
    return url


def listed(api: ApiClient, url: str, **query: Any) -> str:
    answer = api.get(url, query)
    assert answer.status == 200, answer.body
    return "".join(each["content"] for each in answer.body["data"])


def test_as_they_came(api: ApiClient, url: str) -> None:
    assert listed(api, url) == "12345"
    assert listed(api, url, order="desc") == "54321"


def test_by_type_and_time(api: ApiClient, url: str) -> None:
    assert listed(api, url, types=["user.message", "agent.message"]) == "135"
    assert listed(api, url, **{"types[]": "agent.thinking"}) == "2"
    assert listed(api, url, types="nothing.such") == ""
    assert listed(api, url, **{"created_at[gte]": "2025-01-04T00:00:00Z"}) == "12"


@pytest.mark.parametrize(("order", "expected"), [("asc", "12345"), ("desc", "54321")])
def test_pages(api: ApiClient, url: str, order: str, expected: str) -> None:
    pages = read_pages(api, url, {"limit": "2", "order": order})
    assert "".join(each["content"] for each in pages) == expected


def test_from_an_event_on(api: ApiClient, made: Made, url: str) -> None:
    third = api.get(url).body["data"][2]["id"]
    assert listed(api, url, after_id=third) == "45"
    assert listed(api, url, before_id=third) == "12"
    assert listed(api, url, after_id=third, order="desc") == "21"
    other = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}/events"
    assert api.get(other, {"after_id": third}).status == 400, "an event of another session"


def test_only_the_workspace_sees_them(bobs: ApiClient, reader: ApiClient, url: str) -> None:
    assert listed(reader, url) == "12345"
    assert bobs.get(url).status == 404
