from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import Made

EVENTS = {"events": [{"type": "user.message", "content": "hi"}]}


def test_archived_once_and_then_read_only(api: ApiClient, made: Made) -> None:
    url = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}"
    api.post(f"{url}/events", EVENTS)
    answer = api.post(f"{url}/archive")
    assert answer.status == 200
    assert answer.body["archived_at"] is not None
    assert api.post(f"{url}/archive", {}).body == answer.body == api.get(url).body
    assert api.post(f"{url}/events", EVENTS).error["param"] == "session_id"
    assert api.post(url, {"title": "x"}).status == 400
    assert len(api.get(f"{url}/events").body["data"]) == 1


def test_only_writers_of_the_workspace(made: Made, bobs: ApiClient, reader: ApiClient) -> None:
    url = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}/archive"
    assert bobs.post(url).status == 404
    assert reader.post(url).status == 403
