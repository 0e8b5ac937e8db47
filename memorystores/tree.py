"""One level of a store's folders: memories that lie in a folder, and the folders in it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from dreamsvc.pagination import PageRequest
from memorystores.models import Memory
from memorystores.paths import past

_LEAST = " "
"""The least character that a path may hold (control characters are forbidden): after `a`, `a ` is the next path."""

# The ORM cannot say this: each step looks for the first memory beyond the item found before, so that a folder costs one
# look-up in the index however much lies in it. `slash` is where the item's folder ends, 0 when it is a memory.
_LEVEL = """
WITH RECURSIVE found(path) AS (
    SELECT ({first})
    UNION ALL
    SELECT ({following}) FROM found WHERE found.path IS NOT NULL
)
SELECT path FROM found WHERE path IS NOT NULL LIMIT %s
"""
_LOOK = """
SELECT CAST(memory.path AS text) FROM {table} memory
WHERE memory.store_id = %s AND memory.path {towards} {bound} AND memory.path {within} %s
ORDER BY memory.path {direction} LIMIT 1
"""
_BEYOND = """
CASE WHEN {slash} > 0 THEN substr(found.path, 1, %s + {slash}) || %s ELSE found.path || %s END
"""


def level(store_id: str, folder: str, request: PageRequest) -> tuple[list[str], bool]:
    """A page of what lies in `folder`, in byte order: paths, those of folders ending in `/`; and whether more follows.

    One statement. The request's key is a path or a folder that an earlier page ended with.
    """
    with connection.cursor() as cursor:
        cursor.execute(*_statement(store_id, folder, request))
        found = [_item(path, folder) for (path,) in cursor.fetchall()]
    has_more = len(found) > request.limit
    page = found[: request.limit]
    return (page[::-1] if request.backward else page), has_more


def _item(path: str, folder: str) -> str:
    """The memory itself, or the folder next below `folder` that it lies in."""
    inner, slash, _ = path[len(folder) :].partition("/")
    return folder + inner + slash


def _statement(store_id: str, folder: str, request: PageRequest) -> tuple[str, Sequence[str | int]]:
    position = {"postgresql": "strpos", "sqlite": "instr"}[connection.vendor]
    slash = f"{position}(substr(found.path, {len(folder) + 1}), '/')"
    towards, within, direction, end = (
        ("<", ">", "DESC", folder) if request.backward else (">=", "<", "ASC", past(folder))
    )
    # One bound on each side: given two on one side, SQLite would scan from the wrong one.
    look = _LOOK.format(
        table=connection.ops.quote_name(Memory._meta.db_table),
        towards=towards,
        within=within,
        direction=direction,
        bound="{bound}",
    )
    sql = _LEVEL.format(first=look.format(bound="%s"), following=look.format(bound=_BEYOND.format(slash=slash)))
    first = [store_id, _start(folder, request), end]
    return sql, [*first, store_id, *_beyond(folder, request), end, request.limit + 1]


def _beyond(folder: str, request: PageRequest) -> list[str | int]:
    """How far the last item's own text counts, and what follows it: for a folder without its `/`, for a memory."""
    if request.backward:
        return [len(folder), "", ""]
    return [len(folder) - 1, past("/"), _LEAST]


def _start(folder: str, request: PageRequest) -> str:
    """Where to look first: at the folder's own bound, or nearer when the key lies inside it."""
    if request.key is None:
        return folder
    key = str(request.key)
    if request.backward:
        return min(key, past(folder), key=str.encode)
    return max(past(key) if key.endswith("/") else key + _LEAST, folder, key=str.encode)
