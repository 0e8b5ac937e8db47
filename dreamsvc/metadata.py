"""Metadata: a few short strings that callers keep with their objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dreamsvc.errors import InvalidRequest

MAX_PAIRS: Final = 16
MAX_KEY: Final = 64
MAX_VALUE: Final = 512
METADATA_HELP: Final = (
    f"Your own strings: {MAX_PAIRS} pairs at most, keys to {MAX_KEY} and values to {MAX_VALUE} characters."
)


def patched(old: Mapping[str, str], patch: Mapping[str, str | None]) -> dict[str, str]:
    """`old` with the patch's pairs; a null value removes its key. Raises InvalidRequest beyond 16 pairs."""
    merged = {**old, **patch}
    result = {key: value for key, value in merged.items() if value is not None}
    if len(result) > MAX_PAIRS:
        raise InvalidRequest(f"metadata: more than {MAX_PAIRS} pairs", param="metadata")
    return result
