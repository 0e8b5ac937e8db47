"""Sessions on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema_field
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import Field, ListField

from dreamsvc.serializers import (
    Const,
    Enum,
    InputSerializer,
    Int,
    Json,
    List,
    OutputSerializer,
    QuerySerializer,
    StringMap,
    Text,
    Timestamp,
    deleted_serializer,
)
from identities.serializers.events import JsonObject, SessionEventCreate, new_event
from identities.serializers.templates import Model, System
from identities.services.sessions import SessionDraft

ID_LENGTH: Final = 255
STATUSES: Final = ("rescheduling", "running", "idle", "terminated")
"""Those of the clients; ours are all idle, for no agent runs here."""

SessionDeletedOutput = deleted_serializer("session_deleted", flag=False)


class AgentReference(InputSerializer):
    """An agent of the caller's, with overrides that are kept as sent: all in all at most 64 KiB of JSON."""

    id = Text(min=1, max=ID_LENGTH)
    type = Enum(("agent", "agent_with_overrides"), name="AgentReferenceType", required=False)
    version = Int(min=1, required=False)
    name = Text(max=255, required=False)
    model = Model(required=False)
    system = System(required=False)
    tools = List(child=Json(), required=False)
    mcp_servers = List(child=Json(), required=False)
    skills = List(child=Json(), required=False)


class Agent(Json):
    """An agent's id, or an object with it; comes out as an object."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        given: dict[str, Any] = AgentReference().run_validation({"id": data} if isinstance(data, str) else data)
        model = given.get("model")
        named = {"id": model, "speed": "standard"} if isinstance(model, str) else model
        return {"version": None, "name": None, **given, "type": "agent", "model": named}


class AgentSchema(OpenApiSerializerFieldExtension):
    """Either form, by the serializer that judges both."""

    target_class = Agent

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        reference: dict[str, Any] = auto_schema.resolve_serializer(AgentReference, direction).ref
        return {"oneOf": [{"type": "string", "minLength": 1, "maxLength": ID_LENGTH}, reference]}


class EmptyList(List):
    """What we do not serve: only the empty list is true here."""

    def __init__(self) -> None:
        super().__init__(child=Json(), required=False, max_length=0)


AGENT_KEYS: Final = ("agent", "environment_id")
PAIR_KEYS: Final = ("identity_id", "template_id")


def _amiss(given: set[str]) -> str:
    """The key that is missing, or one too many."""
    wanted, other = (PAIR_KEYS, AGENT_KEYS) if given & set(PAIR_KEYS) else (AGENT_KEYS, PAIR_KEYS)
    missing = [key for key in wanted if key not in given]
    return next(iter(missing or [key for key in other if key in given]))


class SessionCreate(InputSerializer):
    """Either `agent` and `environment_id`, or `identity_id` and `template_id`."""

    agent = Agent(required=False)
    environment_id = Text(min=1, max=255, required=False)
    identity_id = Text(min=1, max=255, required=False)
    template_id = Text(min=1, max=255, required=False)
    title = Text(max=1024, required=False)
    metadata = StringMap(required=False)
    initial_events = List(child=SessionEventCreate(), required=False)
    resources = EmptyList()
    vault_ids = EmptyList()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = attrs.keys() & {*AGENT_KEYS, *PAIR_KEYS}
        if given not in (set(AGENT_KEYS), set(PAIR_KEYS)):
            raise ValidationError({_amiss(given): "give agent and environment_id, or identity_id and template_id"})
        return attrs


class SessionUpdate(InputSerializer):
    """What may change of a session; metadata is a patch, null removes a key."""

    title = Text(max=1024, required=False)
    metadata = StringMap(required=False)
    vault_ids = EmptyList()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in attrs.items() if name != "vault_ids"}


class SessionAgentOutput(OutputSerializer):
    """The agent as the session was created with it; overrides are there only if they were given."""

    type = Const("agent")
    id = Text()
    version = Int(allow_null=True, help_text="Null: the latest.")
    name = Text(allow_null=True)
    model = JsonObject(allow_null=True)
    system = System(required=False)
    tools = ListField(child=Json(), required=False)
    mcp_servers = ListField(child=Json(), required=False)
    skills = ListField(child=Json(), required=False)


class SessionTemplateOutput(OutputSerializer):
    """The template of an identity's session."""

    id = Text()
    type = Const("template")
    name = Text()
    model = Model(allow_null=True)


@extend_schema_field({"type": "array", "items": {}})
class NoItems(Field[Any, Any, Any, Any]):
    """A list of the clients' session that is always empty, for no agent runs here."""

    def get_attribute(self, instance: Any) -> Any:
        return []

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": {}})
class NoPairs(NoItems):
    """An object of the clients' session that is always empty."""

    def get_attribute(self, instance: Any) -> Any:
        return {}


class SessionOutput(OutputSerializer):
    """The head of a transcript: of an agent in an environment, or of an identity with a template."""

    id = Text()
    type = Const("session")
    agent = SessionAgentOutput(allow_null=True)
    environment_id = Text(allow_null=True)
    identity_id = Text(allow_null=True)
    template = SessionTemplateOutput(allow_null=True)
    status = Const("idle")
    title = Text(allow_null=True)
    metadata = StringMap()
    resources = NoItems(read_only=True)
    vault_ids = NoItems(read_only=True)
    outcome_evaluations = NoItems(read_only=True)
    stats = NoPairs(read_only=True)
    usage = NoPairs(read_only=True)
    created_at = Timestamp()
    updated_at = Timestamp()
    archived_at = Timestamp(allow_null=True)


class OrderQuery(QuerySerializer):
    """Which end of a list comes first."""

    order = Enum(("asc", "desc"), name="SortOrder", required=False)


def session_draft(values: Mapping[str, Any]) -> SessionDraft:
    """What validated values say of a session, apart from whom it is with."""
    events = [new_event(each) for each in values.get("initial_events", ())]
    return SessionDraft(values.get("title"), values.get("metadata", {}), events)
