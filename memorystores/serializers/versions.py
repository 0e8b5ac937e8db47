"""Memory versions on the wire."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from dreamsvc.actors import ActorType
from dreamsvc.serializers import Const, Enum, Int, OutputSerializer, Text, Timestamp
from memorystores.models import Operation


class ActorOutput(OutputSerializer):
    """Who did it: a key by its id, or a dream as a service account."""

    type = Enum(ActorType, name="ActorType")
    api_key_id = Text(required=False, help_text="Of an `api_actor`: `apikey_…`")
    service_account_id = Text(required=False, help_text="Of a `service_account_actor`: the dream's id, `drm_…`")


class MemoryVersionOutput(OutputSerializer):
    """What one write made of a memory; versions outlive it. With `view=basic` the `content` is null."""

    # `full` in the context says which view it is; in the other the text is not read.
    id = Text(help_text="`memver_…`")
    type = Const("memory_version")
    memory_store_id = Text(source="store_id")
    memory_id = Text(help_text="The memory, which may be deleted by now.")
    operation = Enum(Operation, name="MemoryVersionOperation")
    path = Text(allow_null=True, help_text="Null once redacted.")
    content = serializers.SerializerMethodField(help_text="Null of a deletion, and once redacted.")
    content_sha256 = Text(source="content.sha256", allow_null=True, help_text="Null where the text is.")
    content_size_bytes = Int(source="content.size", allow_null=True, help_text="Null where the text is.")
    store_revision = Int(help_text="The revision of the store that this write made.")
    created_at = Timestamp()
    created_by = serializers.SerializerMethodField()
    redacted = serializers.SerializerMethodField()
    redacted_at = Timestamp(allow_null=True)
    redacted_by = serializers.SerializerMethodField(help_text="The key that redacted it.")

    def get_content(self, version: Any) -> str | None:
        return version.content.text if self.context["full"] and version.content else None

    @extend_schema_field(ActorOutput)
    def get_created_by(self, version: Any) -> dict[str, str]:
        return actor_fields(version.actor_type, version.actor_id)

    def get_redacted(self, version: Any) -> bool:
        return version.redacted_at is not None

    @extend_schema_field(ActorOutput(allow_null=True))
    def get_redacted_by(self, version: Any) -> dict[str, str] | None:
        return actor_fields(ActorType.API, version.redacted_by) if version.redacted_by else None


class HolderOutput(OutputSerializer):
    """A version that holds the same text."""

    memory_version_id = Text(source="id")
    memory_id = Text()
    memory_store_id = Text(source="store_id")


class RedactedVersionOutput(MemoryVersionOutput):
    """A redacted version, and where its text still is."""

    also_in = HolderOutput(many=True, help_text="Versions that hold the same text still.")


def actor_fields(type: str, id: str) -> dict[str, str]:
    """The wire names the id by the kind of actor."""
    return {"type": str(type), "api_key_id" if type == ActorType.API else "service_account_id": id}
