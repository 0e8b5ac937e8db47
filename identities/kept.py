"""What callers have us keep for them unread, and how much of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from dreamsvc.errors import InvalidRequest

MAX_KEPT_BYTES: Final = 64 * 1024
"""Of one object, as JSON in UTF-8: a long system prompt fits, and a list of a hundred objects stays below 7 MB."""


def check_kept(values: Mapping[str, Any], *, inside: str = "") -> None:
    """Raises InvalidRequest, naming the largest value, when all together are too large.

    `inside` is put before its key; None counts nothing.
    """
    sizes = {key: _size(key, value) for key, value in values.items() if value is not None}
    if sum(sizes.values()) > MAX_KEPT_BYTES:
        param = (inside + max(sizes, key=sizes.__getitem__))[:255]
        raise InvalidRequest(
            f"{param}: what is kept as sent must not take more than {MAX_KEPT_BYTES} bytes as JSON", param=param
        )


def _size(key: str, value: Any) -> int:
    return len(json.dumps({key: value}, ensure_ascii=False).encode())
