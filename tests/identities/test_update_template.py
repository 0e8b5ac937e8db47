from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import Made


def test_changes_only_what_is_given(api: ApiClient, made: Made) -> None:
    before = made("templates", name="helper", model="auto", tools=[1], skills=[2], metadata={"a": "1"})
    answer = api.post(f"/v1/templates/{before['id']}", {"model": "lite", "tools": [3], "metadata": {"b": "2"}})
    assert answer.status == 200
    changed = {"model": "lite", "tools": [3], "metadata": {"a": "1", "b": "2"}, "updated_at": answer.body["updated_at"]}
    assert answer.body == before | changed
    assert answer.body["updated_at"] > before["updated_at"]
    assert api.post(f"/v1/templates/{before['id']}", {"model": "lite"}).body == answer.body, "no change, no new time"


def test_what_is_kept_as_sent_stays_bounded(api: ApiClient, made: Made) -> None:
    template = made("templates", name="helper", system="x" * 40_000, tools=["x" * 20_000])
    url = f"/v1/templates/{template['id']}"
    answer = api.post(url, {"skills": ["x" * 10_000]})
    assert (answer.status, answer.error["param"]) == (400, "system")
    assert api.get(url).body == template
    assert api.post(url, {"skills": ["x" * 10_000], "system": "short"}).status == 200
    assert api.post(url, {"name": "other"}).status == 200


def test_a_taken_name_is_a_conflict(api: ApiClient, made: Made) -> None:
    made("templates", name="helper")
    other = made("templates", name="other")
    assert api.post(f"/v1/templates/{other['id']}", {"name": "helper"}).status == 409
    assert api.post(f"/v1/templates/{other['id']}", {"name": "other"}).status == 200


def test_an_archived_template_does_not_change(api: ApiClient, made: Made) -> None:
    template = made("templates", name="helper")
    api.post(f"/v1/templates/{template['id']}/archive")
    assert api.post(f"/v1/templates/{template['id']}", {"name": "x"}).status == 400


def test_only_writers_of_the_workspace(made: Made, bobs: ApiClient, reader: ApiClient) -> None:
    template = made("templates", name="helper")
    url = f"/v1/templates/{template['id']}"
    assert bobs.get(url).status == 404
    assert bobs.post(url, {"name": "x"}).status == 404
    assert reader.get(url).body == template
    assert reader.post(url, {"name": "x"}).status == 403
