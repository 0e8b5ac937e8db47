"""The OpenAPI document, made from the views."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import cleandoc, getdoc
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from drf_spectacular.drainage import warn
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
    OpenApiSerializerFieldExtension,
)
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, append_meta, force_instance
from drf_spectacular.utils import Direction

from dreamsvc.choices import NamedChoices
from dreamsvc.errors import ServiceError
from dreamsvc.filters import Choices, FilterSet, OneOf
from dreamsvc.metadata import MAX_KEY, MAX_PAIRS, MAX_VALUE
from dreamsvc.pagination import DEFAULT_LIMIT, MAX_LIMIT
from dreamsvc.serializers import QuerySerializer, component_name

Json = dict[str, Any]
_TEXT: Json = {"type": "string"}
PAGING: tuple[tuple[str, Json, str], ...] = (
    ("limit", {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}, "Objects per page."),
    ("page", _TEXT, "`next_page` of an earlier answer. Give only one of page, after_id and before_id."),
    ("after_id", _TEXT, "Objects that come after this one in the list."),
    ("before_id", _TEXT, "Objects that come before this one in the list."),
)
IDEMPOTENCY_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    "description": "Repeating the request with the same key within 24 hours repeats the answer, not the work.",
}
HEADERS: Mapping[str, tuple[Json, str]] = {
    "request-id": (_TEXT, "Names this request in our logs."),
    "idempotent-replayed": ({"type": "string", "const": "true"}, "This answer repeats that of an earlier request."),
    "retry-after": ({"type": "integer"}, "Seconds until it is worth trying again."),
    "x-should-retry": ({"type": "string", "const": "false"}, "Trying again will not help."),
}
ERROR: Json = {
    "type": "object",
    "description": "Why a request was refused or could not be done.",
    "properties": {
        "type": {"type": "string", "const": "error"},
        "error": {
            "type": "object",
            "properties": {
                "type": {"$ref": "#/components/schemas/ErrorType"},
                "message": {
                    "type": "string",
                    "description": "For people; it begins with the field where one is wrong.",
                },
                "param": {"type": "string", "description": "The field that is wrong: `inputs.0.memory_store_id`."},
                "code": {"type": "string", "description": "Which of several errors of this type it is."},
                "details": {"type": "object", "properties": {"error_code": _TEXT}, "required": ["error_code"]},
                "conflicting_memory_id": {"type": "string", "description": "The memory in the way of this path."},
                "conflicting_path": {"type": "string", "description": "Where that memory is."},
                "paths": {"type": "array", "items": _TEXT, "description": "Paths written since, of a rollback."},
            },
            "required": ["type", "message"],
            "additionalProperties": {},
        },
        "request_id": _TEXT,
    },
    "required": ["type", "error", "request_id"],
}


class Schema(AutoSchema):
    """Adds what our views declare in their own way: filters, paging, query serializers, the idempotency header."""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/v1/").partition("/")[0].replace("_", " ")]

    def get_description(self) -> str:  # type: ignore[override]  # DRF's own class, which theirs departs from, is stubbed
        return getdoc(getattr(self.view, self.method.lower(), None)) or _own_doc(type(self.view))

    def _map_serializer(self, serializer: Any, direction: Direction, bypass_extensions: bool = False) -> Json:
        schema: Json = super()._map_serializer(serializer, direction, bypass_extensions)  # type: ignore[no-untyped-call]  # theirs
        kind = type(force_instance(serializer))
        if schema.get("description") and not _own_doc(kind):
            del schema["description"]  # a base class's, which is for us
        return schema

    def get_override_parameters(self) -> list[Any]:
        query = getattr(self.view, "queries", {}).get(self.method)
        return [query] if query else []

    def _get_filter_parameters(self) -> list[Json]:
        parameters = []
        filterset = getattr(self.view, "filterset_class", None)
        if self.method == "GET" and filterset is not None:
            paging = [_parameter(*each) for each in PAGING if each[0] in getattr(self.view, "paging", ())]
            parameters = [*self._filters(filterset), *paging]
        if self._creates:
            parameters.append(IDEMPOTENCY_KEY)
        return parameters

    @property
    def _creates(self) -> bool:
        return bool(getattr(getattr(self.view, self.method.lower(), None), "idempotent", False))

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        return component_name(type(serializer))

    def _get_request_body(self, direction: Direction = "request") -> Json | None:
        body: Json | None = super()._get_request_body(direction)  # type: ignore[no-untyped-call]  # theirs
        if body and self._creates:
            body["required"] = True  # of fields that are all optional, one or the other must be there
        return body

    def _get_response_bodies(self, direction: Direction = "response") -> Json:
        # For a DELETE the base assumes 204 and no body; ours answer with what they deleted.
        found = self.get_response_serializers()
        if self.method == "DELETE" and not isinstance(found, dict):
            body = self._get_response_for_code(found, "200", direction=direction)  # type: ignore[no-untyped-call]  # theirs
            return {"200": body}
        bodies: Json = super()._get_response_bodies(direction)
        return bodies

    def _filters(self, filterset: type[FilterSet]) -> list[Json]:
        return [
            _parameter(name, self._filter_schema(each), str(each.extra.get("help_text", "")))
            for name, each in filterset.base_filters.items()
        ]

    def _filter_schema(self, each: Any) -> Json:
        schema = dict(each.schema)
        if isinstance(each, Choices | OneOf):
            schema = self.named_enum(each.choices)
        return {"type": "array", "items": schema} if each.many else schema

    def named_enum(self, choices: NamedChoices) -> Json:
        """A reference to the set's component, made on first use."""
        name = choices.name
        schema: Json = {"type": "string", "enum": list(choices.values)}
        schema |= {"description": choices.description} if choices.description else {}
        component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema)
        if component in self.registry and self.registry[component].schema != component.schema:
            warn(f"two sets of values are named {name}")
        self.registry.register_on_missing(component)
        reference: Json = component.ref
        return reference


def _own_doc(kind: type) -> str:
    return cleandoc(kind.__dict__.get("__doc__") or "")


def _parameter(name: str, schema: Json, description: str) -> Json:
    parameter: Json = {"name": name, "in": "query", "schema": schema}
    return {**parameter, "description": description} if description else parameter


class KeySchemes(OpenApiAuthenticationExtension):
    """Either header will do."""

    target_class = "dreamsvc.authentication.ApiKeyAuthentication"
    name = ["bearer", "x-api-key"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[Any]]]:
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[Json]:
        return [{"type": "http", "scheme": "bearer"}, {"type": "apiKey", "in": "header", "name": "x-api-key"}]


class InputSchema(OpenApiSerializerExtension):
    """Says of request bodies what InputSerializer does: unknown keys are refused, null means absent."""

    target_class = "dreamsvc.serializers.InputSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Json:
        schema: Json = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        if direction == "request" and not isinstance(self.target, QuerySerializer):
            schema["additionalProperties"] = self.target.extra is not None
            for name in schema["properties"].keys() - set(schema.get("required", [])):
                schema["properties"][name] = append_meta(schema["properties"][name], {"nullable": True})
        return schema


class EnumSchema(OpenApiSerializerFieldExtension):
    target_class = "dreamsvc.serializers.Enum"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Json:
        return cast(Schema, auto_schema).named_enum(self.target.named)


class ConstSchema(OpenApiSerializerFieldExtension):
    target_class = "dreamsvc.serializers.Const"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Json:
        value = self.target.value
        return {"type": "boolean" if isinstance(value, bool) else "string", "const": value}


class StringMapSchema(OpenApiSerializerFieldExtension):
    target_class = "dreamsvc.serializers.StringMap"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Json:
        kind: Any = ["string", "null"] if direction == "request" else "string"
        return {
            "type": "object",
            "additionalProperties": {"type": kind, "maxLength": MAX_VALUE},
            "propertyNames": {"minLength": 1, "maxLength": MAX_KEY},
            "maxProperties": MAX_PAIRS,
        }


def add_errors(result: Json, **_: Any) -> Json:
    """Hook: every operation may answer with the error envelope, and every answer has our headers."""
    schemas = result["components"].setdefault("schemas", {})
    schemas |= {"ErrorResponse": ERROR, "ErrorType": _error_type()}
    result["components"]["headers"] = {
        name: {"schema": schema, "description": description} for name, (schema, description) in HEADERS.items()
    }
    for path in result["paths"].values():
        for operation in path.values():
            _add_answers(operation)
    return result


def _add_answers(operation: Json) -> None:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}}
    replays = {"idempotent-replayed"} if IDEMPOTENCY_KEY in operation.get("parameters", ()) else set()
    for answer in operation["responses"].values():
        answer["headers"] = _headers({"request-id"} | replays)
    for status, description in (("4XX", "Refused."), ("5XX", "Not done; try again.")):
        headers = _headers({"request-id", "retry-after", "x-should-retry"} | replays)
        operation["responses"][status] = {"description": description, "content": content, "headers": headers}


def _headers(names: set[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def _error_type() -> Json:
    return {
        "type": "string",
        "description": "The kind of error, more closely than the status.",
        "enum": sorted(_error_types(ServiceError)),
    }


def _error_types(kind: type[ServiceError]) -> set[str]:
    return {kind.type}.union(*map(_error_types, kind.__subclasses__()))


@lru_cache(maxsize=1)
def document() -> Mapping[str, Any]:
    """The whole document; made once per process, for it takes a second."""
    schema: Json = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def openapi_json(request: HttpRequest) -> HttpResponse:
    return JsonResponse(document(), json_dumps_params={"ensure_ascii": False})
