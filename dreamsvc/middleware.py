"""What happens to every request before any view: its id, and the refusal of what no view should see."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse

from dreamsvc import errors
from dreamsvc.exception_handler import as_service_error, json_response
from dreamsvc.ids import REQUEST, new_id

MAX_REQUEST_ID: Final = 128
# Probes ask by address; these paths say nothing that a wrong host name could abuse.
ANY_HOST: Final = frozenset({"/healthz", "/readyz"})
logger = logging.getLogger(__name__)


class RequestMiddleware:
    """Names the request, refuses malformed ones, and answers a bug with a 500 of the wire's shape."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # In META as the header too, so that the log names the same id as the answer.
        request_id = _request_id(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META["REQUEST_ID"] = request.META["HTTP_X_REQUEST_ID"] = request_id
        try:
            check(request)
            response = self.get_response(request)
        except errors.ServiceError as error:
            response = json_response(error, request_id=request_id)
        response.headers["request-id"] = response.headers["x-request-id"] = request_id
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        error = as_service_error(exception)
        if error is None:
            logger.error("a request failed", exc_info=exception)
            got_request_exception.send(sender=type(self), request=request)
            error = errors.ServiceError("an internal error; the request id names it in our log")
        return json_response(error, request_id=request.META["REQUEST_ID"])


def check(request: HttpRequest) -> None:
    """Refuses a wrong host, a body that is too large by its own word, and text that is not Unicode."""
    try:
        if request.path not in ANY_HOST:
            request.get_host()
    except DisallowedHost:
        raise errors.InvalidRequest("host: is not one that this service answers to", param="host") from None
    if _length(request.META.get("CONTENT_LENGTH")) > settings.MAX_BODY_BYTES:
        raise errors.RequestTooLarge(f"the body is larger than {settings.MAX_BODY_BYTES} bytes")
    _check_text("the path", request.META.get("PATH_INFO", "").encode("latin-1"))
    query = request.META.get("QUERY_STRING", "").encode("latin-1")
    _check_text("the query string", unquote_to_bytes(query.replace(b"+", b" ")))


def _request_id(given: str) -> str:
    kept = 0 < len(given) <= MAX_REQUEST_ID and given.isascii() and given.isprintable()
    return given if kept else new_id(REQUEST)


def _length(header: str | None) -> int:
    header = header or "0"
    if not (header.isascii() and header.isdecimal()):
        raise errors.InvalidRequest("content-length: is not a number", param="content-length")
    return int(header) if len(header) < 20 else 2**63


def _check_text(what: str, raw: bytes) -> None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise errors.InvalidRequest(f"{what} is not UTF-8") from None
    if "\0" in text:
        raise errors.InvalidRequest(f"{what} holds a NUL character")
