"""The one place that prints errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse, JsonResponse, UnreadablePostError
from rest_framework import exceptions as drf
from rest_framework.response import Response

from dreamsvc import errors

if TYPE_CHECKING:  # DRF's views load this module, as a setting names it
    from rest_framework.views import APIView

RETRY_SECONDS = 2
# SQLite has one class for "busy" and for a programming error such as a missing table; its text tells them apart.
_SQLITE_BUSY = ("locked", "busy", "disk", "unable to open", "readonly")


def handle(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's hook. None lets a bug rise to the middleware, which logs it and answers 500."""
    error = as_service_error(exception)
    if error is None:
        return None
    if isinstance(exception, drf.UnsupportedMediaType):
        error.message = f"content-type: send {', '.join(_media_types(context['view']))}"
    request = context["request"]
    response = Response(body(error, request_id=request.META.get("REQUEST_ID", "")), status=error.status)
    for name, value in _headers(error).items():
        response.headers[name] = value
    return response


def _media_types(view: APIView) -> list[str]:
    return [str(parser.media_type) for parser in view.get_parsers()]


def json_response(error: errors.ServiceError, *, request_id: str) -> HttpResponse:
    """The same answer where no view runs: in middleware and for unknown URLs."""
    return JsonResponse(
        body(error, request_id=request_id),
        status=error.status,
        headers=_headers(error),
        json_dumps_params={"ensure_ascii": False},
    )


def body(error: errors.ServiceError, *, request_id: str) -> dict[str, Any]:
    """The error envelope of the wire."""
    details: dict[str, Any] = {"type": error.type, "message": error.message}
    if error.param is not None:
        details["param"] = error.param
    if error.code is not None:
        details |= {"code": error.code, "details": {"error_code": error.code}}
    return {"type": "error", "error": details | error.extra, "request_id": request_id}


def _headers(error: errors.ServiceError) -> dict[str, str]:
    headers = {}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    if error.status == errors.AuthenticationFailed.status:
        headers["www-authenticate"] = "Bearer"
    if error.status == errors.Conflict.status:
        headers["x-should-retry"] = "false"
    return headers


def as_service_error(exception: Exception) -> errors.ServiceError | None:
    """What the wire calls this exception; None when it is a bug of ours."""
    match exception:
        case errors.ServiceError():
            return exception
        case drf.ValidationError():
            return _invalid(exception)
        case drf.NotAuthenticated() | drf.AuthenticationFailed():
            return errors.AuthenticationFailed(str(exception.detail))
        case drf.PermissionDenied() | DjangoPermissionDenied():
            return errors.PermissionDenied(str(exception) or "not allowed")
        case drf.NotFound() | Http404():
            return errors.NotFound("no such object")
        case drf.MethodNotAllowed():
            return errors.MethodNotAllowed(str(exception.detail))
        case drf.UnsupportedMediaType():
            return errors.UnsupportedMediaType(f"content-type: {exception.detail}")
        case drf.Throttled():
            return errors.RateLimited(str(exception.detail), retry_after=RETRY_SECONDS)
        case RequestDataTooBig():
            return errors.RequestTooLarge("the body is too large")
        case TooManyFieldsSent():
            return errors.InvalidRequest("the query has too many parameters")
        case drf.ParseError() | SuspiciousOperation() | UnreadablePostError():
            return errors.InvalidRequest(str(exception) or "the request is malformed")
        case OperationalError() | InterfaceError():
            return _database(exception)
    return None


def _database(exception: Exception) -> errors.ServiceError | None:
    # The drivers' own exceptions tell SQLite's from PostgreSQL's without asking a connection that may be dead.
    cause = exception.__cause__
    if type(cause).__module__.startswith("sqlite3") and not any(word in str(cause) for word in _SQLITE_BUSY):
        return None
    return errors.Overloaded("the database is busy or away; try again", retry_after=RETRY_SECONDS)


def _invalid(exception: drf.ValidationError) -> errors.InvalidRequest:
    param, message = next(_leaves(exception.detail, ()), ((), "the request is invalid"))
    name = ".".join(param)
    return errors.InvalidRequest(f"{name}: {message}" if name else message, param=name or None)


def _leaves(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each message of a ValidationError with the path of its field, in order."""
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            yield from _leaves(inner, path if key == "non_field_errors" else (*path, str(key)))
    elif isinstance(detail, list | tuple) and any(isinstance(inner, Mapping | list | tuple) for inner in detail):
        for index, inner in enumerate(detail):
            yield from _leaves(inner, (*path, str(index)))
    elif isinstance(detail, list | tuple):
        yield from ((path, str(inner)) for inner in detail)
    else:
        yield path, str(detail)
