"""Mounts and default memory on the wire."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import SerializerMethodField

from dreamsvc.serializers import (
    Bool,
    Const,
    Enum,
    InputSerializer,
    Int,
    OutputSerializer,
    Text,
    Timestamp,
    deleted_serializer,
)
from identities.models import MountChange
from memorystores.models import Operation
from memorystores.mounting import Access
from memorystores.serializers.versions import ActorOutput, actor_fields

MountDeletedOutput = deleted_serializer("memory_store_binding_deleted")


class MountCreate(InputSerializer):
    """The store to mount read-only."""

    memory_store_id = Text(min=1, max=255)


class MountOutput(OutputSerializer):
    """A store that an identity has with a template; the read_write one is the pair's default memory."""

    memory_store_id = Text(source="store_id")
    identity_id = Text()
    template_id = Text()
    access = Enum(Access, name="MountAccess")
    system_managed = Bool()
    name = Text(source="store.name")
    status = Enum(("active", "archived"), name="MemoryStoreStatus", source="store.status")
    entry_count = Int(source="store.entry_count")
    created_at = Timestamp()


class DefaultMemorySet(InputSerializer):
    """The store that is to be the default memory."""

    memory_store_id = Text(min=1, max=255)
    expected_memory_store_id = Text(
        min=1, max=255, required=False, help_text="The default that is to be replaced; any other: 409."
    )


class DefaultMemoryChangeOutput(OutputSerializer):
    """From `revision` on the default was this store."""

    revision = Int()
    memory_store_id = Text(source="store_id")
    created_at = Timestamp()
    created_by = SerializerMethodField()

    @extend_schema_field(ActorOutput)
    def get_created_by(self, change: MountChange) -> dict[str, str]:
        return actor_fields(change.actor_type, change.actor_id)


class PredecessorWriteOutput(OutputSerializer):
    """A write to a former default, made after the dream that replaced it had read it."""

    memory_store_id = Text(source="store_id")
    memory_version_id = Text(source="id")
    memory_id = Text()
    operation = Enum(Operation, name="MemoryVersionOperation")
    path = Text(allow_null=True)
    store_revision = Int()
    created_at = Timestamp()


class DefaultMemoryOutput(OutputSerializer):
    """The default memory, the stores it was, and what these were written since a dream read them."""

    type = Const("default_memory")
    memory_store_id = Text(source="mount.store_id")
    identity_id = Text(source="mount.identity_id")
    template_id = Text(source="mount.template_id")
    revision = Int(source="mount.revision", help_text="Rises with every replacement.")
    system_managed = Bool(source="mount.system_managed")
    name = Text(source="mount.store.name")
    entry_count = Int(source="mount.store.entry_count")
    created_at = Timestamp(source="mount.created_at")
    history = DefaultMemoryChangeOutput(many=True, help_text="Newest first, 100 at most.")
    predecessor_writes = PredecessorWriteOutput(
        many=True, help_text="Newest first, 100 at most; the pair's next dream takes them in."
    )
    predecessor_write_count = Int()
