"""Text as a search compares it."""

from __future__ import annotations

import unicodedata


def folded(*texts: str | None) -> str:
    """The texts without case, one a line. No database folds all of Unicode: SQLite knows ASCII, others their locale."""
    return unicodedata.normalize("NFC", "\n".join(text or "" for text in texts).casefold())
