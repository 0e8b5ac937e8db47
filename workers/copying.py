"""Rows copied by the database itself: ten thousand memories in one INSERT … SELECT over a map of ids.

The ORM has no INSERT … SELECT, and reading rows only to send them back held a store's locks for over a second.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, models

from dreams.models import Lineage
from dreamsvc.actors import Actor
from memorystores.models import Memory, MemoryVersion, Operation

KEPT = "kept"
"""The lineage of what no operation changed."""

_MAPS = {
    "postgresql": (
        "json_to_recordset(%s::json) AS map(source text, id text, version_id text, revision bigint, path text)"
    ),
    "sqlite": (
        "(SELECT json_extract(value, '$.source') AS source, json_extract(value, '$.id') AS id,"
        " json_extract(value, '$.version_id') AS version_id, json_extract(value, '$.revision') AS revision,"
        " json_extract(value, '$.path') AS path FROM json_each(%s)) AS map"
    ),
}


@dataclass(frozen=True, slots=True)
class Copy:
    """A new memory that equals the live row `source`, with the version and revision it gets in its own store.

    `path` where it cannot keep the path it had.
    """

    source: str
    id: str
    version_id: str
    revision: int
    path: str | None = None


def memories_copy(store_id: str, copies: Sequence[Copy]) -> int:
    """Copies live rows into the store, counters and all; how many were there to copy."""
    own = {
        "id": "map.id",
        "store_id": "%s",
        "version_id": "map.version_id",
        "revision": "map.revision",
        "path": "coalesce(map.path, memory.path)",
    }
    columns = _columns(Memory)
    values = ", ".join(own.get(column, f"memory.{column}") for column in columns)
    sql = (
        f"INSERT INTO {_table(Memory)} ({', '.join(columns)}) SELECT {values}"  # noqa: S608 - names of our own columns
        f" FROM {_MAPS[connection.vendor]} JOIN {_table(Memory)} AS memory ON memory.id = map.source"
    )
    return _run(sql, [store_id, _json(copies)])


def versions_create(store_id: str, actor: Actor, *, after: int = 0) -> int:
    """One `created` version of every memory of a new store above a revision; the time is the database's."""
    values = {
        "id": "memory.version_id",
        "store_id": "memory.store_id",
        "store_revision": "memory.revision",
        "memory_id": "memory.id",
        "operation": "%s",
        "path": "memory.path",
        "content_id": "memory.content_id",
        "actor_type": "%s",
        "actor_id": "%s",
    }
    sql = (
        f"INSERT INTO {_table(MemoryVersion)} ({', '.join(values)}) SELECT {', '.join(values.values())}"  # noqa: S608 - as above
        f" FROM {_table(Memory)} AS memory WHERE memory.store_id = %s AND memory.revision > %s"
    )
    return _run(sql, [Operation.CREATED, actor.type, actor.id, store_id, after])


def lineage_copy(dream_id: str, store_id: str, copies: Sequence[Copy]) -> int:
    """Says of each copy which version of which memory it is."""
    sql = (
        f"INSERT INTO {_table(Lineage)} (dream_id, store_id, memory_id, path, source_memory_id, source_version_id,"  # noqa: S608 - as above
        " source_path, passage_hash, operation)"
        " SELECT %s, %s, map.id, coalesce(map.path, memory.path), memory.id, memory.version_id, memory.path, '', %s"
        f" FROM {_MAPS[connection.vendor]} JOIN {_table(Memory)} AS memory ON memory.id = map.source"
    )
    return _run(sql, [dream_id, store_id, KEPT, _json(copies)])


def _json(copies: Sequence[Copy]) -> str:
    # By hand: `asdict` took longer here than the database.
    return json.dumps([{name: getattr(copy, name) for name in Copy.__slots__} for copy in copies])


def _run(sql: str, parameters: Sequence[str | int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _columns(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]
