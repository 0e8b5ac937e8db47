"""Which copy stays, and what it inherits from the ones that go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from workers.engine.passages import Passage
from workers.engine.pointing import tells_relative_time
from workers.engine.values import Memory, Signals, Trust

TRUST_ORDER: tuple[Trust, ...] = ("untrusted", "external", "inferred", "verified")
METADATA_PAIRS = 16
"""How many pairs the API lets a memory's metadata hold; an inherited pair never pushes past it."""
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")


@dataclass(frozen=True, slots=True)
class Heirloom:
    """A memory that goes, and how: a copy of the survivor, a part of it, or an older value it replaces."""

    memory: Memory
    kind: str


def source_time(memory: Memory, passage: Passage) -> datetime:
    """When a passage's fact was true: the last date its text names, else its headings, else its path, else when it was
    learned. Aware UTC."""
    place = passage.place
    for part in (passage.text, " ".join(place.headings), place.path):
        dates = [date for year, _, month, day in _DATE.findall(part) if (date := _date(year, month, day)) is not None]
        if dates:
            return max(dates)
    return memory.observed_at


def _date(year: str, month: str, day: str) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day), tzinfo=UTC)
    except ValueError:
        return None


def preference(memory: Memory, content_tokens: int, position: int) -> tuple[int, float, str, str, int]:
    """Sort key, best survivor first: more content tokens, newest source time, then path, id and position."""
    return (-content_tokens, -memory.observed_at.timestamp(), memory.path, memory.id, position)


def inherit(survivor: Memory, gone: Sequence[Heirloom]) -> Memory:
    """The survivor with what the removed memories leave it; its text and path stay.

    A copy raises trust to the highest of the copies. An older value that was superseded hands over tags and use,
    but neither its times (the survivor would look older than its own fact) nor its trust.
    """
    if not gone:
        return survivor
    stated = [survivor, *(item.memory for item in gone if item.kind != "supersede")]
    copies = [survivor, *(item.memory for item in gone if item.kind == "merge_same")]
    everyone = [survivor, *(item.memory for item in gone)]
    return replace(
        survivor,
        tags=tuple(dict.fromkeys(tag for memory in everyone for tag in memory.tags)),
        metadata=_metadata(everyone),
        trust=max((memory.trust for memory in copies), key=TRUST_ORDER.index),
        created_at=min(memory.created_at for memory in stated),
        observed_at=_observed_at(survivor, stated),
        signals=merged_signals([memory.signals for memory in everyone]),
    )


def _observed_at(survivor: Memory, stated: Iterable[Memory]) -> datetime:
    # Its "tomorrow" counts from the day it was written.
    if tells_relative_time(survivor.text):
        return survivor.observed_at
    return min(memory.observed_at for memory in stated)


def merged_signals(signals: Sequence[Signals]) -> Signals:
    """Use of several memories as the use of one: counts add up, success is the mean of those that have one."""
    scores = [item.success_score for item in signals if item.success_score is not None]
    return Signals(
        relevance=max(item.relevance for item in signals),
        stability_days=max(item.stability_days for item in signals),
        access_count=sum(item.access_count for item in signals),
        last_accessed_at=_latest(item.last_accessed_at for item in signals),
        reinforcement_count=sum(item.reinforcement_count for item in signals),
        success_score=sum(scores) / len(scores) if scores else None,
    )


def _latest(times: Iterable[datetime | None]) -> datetime | None:
    return max((time for time in times if time is not None), default=None)


def _metadata(memories: Sequence[Memory]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for memory in memories:
        for key in sorted(memory.metadata):
            if len(pairs) < METADATA_PAIRS or memory is memories[0]:
                pairs.setdefault(key, memory.metadata[key])
    return pairs
