"""Groups of operations that stand or fall together."""

from __future__ import annotations

from collections.abc import Iterable

from workers.engine.plan import Operation


def components(operations: Iterable[Operation]) -> tuple[tuple[Operation, ...], ...]:
    """Operations joined by the memories they write or rely on, in the order given (union-find, path halving)."""
    parent: dict[str, str] = {}

    def root(memory_id: str) -> str:
        parent.setdefault(memory_id, memory_id)
        while parent[memory_id] != memory_id:
            parent[memory_id] = memory_id = parent[parent[memory_id]]
        return memory_id

    listed = list(operations)
    for operation in listed:
        first, *others = sorted(operation.memories)
        for other in others:
            parent[root(other)] = root(first)
    groups: dict[str, list[Operation]] = {}
    for operation in listed:
        groups.setdefault(root(min(operation.memories)), []).append(operation)
    return tuple(map(tuple, groups.values()))
