"""The counts a dream reports when it ends (40-lifecycle.md §7 gives their names)."""

from __future__ import annotations

from dataclasses import dataclass

ENGINE_VERSION = "1"
"""Rises whenever the same snapshot may give another plan."""


@dataclass(frozen=True, slots=True)
class Report:
    """Counts of one dream. Tokens are the bundled embedder's, net of its frame; `scanned` counts memories.

    `exact_merged`, `contained_merged` and `superseded` count the passages (or whole memories) that went.
    """

    scanned: int = 0
    passages: int = 0
    clusters_found: int = 0
    clusters_judged: int = 0
    clusters_left: int = 0
    exact_merged: int = 0
    contained_merged: int = 0
    model_merged: int = 0
    superseded: int = 0
    reinforced: int = 0
    weakened: int = 0
    promoted: int = 0
    inferred_links: int = 0
    forgotten: int = 0
    insights_added: int = 0
    carried_over: int = 0
    dropped_operations: int = 0
    rejected_operations: int = 0
    protected_skipped: int = 0
    suggestions: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    tokens_saved: int = 0
    model_calls: int = 0
    cost: float | None = None
    partial: bool = False
    duration_ms: int | None = None
    engine_version: str = ENGINE_VERSION
    prompt_version: str | None = None
