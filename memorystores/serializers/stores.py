"""Memory stores on the wire."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import extend_schema_field
from pathspec import GitIgnoreSpec
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreamsvc.metadata import METADATA_HELP
from dreamsvc.models import NAME_LENGTH
from dreamsvc.serializers import (
    Bool,
    Const,
    Enum,
    InputSerializer,
    Int,
    List,
    OutputSerializer,
    StringMap,
    Text,
    Timestamp,
    deleted_serializer,
)
from memorystores.models import DESCRIPTION_LENGTH, PATH_BYTES, Decay, Supersede, TrustTier
from memorystores.mounting import Access

PATTERNS = 100


class ProtectedPaths(List):
    """gitignore-style patterns on paths. One that cannot be read is refused: it would protect nothing."""

    child = Text(min=1, max=PATH_BYTES)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=PATTERNS, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        patterns: list[str] = super().to_internal_value(data)
        for index, pattern in enumerate(patterns):
            if not _reads(pattern):
                raise ValidationError({str(index): "is not a gitignore-style pattern"})
        return patterns


def _reads(pattern: str) -> bool:
    try:
        return any(each.include is not None for each in GitIgnoreSpec.from_lines([pattern]).patterns)
    except (ValueError, re.error):
        return False


class MemoryStoreMount(InputSerializer):
    """The pair that gets the store; `read_write` makes it the pair's default memory."""

    identity_id = Text(min=1, max=255)
    template_id = Text(min=1, max=255)
    access = Enum(Access, name="MountAccess", default=Access.READ_ONLY.value)


class MemoryStoreUpdate(InputSerializer):
    """What may change; absent stays as it is. Metadata is a patch: null removes a key."""

    name = Text(min=1, max=NAME_LENGTH, required=False, help_text="Without control characters; need not be unique.")
    description = Text(
        max=DESCRIPTION_LENGTH, control=True, required=False, help_text="What the store is for. Default: empty."
    )
    metadata = StringMap(required=False, help_text=METADATA_HELP)
    trust_tier = Enum(
        TrustTier,
        name="TrustTier",
        required=False,
        help_text="Which models may see the texts. Default: `work`. Another needs the admin scope.",
    )
    decay = Enum(
        Decay, name="Decay", required=False, help_text="Whether unused memories are shortened. Default: `none`."
    )
    supersede = Enum(
        Supersede, name="Supersede", required=False, help_text="What a dream does with contradictions. Default: `ask`."
    )
    protected_paths = ProtectedPaths(
        required=False,
        help_text="gitignore-style patterns of paths that dreams leave alone. Default: none. Needs the admin scope.",
    )


class MemoryStoreCreate(MemoryStoreUpdate):
    """A new store. Setting its policy (trust tier, protected paths) needs the admin scope."""

    name = Text(min=1, max=NAME_LENGTH, help_text="Without control characters; need not be unique.")
    mount = MemoryStoreMount(
        required=False, help_text="Mounts the store in the same step; 409 if the pair has a default memory already."
    )


class BindingInfoOutput(OutputSerializer):
    """Who has the store."""

    identity_template_count = Int(help_text="How many pairs of identity and template have the store.")


class MemoryStoreOutput(OutputSerializer):
    """A set of memories, each at a path of its own."""

    id = Text(help_text="`memstore_…`")
    type = Const("memory_store")
    name = Text()
    description = Text()
    metadata = StringMap(help_text=METADATA_HELP)
    status = Enum(
        ("active", "archived"), name="MemoryStoreStatus", help_text="An archived store is read, and written no more."
    )
    created_at = Timestamp()
    updated_at = Timestamp(help_text="When the store's own fields changed last, not its memories.")
    archived_at = Timestamp(allow_null=True)
    entry_count = Int(help_text="How many live memories it has.")
    total_size = Int(help_text="Bytes of all live memories.")
    trust_tier = Enum(TrustTier, name="TrustTier")
    decay = Enum(Decay, name="Decay")
    supersede = Enum(Supersede, name="Supersede")
    protected_paths = serializers.ListField(
        child=Text(), help_text="gitignore-style patterns of paths that dreams leave alone."
    )
    revision = Int(help_text="Rises with every write of a memory.")
    system_managed = Bool(help_text="Whether the service made the store, for a pair's first session or in a dream.")
    derived_from = Text(allow_null=True, help_text="The store that a dream read to write this one.")
    identity_id = serializers.SerializerMethodField(help_text="Whom it was made for, or whose default memory it is.")
    binding_info = BindingInfoOutput(source="*")

    @extend_schema_field({"type": ["string", "null"]})
    def get_identity_id(self, store: Any) -> str | None:
        whose: str | None = store.identity_id or store.default_for
        return whose


MemoryStoreDeletedOutput = deleted_serializer("memory_store_deleted")
