"""First come, first served: a lock that cannot starve."""

from __future__ import annotations

import threading
from collections import deque


class WriteTurn:
    """A fair mutex with a time limit; threads get it in the order in which they asked."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._busy = False
        self._waiting: deque[threading.Event] = deque()

    def take(self, seconds: float) -> bool:
        """Waits at most `seconds`; False when the turn did not come."""
        with self._mutex:
            if not self._busy:
                self._busy = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        return mine.wait(seconds) or self._too_late(mine)

    def _too_late(self, mine: threading.Event) -> bool:
        with self._mutex:
            if mine.is_set():  # it came between the time-out and this line
                return True
            self._waiting.remove(mine)
            return False

    def give_back(self) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._busy = False
