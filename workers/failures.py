"""Why a run ends without a result."""

from __future__ import annotations

from dreams.ending import DreamError
from dreams.status import ErrorCode, ErrorType


class Stopped(Exception):
    """The dream is no longer ours: it ended, was handed back or taken over. Stop quietly, write nothing."""


class Outdated(Exception):
    """A text that was read has been redacted since: nothing made of it may be written. Start over."""


class DreamFailed(Exception):
    """The dream ends here, as failed."""

    def __init__(self, type: ErrorType, message: str, code: ErrorCode | None = None) -> None:
        super().__init__(message)
        self.error = DreamError(type, message, code)
