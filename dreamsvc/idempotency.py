"""Idempotency-Key: a repeated request is answered with the first one's answer.

The row of the key lives and dies with what the request makes: both are in one transaction. A second request that
arrives meanwhile waits at the unique constraint (on SQLite: for the write turn).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from dreamsvc.errors import Conflict, InvalidRequest
from dreamsvc.models import ApiKey, IdempotentRequest
from dreamsvc.views import ApiView

MAX_KEY: Final = 255
_View = TypeVar("_View", bound=ApiView)
_P = ParamSpec("_P")


def idempotent(
    post: Callable[Concatenate[_View, Request, _P], Response],
) -> Callable[Concatenate[_View, Request, _P], Response]:
    """Decorates a `post` that creates. Errors roll back, and so are not kept."""

    @wraps(post)
    def wrapper(view: _View, request: Request, /, *args: _P.args, **kwargs: _P.kwargs) -> Response:
        key = _key(request)
        if key is None:
            return post(view, request, *args, **kwargs)
        asked = _asked(view.api_key, key, request)
        with transaction.atomic():
            row = _claimed(asked)
            if row.response_status is not None:
                return _replayed(row, asked)
            response = post(view, request, *args, **kwargs)
            _keep(row, response, view.kwargs)
            return response

    wrapper.idempotent = True  # type: ignore[attr-defined]  # for the schema: the operation takes the header
    return wrapper


def idempotency_expire(*, limit: int = 500) -> int:
    """Forgets answers older than a day, at most `limit`; returns how many."""
    old = IdempotentRequest.objects.filter(created_at__lt=_horizon()).order_by("created_at").values("pk")[:limit]
    return IdempotentRequest.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]


def idempotency_forget(*, object_ids: list[str]) -> None:
    """Drops the answers that made these objects or something nameless in them: their text is to be gone."""
    IdempotentRequest.objects.filter(object_id__in=object_ids).delete()


def _key(request: Request) -> str | None:
    key: str | None = request.headers.get("idempotency-key")
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isascii() and key.isprintable()):
        raise InvalidRequest(f"idempotency-key: must be 1 to {MAX_KEY} printable characters", param="idempotency-key")
    return key


def _asked(api_key: ApiKey, key: str, request: Request) -> IdempotentRequest:
    return IdempotentRequest(
        api_key=api_key,
        key=key,
        method=str(request.method),
        path=request.get_full_path(),
        body_sha256=_digest(request.data),
    )


def _digest(data: Any) -> str:
    raw = data if isinstance(data, bytes) else json.dumps(data, sort_keys=True).encode()
    return hashlib.sha256(raw).hexdigest()


def _claimed(asked: IdempotentRequest) -> IdempotentRequest:
    """The key's row: without a status it is ours, for no transaction commits it so."""
    mine = IdempotentRequest.objects.filter(api_key=asked.api_key, key=asked.key)
    mine.filter(created_at__lt=_horizon()).delete()
    IdempotentRequest.objects.bulk_create([asked], ignore_conflicts=True)
    return mine.get()


def _replayed(row: IdempotentRequest, asked: IdempotentRequest) -> Response:
    if (row.method, row.path, row.body_sha256) != (asked.method, asked.path, asked.body_sha256):
        raise Conflict("idempotency-key: was used for another request", param="idempotency-key")
    return Response(json.loads(row.response_body), status=row.response_status, headers={"idempotent-replayed": "true"})


def _keep(row: IdempotentRequest, response: Response, named: Mapping[str, str]) -> None:
    """Keeps the answer under the id of what was made; where that has none, under the last id that the URL names."""
    made = response.data.get("id") or [None, *named.values()][-1]
    IdempotentRequest.objects.filter(pk=row.pk).update(
        response_status=response.status_code,
        response_body=JSONRenderer().render(response.data).decode(),
        object_id=made,
    )


def _horizon() -> Any:
    return timezone.now() - timedelta(hours=settings.IDEMPOTENCY_HOURS)
