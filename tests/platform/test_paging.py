"""Lists: bounded pages, one envelope, and nothing skipped or repeated whatever happens between two pages."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamsvc.errors import InvalidRequest
from dreamsvc.ids import API_KEY, MEMORY, new_id
from dreamsvc.models import ApiKey, Workspace
from dreamsvc.pagination import ById, Order, encode, page_of, page_request
from tests.conftest import Answer, ApiClient, Tenant
from tests.platform.probe import ITEMS, by_name

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]
BY_NAME = "/v1/items_by_name"


def add(workspace: Workspace, name: str) -> ApiKey:
    return ApiKey.objects.create(workspace=workspace, name=name, scope="read", digest=f"{workspace.id}{name}"[-64:])


@pytest.fixture
def items(alice: Tenant, bob: Tenant) -> list[str]:
    """Alice's ids, newest first: eight and those of her three keys; bob has some between them."""
    for index in range(8):
        add(alice.workspace, f"n{index}")
        add(bob.workspace, f"n{index}")
    return list(ApiKey.objects.filter(workspace=alice.workspace).order_by("-id").values_list("id", flat=True))


def ids(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.body
    return [row["id"] for row in answer.body["data"]]


def test_the_envelope(items: list[str], alice: Tenant, client: Connect) -> None:
    answer = client(alice.read).get(ITEMS, {"limit": 3})
    assert ids(answer) == items[:3]
    assert answer.body["has_more"] is True
    assert (answer.body["first_id"], answer.body["last_id"]) == (items[0], items[2])
    assert answer.body.keys() == {"data", "has_more", "first_id", "last_id", "next_page"}
    rest = client(alice.read).get(ITEMS, {"limit": 8, "page": answer.body["next_page"]})
    assert ids(rest) == items[3:]
    assert (rest.body["has_more"], rest.body["next_page"]) == (False, None)


def test_an_empty_list(alice: Tenant, client: Connect) -> None:
    answer = client(alice.read).get(ITEMS, {"name": "none"})
    assert answer.body == {"data": [], "has_more": False, "first_id": None, "last_id": None, "next_page": None}


def test_the_default_limit(alice: Tenant, client: Connect) -> None:
    for index in range(30):
        add(alice.workspace, f"n{index:02}")
    assert len(ids(client(alice.read).get(ITEMS))) == 20
    assert len(ids(client(alice.read).get(ITEMS, {"limit": 100}))) == 33


@pytest.mark.parametrize("limit", ["0", "101", "-1", "1.0", "", " 5", "five", "1e1", "٣", "9" * 5000, "+5"])
def test_a_bad_limit(alice: Tenant, client: Connect, limit: str) -> None:
    answer = client(alice.read).get(ITEMS, {"limit": limit})
    assert (answer.status, answer.error["param"]) == (400, "limit")


def test_a_list_may_clamp(items: list[str], alice: Tenant, client: Connect) -> None:
    assert len(ids(client(alice.read).get(BY_NAME, {"limit": 50}))) == 3
    assert client(alice.read).get(BY_NAME, {"limit": 101}).status == 400


def test_after_and_before_an_id(items: list[str], alice: Tenant, client: Connect) -> None:
    connected = client(alice.read)
    assert ids(connected.get(ITEMS, {"after_id": items[3], "limit": 3})) == items[4:7]
    before = connected.get(ITEMS, {"before_id": items[7], "limit": 3})
    assert ids(before) == items[4:7]
    assert before.body["has_more"] is True
    further = connected.get(ITEMS, {"page": before.body["next_page"], "limit": 9})
    assert ids(further) == items[:4]
    assert further.body["has_more"] is False


def test_ids_of_another_order(items: list[str], alice: Tenant, client: Connect) -> None:
    first = ApiKey.objects.get(workspace=alice.workspace, name="n0")
    names = [row["name"] for row in client(alice.read).get(BY_NAME, {"after_id": first.id}).body["data"]]
    assert names == ["n1", "n2", "n3"]


def test_only_one_start(items: list[str], alice: Tenant, client: Connect) -> None:
    answer = client(alice.read).get(ITEMS, {"after_id": items[0], "before_id": items[2]})
    assert (answer.status, answer.error["param"]) == (400, "before_id")
    assert client(alice.read).get(ITEMS, {"limit": ["2", "3"]}).error["param"] == "limit"


@pytest.mark.parametrize("name", ["after_id", "before_id"])
@pytest.mark.parametrize("id", ["", "x", "apikey_", "apikey_" + "G" * 32, "mem_" + "0" * 32])
def test_an_id_that_is_none_of_the_list(alice: Tenant, client: Connect, name: str, id: str) -> None:
    answer = client(alice.read).get(ITEMS, {name: id})
    assert (answer.status, answer.error["param"]) == (400, name)


def test_another_workspaces_id_tells_nothing(alice: Tenant, bob: Tenant, client: Connect) -> None:
    theirs = bob.keys["read"].id
    there, nowhere = (client(alice.read).get(BY_NAME, {"after_id": id}) for id in (theirs, new_id(API_KEY)))
    assert (there.status, there.error) == (nowhere.status, nowhere.error) == (400, there.error)


def test_a_cursor_outlives_its_row(items: list[str], alice: Tenant, client: Connect) -> None:
    page = client(alice.read).get(ITEMS, {"limit": 3}).body["next_page"]
    ApiKey.objects.filter(id=items[2]).delete()
    assert ids(client(alice.read).get(ITEMS, {"page": page, "limit": 2})) == items[3:5]
    assert ids(client(alice.read).get(ITEMS, {"after_id": items[2], "limit": 2})) == items[3:5]


def _packed(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "page",
    [
        "",
        "x",
        "!!!!",
        "eyJ9",
        "é",
        "apikey_" + "0" * 32,
        _packed([]),
        _packed("apikey-"),
        _packed(["apikey-", 0]),
        _packed(["apikey-", 0, 5]),
        _packed(["apikey-", 0, None]),
        _packed(["apikey-", 0, ["a"]]),
        _packed(["apikey-", 2, "a"]),
        _packed(["apikey-", "0", "a"]),
        _packed(["apikey+", 0, "a"]),
        _packed(["mem-", 0, "a"]),
        _packed({"apikey-": 1, "b": 2, "c": 3}),
        _packed(["apikey-", 0, "a\0"]),
        _packed([[]] * 3),
        encode(ById(MEMORY), "a"),
        encode(by_name("w"), "a"),
        encode(ById(API_KEY), "a") + "=",
        encode(ById(API_KEY), "a") + "\n",
        " " + encode(ById(API_KEY), "a"),
    ],
)
def test_what_is_no_cursor_of_this_list(alice: Tenant, client: Connect, page: str) -> None:
    answer = client(alice.read).get(ITEMS, {"page": page})
    assert (answer.status, answer.error["param"]) == (400, "page")


NUMBERS = Order("numbers", "", "seq", descending=False, resolve=lambda _: None, key_type=int)


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode().rstrip("=")))
def test_any_text_as_cursor_is_refused_or_names_a_key(page: str) -> None:
    for order in (ById(API_KEY), NUMBERS):
        with suppress(InvalidRequest):
            assert type(page_request({"page": page}, order).key) is order.key_type


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.booleans())
def test_a_cursor_brings_back_its_key(key: str, backward: bool) -> None:
    request = page_request({"page": encode(by_name("w"), key, backward=backward)}, by_name("w"))
    assert (request.key, request.backward) == (key, backward)


def test_a_page_costs_the_same_whatever_its_length(items: list[str], alice: Tenant, client: Connect) -> None:
    def queries(limit: int) -> int:
        with CaptureQueriesContext(
            connection,
        ) as context:
            client(alice.read).get(ITEMS, {"limit": limit})
        return len(context)

    assert queries(1) == queries(8) == 2  # the key, the page


@st.composite
def happenings(draw: st.DrawFn) -> list[tuple[str, int]]:
    """What goes on between two pages: rows are added or removed, by name."""
    return draw(st.lists(st.tuples(st.sampled_from(["add", "remove"]), st.integers(0, 40)), max_size=6))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    start=st.sets(st.integers(0, 40), max_size=20),
    between=st.lists(happenings(), max_size=12),
    limit=st.integers(1, 6),
    by_id=st.booleans(),
    backward=st.booleans(),
)
def test_nothing_is_skipped_or_repeated_while_rows_come_and_go(
    alice: Tenant, start: set[int], between: list[list[tuple[str, int]]], limit: int, by_id: bool, backward: bool
) -> None:
    ApiKey.objects.filter(workspace=alice.workspace).delete()
    rows = ApiKey.objects.filter(workspace=alice.workspace)
    order = ById(API_KEY) if by_id else by_name(alice.workspace.id)
    for number in start:
        add(alice.workspace, f"{number:02}")
    stable = set(rows.values_list("id", flat=True))
    ever = set(stable)
    seen: list[str] = []
    request = {"limit": str(limit)}
    if backward:  # from beyond the end of the list
        request["page"] = encode(order, "a" if by_id else "~", backward=True)
    waiting = iter(between)
    for _ in range(100):  # more than there can be pages: going round in circles fails too
        page = page_of(rows, order, page_request(request, order))
        found = [row.id for row in page.rows]
        seen = found + seen if backward else seen + found
        if page.next_page is None:
            break
        assert len(found) == limit
        request["page"] = page.next_page
        for what, number in next(waiting, []):
            here = rows.filter(name=f"{number:02}")
            if what == "remove":
                stable -= set(here.values_list("id", flat=True))
                here.delete()
            elif not here.exists():
                ever.add(add(alice.workspace, f"{number:02}").id)
    assert len(seen) == len(set(seen))
    assert stable <= set(seen) <= ever
    if by_id:
        assert seen == sorted(seen, reverse=True)
