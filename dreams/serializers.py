"""How a dream is asked for and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreams.inputs import MAX_SESSIONS
from dreams.models import Dream, DreamOperation, OutputBehavior
from dreams.services import DreamRequest
from dreams.status import ErrorCode, ErrorType, Status
from dreamsvc.serializers import (
    Bool,
    Const,
    Enum,
    InputSerializer,
    Int,
    Json,
    List,
    Number,
    OutputSerializer,
    QuerySerializer,
    Text,
    Timestamp,
)
from dreamsvc.timestamps import print_time

PHASES = ("orient", "replay", "dedup", "consolidate", "schema", "stability", "transitive", "journal")
SOURCES = ("drop", "keep")
USAGE = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
TIMES = ("created_at", "started_at", "ended_at", "archived_at")
MAX_INSTRUCTIONS = 4096
MAX_MODEL_ID = 256
MAX_ID = 255


# --- Input ---------------------------------------------------------------------------------------------------------
class MemoryStoreInput(InputSerializer):
    type = Enum(["memory_store"], name="MemoryStoreInputType")
    memory_store_id = Text(min=1, max=MAX_ID)


class IdentityTemplateInput(InputSerializer):
    type = Enum(["identity_template"], name="IdentityTemplateInputType")
    identity_id = Text(min=1, max=MAX_ID)
    template_id = Text(min=1, max=MAX_ID)


class SessionsInput(InputSerializer):
    type = Enum(["sessions"], name="SessionsInputType")
    session_ids = List(child=Text(min=1, max=MAX_ID), allow_empty=False, max_length=MAX_SESSIONS)


class CreateNew(InputSerializer):
    type = Enum(["create_new"], name="CreateNewType")


class UpdateExisting(InputSerializer):
    type = Enum(["update_existing"], name="UpdateExistingType")
    memory_store_id = Text(min=1, max=MAX_ID)


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
    id = Text(min=1, max=MAX_MODEL_ID)
    speed = Enum(["standard"], name="ModelSpeed", required=False)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "minLength": 1, "maxLength": MAX_MODEL_ID},
            {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "minLength": 1, "maxLength": MAX_MODEL_ID},
                    "speed": {"type": "string", "const": "standard"},
                },
                "required": ["id"],
            },
        ]
    }
)
class ModelField(serializers.Field[Any, Any, Any, Any]):
    """A model's id, or an object of id and speed; always comes out as the object."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        serializer = ModelConfig(data={"id": data} if isinstance(data, str) else data)
        serializer.is_valid(raise_exception=True)
        return {"speed": "standard", **serializer.validated_data}

    def to_representation(self, value: Any) -> Any:
        return value


class Budget(InputSerializer):
    """What a dream may spend; what is verified when it is spent is applied."""

    tokens = Int(min=1, required=False)
    calls = Int(min=1, required=False)
    seconds = Number(min=1, required=False)


class DreamCreate(InputSerializer):
    inputs = List(child=DreamInputField(), allow_empty=False, max_length=1 + MAX_SESSIONS)
    model = ModelField(required=False)
    instructions = Text(max=MAX_INSTRUCTIONS, control=True, required=False)
    output_behavior = OutputBehaviorField(required=False)
    dry_run = Bool(required=False)
    phases = List(child=Enum(PHASES, name="Phase"), required=False, max_length=len(PHASES))
    sources = Enum(SOURCES, name="Sources", required=False)
    budget = Budget(required=False)

    def validate_sources(self, value: str) -> str:
        if value == "keep":
            raise ValidationError("keep is not available yet")
        return value


def dream_request(body: Mapping[str, Any]) -> DreamRequest:
    """The request that a validated DreamCreate body makes."""
    model = body.get("model", {"id": "auto", "speed": "standard"})
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
        sources=body.get("sources", "drop"),
        budget=body.get("budget", {}),
    )


class RollbackQuery(QuerySerializer):
    discard_later_writes = Bool(required=False)


class LineageQuery(QuerySerializer):
    path = Text(min=1, required=False)


# --- Output --------------------------------------------------------------------------------------------------------
class DreamOutput(OutputSerializer):
    type = Const("memory_store")
    memory_store_id = Text()
    files_touched = serializers.ListField(child=Text(), required=False)


class DreamModelConfig(OutputSerializer):
    id = Text()
    speed = Text()


class DreamUsage(OutputSerializer):
    input_tokens = Int()
    output_tokens = Int()
    cache_creation_input_tokens = Int()
    cache_read_input_tokens = Int()


class DreamError(OutputSerializer):
    type = Enum(ErrorType, name="DreamErrorType")
    message = Text()
    code = Enum(ErrorCode, name="DreamErrorCode", required=False)


class DreamProgress(OutputSerializer):
    phase = Enum(PHASES, name="Phase")
    done = Int()
    total = Int()


class DreamSerializer(OutputSerializer):
    """The Dream object. Clients poll it, so it is printed by hand: the fields here are its schema."""

    id = Text()
    type = Const("dream")
    status = Enum(Status, name="DreamStatus")
    inputs = serializers.ListField(child=DreamInputField())
    outputs = DreamOutput(many=True)
    model = DreamModelConfig()
    instructions = Text()
    output_behavior = OutputBehaviorField()
    session_id = Text(allow_null=True)
    usage = DreamUsage()
    error = DreamError(allow_null=True)
    created_at = Timestamp()
    started_at = Timestamp(allow_null=True)
    ended_at = Timestamp(allow_null=True)
    archived_at = Timestamp(allow_null=True)
    dry_run = Bool()
    progress = DreamProgress(allow_null=True)
    report = Json(allow_null=True)

    def to_representation(self, instance: Dream) -> dict[str, Any]:
        return {
            "id": instance.id,
            "type": "dream",
            "status": instance.status,
            "inputs": instance.inputs,
            "outputs": _outputs(instance),
            "model": {"id": instance.model_id, "speed": instance.model_speed},
            "instructions": instance.instructions,
            "output_behavior": _behavior(instance),
            "session_id": None,
            "usage": {name: getattr(instance, name) for name in USAGE},
            "error": _error(instance),
            **{
                name: _time(getattr(instance, name)) for name in ("created_at", "started_at", "ended_at", "archived_at")
            },
            "dry_run": instance.dry_run,
            "progress": instance.progress,
            "report": instance.report,
        }


def _outputs(dream: Dream) -> list[dict[str, Any]]:
    if dream.status != Status.COMPLETED or dream.output_store_id is None:
        return []
    output: dict[str, Any] = {"type": "memory_store", "memory_store_id": dream.output_store_id}
    if dream.files_touched is not None:
        output["files_touched"] = dream.files_touched
    return [output]


def _behavior(dream: Dream) -> dict[str, Any]:
    if dream.output_behavior == OutputBehavior.CREATE_NEW:
        return {"type": "create_new"}
    return {"type": "update_existing", "memory_store_id": dream.primary_store_id}


def _error(dream: Dream) -> dict[str, Any] | None:
    if dream.error_type is None:
        return None
    error = {"type": dream.error_type, "message": dream.error_message}
    return error if dream.error_code is None else {**error, "code": dream.error_code}


def _time(value: Any) -> str | None:
    return None if value is None else print_time(value)


class OperationSerializer(OutputSerializer):
    """One operation or suggestion of the plan, with its evidence, and what became of it."""

    seq = Int()
    kind = Text()
    outcome = Enum(DreamOperation.Outcome, name="OperationOutcome")
    outcome_reason = Text()
    body = Json()


class PathDiffSerializer(OutputSerializer):
    path = Text()
    before = Text(allow_null=True)
    after = Text(allow_null=True)
    before_redacted = Bool()
    after_redacted = Bool()
    unified = Text()


class LineageSerializer(OutputSerializer):
    path = Text()
    memory_id = Text()
    source_path = Text()
    source_memory_id = Text()
    source_version_id = Text()
    passage_hash = Text()
    operation = Text()


class JournalSerializer(OutputSerializer):
    type = Const("dream_journal")
    dream_id = Text()
    created_at = Timestamp()
    record = Json()
    markdown = Text()


class Undone(OutputSerializer):
    memory_store_id = Text()
    restored = serializers.ListField(child=Text())
    kept = serializers.ListField(child=Text())


class RollbackSerializer(DreamSerializer):
    """The dream, with what its rollback put back and what it left as somebody had written it since."""

    rolled_back_at = Timestamp()
    rollback = Undone()

    def to_representation(self, instance: Dream) -> dict[str, Any]:
        undone = {"rolled_back_at": _time(instance.rolled_back_at), "rollback": instance.rollback}
        return {**super().to_representation(instance), **undone}
