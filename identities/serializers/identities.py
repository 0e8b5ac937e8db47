"""Identities on the wire."""

from __future__ import annotations

from typing import Final

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

IdentityDeletedOutput = deleted_serializer("identity_deleted", typed=False)


EXTERNAL_ID_HELP: Final = "The caller's own id for somebody, unique in the workspace."


class IdentityUpdate(InputSerializer):
    """What may change; absent stays as it is. Metadata is a patch: null removes a key."""

    external_id = Text(min=1, max=255, required=False, help_text=EXTERNAL_ID_HELP)
    name = Text(max=255, required=False, help_text="For people; need not be unique.")
    identity_type = Text(min=1, max=64, required=False, help_text="In the caller's words. Default: `user`.")
    enabled = Bool(required=False, help_text="Nothing new begins for a disabled identity. Default: true.")
    metadata = StringMap(required=False, help_text="Up to 16 pairs of the caller's.")


class IdentityCreate(IdentityUpdate):
    """Somebody whom agents are to serve and remember."""

    external_id = Text(min=1, max=255, help_text=EXTERNAL_ID_HELP)


class IdentityOutput(OutputSerializer):
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
