"""The workers of the one-process service: a Celery worker and a ticker, each a thread of it."""

from __future__ import annotations

import logging
import threading

from celery.worker import WorkController
from celery.worker import state as worker_state
from django.conf import settings
from django.db import Error as DatabaseTrouble
from django.db import connection

from dreams import queue
from dreams.models import Dream
from dreamsvc.celery import app
from workers import handover
from workers.sweep import sweep

JOIN_SECONDS = 10.0

logger = logging.getLogger(__name__)


class Embedded:
    """Runs dreams and sweeps until stopped. Not beat: it would fork, and its ticks never reach a broker in memory."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._worker = WorkController(
            app=app,
            pool="threads",
            concurrency=settings.DREAM_WORKER_CONCURRENCY,
            queues=[queue.QUEUE],
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        self._threads = (
            threading.Thread(target=self._worker.start, name="worker", daemon=True),
            threading.Thread(target=self._tick, name="ticker", daemon=True),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Hands running dreams back and waits for the worker, at most ten seconds: a hung dream must not hold us."""
        handover.begin()
        worker_state.should_stop = 0
        self._over.set()
        for thread in self._threads:
            thread.join(JOIN_SECONDS)

    def _tick(self) -> None:
        try:
            while not self._over.wait(settings.DREAM_SWEEP_SECONDS):
                _swept()
        finally:
            connection.close()


def _swept() -> None:
    try:
        sweep()
    except DatabaseTrouble as trouble:  # the next tick tries again
        logger.warning("sweep failed: %s", type(trouble).__name__)
        connection.close()


def start_anew() -> None:
    """For a start that knows every former worker of this database dead: their leases are void, all waits are over."""
    Dream.objects.void_leases()
    Dream.objects.hurry()
