"""Texts, each kept once per workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import islice

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from dreamsvc.errors import InvalidRequest
from dreamsvc.models import BATCH
from memorystores.models import Content, Memory, MemoryVersion

CONTENT_BYTES = 102_400


def sha256(text: str) -> str:
    """The hex digest of the text's raw UTF-8 bytes, which is what clients compute."""
    return hashlib.sha256(text.encode()).hexdigest()


def content_checked(text: str) -> str:
    """The text, if it is no larger than a memory may be; raises InvalidRequest."""
    size = len(text.encode())
    if size > CONTENT_BYTES:
        raise InvalidRequest(f"content: is {size} bytes long, at most {CONTENT_BYTES} are allowed", param="content")
    return text


def content_upsert(*, workspace_id: str, text: str) -> Content:
    """The row of this text, locked until the transaction ends, so that no redaction takes it away meanwhile."""
    return _upsert(workspace_id, [text])[0]


def contents_upsert(*, workspace_id: str, texts: Iterable[str]) -> dict[str, int]:
    """Content ids by sha256, each batch in a transaction of its own.

    Sorted, so that two dreams that share texts cannot lock them crosswise. A row nobody refers to is kept for an hour;
    a redaction of the same text may still remove it sooner, which the foreign key then tells whoever refers to it.
    """
    ordered = iter(sorted({sha256(text): text for text in texts}.items()))
    ids: dict[str, int] = {}
    while batch := [text for _, text in islice(ordered, BATCH)]:
        with transaction.atomic(durable=True):
            ids |= {content.sha256: content.pk for content in _upsert(workspace_id, batch)}
    return ids


def _upsert(workspace_id: str, texts: list[str]) -> list[Content]:
    rows = [
        Content(workspace_id=workspace_id, sha256=sha256(text), text=text, size=len(text.encode())) for text in texts
    ]
    # DO UPDATE and not DO NOTHING: it locks the row, and a row deleted meanwhile is inserted again.
    return Content.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["workspace", "sha256"], update_fields=["touched_at"]
    )


def orphans() -> QuerySet[Content]:
    """Texts that no memory and no version holds."""
    return Content.objects.filter(
        ~Exists(Memory.objects.filter(content=OuterRef("pk"))),
        ~Exists(MemoryVersion.objects.filter(content=OuterRef("pk"))),
    )


def contents_drop(rows: QuerySet[Content]) -> int:
    """Deletes in one statement, so that the conditions are judged on each row once it is locked; how many went.

    `delete()` would read the rows first and delete them by id, whatever refers to them by then.
    """
    return rows._raw_delete(rows.db)
