"""Examples in the OpenAPI document."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

_STORE: Final = "memstore_01a22f85d2f5731eb70a4ae2757c9c3d"
_INPUTS: Final = [
    {"type": "memory_store", "memory_store_id": _STORE},
    {"type": "sessions", "session_ids": ["sesn_01a22f85d31174f29eb74f4aed8e2f93"]},
]
_PENDING: Final[dict[str, Any]] = {
    "id": "drm_01a22f85d2fd72adbd1c485fc7f59189",
    "type": "dream",
    "status": "pending",
    "inputs": _INPUTS,
    "outputs": [],
    "model": {"id": "auto", "speed": "standard"},
    "instructions": "Keep every date.",
    "output_behavior": {"type": "create_new"},
    "session_id": None,
    "usage": {
        "input_tokens": 0,
        "output_tokens": 0,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    },
    "error": None,
    "created_at": "2026-01-31T09:30:00.000000Z",
    "started_at": None,
    "ended_at": None,
    "archived_at": None,
    "rolled_back_at": None,
    "dry_run": False,
    "progress": None,
    "report": None,
}

CREATE: Final = [
    OpenApiExample(
        "A store and a session",
        value={"inputs": _INPUTS, "instructions": "Keep every date."},
        request_only=True,
    ),
    OpenApiExample(
        "A trial in place",
        value={
            "inputs": _INPUTS[:1],
            "output_behavior": {"type": "update_existing", "memory_store_id": _STORE},
            "dry_run": True,
        },
        request_only=True,
    ),
    OpenApiExample("A pending dream", value=_PENDING, response_only=True),
]
