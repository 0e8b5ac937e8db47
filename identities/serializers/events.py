"""Events of sessions on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError

from dreamsvc.serializers import (
    Bool,
    InputSerializer,
    Int,
    Json,
    List,
    OutputSerializer,
    Text,
    Timestamp,
    output_class,
)
from identities.services.sessions import NewEvent

TYPE_LENGTH: Final = 128
_BLOCK: Final = {
    "type": "object",
    "properties": {"type": {"type": "string", "minLength": 1}, "text": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": {},
}


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "array", "items": _BLOCK}]})
class Content(Json):
    """A string, or a list of blocks, each an object with a `type`; a `text` block has a `text`. Kept as sent."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, list):
            for index, block in enumerate(data):
                _check_block(index, block)
        elif not isinstance(data, str):
            raise ValidationError("must be a string or a list of blocks")
        return data


@extend_schema_field({"type": "object", "additionalProperties": {}})
class JsonObject(Json):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError("must be an object")
        return data


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {}}]})
class Rubric(Json):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | dict):
            raise ValidationError("must be a string or an object")
        return data


class PlainEvent(InputSerializer):
    """What every event has."""

    type = Text(min=1, max=TYPE_LENGTH)
    content = Content(required=False)
    created_at = Timestamp(required=False, help_text="When it happened; now, if absent.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["type"].endswith(".message") and "content" not in attrs:
            raise ValidationError({"content": "is required for a message"})
        return attrs


class SessionEventCreate(PlainEvent):
    """An event: its type and content, and what else the clients' event types carry."""

    tool_use_id = Text(max=255, required=False)
    custom_tool_use_id = Text(max=255, required=False)
    mcp_tool_use_id = Text(max=255, required=False)
    mcp_server_name = Text(max=255, required=False)
    name = Text(max=255, required=False)
    input = JsonObject(required=False)
    is_error = Bool(required=False)
    result = Text(max=64, required=False)
    deny_message = Text(control=True, required=False)
    description = Text(control=True, required=False)
    rubric = Rubric(required=False)
    outcome_id = Text(max=255, required=False)
    max_iterations = Int(min=1, required=False)
    session_thread_id = Text(max=255, required=False)


class SessionEventsSend(InputSerializer):
    """Events to append, in this order."""

    events = List(child=SessionEventCreate(), allow_empty=False)


class SessionEventOutput(OutputSerializer):
    """An event as it was sent; what its type does not carry is left out."""

    id = Text()
    type = Text()
    session_id = Text()
    content = Content(allow_null=True)
    created_at = Timestamp()
    processed_at = Timestamp(source="created_at")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {**super().to_representation(instance), **instance.details}


SentEvents = output_class("SentEvents", {"data": SessionEventOutput(many=True)})


def new_event(values: Mapping[str, Any]) -> NewEvent:
    """The event that validated values describe."""
    details = {key: value for key, value in values.items() if key not in ("type", "content", "created_at")}
    return NewEvent(values["type"], values.get("content"), details, values.get("created_at"))


def _check_block(index: int, block: Any) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str) or not 1 <= len(kind) <= TYPE_LENGTH:
        raise ValidationError({str(index): ["must be an object with a type"]})
    if kind == "text" and not isinstance(block.get("text"), str):
        raise ValidationError({str(index): {"text": ["must be a string"]}})
