"""One envelope for every error, JSON whatever happens, and an id for every request."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.exceptions import SuspiciousOperation, TooManyFieldsSent
from django.db import InterfaceError, OperationalError, connection, transaction
from django.test import Client, override_settings
from rest_framework.exceptions import Throttled, ValidationError
from structlog.stdlib import ProcessorFormatter

from dreamsvc import errors
from dreamsvc.exception_handler import as_service_error, body
from tests.conftest import ApiClient, Tenant
from tests.platform.probe import EVERYTHING, ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]


def assert_envelope(response: Any, status: int, type: str) -> dict[str, Any]:
    """The response is this error in the wire's shape; returns the error object."""
    assert response.status_code == status
    assert response["content-type"] == "application/json"
    parsed = json.loads(response.content)
    assert parsed.keys() == {"type", "error", "request_id"}
    assert parsed["type"] == "error"
    assert parsed["error"]["type"] == type
    assert parsed["error"]["message"]
    assert parsed["request_id"] == response["request-id"] == response["x-request-id"]
    error: dict[str, Any] = parsed["error"]
    return error


@pytest.mark.parametrize(
    "path",
    ["/v1", "/v1/", "/v1/none", "/v1/items/", "/api", "/api/memory/none", "/none", "/", "/v1/%E2%98%83", "/static/x"],
)
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH", "OPTIONS"])
def test_an_unknown_url_is_a_json_404(path: str, debug: bool, method: str) -> None:
    with override_settings(DEBUG=debug):
        assert_envelope(Client().generic(method, path), 404, "not_found_error")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_a_method_that_is_not_there(alice: Tenant, method: str) -> None:
    response = Client(headers={"x-api-key": alice.admin}).generic(method, ITEMS)
    assert_envelope(response, 405, "invalid_request_error")
    assert response["allow"] == "GET, POST, HEAD"


@pytest.mark.parametrize("path", ["/v1/broken", "/broken_page"])
@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_is_a_json_500_that_tells_nothing(alice: Tenant, path: str, debug: bool) -> None:
    with override_settings(DEBUG=debug):
        client = Client(headers={"x-api-key": alice.read}, raise_request_exception=False)
        response = client.get(path, headers={"accept": "text/html"})
    error = assert_envelope(response, 500, "api_error")
    assert "ZeroDivision" not in str(error)
    assert "cause" not in str(error)


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the service's own handler prints."""
    handlers = logging.getLogger().handlers
    (handler,) = [each for each in handlers if isinstance(each.formatter, ProcessorFormatter)]
    assert isinstance(handler, logging.StreamHandler)
    written = StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def test_the_log_names_a_bug_and_the_request(alice: Tenant, log: StringIO) -> None:
    client = Client(headers={"x-api-key": alice.read, "x-request-id": "r-42"}, raise_request_exception=False)
    client.get("/v1/broken")
    (line,) = log.getvalue().splitlines()
    entry = json.loads(line)
    assert (entry["request_id"], entry["level"], entry["code"]) == ("r-42", "error", 500)
    assert "ZeroDivisionError: the cause" in entry["exception"]


def test_the_log_holds_neither_keys_nor_bodies_nor_queries(alice: Tenant, client: Connect, log: StringIO) -> None:
    client(None).get(ITEMS, {"name": "query-text"}, authorization=f"Bearer {alice.write}")
    client(alice.write).post(ITEMS, {"name": "body-text"}, {"beta": "query-text"})
    client(alice.write).post(ITEMS, {"name": "body-text"}, idempotency_key="idem-text")
    text = log.getvalue()
    assert [json.loads(line)["code"] for line in text.splitlines()] == [200, 200, 409]
    assert "POST /v1/items" in text
    assert alice.keys["write"].id in text
    for secret in (alice.write, "body-text", "query-text", "idem-text"):
        assert secret not in text


@pytest.mark.parametrize("given", ["mine", "a" * 128, "with space and ~!{}"])
def test_a_request_id_is_kept(given: str) -> None:
    response = Client().get("/v1/none", headers={"x-request-id": given})
    assert response["x-request-id"] == response["request-id"] == response.json()["request_id"] == given


@pytest.mark.parametrize("given", ["", "a" * 129, "tab\there", "ümlaut", "new\nline", "\x7f"])
def test_a_bad_request_id_is_replaced(given: str) -> None:
    response = Client().get("/v1/none", headers={"x-request-id": given})
    assert response["request-id"].startswith("req_")


def test_ids_differ_and_are_on_good_answers_too(alice: Tenant, client: Connect) -> None:
    answers = [client(alice.read).get(ITEMS) for _ in range(3)]
    assert len({answer.headers["request-id"] for answer in answers}) == 3


def test_every_409_says_that_trying_again_is_no_use(alice: Tenant, client: Connect) -> None:
    assert client(alice.write).post(ITEMS, {"name": "same"}).status == 200
    answer = client(alice.write).post(ITEMS, {"name": "same"})
    assert (answer.status, answer.error["type"], answer.error["param"]) == (409, "conflict_error", "name")
    assert answer.headers["x-should-retry"] == "false"


def test_retry_after(alice: Tenant, client: Connect) -> None:
    answer = client(alice.admin).delete(f"{ITEMS}/other")
    assert (answer.status, answer.error["type"], answer.headers["retry-after"]) == (429, "rate_limit_error", "7")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "local host", "a,b", "[::2]"])
def test_a_wrong_host_is_refused(host: str) -> None:
    response = Client().get(ITEMS, headers={"host": host})
    assert assert_envelope(response, 400, "invalid_request_error")["param"] == "host"


def test_probes_may_ask_by_address() -> None:
    assert Client().get("/healthz", headers={"host": "10.1.2.3"}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/a%00b", "/v1/%ff", "/v1/%c3%28", "/v1/%ed%a0%80"])
def test_a_path_that_is_no_text(path: str) -> None:
    assert_envelope(Client().get(path), 400, "invalid_request_error")


@pytest.mark.parametrize("query", ["name=a%00b", "name=%ff", "%c3=x", "name=%ed%a0%80", "a=%2500&b=%00", "name=\xff"])
def test_a_query_that_is_no_text(alice: Tenant, query: str) -> None:
    client = Client(headers={"x-api-key": alice.read})
    assert_envelope(client.get(ITEMS, QUERY_STRING=query), 400, "invalid_request_error")


def test_a_query_with_very_many_keys(alice: Tenant) -> None:
    query = "&".join(f"k{index}=1" for index in range(2000))
    assert_envelope(
        Client(headers={"x-api-key": alice.read}).get(ITEMS, QUERY_STRING=query), 400, "invalid_request_error"
    )


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "nonsense", "*/*;q=0", "application/json;q=0"])
def test_accept_never_fails(alice: Tenant, accept: str) -> None:
    response = Client(headers={"x-api-key": alice.read}).get(ITEMS, headers={"accept": accept})
    assert (response.status_code, response["content-type"]) == (200, "application/json")


def test_the_format_key_is_unknown_like_any_other(alice: Tenant, client: Connect) -> None:
    assert client(alice.read).get(ITEMS, {"format": "json"}).error["param"] == "format"


def test_an_error_inside_a_field_keeps_all_it_says() -> None:
    told: dict[str, Any] = {"code": "taken", "extra": {"conflicting_path": "/a"}, "retry_after": 3}
    with pytest.raises(errors.PathConflict) as caught, errors.errors_inside("mount"):
        raise errors.PathConflict("path: is taken", param="path", **told)
    assert (caught.value.message, caught.value.param) == ("mount.path: is taken", "mount.path")
    assert {name: getattr(caught.value, name) for name in told} == told


def test_an_error_without_a_field_gets_the_one_it_is_in() -> None:
    with pytest.raises(errors.InvalidRequest) as caught, errors.errors_inside("mount"):
        raise errors.InvalidRequest("is full")
    assert (caught.value.message, caught.value.param) == ("mount: is full", "mount")


def test_extra_details_join_the_error_object() -> None:
    error = errors.PathConflict("path: taken", param="path", code="some_code", extra={"conflicting_path": "/a"})
    assert body(error, request_id="r") == {
        "type": "error",
        "error": {
            "type": "memory_path_conflict_error",
            "message": "path: taken",
            "param": "path",
            "code": "some_code",
            "details": {"error_code": "some_code"},
            "conflicting_path": "/a",
        },
        "request_id": "r",
    }


@pytest.mark.parametrize(
    ("detail", "param"),
    [
        ({"a": ["bad"]}, "a"),
        ({"a": [{}, {"b": ["bad"]}]}, "a.1.b"),
        ({"a": {2: ["bad"]}}, "a.2"),
        ({"non_field_errors": ["bad"]}, None),
        ({"a": {"non_field_errors": ["bad"]}}, "a"),
        (["bad"], None),
    ],
)
def test_a_validation_error_names_its_field(detail: Any, param: str | None) -> None:
    error = as_service_error(ValidationError(detail))
    assert isinstance(error, errors.InvalidRequest)
    assert error.param == param
    assert error.message == (f"{param}: bad" if param else "bad")


def _from(cause: Exception, kind: type[Exception]) -> Exception:
    raised = kind(str(cause))
    raised.__cause__ = cause
    return raised


@pytest.mark.parametrize(
    ("exception", "status"),
    [
        (_from(psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"), OperationalError), 503),
        (_from(psycopg.OperationalError("connection refused"), OperationalError), 503),
        (_from(psycopg.InterfaceError("the connection is closed"), InterfaceError), 503),
        (OperationalError("database is locked: no write turn in time"), 503),
        (Throttled(wait=3), 429),
        (SuspiciousOperation("odd"), 400),
        (TooManyFieldsSent("many"), 400),
    ],
)
def test_what_is_no_bug_has_its_own_status(exception: Exception, status: int) -> None:
    error = as_service_error(exception)
    assert error is not None
    assert error.status == status
    assert (error.retry_after is not None) == (status in (429, 503))


def test_a_missing_table_is_a_bug(db: None) -> None:
    with pytest.raises(Exception, match=r"no such table|does not exist") as caught, transaction.atomic():
        connection.cursor().execute("SELECT * FROM none_such")
    assert as_service_error(caught.value) is None


def test_security_headers(alice: Tenant, client: Connect) -> None:
    response = Client(headers={"x-api-key": alice.read}).get(ITEMS)
    assert response["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in response
    assert client(alice.read).post(EVERYTHING).headers["x-content-type-options"] == "nosniff"
