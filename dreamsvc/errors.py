"""What a service may answer instead of a result. Plain exceptions: services know nothing of HTTP libraries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self


class ServiceError(Exception):
    """A refusal with a status and a type of the wire; `extra` joins the error object (`conflicting_path` …)."""

    status: ClassVar[int] = 500
    type: ClassVar[str] = "api_error"

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        extra: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.code = code
        self.extra = dict(extra or {})
        self.retry_after = retry_after


@contextmanager
def errors_inside(param: str) -> Iterator[None]:
    """Refusals raised within are of a field inside `param`: message and param get it in front, the rest stays."""
    try:
        yield
    except ServiceError as error:
        raise type(error)(
            f"{param}.{error.message}" if error.param else f"{param}: {error.message}",
            param=f"{param}.{error.param}" if error.param else param,
            code=error.code,
            extra=error.extra,
            retry_after=error.retry_after,
        ) from error


class InvalidRequest(ServiceError):
    """400: the request is malformed or asks for what its target cannot do. The message starts with the field."""

    status = 400
    type = "invalid_request_error"


class AuthenticationFailed(ServiceError):
    status = 401
    type = "authentication_error"


class PermissionDenied(ServiceError):
    status = 403
    type = "permission_error"


class NotFound(ServiceError):
    """404: no such object, or one of another workspace: the two must not be told apart."""

    status = 404
    type = "not_found_error"

    @classmethod
    def no(cls, noun: str, id: str, *, param: str | None = None, inside: str = "") -> Self:
        """The one wording: `memory_id: no memory mem_… in memstore_…`; `param` is the noun's id, unless given."""
        param = param or f"{noun.replace(' ', '_')}_id"
        return cls(f"{param}: no {noun} {id}{f' in {inside}' if inside else ''}", param=param)


class MethodNotAllowed(ServiceError):
    status = 405
    type = "invalid_request_error"


class RequestTooLarge(ServiceError):
    status = 413
    type = "request_too_large"


class UnsupportedMediaType(ServiceError):
    status = 415
    type = "invalid_request_error"


class Conflict(ServiceError):
    status = 409
    type = "conflict_error"


class PathConflict(Conflict):
    """409: the path is taken, or lies above or below a live one. `extra` names the memory and path in the way."""

    type = "memory_path_conflict_error"


class PreconditionFailed(Conflict):
    type = "memory_precondition_failed_error"


class RateLimited(ServiceError):
    status = 429
    type = "rate_limit_error"


class Overloaded(ServiceError):
    status = 503
    type = "overloaded_error"
