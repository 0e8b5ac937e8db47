"""Waiting for what another thread or process does: as short as possible, never for luck."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SECONDS = 30.0


def until(seen: Callable[[], T], *, seconds: float = SECONDS) -> T:
    """The first true value of `seen()`; fails the test when none comes in time."""
    end = time.monotonic() + seconds
    while not (value := seen()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {seen}")
        time.sleep(0.01)
    return value
