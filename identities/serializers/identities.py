"""Identities on the wire."""

from __future__ import annotations

from dreamsvc.serializers import (
    Bool,
    Const,
    InputSerializer,
    OutputSerializer,
    StringMap,
    Text,
    Timestamp,
    deleted_serializer,
)

DeletedIdentity = deleted_serializer("identity_deleted", typed=False)


class IdentityCreate(InputSerializer):
    """An identity as its caller describes it; in an update metadata is a patch, null removes a key."""

    external_id = Text(min=1, max=255, help_text="The caller's own id for somebody, unique in the workspace.")
    name = Text(max=255, required=False)
    identity_type = Text(min=1, max=64, required=False)
    enabled = Bool(required=False, help_text="Nothing new begins for a disabled identity.")
    metadata = StringMap(required=False)


class IdentitySerializer(OutputSerializer):
    """Somebody whom agents serve and remember."""

    id = Text()
    type = Const("identity")
    external_id = Text()
    name = Text(allow_null=True)
    identity_type = Text()
    enabled = Bool()
    metadata = StringMap()
    created_at = Timestamp()
    updated_at = Timestamp()
