"""The OpenAPI document: made without a warning, complete, and true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import clear_url_caches
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from dreamsvc.serializers import Enum
from tests.platform import probe

ROOT = Path(__file__).parents[2]
WITHOUT_IDS = {"list_dream_plan", "list_dream_diff", "list_dream_lineage", "list_mounts"}
METHODS = {"get", "post", "put", "delete", "patch"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    response = Client().get("/v1/openapi.json")
    assert response.status_code == 200
    made: dict[str, Any] = response.json()
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def test_it_is_made_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_served_is_what_the_command_makes(document: dict[str, Any]) -> None:
    assert document == json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True)))


def test_it_needs_no_key_and_is_cached(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.")
    assert Client().get("/v1/openapi.json").json() == document


def test_operations_have_names_of_one_kind(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for name in names:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name), name


def test_either_header_opens_every_operation(document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert schemes == {
        "bearer": {"type": "http", "scheme": "bearer"},
        "x-api-key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    }
    for _, path, operation in operations(document):
        assert operation["security"] == [{"bearer": []}, {"x-api-key": []}], path


def test_every_operation_may_answer_with_the_error_envelope(document: dict[str, Any]) -> None:
    reference = {"$ref": "#/components/schemas/ErrorResponse"}
    for _, path, operation in operations(document):
        for status in ("4XX", "5XX"):
            assert operation["responses"][status]["content"]["application/json"]["schema"] == reference, path
        assert "200" in operation["responses"], path


def test_errors_are_of_a_known_type(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    types = schemas["ErrorType"]["enum"]
    assert {"invalid_request_error", "memory_path_conflict_error", "overloaded_error", "api_error"} <= set(types)
    named = schemas["ErrorResponse"]["properties"]["error"]["properties"]
    assert {"param", "code", "conflicting_memory_id", "conflicting_path", "paths"} <= named.keys()


def test_answers_name_their_headers(document: dict[str, Any]) -> None:
    for _, path, operation in operations(document):
        replays = any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", []))
        for status, answer in operation["responses"].items():
            assert "request-id" in answer["headers"], path
            assert ("idempotent-replayed" in answer["headers"]) == replays, path
            assert ("retry-after" in answer["headers"]) == (status in ("4XX", "5XX")), path


def walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from walk(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, (*path, str(index)))


def test_every_enum_has_a_name(document: dict[str, Any]) -> None:
    inline = [path for path, schema in walk(document) if isinstance(schema.get("enum"), list) and len(path) != 3]
    assert inline == []


def test_bracketed_arrays_are_not_published(document: dict[str, Any]) -> None:
    names = {parameter["name"] for _, _, each in operations(document) for parameter in each.get("parameters", [])}
    assert not [name for name in names if name.endswith("[]")]


def test_no_text_of_a_base_class_is_published(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for ours in ("Unknown keys are refused, unless", "A view under /v1", "Prints an object", "queries` declares"):
        assert ours not in text


def test_lists_are_paged(document: dict[str, Any]) -> None:
    by_cursor, by_id = {"limit", "page"}, {"after_id", "before_id"}
    envelope = {"data", "has_more", "first_id", "last_id", "next_page"}
    lists = [each for _, _, each in operations(document) if each["operationId"].startswith("list_")]
    assert lists
    for operation in lists:
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert by_cursor <= names, operation["operationId"]
        assert (by_id <= names) == (operation["operationId"] not in WITHOUT_IDS), operation["operationId"]
        reference = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        schema = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert set(schema["required"]) == envelope, reference


# --- How it is made, tried on the tests' own API -------------------------------------------------------------------
@pytest.fixture(scope="module")
def own() -> dict[str, Any]:
    clear_url_caches()
    GENERATOR_STATS.reset()
    schema: dict[str, Any] = SchemaGenerator(urlconf="tests.platform.probe").get_schema(request=None, public=True)
    validate_schema(schema)
    assert not GENERATOR_STATS
    return schema


def test_filters_and_paging_become_parameters(own: dict[str, Any]) -> None:
    parameters = {each["name"]: each["schema"] for each in own["paths"]["/v1/items"]["get"]["parameters"]}
    scope = {"$ref": "#/components/schemas/KeyScope"}
    assert parameters.keys() == {
        *("scopes", "scope", "names", "name", "include_archived", "limit", "page", "after_id", "before_id"),
        *(f"created_at[{bound}]" for bound in ("gt", "gte", "lt", "lte")),
    }
    assert parameters["scopes"] == {"type": "array", "items": scope}
    assert parameters["scope"] == scope
    assert parameters["names"] == {"type": "array", "items": {"type": "string"}}
    assert parameters["created_at[gt]"] == {"type": "string", "format": "date-time"}
    assert parameters["include_archived"] == {"type": "boolean", "default": False}
    assert parameters["limit"]["maximum"] == 100


def test_query_serializers_become_parameters(own: dict[str, Any]) -> None:
    parameters = {each["name"]: each for each in own["paths"]["/v1/items/{item_id}"]["get"]["parameters"]}
    assert parameters.keys() == {"item_id", "shout", "times", "since"}
    assert parameters["times"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 3}
    assert parameters["times"].get("required", False) is False


def test_creating_takes_an_idempotency_key(own: dict[str, Any]) -> None:
    def headers(path: str) -> list[str]:
        return [each["name"] for each in own["paths"][path]["post"].get("parameters", [])]

    assert headers(probe.ITEMS) == ["Idempotency-Key"]
    assert headers(probe.EVERYTHING) == []


def test_bodies_say_what_is_refused(own: dict[str, Any]) -> None:
    schema = own["components"]["schemas"]["EverythingRequest"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["text"] == {"type": ["string", "null"], "minLength": 1, "maxLength": 5}
    assert schema["properties"]["scope"] == {"oneOf": [{"$ref": "#/components/schemas/KeyScope"}, {"type": "null"}]}
    create = own["components"]["schemas"]["CreateRequest"]
    assert create["required"] == ["name"]
    assert create["properties"]["name"] == {"type": "string", "minLength": 1, "maxLength": 20}


def test_what_creates_needs_a_body(document: dict[str, Any]) -> None:
    for _, path, operation in operations(document):
        if any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", [])):
            assert operation["requestBody"]["required"] is True, path


def test_components_are_named_by_what_they_show(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"].keys()
    assert not [name for name in names if name.endswith(("Output", "Serializer"))]
    assert {"Dream", "Memory", "MemoryStore", "MemoryVersion", "Identity", "IdentityDeleted"} <= names


def test_limits_are_published(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    events = schemas["SessionEventsSendRequest"]
    assert events["properties"]["events"]["minItems"] == 1
    metadata = next(each for each in schemas.values() if "metadata" in each.get("properties", {}))
    limits = metadata["properties"]["metadata"]
    assert (limits["maxProperties"], limits["propertyNames"]["maxLength"]) == (16, 64)
    assert limits["additionalProperties"]["maxLength"] == 512


def test_outputs_say_what_may_be_null(own: dict[str, Any]) -> None:
    schema = own["components"]["schemas"]["Item"]
    assert set(schema["required"]) == {"id", "type", "name", "scope", "created_at", "revoked_at"}
    assert schema["properties"]["revoked_at"] == {"type": ["string", "null"], "format": "date-time"}
    assert schema["properties"]["type"]["const"] == "item"
    assert schema["properties"]["scope"] == {"$ref": "#/components/schemas/KeyScope"}
    deleted = own["paths"]["/v1/items/{item_id}"]["delete"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert deleted == {"$ref": "#/components/schemas/ItemDeleted"}


def test_one_name_for_two_sets_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    other = dict(probe.Item._declared_fields) | {"scope": Enum(["other"], name="KeyScope")}
    monkeypatch.setattr(probe.Item, "_declared_fields", other)
    GENERATOR_STATS.reset()
    with GENERATOR_STATS.silence():
        SchemaGenerator(urlconf="tests.platform.probe").get_schema(request=None, public=True)
    assert "two sets of values are named KeyScope" in str(dict(GENERATOR_STATS._warn_cache))


# --- The pages -----------------------------------------------------------------------------------------------------
def test_the_pages_load_nothing_from_elsewhere() -> None:
    page = Client().get("/docs").content.decode()
    script = Client().get("/docs?script=").content.decode()
    assert "/v1/openapi.json" in script
    addresses = re.findall(r"""(?:src|href)="([^"]+)\"""", page)
    assert addresses
    for address in addresses:
        assert address.startswith("/"), address
    assert '"validatorUrl": null' in script  # else the page asks a validator on the internet
    assert "//" not in re.sub(r"^\s*//.*$", "", script, flags=re.MULTILINE).replace("://", "")


def test_the_pages_find_what_they_load() -> None:
    page = Client().get("/docs").content.decode()
    for address in re.findall(r"""(?:src|href)="(/static/[^"]+)\"""", page):
        assert finders.find(address.removeprefix("/static/")), address
        response = Client().get(address)
        assert response.status_code == 200, address
        assert response.getvalue(), address  # read to its end: the client then closes it without the database
