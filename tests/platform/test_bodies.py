"""Request bodies: JSON, and only what every reader would understand alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from dreamsvc import parsers
from dreamsvc.errors import InvalidRequest
from dreamsvc.parsers import MAX_DEPTH, strict_json
from tests.conftest import ApiClient, Tenant
from tests.platform.probe import EVERYTHING, ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]

BAD = {
    "not JSON": b"{",
    "text after it": b"{} {}",
    "single quotes": b"{'a': 1}",
    "comment": b"{} // done",
    "trailing comma": b'{"a": 1,}',
    "not UTF-8": b'{"text": "\xff"}',
    "UTF-16": '{"text": "a"}'.encode("utf-16"),
    "encoded surrogate": b'{"text": "\xed\xa0\x80"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "NUL escaped": rb'{"text": "\u0000"}',
    "NUL raw": b'{"text": "\x00"}',
    "NUL outside": b"{}\x00",
    "NUL in a key": rb'{"a\u0000": 1}',
    "lone high surrogate": rb'{"text": "\ud800"}',
    "lone low surrogate": rb'{"text": "\udc00x"}',
    "surrogates in the wrong order": rb'{"text": "\udc00\ud800"}',
    "surrogate in a key": rb'{"\ud800": 1}',
    "surrogate in depth": rb'{"a": [{"b": ["\uDBFF"]}]}',
    "key twice": b'{"text": "a", "text": "a"}',
    "key twice by escape": rb'{"text": "a", "t\u0065xt": "a"}',
    "key twice in depth": b'{"metadata": {"a": "b", "a": "b"}}',
    "NaN": b'{"count": NaN}',
    "infinity": b'{"count": -Infinity}',
    "infinite by size": b'{"count": 1e999}',
    "integer beyond 64 bits": b'{"count": 9223372036854775808}',
    "integer of very many digits": b'{"count": ' + b"9" * 100_000 + b"}",
    "too deep": b'{"a":' * 65 + b"1" + b"}" * 65,
    "far too deep": b"[" * 1_000_000,
    "far too deep, closed": b"[" * 100_000 + b"]" * 100_000,
    "control character": b'{"text": "a\nb"}',
}


@pytest.mark.parametrize("raw", BAD.values(), ids=BAD.keys())
def test_a_bad_body_is_400(alice: Tenant, client: Connect, raw: bytes) -> None:
    answer = client(alice.write).request("POST", EVERYTHING, raw=raw)
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize("body", ["[]", '"text"', "1", "null", "true", "[{}]"])
def test_the_body_is_an_object(alice: Tenant, client: Connect, body: str) -> None:
    answer = client(alice.write).request("POST", EVERYTHING, raw=body.encode())
    assert (answer.status, answer.error["message"]) == (400, "the body must be a JSON object")


GOOD: dict[str, Any] = {
    "escaped backslash before u0000": (rb'{"lines": "\\u0000"}', {"lines": "\\u0000"}),
    "pair of surrogates": (rb'{"text": "\ud83d\ude00"}', {"text": "😀"}),
    "raw emoji": ('{"text": "😀"}'.encode(), {"text": "😀"}),
    "white space around": (b' \r\n\t{"text" : "a"}\n', {"text": "a"}),
    "brackets in strings": (b'{"lines": "[[[[{{{{\\"[[["}', {"lines": '[[[[{{{{"[[['}),
    "not normalised": ('{"text": "é"}'.encode(), {"text": "é"}),
}


@pytest.mark.parametrize(("raw", "value"), GOOD.values(), ids=GOOD.keys())
def test_a_good_body_is_taken_as_it_is(alice: Tenant, client: Connect, raw: bytes, value: Any) -> None:
    answer = client(alice.write).request("POST", EVERYTHING, raw=raw)
    assert (answer.status, answer.body) == (200, value)


def test_the_deepest_good_body() -> None:
    raw = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    value = strict_json(raw)
    for _ in range(MAX_DEPTH - 1):
        (value,) = value
    assert value == []
    with pytest.raises(InvalidRequest, match="deeper"):
        strict_json(b"[" + raw + b"]")


@pytest.mark.parametrize("raw", [b'"' + b"\\" * 300_000, b'"' + b'\\"' * 300_000, b'"' * 300_001, b"[]," * 300_000])
def test_hostile_strings_take_no_longer_than_their_length(raw: bytes) -> None:
    # Quadratic in the length, these would run for hours: that the test ends is what it shows.
    with pytest.raises(InvalidRequest):
        strict_json(raw)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), inner, max_size=4)
    ),
)


@given(json_values, st.booleans())
def test_what_json_prints_is_read_back(value: Any, ascii_only: bool) -> None:
    assert strict_json(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=60) | st.text('{}[]",:\\u0d8e1n \0-', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        value = strict_json(raw)
    except InvalidRequest:
        return
    assert "\0" not in str(value)
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json", ""],
)
def test_another_content_type_is_415(alice: Tenant, client: Connect, content_type: str) -> None:
    answer = client(alice.write).request("POST", EVERYTHING, raw=b'{"text": "a"}', content_type=content_type)
    assert (answer.status, answer.error["type"]) == (415, "invalid_request_error")
    assert answer.error["message"] == "content-type: send application/json"


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"]
)
def test_json_by_any_other_name(alice: Tenant, client: Connect, content_type: str) -> None:
    assert client(alice.write).request("POST", EVERYTHING, raw=b"{}", content_type=content_type).status == 200


@pytest.mark.parametrize(
    ("raw", "content_type", "status"),
    [
        (b"", "", 200),
        (b"", "application/json", 200),
        (b"", "text/plain", 200),
        (b"{}", "application/json", 200),
        (b" {}\n", "application/json", 200),
        (b'{"a": 1}', "application/json", 400),
        (b"[]", "application/json", 400),
        (b"null", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"{", "application/json", 400),
    ],
)
def test_actions_take_no_body(alice: Tenant, client: Connect, raw: bytes, content_type: str, status: int) -> None:
    path = f"{ITEMS}/{alice.keys['read'].id}"
    assert client(alice.admin).request("DELETE", path, raw=raw, content_type=content_type).status == status


@pytest.mark.parametrize("length", ["-1", "1e3", "0x10", " ", "²", "1, 1"])
def test_a_content_length_that_is_no_number(alice: Tenant, length: str) -> None:
    response = Client(headers={"x-api-key": alice.write}).post(
        EVERYTHING, b"{}", content_type="application/json", CONTENT_LENGTH=length
    )
    assert response.status_code == 400


class CountedKey(str):
    """A key that counts how often keys are compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return str.__eq__(self, other)


def test_finding_a_repeated_key_takes_time_in_proportion_to_the_keys() -> None:
    pairs: list[tuple[str, Any]] = [(CountedKey(index), None) for index in range(1000)]
    with pytest.raises(InvalidRequest, match='"999" is given twice'):
        parsers._object([*pairs, (CountedKey(999), None)])
    assert CountedKey.compared < 10 * len(pairs)
