"""The counts of a dream's report, and the report of a dream that ended without a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

COUNTS: Final[Mapping[str, str]] = {
    "scanned": "Memories read.",
    "passages": "Passages that they hold.",
    "clusters_found": "Groups of passages about the same matter.",
    "clusters_judged": "Clusters that a model judged.",
    "clusters_left": "Clusters left for the next dream.",
    "exact_merged": "Passages or whole memories that went because another says the same in the same words.",
    "contained_merged": "Passages or whole memories that went because a fuller one says all of it.",
    "model_merged": "Passages that went because a model joined them.",
    "superseded": "Passages or whole memories that went because a newer fact says that they no longer hold.",
    "reinforced": "Memories that became more stable.",
    "weakened": "Memories that became less stable.",
    "promoted": "Memories that moved to a more lasting ring.",
    "inferred_links": "Links added between memories.",
    "forgotten": "Memories that decayed.",
    "insights_added": "Memories added by a model.",
    "carried_over": "Writes made while the dream ran, and kept.",
    "dropped_operations": "Planned operations given up because of such writes.",
    "rejected_operations": "Operations of a model that were not verified, and so not applied.",
    "protected_skipped": "Memories left untouched because they are protected.",
    "suggestions": "Suggestions for a person to decide.",
    "tokens_before": "Tokens of the memories read.",
    "tokens_after": "Tokens of the memories as the dream leaves them.",
    "tokens_saved": "`tokens_before` less `tokens_after`.",
    "model_calls": "Calls of models, failed and repeated ones too.",
}
"""Each count by its name, with what it counts."""


def empty_report() -> dict[str, Any]:
    """All counts zero; cost, duration and versions unknown."""
    unknown = dict.fromkeys(("cost", "duration_ms", "engine_version", "prompt_version"))
    return {**dict.fromkeys(COUNTS, 0), "partial": False, **unknown}
