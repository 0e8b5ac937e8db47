"""Templates on the wire."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError

from dreamsvc.serializers import (
    MODEL_ID_LENGTH,
    Const,
    Enum,
    InputSerializer,
    Json,
    ModelId,
    OutputSerializer,
    StringMap,
    Text,
    Timestamp,
)

STATUSES: Final = ("active", "archived")
READ_ONLY: Final = frozenset({"id", "type", "status", "created_at", "updated_at", "archived_at"})


NAME_HELP: Final = "Unique in the workspace, archived templates included."
_NAME: Final = {"type": "string", "minLength": 1, "maxLength": MODEL_ID_LENGTH}


@extend_schema_field({"oneOf": [_NAME, {"type": "object", "properties": {"id": _NAME}, "required": ["id"]}]})
class Model(Json):
    """A model's id, or an object with an `id`; kept as sent."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | dict):
            raise ValidationError("must be a model's id, or an object with an id")
        ModelId().run_validation(data.get("id") if isinstance(data, dict) else data)
        return data


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": {}}]})
class System(Json):
    """A system prompt: text, or a list of blocks; kept as sent."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | list):
            raise ValidationError("must be a string or a list of blocks")
        return data


class TemplateUpdate(InputSerializer):
    """What may change; absent stays as it is. Metadata is a patch: null removes a key.

    Keys that are not described here are kept as sent, for the caller's own use: with `model` and `system` at most
    64 KiB of JSON.
    """

    extra = "extra"

    name = Text(min=1, max=255, required=False, help_text=NAME_HELP)
    description = Text(max=4096, control=True, required=False, help_text="For people.")
    model = Model(required=False, help_text="A model's id, or an object with an `id`.")
    environment_id = Text(min=1, max=255, required=False, help_text="Where sessions of the template run.")
    system = System(required=False, help_text="A system prompt: text, or a list of blocks.")
    metadata = StringMap(required=False, help_text="Up to 16 pairs of the caller's.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        values = super().to_internal_value(data)
        for key in values["extra"]:
            if key in READ_ONLY:
                raise ValidationError({key: "is read-only"})
        values["extra"] = {key: value for key, value in values["extra"].items() if value is not None}
        return values


class TemplateCreate(TemplateUpdate):
    """An agent's definition.

    Keys that are not described here are kept as sent, for the caller's own use: with `model` and `system` at most
    64 KiB of JSON.
    """

    name = Text(min=1, max=255, help_text=NAME_HELP)


class TemplateOutput(OutputSerializer):
    """An agent's definition; other keys that it was created with are shown as well."""

    id = Text()
    type = Const("template")
    name = Text()
    description = Text(allow_null=True)
    status = Enum(STATUSES, name="TemplateStatus")
    model = Model(allow_null=True)
    environment_id = Text(allow_null=True)
    system = System(allow_null=True)
    metadata = StringMap()
    created_at = Timestamp()
    updated_at = Timestamp()
    archived_at = Timestamp(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {**instance.extra, **super().to_representation(instance)}
