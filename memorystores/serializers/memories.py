"""Memories on the wire."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreamsvc.metadata import METADATA_HELP
from dreamsvc.pagination import DEFAULT_LIMIT, MAX_LIMIT
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
from memorystores.services.memories import Expected

FULL_LIMIT = 20
"""Objects per page with their texts: some may be 100 kB long."""

TAGS = 64
QUERY_LENGTH = 4096
PATH_HELP = "1 to 20 segments, at most 1,024 bytes in all, with or without a leading `/`. Upper and lower case differ."
SHA256_HELP = "SHA-256 of the text's UTF-8 bytes, in lowercase hexadecimal."
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
        super().__init__(
            ("basic", "full"), name="MemoryView", default=default, help_text="`basic` leaves `content` null."
        )


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


class MemoryFields(InputSerializer):
    """What a memory has beside its path and text."""

    observed_at = Timestamp(required=False, help_text="When the fact was learned; when it was written, if absent.")
    tags = Tags(required=False, help_text="Words of your own, each at most once.")
    pinned = Bool(required=False, help_text="No dream touches a pinned memory. Default: false.")
    ring = Enum(Ring, name="Ring", required=False, help_text="The kind of memory. Default: `none`.")
    trust = Enum(
        Trust, name="Trust", required=False, help_text="How far the text is to be believed. Default: `verified`."
    )
    metadata = StringMap(required=False, help_text=METADATA_HELP)


class MemoryCreate(MemoryFields):
    """A new memory. An empty text is fine."""

    path = Text(control=True, help_text=PATH_HELP)
    content = Text(control=True, help_text="At most 102,400 bytes of UTF-8, kept as sent.")


class Precondition(InputSerializer):
    """The text that the memory must have, by its digest."""

    type = Enum(("content_sha256",), name="PreconditionType")
    content_sha256 = Sha256(help_text=SHA256_HELP)


class MemoryUpdate(MemoryFields):
    """What may change; absent stays as it is. Both forms of the precondition say which text the memory must have."""

    path = Text(control=True, required=False, help_text=PATH_HELP)
    content = Text(control=True, required=False, help_text="At most 102,400 bytes of UTF-8, kept as sent.")
    precondition = Precondition(required=False, help_text="Change only a memory with this text; else 409.")
    content_sha256 = Sha256(required=False, help_text="The short form of `precondition`.")

    def validate_precondition(self, value: dict[str, Any]) -> str:
        # Required fields are not enforced in a partial serializer, nested or not.
        missing = next((name for name in ("type", "content_sha256") if name not in value), None)
        if missing:
            raise ValidationError({missing: "is required"})
        return str(value["content_sha256"])

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Folds both forms into `expected`."""
        flat, nested = attrs.pop("content_sha256", None), attrs.pop("precondition", None)
        if flat and nested and flat != nested:
            raise ValidationError({"content_sha256": "contradicts precondition.content_sha256"})
        if nested:
            return {**attrs, "expected": Expected(nested, "precondition.content_sha256")}
        return {**attrs, "expected": Expected(flat, "content_sha256")} if flat else attrs


class MemorySearch(InputSerializer):
    """What to search for, and how."""

    query = Text(min=1, max=QUERY_LENGTH, control=True, help_text="Words, or what the memory is about.")
    limit = Int(
        min=1,
        max=MAX_LIMIT,
        default=DEFAULT_LIMIT,
        help_text="The most to find; 20 with `view=full`, whatever is asked.",
    )
    mode = Enum(
        MODES, name="SearchMode", default="hybrid", help_text="By the words, by the meaning, or by both together."
    )
    include_sources = Bool(default=False, help_text="Also what a dream merged elsewhere and kept.")


class SignalsOutput(OutputSerializer):
    """What is known of a memory's use."""

    relevance = Number(help_text="0 to 1.")
    stability_days = Number(help_text="The larger, the slower the memory fades.")
    access_count = Int(help_text="How often it was read or found.")
    last_accessed_at = Timestamp(allow_null=True)
    reinforcement_count = Int(help_text="How often dreams found its statement again.")
    success_score = Number(allow_null=True, help_text="0 to 1: how often it helped; null while nobody has said.")


class MemoryOutput(OutputSerializer):
    """A memory: a text at a path of its store. With `view=basic` its `content` is null."""

    # `full` in the context says which view it is; in the other the text is not read.
    id = Text(help_text="`mem_…`; it stays the same when the path changes.")
    type = Const("memory")
    memory_store_id = Text(source="store_id")
    memory_version_id = Text(source="version_id", help_text="The version that the memory is now.")
    path = Text(help_text="With its leading `/`.")
    content = serializers.SerializerMethodField()
    content_sha256 = Text(source="content.sha256", help_text=SHA256_HELP)
    content_size_bytes = Int(source="content.size")
    metadata = StringMap(help_text=METADATA_HELP)
    created_at = Timestamp()
    updated_at = Timestamp(help_text="When text or path changed last.")
    observed_at = Timestamp(help_text="When the fact was learned.")
    tags = serializers.ListField(child=Text(), help_text="Words of your own.")
    pinned = Bool(help_text="No dream touches a pinned memory.")
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


def expected(query: dict[str, Any]) -> Expected | None:
    """What the query of a DELETE expects."""
    name = "expected_content_sha256"
    return Expected(query[name], name) if name in query else None


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
