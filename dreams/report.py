"""The counts of a dream that ended without a plan: the engine's report with nothing done."""

from __future__ import annotations

from typing import Any

COUNTS = (
    "scanned",
    "passages",
    "clusters_found",
    "clusters_judged",
    "clusters_left",
    "exact_merged",
    "contained_merged",
    "model_merged",
    "superseded",
    "reinforced",
    "weakened",
    "promoted",
    "inferred_links",
    "forgotten",
    "insights_added",
    "carried_over",
    "dropped_operations",
    "rejected_operations",
    "protected_skipped",
    "suggestions",
    "tokens_before",
    "tokens_after",
    "tokens_saved",
    "model_calls",
)


def empty_report() -> dict[str, Any]:
    """All counts zero; cost, duration and versions unknown."""
    unknown = dict.fromkeys(("cost", "duration_ms", "engine_version", "prompt_version"))
    return {**dict.fromkeys(COUNTS, 0), "partial": False, **unknown}
