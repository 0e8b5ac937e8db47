"""The door through which a new store is mounted in the transaction that makes it.

Mounts belong to `identities`, which stands above this app; its AppConfig registers what mounts.
"""

from __future__ import annotations

from typing import Protocol

from django.core.exceptions import ImproperlyConfigured

from dreamsvc.actors import Actor
from memorystores.models import MemoryStore

READ_ONLY = "read_only"
READ_WRITE = "read_write"


class Mounter(Protocol):
    """Gives `store` to the pair, inside the caller's transaction.

    `access` is `read_only` or `read_write`; the latter makes the store the pair's default memory. Raises NotFound for
    an identity or template of nobody's or of another workspace, InvalidRequest for a disabled or archived one, and
    Conflict when the pair has a default already; `param` is then `mount.identity_id`, `mount.template_id` or
    `mount.access`.
    """

    def __call__(
        self, *, store: MemoryStore, identity_id: str, template_id: str, access: str, actor: Actor
    ) -> None: ...


_mounters: list[Mounter] = []


def register(mounter: Mounter) -> None:
    """Makes `mounter` the one that mounts new stores."""
    _mounters[:] = [mounter]


def mount(*, store: MemoryStore, identity_id: str, template_id: str, access: str, actor: Actor) -> None:
    """Mounts a store that the running transaction has made."""
    if not _mounters:
        raise ImproperlyConfigured("no app registered with memorystores.mounting")
    _mounters[0](store=store, identity_id=identity_id, template_id=template_id, access=access, actor=actor)
