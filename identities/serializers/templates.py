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


class TemplateCreate(InputSerializer):
    """Keys that we do not know are kept as they are, for the caller's own use."""

    extra = "extra"

    name = Text(min=1, max=255, help_text="Unique in the workspace, archived templates included.")
    description = Text(max=4096, control=True, required=False)
    model = Model(required=False)
    environment_id = Text(min=1, max=255, required=False)
    system = System(required=False)
    metadata = StringMap(required=False)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        values = super().to_internal_value(data)
        for key in values["extra"]:
            if key in READ_ONLY:
                raise ValidationError({key: "is read-only"})
        values["extra"] = {key: value for key, value in values["extra"].items() if value is not None}
        return values


class TemplateSerializer(OutputSerializer):
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
