from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.conftest import ApiClient
from tests.identities.conftest import Made, PairIds, read_pages

LINES = "\n".join(f'{{"session":"s{day}","created_at":"2025-01-0{day}T00:00:00Z"}}' for day in (2, 1, 3))


@pytest.fixture
def days(api: ApiClient) -> dict[int, str]:
    """Three imported sessions by the day they were held."""
    answer = api.request("POST", "/v1/sessions/import", raw=LINES.encode(), content_type="application/x-ndjson")
    return {int(each["session"][1:]): each["id"] for each in answer.body["data"]}


def listed(api: ApiClient, **query: Any) -> list[str]:
    answer = api.get("/v1/sessions", query)
    assert answer.status == 200, answer.body
    return [each["id"] for each in answer.body["data"]]


def test_by_the_time_they_were_held(api: ApiClient, bobs: ApiClient, days: dict[int, str]) -> None:
    assert listed(api) == [days[3], days[2], days[1]]
    assert listed(api, order="desc") == listed(api)
    assert listed(api, order="asc") == [days[1], days[2], days[3]]
    assert listed(bobs) == []


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_in_either_order(api: ApiClient, days: dict[int, str], order: str) -> None:
    pages = read_pages(api, "/v1/sessions", {"limit": "1", "order": order})
    assert [each["id"] for each in pages] == listed(api, order=order)


def test_a_cursor_of_the_other_order_is_refused(api: ApiClient, days: dict[int, str]) -> None:
    page = api.get("/v1/sessions", {"limit": "1"}).body["next_page"]
    assert api.get("/v1/sessions", {"limit": "1", "order": "asc", "page": page}).status == 400


def test_by_time(api: ApiClient, days: dict[int, str]) -> None:
    assert listed(api, **{"created_at[gt]": "2025-01-02T00:00:00Z"}) == [days[3]]
    between = {"created_at[gte]": "2025-01-02T00:00:00Z", "created_at[lt]": "2025-01-03T00:00:00"}
    assert listed(api, **between) == [days[2]]


def test_by_who_and_what(api: ApiClient, made: Made, pair: PairIds) -> None:
    theirs = made("sessions", **pair.key)["id"]
    agents = made("sessions", agent="agent_1", environment_id="e")["id"]
    other = made("sessions", agent="agent_2", environment_id="e")["id"]
    assert listed(api, agent_id="agent_1") == [agents]
    assert listed(api, template_id=pair.template_id) == [theirs]
    assert listed(api, identity_ids=[pair.identity_id, "idn_none"]) == [theirs]
    assert listed(api, statuses=["idle", "running"]) == [other, agents, theirs]
    assert listed(api, **{"statuses[]": "idle"}) == [other, agents, theirs]
    assert listed(api, statuses="running") == []


def test_archived_ones_on_request(api: ApiClient, made: Made) -> None:
    gone = made("sessions", agent="a", environment_id="e")["id"]
    kept = made("sessions", agent="a", environment_id="e")["id"]
    api.post(f"/v1/sessions/{gone}/archive")
    assert listed(api) == [kept]
    assert listed(api, include_archived="true") == [kept, gone]


def test_the_number_of_queries_does_not_grow(
    api: ApiClient, made: Made, pair: PairIds, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made("sessions", **pair.key)
    with django_assert_num_queries(2):  # the key, the page
        listed(api)
    for _ in range(3):
        made("sessions", **pair.key)
    with django_assert_num_queries(2):
        listed(api)


@pytest.mark.parametrize(
    ("query", "param"),
    [({"order": "up"}, "order"), ({"statuses": "done"}, "statuses"), ({"include_archived": "1"}, "include_archived")],
)
def test_a_bad_query_names_its_key(api: ApiClient, query: dict[str, str], param: str) -> None:
    answer = api.get("/v1/sessions", query)
    assert (answer.status, answer.error["param"]) == (400, param)
