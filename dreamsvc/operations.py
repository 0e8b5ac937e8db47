"""Is it up, and can it work: for load balancers and people."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError as BrokerError

from dreamsvc import errors
from dreamsvc.celery import app
from dreamsvc.exception_handler import json_response
from dreamsvc.models import Workspace

BROKER_SECONDS = 2.0
View = Callable[..., HttpResponseBase]


def get_only(view: View) -> View:
    """The view for GET and HEAD; other methods are refused in JSON."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        refused = json_response(
            errors.MethodNotAllowed(f"{request.method}: not allowed here"), request_id=request.META["REQUEST_ID"]
        )
        refused.headers["allow"] = "GET, HEAD"
        return refused

    return wrapper


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, broker and embedder can be used; else 503 that names what fails."""
    checks = {name: check() for name, check in CHECKS.items()}
    failing = sorted(name for name, problem in checks.items() if problem is not None)
    body = {
        "status": "unavailable" if failing else "ok",
        "checks": {name: problem or "ok" for name, problem in checks.items()},
        "failing": failing,
    }
    return JsonResponse(body, status=503 if failing else 200)


def database() -> str | None:
    """What keeps the database from being used, or None. Drivers' messages may hold addresses, so none is shown."""
    try:
        Workspace.objects.exists()
    except DatabaseError:
        return "cannot be reached, or is not migrated"
    return None


def broker() -> str | None:
    """What keeps the broker from being reached, or None."""
    try:
        with app.connection_for_write() as link:
            link.ensure_connection(max_retries=1, timeout=BROKER_SECONDS)
    except (BrokerError, OSError):
        return "cannot be reached"
    return None


def embedder() -> str | None:
    """What keeps the embedder from being made, or None. It does not embed here: this process may still fork."""
    try:
        import_string(settings.EMBEDDER)()
    except ImportError:
        return "is not installed"
    return None


CHECKS: dict[str, Callable[[], str | None]] = {"database": database, "broker": broker, "embedder": embedder}


def unknown_url(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """JSON for every URL that is none of ours, in DEBUG too."""
    return json_response(errors.NotFound(f"no such URL: {request.path[:200]}"), request_id=request.META["REQUEST_ID"])
