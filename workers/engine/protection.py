"""What a dream must leave alone: the tier, the paths, the pins, and the texts a person deleted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pathspec import GitIgnoreSpec

from workers.engine.values import Memory, Snapshot

Protection = Literal["protected_path", "shocks", "pinned", "untrusted", "forgotten"]


def sealed(snapshot: Snapshot) -> bool:
    """Whether nothing may read this store's text at all (the `legal` tier)."""
    return snapshot.trust_tier == "legal"


def protected(snapshot: Snapshot) -> Mapping[str, Protection]:
    """The memories, by id, that no operation may edit or remove, each with the strongest reason."""
    closed = _closed_paths(snapshot)
    reasons = ((memory.id, _reason(memory, closed)) for memory in snapshot.memories)
    return {memory_id: reason for memory_id, reason in reasons if reason is not None}


def _reason(memory: Memory, closed: frozenset[str]) -> Protection | None:
    if memory.path in closed:
        return "protected_path"
    if memory.ring == "shocks":
        return "shocks"
    if memory.pinned:
        return "pinned"
    if memory.trust == "untrusted":
        return "untrusted"
    return "forgotten" if memory.decay_stage == "forgotten" else None


def _closed_paths(snapshot: Snapshot) -> frozenset[str]:
    """Paths under the store's gitignore-style patterns; a pattern that cannot be read closes the whole store."""
    if not snapshot.protected_paths:
        return frozenset()
    paths = (memory.path for memory in snapshot.memories)
    try:
        spec = GitIgnoreSpec.from_lines(snapshot.protected_paths)
    except (ValueError, re.error):
        return frozenset(paths)
    return frozenset(path for path in paths if spec.match_file(path.lstrip("/")))
