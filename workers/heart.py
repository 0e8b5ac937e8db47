"""Keeps a dream's lease while the thread that dreams is alive, from a thread beside it.

It beats every few seconds; stops beating when the main thread hangs, so that another worker takes over; and hands the
dream back as soon as the worker is asked to stop. These two threads are the only ones that hold a connection.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from types import TracebackType
from typing import Self

from billiard.process import current_process
from django.conf import settings
from django.db import Error as DatabaseTrouble
from django.db import connection

from dreams import queue
from dreams.lifecycle import Claim
from dreams.models import Dream
from workers import handover
from workers.failures import Stopped

TICK_SECONDS = 0.1

logger = logging.getLogger(__name__)


class Heart:
    """Beats for one claim from entering to leaving the block."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._leaving = threading.Event()
        self._lost = threading.Event()
        self._hands_back = False
        self._touched = self._beaten = time.monotonic()
        self._thread = threading.Thread(target=self._live, name=f"heart-{claim.dream_id}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        # SystemExit and the like: the process is to end. They come at any line, so that this thread's connection may be
        # in the middle of something; the heart's is not.
        self._hands_back = kind is not None and not issubclass(kind, Exception)
        self._leaving.set()
        self._thread.join()

    def touch(self) -> None:
        """The main thread is alive. Raises Stopped when the dream is no longer its own."""
        self._touched = time.monotonic()
        if self._lost.is_set():
            raise Stopped

    def _live(self) -> None:
        try:
            while not self._leaving.wait(TICK_SECONDS):
                if not self._tick():
                    self._lost.set()
                    return
            if self._hands_back:
                hand_back(self._claim)
        finally:
            connection.close()

    def _tick(self) -> bool:
        """One look around; False: beat no more."""
        now = time.monotonic()
        if handover.stopping():
            hand_back(self._claim)
            return False
        if now - self._touched > settings.DREAM_STALL_SECONDS:
            return _stalled(self._claim)
        return self._beat(now) if now - self._beaten >= settings.DREAM_BEAT_SECONDS else True

    def _beat(self, now: float) -> bool:
        try:
            held = bool(Dream.objects.beat(self._claim))
        except DatabaseTrouble as trouble:
            return self._skipped(now, trouble)
        self._beaten = now
        return held

    def _skipped(self, now: float, trouble: DatabaseTrouble) -> bool:
        """A database error is not "no row": reconnect and try again, for as long as the lease lasts."""
        logger.warning("no beat of %s: %s", self._claim.dream_id, type(trouble).__name__)
        connection.close()
        return bool(now - self._beaten < settings.DREAM_LEASE_SECONDS)


def _stalled(claim: Claim) -> bool:
    """The main thread hangs. A child of a worker can die of it and be replaced; a thread can only be left alone."""
    logger.error("%s made no step for %s s", claim.dream_id, settings.DREAM_STALL_SECONDS)
    if current_process().name != "MainProcess":
        os.kill(os.getpid(), signal.SIGKILL)
    return False


def hand_back(claim: Claim) -> None:
    """Lets another worker begin at once. No heart may beat for the claim any more: it would take the dream back."""
    try:
        released = Dream.objects.release(claim)
    except DatabaseTrouble as trouble:  # the lease lapses by itself
        logger.warning("%s not handed back: %s", claim.dream_id, type(trouble).__name__)
        return
    if released:
        queue.send(claim.dream_id)
