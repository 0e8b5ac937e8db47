"""Memory stores on the wire."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import extend_schema_field
from pathspec import GitIgnoreSpec
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

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
from memorystores.models import PATH_BYTES, Decay, Supersede, TrustTier
from memorystores.mounting import READ_ONLY, READ_WRITE

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


class MountInput(InputSerializer):
    """The pair that gets the store; `read_write` makes it the pair's default memory."""

    identity_id = Text(min=1, max=255)
    template_id = Text(min=1, max=255)
    access = Enum((READ_ONLY, READ_WRITE), name="MountAccess", default=READ_ONLY)


class StoreUpdateInput(InputSerializer):
    """What may change; absent stays as it is. Metadata is a patch: null removes a key."""

    name = Text(min=1, max=255, required=False)
    description = Text(max=1024, control=True, required=False)
    metadata = StringMap(required=False)
    trust_tier = Enum(TrustTier, name="TrustTier", required=False, help_text="Which models may see the texts.")
    decay = Enum(Decay, name="Decay", required=False)
    supersede = Enum(Supersede, name="Supersede", required=False)
    protected_paths = ProtectedPaths(required=False)


class StoreCreateInput(StoreUpdateInput):
    """A new store. Setting its policy (trust tier, protected paths) needs the admin scope."""

    name = Text(min=1, max=255)
    mount = MountInput(required=False)


class BindingInfoOutput(OutputSerializer):
    """Who has the store."""

    identity_template_count = Int(help_text="How many pairs of identity and template have the store.")


class MemoryStoreOutput(OutputSerializer):
    """A memory store, as `selectors.stores` reads it."""

    id = Text()
    type = Const("memory_store")
    name = Text()
    description = Text()
    metadata = StringMap()
    status = Enum(("active", "archived"), name="MemoryStoreStatus")
    created_at = Timestamp()
    updated_at = Timestamp()
    archived_at = Timestamp(allow_null=True)
    entry_count = Int()
    total_size = Int(help_text="Bytes of all live memories.")
    trust_tier = Enum(TrustTier, name="TrustTier")
    decay = Enum(Decay, name="Decay")
    supersede = Enum(Supersede, name="Supersede")
    protected_paths = serializers.ListField(child=Text())
    revision = Int(help_text="Rises with every write of a memory.")
    system_managed = Bool()
    derived_from = Text(allow_null=True)
    identity_id = serializers.SerializerMethodField()
    binding_info = BindingInfoOutput(source="*")

    @extend_schema_field({"type": ["string", "null"]})
    def get_identity_id(self, store: Any) -> str | None:
        """Whom it was made for, else whose default memory it is."""
        whose: str | None = store.identity_id or store.default_for
        return whose


MemoryStoreDeletedOutput = deleted_serializer("memory_store_deleted")
