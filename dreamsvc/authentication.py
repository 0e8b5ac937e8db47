"""Who asks, and whether the key may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from dreamsvc.errors import AuthenticationFailed, PermissionDenied
from dreamsvc.keys import api_key_find
from dreamsvc.models import ApiKey, Scope

if TYPE_CHECKING:  # DRF's views load this module, as a setting names it
    from rest_framework.views import APIView

WORKSPACE_HEADERS: Final = ("anthropic-workspace-id", "qoder-workspace-id")
_RANK: Final = {Scope.READ: 0, Scope.WRITE: 1, Scope.ADMIN: 2}


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key>` or `x-api-key: <key>`; the key becomes `request.auth`."""

    def authenticate(self, request: Request) -> tuple[None, ApiKey]:
        key = api_key_find(_secret(request))
        if key is None:
            raise AuthenticationFailed("the API key is not valid")
        bind_contextvars(api_key_id=key.id, workspace_id=key.workspace_id)  # for the log line
        _check_workspace(request, key)
        return None, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _secret(request: Request) -> str:
    scheme, _, credentials = request.headers.get("authorization", "").strip().partition(" ")
    bearer = credentials.strip() if scheme.lower() == "bearer" else ""
    named = request.headers.get("x-api-key", "").strip()
    if bearer and named and bearer != named:
        raise AuthenticationFailed("authorization and x-api-key name different keys; send one")
    if not (bearer or named):
        raise AuthenticationFailed("an API key is missing: send `Authorization: Bearer <key>` or `x-api-key: <key>`")
    return bearer or named


def _check_workspace(request: Request, key: ApiKey) -> None:
    for header in WORKSPACE_HEADERS:
        if (request.headers.get(header) or key.workspace_id) != key.workspace_id:  # an empty one names none
            raise PermissionDenied(f"{header}: the API key belongs to another workspace")


def key_of(request: Request) -> ApiKey:
    """The key that an authenticated request came with."""
    return cast(ApiKey, request.auth)


class HasScope(BasePermission):
    """The key's scope covers the method's; a method that the view lacks passes, and is answered 405."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = (request.method or "").lower()
        if not hasattr(view, method):
            return True
        needed = required_scope(view, method.upper())
        scope = Scope(key_of(request).scope)
        if _RANK[scope] < _RANK[needed]:
            raise PermissionDenied(f"the API key's scope is {scope.value}; this needs {needed.value}")
        return True


def required_scope(view: APIView, method: str) -> Scope:
    """What the view's `scopes` say of the method; else reading needs read, and all else write."""
    scopes: dict[str, Scope] = getattr(view, "scopes", {})
    method = "GET" if method == "HEAD" else method
    return scopes.get(method, Scope.READ if method == "GET" else Scope.WRITE)
