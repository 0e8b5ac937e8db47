"""How a worker that is asked to stop tells its hearts: by one byte of memory that its children share.

A signal reaches the main process of a worker only, and a message to the children would wait for their tasks to end.
"""

from __future__ import annotations

import mmap
from typing import Any

from celery.signals import worker_shutting_down

_flag = mmap.mmap(-1, 1)  # anonymous and shared: made at import, so before the fork


def stopping() -> bool:
    """Whether this worker is about to stop: it then claims nothing, and its hearts hand their dreams back."""
    return _flag[0] != 0


def begin(**_: Any) -> None:
    """Says so to every thread and child process."""
    _flag[0] = 1


worker_shutting_down.connect(begin)
