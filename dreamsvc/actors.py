"""Who writes: a key of the API, or a dream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from dreamsvc.models import ApiKey

ActorType = Literal["api_actor", "service_account_actor"]


@dataclass(frozen=True, slots=True)
class Actor:
    """`type` as on the wire; `id` is an `apikey_` or a `drm_` id."""

    type: ActorType
    id: str

    @classmethod
    def key(cls, api_key: ApiKey) -> Self:
        return cls("api_actor", api_key.id)

    @classmethod
    def dream(cls, dream_id: str) -> Self:
        return cls("service_account_actor", dream_id)
