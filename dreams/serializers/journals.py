"""The journal of a dream on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from dreams.serializers.plans import texts
from dreams.serializers.reports import DreamReportOutput, report_shown
from dreamsvc.serializers import Bool, Const, Enum, Field, Int, Number, OutputSerializer, Text, Timestamp

SECTIONS: Final = ("merged", "superseded", "suggested", "left_alone", "skipped", "carried_over", "note", "error")
MODES: Final = ("create_new", "update_existing", "identity_template")


def _counts(help_text: str) -> Field:
    return serializers.DictField(child=Int(), help_text=help_text)


class JournalEntryOutput(OutputSerializer):
    """One thing that the dream did, left alone or asks."""

    section = Enum(SECTIONS, name="JournalSection")
    why = Text(help_text="A sentence or two, in Markdown.")
    to = Text(allow_null=True, help_text="The path that stays.")
    sources = texts("The paths that went into it.")
    quote = Text(allow_null=True, help_text="The text that stays; null where it is pinned, protected or redacted.")
    details = texts("Further lines, in Markdown.")
    reference = Text(allow_null=True, help_text="The id of the operation or suggestion in the plan.")


class JournalSurveyOutput(OutputSerializer):
    """What the dream found when it first looked at the store."""

    memories = Int()
    passages = Int()
    size_bytes = Int()
    tokens = Int()
    mean_relevance = Number(help_text="From 0 to 1.")
    mean_stability_days = Number()
    oldest = Timestamp(allow_null=True, help_text="The earliest `observed_at`.")
    newest = Timestamp(allow_null=True, help_text="The latest `observed_at`.")
    languages = _counts("Memories by language.")
    protected = _counts("Protected memories by what protects them.")
    vectors = Int(help_text="Passages that could be compared by meaning.")
    vectors_wanted = Int(help_text="Passages that should have been.")


class JournalRecordOutput(OutputSerializer):
    """All that the journal says, for programs."""

    store_id = Text(help_text="The store that was read.")
    revision = Int(help_text="The revision of the store that was read.")
    started_at = Timestamp()
    report = DreamReportOutput()
    entries = JournalEntryOutput(many=True)
    survey = JournalSurveyOutput()
    skipped = Text(allow_null=True, help_text="Why nothing was read; null where it was.")
    dry_run = Bool()
    dream_id = Text(allow_null=True)
    mode = Enum(MODES, name="JournalMode", allow_null=True)
    output_store_id = Text(allow_null=True)
    model = Text(allow_null=True, help_text="The model that was asked; null where rules alone decided.")

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        return {**instance, "report": report_shown(instance["report"])}


class JournalOutput(OutputSerializer):
    """What a dream did and why, for programs and for people."""

    type = Const("dream_journal")
    dream_id = Text()
    created_at = Timestamp()
    record = JournalRecordOutput()
    markdown = Text(help_text="The same for people; also to be had alone, with `Accept: text/markdown`.")
