"""How a dream is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreams.inputs import MAX_SESSIONS
from dreams.models import ModelSpeed, OutputBehavior, Sources
from dreams.services import DreamRequest
from dreamsvc.serializers import Bool, Enum, InputSerializer, Int, List, ModelId, Number, QuerySerializer, Text

PHASES: Final = ("orient", "replay", "dedup", "consolidate", "schema", "stability", "transitive", "journal")
MAX_INSTRUCTIONS: Final = 4096
MAX_ID: Final = 255


class Distinct(List):
    """A list in which nothing is repeated."""

    def to_internal_value(self, data: Any) -> list[Any]:
        values = super().to_internal_value(data)
        for index, value in enumerate(values):
            if value in values[:index]:
                raise ValidationError(f"{value} is listed twice")
        return values


class DistinctSchema(OpenApiSerializerFieldExtension):
    target_class = Distinct

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema = auto_schema._map_serializer_field(self.target, direction, bypass_extensions=True)
        return {**schema, "uniqueItems": True}


class MemoryStoreInput(InputSerializer):
    """The memory store to read; it is the primary input, of which there is exactly one."""

    type = Enum(["memory_store"], name="MemoryStoreInputType")
    memory_store_id = Text(min=1, max=MAX_ID)


class IdentityTemplateInput(InputSerializer):
    """The pair whose default memory is read, as the primary input. The output becomes the pair's new default."""

    type = Enum(["identity_template"], name="IdentityTemplateInputType")
    identity_id = Text(min=1, max=MAX_ID)
    template_id = Text(min=1, max=MAX_ID)


class SessionsInput(InputSerializer):
    """Sessions to read beside the primary input: at most 100 in all inputs of a dream, none of them twice."""

    type = Enum(["sessions"], name="SessionsInputType")
    session_ids = Distinct(child=Text(min=1, max=MAX_ID), allow_empty=False, max_length=MAX_SESSIONS)


class CreateNew(InputSerializer):
    """The dream writes a store of its own and leaves its input as it is."""

    type = Enum(["create_new"], name="CreateNewType")


class UpdateExisting(InputSerializer):
    """The dream changes its input store in place, one dream at a time."""

    type = Enum(["update_existing"], name="UpdateExistingType")
    memory_store_id = Text(min=1, max=MAX_ID, help_text="The store of the `memory_store` input.")


INPUTS: Mapping[str, type[InputSerializer]] = {
    "memory_store": MemoryStoreInput,
    "identity_template": IdentityTemplateInput,
    "sessions": SessionsInput,
}
BEHAVIORS: Mapping[str, type[InputSerializer]] = {"create_new": CreateNew, "update_existing": UpdateExisting}


class Tagged(serializers.Field[Any, Any, Any, Any]):
    """An object whose `type` says which serializer judges it; a field of another type is an unknown field."""

    kinds: ClassVar[Mapping[str, type[InputSerializer]]]

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise ValidationError("must be an object")
        kind = data.get("type")
        if not isinstance(kind, str) or kind not in self.kinds:
            raise ValidationError({"type": f"must be one of {', '.join(self.kinds)}"})
        serializer = self.kinds[kind](data=data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(PolymorphicProxySerializer("DreamInput", dict(INPUTS), resource_type_field_name="type"))
class DreamInputField(Tagged):
    kinds = INPUTS


@extend_schema_field(PolymorphicProxySerializer("OutputBehavior", dict(BEHAVIORS), resource_type_field_name="type"))
class OutputBehaviorField(Tagged):
    kinds = BEHAVIORS


class ModelConfig(InputSerializer):
    """The model that a dream asks for."""

    id = ModelId(
        help_text="`auto`, `lite`, `ultimate` or any other id; one that no provider serves runs as `auto`.",
    )
    speed = Enum(ModelSpeed, name="ModelSpeed", required=False)


class ModelField(serializers.Field[Any, Any, Any, Any]):
    """A model's id, or an object of id and speed; always comes out as the object."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        serializer = ModelConfig(data={"id": data} if isinstance(data, str) else data)
        serializer.is_valid(raise_exception=True)
        return {"speed": ModelSpeed.STANDARD.value, **serializer.validated_data}

    def to_representation(self, value: Any) -> Any:
        return value


class ModelSchema(OpenApiSerializerFieldExtension):
    """Either form, by the serializer that judges both."""

    target_class = ModelField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        field = ModelConfig().fields["id"]
        name = auto_schema._map_serializer_field(field, direction)
        auto_schema._insert_field_validators(field, name)
        return {"oneOf": [name, auto_schema.resolve_serializer(ModelConfig, direction).ref]}


class Budget(InputSerializer):
    """What a dream may spend; what is verified when it is spent is applied. Default: nothing but the deadline."""

    tokens = Int(min=1, required=False, help_text="Tokens that models read and write.")
    calls = Int(min=1, required=False, help_text="Calls of models.")
    seconds = Number(min=1, required=False, help_text="Time since the dream was started.")


class DreamCreate(InputSerializer):
    """A dream to start: exactly one primary input, and sessions beside it."""

    inputs = List(
        child=DreamInputField(),
        allow_empty=False,
        max_length=1 + MAX_SESSIONS,
        help_text="One `memory_store` or `identity_template`, and any number of `sessions`.",
    )
    model = ModelField(required=False, help_text="A model's id, or an object of id and speed. Default: `auto`.")
    instructions = Text(
        max=MAX_INSTRUCTIONS,
        control=True,
        required=False,
        help_text="What the dream should look out for, in your words; followed where a language model is at hand.",
    )
    output_behavior = OutputBehaviorField(
        required=False, help_text="Default: `create_new`. `update_existing` needs a `memory_store` input."
    )
    dry_run = Bool(required=False, help_text="Plan and write the journal, but change nothing. Default: false.")
    phases = Distinct(
        child=Enum(PHASES, name="Phase"),
        required=False,
        max_length=len(PHASES),
        help_text="The phases to run; `orient` and `journal` always do. Default: all.",
    )
    sources = Enum(
        Sources,
        name="Sources",
        required=False,
        help_text="`drop` (default): what was merged away goes. `keep` is not available yet and refused.",
    )
    budget = Budget(required=False)

    def validate_sources(self, value: str) -> str:
        if value == Sources.KEEP:
            raise ValidationError("keep is not available yet")
        return value


def dream_request(body: Mapping[str, Any]) -> DreamRequest:
    """The request that a validated DreamCreate body makes."""
    model = body.get("model", {"id": "auto", "speed": ModelSpeed.STANDARD.value})
    behavior = body.get("output_behavior", {"type": OutputBehavior.CREATE_NEW})
    return DreamRequest(
        inputs=body["inputs"],
        model_id=model["id"],
        model_speed=model["speed"],
        instructions=body.get("instructions", ""),
        output_behavior=behavior["type"],
        output_store_id=behavior.get("memory_store_id"),
        dry_run=body.get("dry_run", False),
        phases=body.get("phases"),
        sources=body.get("sources", Sources.DROP.value),
        budget=body.get("budget", {}),
    )


class RollbackQuery(QuerySerializer):
    discard_later_writes = Bool(
        required=False,
        help_text="Mount the previous default although the dream's store was written to since. Default: false.",
    )


class LineageQuery(QuerySerializer):
    path = Text(min=1, required=False, help_text="Only the memory of the output at this path.")
