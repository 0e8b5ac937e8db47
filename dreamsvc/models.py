"""Whom the service serves: workspaces, their keys, and the answers that idempotency keys replay."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q

from dreamsvc.fields import ByteOrderCharField, IdReference
from dreamsvc.ids import ID_LENGTH, new_api_key_id, new_workspace_id

NAME_LENGTH: Final = 255
BATCH: Final = 500
"""Rows that one statement writes."""


class Workspace(models.Model):
    """A tenant. Every other row belongs to exactly one."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_workspace_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Scope(models.TextChoices):
    """What a key may do; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class ApiKey(models.Model):
    """A key of a workspace. Only its SHA-256 is stored; `prefix` is what a person may see to tell keys apart."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_api_key_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(scope__in=Scope.values), name="apikey_scope")]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.scope})"


class IdempotentRequest(models.Model):
    """The answer to a creating request that named an Idempotency-Key, kept to be replayed.

    `response_body` is the JSON as it was sent; `object_id` what was made, so that redaction finds the answer.
    """

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    method = models.CharField(max_length=8)
    path = models.TextField()
    body_sha256 = models.CharField(max_length=64)
    response_status = models.PositiveSmallIntegerField(null=True)
    response_body = models.TextField(blank=True, default="")
    object_id = IdReference(null=True, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["api_key", "key"], name="idempotentrequest_key")]

    def __str__(self) -> str:
        return f"{self.method} {self.path} ({self.key})"
