from __future__ import annotations

import pytest

from tests.conftest import ApiClient
from tests.identities.conftest import Made


@pytest.fixture
def session(made: Made) -> dict[str, object]:
    return made("sessions", agent="a", environment_id="e", title="old", metadata={"a": "1", "b": "2"})


def test_changes_title_and_metadata(api: ApiClient, session: dict[str, object]) -> None:
    url = f"/v1/sessions/{session['id']}"
    answer = api.post(url, {"title": "new", "metadata": {"a": None, "c": "3"}})
    expected = {"title": "new", "metadata": {"b": "2", "c": "3"}, "updated_at": answer.body["updated_at"]}
    assert (answer.status, answer.body) == (200, session | expected)
    assert answer.body["updated_at"] > session["updated_at"]
    assert api.get(url).body == answer.body
    assert api.post(url, {"title": None}).body == answer.body, "null is absent"


def test_takes_the_empty_list_of_what_is_not_served(api: ApiClient, session: dict[str, object]) -> None:
    url = f"/v1/sessions/{session['id']}"
    assert api.post(url, {"vault_ids": []}).body == session
    assert api.post(url, {"vault_ids": ["v"]}).error["param"] == "vault_ids"


@pytest.mark.parametrize("body", [{"agent": "b"}, {"title": 5}, {"created_at": "2020-01-01T00:00:00Z"}])
def test_nothing_else_changes(api: ApiClient, session: dict[str, object], body: dict[str, object]) -> None:
    assert api.post(f"/v1/sessions/{session['id']}", body).status == 400


def test_only_writers_of_the_workspace(bobs: ApiClient, reader: ApiClient, session: dict[str, object]) -> None:
    url = f"/v1/sessions/{session['id']}"
    assert bobs.get(url).status == 404
    assert bobs.post(url, {"title": "x"}).status == 404
    assert reader.get(url).body == session
    assert reader.post(url, {"title": "x"}).status == 403
