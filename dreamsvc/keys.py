"""API keys: made here, looked up here, stored only as digests."""

from __future__ import annotations

import hashlib
import re
import secrets

from django.db import transaction
from django.db.models.functions import Now

from dreamsvc.models import ApiKey, Scope, Workspace

PREFIX = "dsk_"
SECRET_BYTES = 24  # 192 random bits; the contract asks for 160
VISIBLE = 12
_SHAPE = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{32}}", re.ASCII)


def api_key_create(*, workspace_name: str, scope: str, name: str = "") -> tuple[ApiKey, str]:
    """A new key and its secret, which nobody can show again; makes the workspace when there is none of that name."""
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        workspace, _ = Workspace.objects.get_or_create(name=workspace_name)
        key = ApiKey.objects.create(
            workspace=workspace, name=name, scope=Scope(scope), prefix=secret[:VISIBLE], digest=digest(secret)
        )
    return key, secret


def api_key_find(secret: str) -> ApiKey | None:
    """The live key with this secret.

    Only the digest is compared, by the database's index: its timing tells nothing of the secret.
    """
    if _SHAPE.fullmatch(secret) is None:
        return None
    return ApiKey.objects.filter(digest=digest(secret), revoked_at__isnull=True).first()


def api_key_revoke(key_id: str) -> bool:
    """Ends the key; a revoked one stays as it is. False: there is none with this id."""
    with transaction.atomic():
        ApiKey.objects.filter(id=key_id, revoked_at__isnull=True).update(revoked_at=Now())
    return ApiKey.objects.filter(id=key_id).exists()


def digest(secret: str) -> str:
    """SHA-256 in hex. A plain hash is enough: the secret is random, there is nothing to guess from a dictionary."""
    return hashlib.sha256(secret.encode()).hexdigest()
