"""What a sweep tidies up besides dreams: deleted stores, texts that nothing holds, answers kept long enough, and
default memories that a dream replaced a month ago."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dreams.models import Dream
from dreamsvc.idempotency import idempotency_expire
from identities.services.defaults import archive_replaced_defaults
from memorystores.purge import purge_deleted_stores, purge_orphan_content

PURGE_BATCHES = 20
ARCHIVED_AT_ONCE = 100


@dataclass
class Chore:
    """Work for now and then: `every` seconds in this process, the first time at once."""

    work: Callable[[], object]
    every: float
    _due: float = field(default=0.0, repr=False)

    def do(self) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + self.every
            self.work()


def stores_purge() -> None:
    """Some rows of deleted stores, 500 a transaction; the next round goes on."""
    for _ in range(PURGE_BATCHES):
        if not purge_deleted_stores():
            return


def defaults_archive() -> None:
    """Former defaults, but none that a live dream is reading: it would fail of it."""
    busy = set(Dream.objects.live().values_list("primary_store_id", flat=True))
    archive_replaced_defaults(ARCHIVED_AT_ONCE, busy=busy)


CHORES = (
    Chore(stores_purge, every=0.0),
    Chore(idempotency_expire, every=60.0),
    Chore(defaults_archive, every=60.0),
    Chore(purge_orphan_content, every=600.0),
)


def upkeep() -> None:
    """Whatever is due."""
    for chore in CHORES:
        chore.do()
