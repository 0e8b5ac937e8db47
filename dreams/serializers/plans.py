"""The plan of a dream on the wire: its operations and suggestions, as the engine encodes them."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from dreams.models import DreamOperation
from dreamsvc.serializers import Enum, Field, Int, Json, Number, OutputSerializer, StringMap, Text
from memorystores.models import Trust

OPERATIONS: Final = ("merge_same", "merge_contained", "supersede")
SUGGESTIONS: Final = ("conflict", "cluster", "recurring")


def texts(help_text: str) -> Field:
    """A list of strings."""
    return serializers.ListField(child=Text(), help_text=help_text)


class SourceRefOutput(OutputSerializer):
    """A passage of the input, or a whole memory."""

    memory_id = Text()
    version_id = Text(help_text="The version that was read.")
    path = Text()
    passage_index = Int(allow_null=True, help_text="Null for a whole memory.")
    start = Int(help_text="Its first line, counted from 0.")
    end = Int(help_text="The line after its last.")
    sha256 = Text(help_text="Of the raw text of these lines; empty once that is redacted.")


class PassageEditOutput(OutputSerializer):
    """Lines of a memory that go or are replaced."""

    memory_id = Text()
    start = Int(help_text="The first line, counted from 0.")
    end = Int(help_text="The line after the last.")
    replacement = Text(allow_null=True, help_text="Null where the lines go.")


class NewMemoryOutput(OutputSerializer):
    """A memory that an operation creates."""

    path = Text()
    text = Text()
    trust = Enum(Trust, name="Trust")
    tags = texts("Its tags.")
    metadata = StringMap()


class OperationBodyOutput(OutputSerializer):
    """One justified change: `sources` go, `survivor` holds what they say."""

    id = Text(help_text="Of the content: another dream that plans the same change gives it the same id.")
    kind = Enum(OPERATIONS, name="OperationKind")
    sources = SourceRefOutput(many=True)
    survivor = SourceRefOutput(allow_null=True)
    edits = PassageEditOutput(many=True)
    removes = texts("Ids of the memories that go as a whole.")
    writes = texts("Ids of the memories that it changes.")
    relies_on = texts("Ids of the memories that it needs unchanged.")
    reason = Text(help_text="Why, in a sentence.")
    evidence = serializers.DictField(child=Text(), help_text="The values that were compared.")
    creates = NewMemoryOutput(allow_null=True)


class MemberOutput(OutputSerializer):
    """One passage of a suggestion."""

    source = SourceRefOutput()  # type: ignore[assignment]  # DRF takes declared fields off the class
    text = Text(help_text="Empty once it is redacted.")
    differs = texts("The values that only this passage has.")


class SuggestionBodyOutput(OutputSerializer):
    """Something for a person to decide; nothing was changed."""

    id = Text(help_text="Of the content: another dream that suggests the same gives it the same id.")
    kind = Enum(SUGGESTIONS, name="SuggestionKind")
    members = MemberOutput(many=True)
    reason = Text(help_text="Why, in a sentence.")
    similarity = Number(allow_null=True, help_text="Mean over the pairs of members.")
    shared = texts("The values that all members have.")
    tokens_saved = Int(help_text="Tokens that one text in place of the members would save, estimated.")


BODIES: Final[dict[str, serializers.Serializer[Any] | type[serializers.Serializer[Any]]]] = {
    **dict.fromkeys(OPERATIONS, OperationBodyOutput),
    **dict.fromkeys(SUGGESTIONS, SuggestionBodyOutput),
}


@extend_schema_field(PolymorphicProxySerializer("PlanBody", BODIES, resource_type_field_name="kind"))
class PlanBody(Json):
    """The operation or suggestion, as its kind says."""


class OperationOutput(OutputSerializer):
    """One operation or suggestion of the plan, with its evidence, and what became of it."""

    seq = Int(help_text="Its place in the plan, from 1.")
    kind = Enum((*OPERATIONS, *SUGGESTIONS), name="PlanKind")
    outcome = Enum(DreamOperation.Outcome, name="OperationOutcome")
    outcome_reason = Text(help_text="Why it was dropped; else empty.")
    body = PlanBody()
