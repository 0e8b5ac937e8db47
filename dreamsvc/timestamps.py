"""RFC 3339 times, in and out."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_SHAPE: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|z|[+-]\d{2}:\d{2})?", re.ASCII)


def parse_time(text: str, *, naive_is_utc: bool = False) -> datetime:
    """The aware time in UTC, cut to microseconds; raises ValueError. `naive_is_utc` accepts a missing offset."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError("not an RFC 3339 time")
    day, clock, fraction, offset = match.groups()
    if offset is None and not naive_is_utc:
        raise ValueError("an RFC 3339 time needs an offset, as in 2026-01-31T09:30:00Z")
    zone = "+00:00" if offset is None or offset in "Zz" else offset
    try:
        return datetime.fromisoformat(f"{day}T{clock}.{(fraction or '')[:6]:0<6}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("not a time that exists") from None


def print_time(moment: datetime) -> str:
    """`2026-01-31T09:30:00.000000Z`: always UTC and six digits, so that times of the wire sort as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
