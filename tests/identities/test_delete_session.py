from __future__ import annotations

from dreamsvc.models import IdempotentRequest
from identities.models import SessionEvent
from tests.conftest import ApiClient
from tests.identities.conftest import Made


def test_goes_with_its_events(api: ApiClient, made: Made) -> None:
    events = [{"type": "user.message", "content": "hi"}]
    gone = made("sessions", agent="a", environment_id="e", initial_events=events)["id"]
    kept = made("sessions", agent="a", environment_id="e", initial_events=events)["id"]
    answer = api.delete(f"/v1/sessions/{gone}")
    assert answer.status == 200
    assert answer.body == {"id": gone, "type": "session_deleted"}
    assert [each.session_id for each in SessionEvent.objects.all()] == [kept]
    for path in (f"/v1/sessions/{gone}", f"/v1/sessions/{gone}/events"):
        assert api.get(path).status == 404
    assert api.delete(f"/v1/sessions/{gone}").status == 404


def test_a_repeated_request_does_not_bring_its_texts_back(api: ApiClient, made: Made) -> None:
    url = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}"
    said = {"events": [{"type": "user.message", "content": "the harbour code is 4711"}]}
    assert api.post(f"{url}/events", said, idempotency_key="k").status == 200
    assert api.post(f"{url}/events", said, idempotency_key="k").headers["idempotent-replayed"] == "true"
    api.delete(url)
    assert api.post(f"{url}/events", said, idempotency_key="k").status == 404
    assert not IdempotentRequest.objects.filter(response_body__contains="4711").exists()


def test_only_writers_of_the_workspace(made: Made, bobs: ApiClient, reader: ApiClient) -> None:
    url = f"/v1/sessions/{made('sessions', agent='a', environment_id='e')['id']}"
    assert bobs.delete(url).status == 404
    assert reader.delete(url).status == 403
