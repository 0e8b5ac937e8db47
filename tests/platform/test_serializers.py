"""Fields take what the wire says and nothing that is merely like it; outputs show every key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from dreamsvc.errors import InvalidRequest
from dreamsvc.exception_handler import as_service_error
from dreamsvc.metadata import patched
from dreamsvc.serializers import InputSerializer, List, OutputSerializer, Text, Timestamp, deleted_serializer
from dreamsvc.timestamps import parse_time, print_time
from tests.conftest import ApiClient, Tenant
from tests.platform.probe import EVERYTHING, ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]

GOOD: list[dict[str, Any]] = [
    {},
    {"text": "a"},
    {"text": " a  "},
    {"text": "😀" * 5},
    {"lines": ""},
    {"lines": "a\n\tb\r\n"},
    {"flag": True},
    {"flag": False},
    {"count": 0},
    {"count": 10},
    {"ratio": 0.5},
    {"scope": "read"},
    {"metadata": {}},
    {"metadata": {str(index): "v" for index in range(16)}},
    {"metadata": {"k" * 64: "v" * 512, "empty": ""}},
]


@pytest.mark.parametrize("body", GOOD, ids=str)
def test_good_values_are_kept_as_sent(alice: Tenant, client: Connect, body: dict[str, Any]) -> None:
    answer = client(alice.write).post(EVERYTHING, body)
    assert (answer.status, answer.body) == (200, body)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"text": 5}, "text"),
    ({"text": True}, "text"),
    ({"text": ["a"]}, "text"),
    ({"text": {}}, "text"),
    ({"text": ""}, "text"),
    ({"text": "abcdef"}, "text"),
    ({"text": "a\nb"}, "text"),
    ({"text": "a\x7f"}, "text"),
    ({"text": "a\x85"}, "text"),
    ({"flag": "true"}, "flag"),
    ({"flag": 1}, "flag"),
    ({"flag": {}}, "flag"),
    ({"count": "1"}, "count"),
    ({"count": 1.0}, "count"),
    ({"count": True}, "count"),
    ({"count": -1}, "count"),
    ({"count": 11}, "count"),
    ({"ratio": "0.5"}, "ratio"),
    ({"ratio": True}, "ratio"),
    ({"ratio": 1.1}, "ratio"),
    ({"at": 1700000000}, "at"),
    ({"at": "2026-01-01"}, "at"),
    ({"at": "2026-01-01T00:00:00"}, "at"),
    ({"scope": "READ"}, "scope"),
    ({"scope": 1}, "scope"),
    ({"scope": ["read"]}, "scope"),
    ({"scope": {}}, "scope"),
    ({"metadata": []}, "metadata"),
    ({"metadata": "a"}, "metadata"),
    ({"metadata": {"a": 1}}, "metadata.a"),
    ({"metadata": {"a": {"b": "c"}}}, "metadata.a"),
    ({"metadata": {"": "v"}}, "metadata"),
    ({"metadata": {"k" * 65: "v"}}, "metadata"),
    ({"metadata": {"k": "v" * 513}}, "metadata.k"),
    ({"metadata": {str(index): "v" for index in range(17)}}, "metadata"),
    ({"unknown": 1}, "unknown"),
    ({"text": "a", "Text": "a"}, "Text"),
    ({"unknown": None}, "unknown"),
]


@pytest.mark.parametrize(("body", "param"), BAD, ids=[str(body)[:60] for body, _ in BAD])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_bad_values_are_refused_by_name(
    alice: Tenant, client: Connect, method: str, body: dict[str, Any], param: str
) -> None:
    answer = client(alice.write).request(method, EVERYTHING, body=body)
    assert (answer.status, answer.error["param"]) == (400, param)
    assert answer.error["message"].startswith(f"{param}: ")


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_null_means_absent_for_optional_fields(alice: Tenant, client: Connect, method: str) -> None:
    body = dict.fromkeys(["text", "lines", "flag", "count", "ratio", "at", "scope", "metadata"])
    assert client(alice.write).request(method, EVERYTHING, body=body).body == {}


def test_null_is_no_value_for_a_required_field(alice: Tenant, client: Connect) -> None:
    answer = client(alice.write).post(ITEMS, {"name": None})
    assert (answer.status, answer.error["param"]) == (400, "name")
    assert client(alice.write).post(ITEMS, {}).error["param"] == "name"
    assert client(alice.write).request("POST", ITEMS, raw=b"").error["param"] == "name"


def test_null_in_metadata_is_for_updates(alice: Tenant, client: Connect) -> None:
    body = {"metadata": {"gone": None, "kept": "v"}}
    assert client(alice.write).post(EVERYTHING, body).body == {"metadata": {"kept": "v"}}
    assert client(alice.write).put(EVERYTHING, body).body == body


class Open(InputSerializer):
    extra = "rest"
    name = Text()


def test_unknown_keys_may_be_gathered() -> None:
    serializer = Open(data={"name": "a", "b": 1, "c": None})
    serializer.is_valid(raise_exception=True)
    assert serializer.validated_data == {"name": "a", "rest": {"b": 1, "c": None}}


class Counted(Text):
    """Counts the items that it judges."""

    judged = 0

    def to_internal_value(self, data: Any) -> str:
        type(self).judged += 1
        return super().to_internal_value(data)


@pytest.mark.parametrize(("items", "param", "judged"), [(["a"] * 4, "items", 0), (["a", 5, 6], "items.1", 2)])
def test_a_list_is_judged_no_further_than_its_first_fault(items: list[Any], param: str, judged: int) -> None:
    class Listing(InputSerializer):
        items = List(child=Counted(), max_length=3)

    Counted.judged = 0
    serializer = Listing(data={"items": items})
    with pytest.raises(ValidationError) as caught:
        serializer.is_valid(raise_exception=True)
    error = as_service_error(caught.value)
    assert error is not None
    assert (error.param, Counted.judged) == (param, judged)


@pytest.mark.parametrize(
    "body", [{"text": "\n" * 6}, {"metadata": {str(index): 5 for index in range(17)}}], ids=["text", "metadata"]
)
def test_length_is_judged_before_what_is_inside(alice: Tenant, client: Connect, body: dict[str, Any]) -> None:
    answer = client(alice.write).post(EVERYTHING, body)
    assert (answer.status, answer.error["param"]) == (400, next(iter(body)))
    assert "more than" in answer.error["message"]


class Nested(InputSerializer):
    inner = Open(many=True)


def test_the_path_of_a_nested_field() -> None:
    serializer = Nested(data={"inner": [{"name": "a"}, {"name": 5}]})
    assert not serializer.is_valid()
    assert serializer.errors["inner"][1] == {"name": ["must be a string"]}


class Shown(OutputSerializer):
    id = Text()
    at = Timestamp(allow_null=True)
    note = Text(required=False)


def test_unset_is_null_and_optional_is_left_out() -> None:
    assert Shown({"id": "a", "at": None}).data == {"id": "a", "at": None}
    with pytest.raises(KeyError):
        _ = Shown({"at": None}).data  # a documented key that nobody fills is a bug, not a null


def test_deletions_are_told_in_three_ways() -> None:
    assert deleted_serializer("memory_deleted")({"id": "a"}).data == {
        "id": "a",
        "type": "memory_deleted",
        "deleted": True,
    }
    assert deleted_serializer("identity_deleted", typed=False)({"id": "a"}).data == {"id": "a", "deleted": True}
    assert deleted_serializer("session_deleted", flag=False)({"id": "a"}).data == {"id": "a", "type": "session_deleted"}


@pytest.mark.parametrize(
    ("old", "patch", "new"),
    [
        ({}, {}, {}),
        ({"a": "1"}, {"a": None}, {}),
        ({"a": "1"}, {"b": "2"}, {"a": "1", "b": "2"}),
        ({"a": "1"}, {"a": "2", "none": None}, {"a": "2"}),
    ],
)
def test_metadata_is_patched(old: dict[str, str], patch: dict[str, str | None], new: dict[str, str]) -> None:
    assert patched(old, patch) == new


def test_a_patch_counts_what_remains() -> None:
    full = {str(index): "v" for index in range(16)}
    assert len(patched(full, {"0": None, "new": "v"})) == 16
    with pytest.raises(InvalidRequest, match="16"):
        patched(full, {"new": "v"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31T09:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31t09:30:00z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31T09:30:00.5+05:30", datetime(2026, 1, 31, 4, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-01-31T09:30:00.123456789-00:00", datetime(2026, 1, 31, 9, 30, 0, 123_456, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
def test_times(text: str, expected: datetime) -> None:
    assert parse_time(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-01-31",
        "2026-01-31T09:30Z",
        "2026-01-31T09:30:00",
        "2026-02-30T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:60Z",
        "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00Z ",
        "2026-01-01T00:00:00Z\n",
        "٢٠٢٦-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "20260101T000000Z",
    ],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match="time"):
        parse_time(text)


@given(st.datetimes(timezones=st.integers(-839, 839).map(lambda m: timezone(timedelta(minutes=m)))))
def test_times_come_back_in_utc(moment: datetime) -> None:
    if moment.year in (1, 9999):
        return
    printed = print_time(moment)
    assert printed.endswith("Z")
    assert len(printed) == 27
    assert parse_time(printed) == moment
