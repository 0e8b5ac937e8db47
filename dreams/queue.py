"""The only door to the broker. A message is a nudge: the row is the truth, and the sweep sends again what was lost."""

from __future__ import annotations

import logging
import time

from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from dreamsvc.celery import app

TASK = "workers.tasks.dream"
QUEUE = "dreams"
SKIP_SECONDS = 5.0

logger = logging.getLogger(__name__)


class Outage:
    """Remembers a failed send for a while, so that a dead broker costs one time-out and not one per request."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self) -> None:
        self._until = time.monotonic() + SKIP_SECONDS

    def over(self) -> bool:
        return time.monotonic() >= self._until


outage = Outage()


def send(dream_id: str) -> bool:
    """Asks a worker to run the dream; never raises and never within a transaction. False: the sweep will send it.

    Bounded by the transport's time-outs (1 s to connect, 2 s to answer), without a retry.
    """
    if not outage.over():
        return False
    try:
        app.send_task(TASK, args=[dream_id], queue=QUEUE)
    except (OperationalError, RedisError, OSError) as error:
        outage.begin()
        logger.warning("broker unavailable, %s stays queued in the database: %s", dream_id, error)
        return False
    return True


def send_on_commit(dream_id: str) -> None:
    """Sends once the current transaction has committed; at once outside of one."""
    transaction.on_commit(lambda: _sent(dream_id), robust=True)


def _sent(dream_id: str) -> None:
    send(dream_id)
