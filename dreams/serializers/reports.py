"""The report of an ended dream on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dreams.report import COUNTS
from dreamsvc.serializers import Bool, Field, Int, Number, OutputSerializer, Text


def report_shown(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report as it is shown: without `cost` where that is not known."""
    return {name: value for name, value in report.items() if name != "cost" or value is not None}


class DreamReportOutput(OutputSerializer):
    """What a dream read and did, in numbers. All are zero for a dream that ended without a plan."""

    cost = Number(required=False, help_text="What the model calls cost; left out where that is not known.")
    partial = Bool(  # type: ignore[assignment]  # DRF takes declared fields off the class
        help_text="Something was left undone: the budget was spent, or a provider failed."
    )
    duration_ms = Int(allow_null=True, help_text="From the first start to the end, in milliseconds.")
    engine_version = Text(allow_null=True, help_text="Rises whenever the same input may give another plan.")
    prompt_version = Text(allow_null=True, help_text="Null where no model was asked.")

    def get_fields(self) -> dict[str, Field]:
        return {**{name: Int(help_text=text) for name, text in COUNTS.items()}, **super().get_fields()}

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        return report_shown(instance)
