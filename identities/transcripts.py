"""What a dream reads of sessions: what user, agent and tools said, without thinking and status."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from identities.models import Session

SPEAKERS = frozenset({"user", "agent", "tool"})
"""The first part of an event's type; `session.…`, `span.…` and the like are status."""
SILENT = frozenset({"agent.thinking"})
_TOLD = ("description", "deny_message")


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """One thing said, never empty. `type` is the event's as on the wire."""

    type: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Transcript:
    """One session, events in the order in which they came; empty when nothing was said."""

    session_id: str
    created_at: datetime
    title: str = ""
    events: tuple[TranscriptEvent, ...] = ()


class _Row(NamedTuple):
    session_id: str
    session_created_at: datetime
    title: str | None
    type: str | None
    content: Any
    details: Any
    created_at: datetime | None


def transcripts(*, workspace_id: str, session_ids: Sequence[str]) -> list[Transcript]:
    """The sessions that there are, in the order of the ids given; the caller sees which are missing.

    One statement, so that heads and events are of one snapshot.
    """
    rows = (
        Session.objects.for_workspace(workspace_id)
        .filter(id__in=session_ids)
        .order_by("id", "events__seq")
        .values_list(
            "id", "created_at", "title", "events__type", "events__content", "events__details", "events__created_at"
        )
    )
    grouped = groupby((_Row(*row) for row in rows.iterator()), key=lambda row: row.session_id)
    found = {session_id: _transcript(list(group)) for session_id, group in grouped}
    return [found[one] for one in dict.fromkeys(session_ids) if one in found]


def _transcript(rows: list[_Row]) -> Transcript:
    head = rows[0]
    events = tuple(event for row in rows if (event := _event(row)) is not None)
    return Transcript(head.session_id, head.session_created_at, head.title or "", events)


def _event(row: _Row) -> TranscriptEvent | None:
    if row.type is None or row.created_at is None or not is_said(row.type):
        return None
    text = event_text(row.content, row.details)
    return TranscriptEvent(row.type, text, row.created_at) if text else None


def is_said(event_type: str) -> bool:
    """Whether an event of this type is part of what was said."""
    return event_type.partition(".")[0] in SPEAKERS and event_type not in SILENT


def event_text(content: Any, details: Mapping[str, Any]) -> str:
    """The text of an event: of its content, and of a tool call its name and input as JSON."""
    told = (details[key] for key in _TOLD if isinstance(details.get(key), str))
    parts = [*_call(details), *told, *_texts(content)]
    return "\n\n".join(part for part in parts if part.strip())


def _call(holder: Mapping[str, Any]) -> Iterator[str]:
    if "input" in holder:
        yield f"{holder.get('name', '')} {json.dumps(holder['input'], ensure_ascii=False)}".strip()


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield from _block_texts(block)


def _block_texts(block: Any) -> Iterator[str]:
    # Only the outermost blocks were checked when they came in.
    match block.get("type") if isinstance(block, Mapping) else None:
        case "text":
            yield from _texts(block.get("text"))
        case "tool_use":
            yield from _call(block)
        case "tool_result" | "search_result":
            yield from _texts(block.get("content"))
