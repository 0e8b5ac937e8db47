"""Memories on the wire."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreamsvc.serializers import (
    Bool,
    Const,
    Enum,
    InputSerializer,
    Int,
    List,
    Number,
    OutputSerializer,
    QuerySerializer,
    StringMap,
    Text,
    Timestamp,
    deleted_serializer,
    listed,
    output_class,
)
from memorystores.models import DecayStage, Ring, Trust
from memorystores.paths import ROOT
from memorystores.search import MODES

FULL_LIMIT = 20
"""Objects per page with their texts: some may be 100 kB long."""

TAGS = 64
QUERY_LENGTH = 4096
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Sha256(Text):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min=64, max=64, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _SHA256.fullmatch(text):
            raise ValidationError("must be 64 lowercase hexadecimal characters")
        return text


class View(Enum):
    """`basic` leaves `content` null."""

    def __init__(self, default: str) -> None:
        super().__init__(("basic", "full"), name="MemoryView", default=default)


class FullView(QuerySerializer):
    view = View("full")


class BasicView(QuerySerializer):
    view = View("basic")


class MemoryListQuery(BasicView):
    path_prefix = Text(default=ROOT, help_text="A folder, with its `/` at the end.")
    depth = Int(
        min=0, max=1, default=0, help_text="0: everything below the folder. 1: folders in it are one item each."
    )


class MemoryDeleteQuery(QuerySerializer):
    expected_content_sha256 = Sha256(required=False, help_text="Delete only a memory with this text.")


class Tags(List):
    child = Text(min=1, max=64)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=TAGS, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        tags: list[str] = super().to_internal_value(data)
        if len(set(tags)) < len(tags):
            raise ValidationError("must not hold a tag twice")
        return tags


class MemoryFieldsInput(InputSerializer):
    """What a memory has beside its path and text."""

    observed_at = Timestamp(required=False, help_text="When the fact was learned; when it was written, if absent.")
    tags = Tags(required=False)
    pinned = Bool(required=False)
    ring = Enum(Ring, name="Ring", required=False)
    trust = Enum(Trust, name="Trust", required=False)
    metadata = StringMap(required=False)


class MemoryCreateInput(MemoryFieldsInput):
    """A new memory. An empty text is fine."""

    path = Text(control=True)
    content = Text(control=True)


class PreconditionInput(InputSerializer):
    """The text that the memory must have, by its digest."""

    type = Enum(("content_sha256",), name="PreconditionType")
    content_sha256 = Sha256()


class MemoryUpdateInput(MemoryFieldsInput):
    """What may change; absent stays as it is. Both forms of the precondition say which text the memory must have."""

    path = Text(control=True, required=False)
    content = Text(control=True, required=False)
    precondition = PreconditionInput(required=False)
    content_sha256 = Sha256(required=False)

    def validate_precondition(self, value: dict[str, Any]) -> str:
        # Required fields are not enforced in a partial serializer, nested or not.
        missing = next((name for name in ("type", "content_sha256") if name not in value), None)
        if missing:
            raise ValidationError({missing: "is required"})
        return str(value["content_sha256"])

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Folds both forms into `expected_sha256`."""
        expected = {attrs.pop(name) for name in ("precondition", "content_sha256") if name in attrs}
        if len(expected) > 1:
            raise ValidationError({"content_sha256": "contradicts precondition.content_sha256"})
        return {**attrs, **({"expected_sha256": expected.pop()} if expected else {})}


class SearchInput(InputSerializer):
    """What to search for, and how."""

    query = Text(min=1, max=QUERY_LENGTH, control=True)
    limit = Int(min=1, max=100, default=10)
    mode = Enum(MODES, name="SearchMode", default="hybrid")
    include_sources = Bool(default=False, help_text="Also what a dream merged elsewhere and kept.")


class SignalsOutput(OutputSerializer):
    """What is known of a memory's use."""

    relevance = Number(help_text="0 to 1.")
    stability_days = Number()
    access_count = Int()
    last_accessed_at = Timestamp(allow_null=True)
    reinforcement_count = Int()
    success_score = Number(allow_null=True)


class MemoryOutput(OutputSerializer):
    """A memory; with `full` in the context false, `content` is null and is not read."""

    id = Text()
    type = Const("memory")
    memory_store_id = Text(source="store_id")
    memory_version_id = Text(source="version_id")
    path = Text()
    content = serializers.SerializerMethodField()
    content_sha256 = Text(source="content.sha256")
    content_size_bytes = Int(source="content.size")
    metadata = StringMap()
    created_at = Timestamp()
    updated_at = Timestamp()
    observed_at = Timestamp()
    tags = serializers.ListField(child=Text())
    pinned = Bool()
    ring = Enum(Ring, name="Ring")
    trust = Enum(Trust, name="Trust")
    decay_stage = Enum(DecayStage, name="DecayStage")
    signals = SignalsOutput(source="*")

    def get_content(self, memory: Any) -> str | None:
        return memory.content.text if self.context["full"] else None


class MemoryPrefixOutput(OutputSerializer):
    """A folder that stands for everything below it."""

    type = Const("memory_prefix")
    path = Text()


class SearchHitOutput(MemoryOutput):
    """A memory that was found, with what the search adds."""

    score = Number(help_text="Higher is better; comparable within one answer.")
    passage = Text(help_text="The part that matches best.")


MemoryDeletedOutput = deleted_serializer("memory_deleted")


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="MemoryItem",
        serializers={"memory": MemoryOutput, "memory_prefix": MemoryPrefixOutput},
        resource_type_field_name="type",
        many=True,
    )
)
class MemoryItems(serializers.ListField):
    """Memories and folders; for the schema."""


MemoryItemList = output_class(
    "MemoryItemList", {**listed(MemoryOutput)().get_fields(), "data": MemoryItems()}, "Memories and folders."
)
