"""Public ids: a prefix and a UUIDv7 in hex, so that ids sort by the time they were made."""

from __future__ import annotations

import re
from datetime import datetime

import uuid_utils

STORE = "memstore"
MEMORY = "mem"
VERSION = "memver"
IDENTITY = "idn"
TEMPLATE = "tmpl"
SESSION = "sesn"
EVENT = "sevt"
DREAM = "drm"
WORKSPACE = "wrkspc"
API_KEY = "apikey"
REQUEST = "req"

ID_LENGTH = 48
_HEX = re.compile(r"[0-9a-f]{32}", re.ASCII)


def new_id(prefix: str, at: datetime | None = None) -> str:
    """A new id. With `at` it sorts as if made then: rows imported with their own time list in their own place."""
    if at is None:
        return f"{prefix}_{uuid_utils.uuid7().hex}"
    nanoseconds = max(round(at.timestamp() * 1_000_000) * 1_000, 0)
    return f"{prefix}_{uuid_utils.uuid7(nanoseconds=nanoseconds).hex}"


def is_id(prefix: str, value: str) -> bool:
    """Whether `value` has the shape of an id of this kind; says nothing of whether it exists."""
    head, _, tail = value.partition("_")
    return head == prefix and _HEX.fullmatch(tail) is not None


def new_workspace_id() -> str:
    return new_id(WORKSPACE)


def new_api_key_id() -> str:
    return new_id(API_KEY)


def new_store_id() -> str:
    return new_id(STORE)


def new_memory_id() -> str:
    return new_id(MEMORY)


def new_version_id() -> str:
    return new_id(VERSION)


def new_identity_id() -> str:
    return new_id(IDENTITY)


def new_template_id() -> str:
    return new_id(TEMPLATE)


def new_session_id() -> str:
    return new_id(SESSION)


def new_event_id() -> str:
    return new_id(EVENT)


def new_dream_id() -> str:
    return new_id(DREAM)
