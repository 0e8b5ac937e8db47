"""How a dream is shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from rest_framework import serializers

from dreams.models import Dream, ModelSpeed, OutputBehavior
from dreams.serializers.reports import DreamReportOutput, report_shown
from dreams.serializers.requests import PHASES, DreamInputField, OutputBehaviorField
from dreams.status import ErrorCode, ErrorType, Status
from dreamsvc.serializers import Bool, Const, Enum, Int, OutputSerializer, Text, Timestamp
from dreamsvc.timestamps import print_time

USAGE: Final = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
TIMES: Final = ("created_at", "started_at", "ended_at", "archived_at", "rolled_back_at")


class DreamResultOutput(OutputSerializer):
    """The memory store that a completed dream wrote."""

    type = Const("memory_store")
    memory_store_id = Text()
    files_touched = serializers.ListField(
        child=Text(), required=False, help_text="Paths created, changed or deleted relative to the input, sorted."
    )


class DreamModelOutput(OutputSerializer):
    """The model as it was asked for."""

    id = Text()
    speed = Enum(ModelSpeed, name="ModelSpeed")


class DreamUsageOutput(OutputSerializer):
    """Tokens that models read and wrote; rises while the dream runs, calls that failed included."""

    input_tokens = Int()
    output_tokens = Int()
    cache_creation_input_tokens = Int()
    cache_read_input_tokens = Int()


class DreamErrorOutput(OutputSerializer):
    """Why a dream failed."""

    type = Enum(ErrorType, name="DreamErrorType")
    message = Text()
    code = Enum(ErrorCode, name="DreamErrorCode", required=False, help_text="What the type alone does not say.")


class DreamProgressOutput(OutputSerializer):
    """How far a running dream has come in its present phase."""

    phase = Enum(PHASES, name="Phase")
    done = Int()
    total = Int()


class DreamOutput(OutputSerializer):
    """A dream: a run that reads a memory store, merges what is said twice and writes down what it did.

    `pending` → `running` → `completed`, `failed` or `canceled`; the last three never change again.
    """

    # Clients poll it, so it is printed by hand: the fields here are its schema.
    id = Text()
    type = Const("dream")
    status = Enum(Status, name="DreamStatus")
    inputs = serializers.ListField(child=DreamInputField(), help_text="As submitted.")
    outputs = DreamResultOutput(many=True, help_text="Empty unless the dream has completed and was no dry run.")
    model = DreamModelOutput()
    instructions = Text()
    output_behavior = OutputBehaviorField()
    session_id = Text(allow_null=True, help_text="Always null.")
    usage = DreamUsageOutput()
    error = DreamErrorOutput(allow_null=True, help_text="Null unless the dream has failed.")
    created_at = Timestamp()
    started_at = Timestamp(allow_null=True, help_text="When a worker first took it up.")
    ended_at = Timestamp(allow_null=True)
    archived_at = Timestamp(allow_null=True)
    rolled_back_at = Timestamp(allow_null=True, help_text="When what it did was undone.")
    dry_run = Bool()
    progress = DreamProgressOutput(allow_null=True, help_text="Null unless the dream is running.")
    report = DreamReportOutput(allow_null=True, help_text="Null until the dream has ended.")

    def to_representation(self, instance: Dream) -> dict[str, Any]:
        times = {name: _time(getattr(instance, name)) for name in TIMES}
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
            **times,
            "dry_run": instance.dry_run,
            "progress": instance.progress,
            "report": None if instance.report is None else report_shown(instance.report),
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


def _time(value: datetime | None) -> str | None:
    return None if value is None else print_time(value)


class RollbackOutput(OutputSerializer):
    """What a rollback did."""

    memory_store_id = Text(help_text="The store that counts again.")
    restored = serializers.ListField(child=Text(), help_text="Paths put back as they were before the dream, sorted.")
    kept = serializers.ListField(
        child=Text(),
        help_text=(
            "Paths left as they are, sorted: written since, their former text redacted (then the memory's id), their "
            "path taken, or no room in the store."
        ),
    )


class RolledBackDreamOutput(DreamOutput):
    """The dream, with what its rollback put back and what it left alone."""

    rollback = RollbackOutput()

    def to_representation(self, instance: Dream) -> dict[str, Any]:
        return {**super().to_representation(instance), "rollback": instance.rollback}
