"""A search backend that finds words: enough to test the door to the real one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memorystores.search import SearchHit, SearchRow

calls: list[dict[str, Any]] = []


def search(*, rows: Sequence[SearchRow], query: str, limit: int, **policy: Any) -> list[SearchHit]:
    """Memories with a line that holds the query, those with the longest path first."""
    calls.append({"rows": rows, "query": query, "limit": limit, **policy})
    hits = [
        SearchHit(row.memory_id, float(len(row.path)), line)
        for row in rows
        for line in row.text.splitlines()
        if query in line
    ]
    return sorted(hits, key=lambda hit: -hit.score)[:limit]
