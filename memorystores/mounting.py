"""The door to mounts, which belong to `identities`: an app above this one, whose AppConfig registers what it knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from django.core.exceptions import ImproperlyConfigured
from django.db.models import QuerySet, TextChoices

from dreamsvc.actors import Actor
from memorystores.models import MemoryStore


class Access(TextChoices):
    """Whether the agents of a pair may only read the store, or write to it as their default memory."""

    READ_ONLY = "read_only"
    READ_WRITE = "read_write"


class Mounter(Protocol):
    """Gives `store` to the pair, inside the caller's transaction.

    `access` READ_WRITE makes the store the pair's default memory. Raises NotFound for an identity or template of
    nobody's or of another workspace, InvalidRequest for a disabled or archived one, and Conflict when the pair has a
    default already; `param` is then `mount.identity_id`, `mount.template_id` or `mount.access`.
    """

    def __call__(
        self, *, store: MemoryStore, identity_id: str, template_id: str, access: str, actor: Actor
    ) -> None: ...


class Finder(Protocol):
    """Whether anybody has the store. Whoever mounts locks its row first: under that lock the answer stays true."""

    def __call__(self, store: MemoryStore, /) -> bool: ...


class Annotator(Protocol):
    """Adds `identity_template_count`, how many pairs have the store, and `default_for`, an identity or null."""

    def __call__(self, stores: QuerySet[MemoryStore], /) -> QuerySet[Any]: ...


@dataclass(frozen=True, slots=True)
class Mounts:
    """What the app above knows of mounts."""

    mount: Mounter
    is_mounted: Finder
    annotated: Annotator


_registered: list[Mounts] = []


def register(mounts: Mounts) -> None:
    """Makes this the app that is asked."""
    _registered[:] = [mounts]


def registered() -> Mounts:
    """What `register` was given."""
    if not _registered:
        raise ImproperlyConfigured("no app registered with memorystores.mounting")
    return _registered[0]
