"""Who writes: a key of the API, or a dream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from django.db import models

from dreamsvc.models import ApiKey


class ActorType(models.TextChoices):
    """A key of the API, or a dream, which is a service account."""

    API = "api_actor"
    SERVICE_ACCOUNT = "service_account_actor"


@dataclass(frozen=True, slots=True)
class Actor:
    """`id` is an `apikey_` or a `drm_` id."""

    type: ActorType
    id: str

    @classmethod
    def key(cls, api_key: ApiKey) -> Self:
        return cls(ActorType.API, api_key.id)

    @classmethod
    def dream(cls, dream_id: str) -> Self:
        return cls(ActorType.SERVICE_ACCOUNT, dream_id)
