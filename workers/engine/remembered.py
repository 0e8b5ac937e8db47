"""A cache for functions of one text that does not hold long texts in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

LONGEST: Final = 4_096
"""Characters. Passages are far shorter; what is longer is read again each time."""

Answer = TypeVar("Answer")


def remembered(size: int) -> Callable[[Callable[[str], Answer]], Callable[[str], Answer]]:
    """Remembers the answers for the last `size` texts of up to `LONGEST` characters."""

    def decorate(function: Callable[[str], Answer]) -> Callable[[str], Answer]:
        cached = lru_cache(maxsize=size)(function)

        @wraps(function)
        def asked(text: str) -> Answer:
            return cached(text) if len(text) <= LONGEST else function(text)

        return asked

    return decorate
