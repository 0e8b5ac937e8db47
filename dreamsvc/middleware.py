"""What happens to every request before any view: its id, its log line, and the refusal of what no view should see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware

from dreamsvc import errors
from dreamsvc.exception_handler import as_service_error, json_response
from dreamsvc.ids import REQUEST, new_id

MAX_REQUEST_ID: Final = 128
# Probes ask by address; these paths say nothing that a wrong host name could abuse.
ANY_HOST: Final = frozenset({"/healthz", "/readyz"})
# What Django makes of path bytes that are no UTF-8. No path of ours has such a text, so its literal is refused too.
_BROKEN: Final = re.compile("%[89A-F][0-9A-F]")
GetResponse = Callable[[HttpRequest], HttpResponse]


class RequestIdMiddleware:
    """Names the request. The outermost one: whatever answers, the answer carries the id."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Into the header too, so that the log takes the same id.
        request_id = _request_id(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META["REQUEST_ID"] = request.META["HTTP_X_REQUEST_ID"] = request_id
        response = self.get_response(request)
        response.headers["request-id"] = response.headers["x-request-id"] = request_id
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        """The last resort of views: a bug is announced to the log and answered in the wire's shape, in DEBUG too."""
        error = as_service_error(exception)
        if error is None:
            got_request_exception.send(sender=type(self), request=request)
            error = errors.ServiceError("an internal error; our log knows it by the request id")
        return json_response(error, request_id=request.META["REQUEST_ID"])


class RequestLogMiddleware(RequestMiddleware):
    """A line per request. Paths only: queries may hold what people search for."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {request.path}"


class RefusalMiddleware:
    """Answers malformed requests itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            check_host(request)
            check_length(request)
            check_text(request)
        except errors.ServiceError as error:
            return json_response(error, request_id=request.META["REQUEST_ID"])
        return self.get_response(request)


def check_host(request: HttpRequest) -> None:
    """Refuses a host name that is not ours."""
    try:
        if request.path not in ANY_HOST:
            request.get_host()
    except DisallowedHost:
        raise errors.InvalidRequest("host: is not one that this service answers to", param="host") from None


def check_length(request: HttpRequest) -> None:
    """Refuses a body that is too large by its own word, before any of it is read, and one without a length."""
    text = request.META.get("CONTENT_LENGTH") or "0"
    if not (text.isascii() and text.isdecimal()):
        raise errors.InvalidRequest("content-length: is not a number", param="content-length")
    if len(text) > 18 or int(text) > settings.MAX_BODY_BYTES:
        raise errors.RequestTooLarge(f"the body is larger than {settings.MAX_BODY_BYTES} bytes")
    if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
        raise errors.InvalidRequest("transfer-encoding: this server needs a content-length", param="transfer-encoding")


def check_text(request: HttpRequest) -> None:
    """Refuses a path or query that is not UTF-8 (which lone surrogates are not) or holds NUL, and a target like `*`."""
    if not request.path_info.startswith("/"):
        raise errors.InvalidRequest("the path does not start with a slash")
    if _BROKEN.search(request.path):
        raise errors.InvalidRequest("the path is not UTF-8")
    try:
        query = unquote_to_bytes(request.META.get("QUERY_STRING", "").encode("latin-1")).decode()
    except UnicodeDecodeError:
        raise errors.InvalidRequest("the query string is not UTF-8") from None
    for what, text in (("path", request.path), ("query string", query)):
        if "\0" in text:
            raise errors.InvalidRequest(f"the {what} holds a NUL character")


def _request_id(given: str) -> str:
    kept = 0 < len(given) <= MAX_REQUEST_ID and given.isascii() and given.isprintable()
    return given if kept else new_id(REQUEST)
