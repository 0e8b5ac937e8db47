"""The OpenAPI document tells the truth about dreams: what is accepted, what is answered, and what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]  # it has no types

from dreams.models import Dream
from dreams.report import COUNTS
from dreams.serializers import journals, plans
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.dreams.conftest import Pair, of_store
from tests.dreams.test_create_dream import BAD, filled
from tests.lifecycle.stores import ended, new_dream, new_store
from workers.engine import journal, plan
from workers.engine.report import Report

TEXTS = {
    "/MEMORY.md": "# Index\n\n- [A](a.md)\n- [B](b.md)\n",
    "/a.md": "Deploys go out on Tuesday.\n",
    "/b.md": "deploys go out on Tuesday\n",
    "/c.md": "The vault code of the Lisbon office is 4711.\n",
    "/d.md": "The vault code of the Lisbon office is 4712.\n",
}
JSON = "application/json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = Client().get("/v1/openapi.json").json()
    return made


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The dreams' operations by id."""
    of_dreams = (methods for path, methods in document["paths"].items() if path.startswith("/v1/dreams"))
    return {operation["operationId"]: operation for methods in of_dreams for operation in methods.values()}


def problems(document: dict[str, Any], schema: dict[str, Any], value: Any) -> list[str]:
    whole = {**schema, "components": document["components"]}
    validator = Draft202012Validator(whole, format_checker=FormatChecker())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def closed(value: Any) -> Any:
    """The document with every object limited to the keys it names."""
    if isinstance(value, list):
        return [closed(each) for each in value]
    if not isinstance(value, dict):
        return value
    limit = {"additionalProperties": False} if isinstance(value.get("properties"), dict) else {}
    return {**limit, **{key: closed(each) for key, each in value.items()}}


def untrue(document: dict[str, Any], operation: str, answer: Any) -> list[str]:
    """What the document says otherwise of an answer, undocumented keys included."""
    assert answer.status == 200, answer.body
    schema = operations(document)[operation]["responses"]["200"]["content"][JSON]["schema"]
    return problems(closed(document), schema, answer.body)


# --- Answers -------------------------------------------------------------------------------------------------------
def test_a_new_and_a_canceled_dream(api: ApiClient, store: MemoryStore, document: dict[str, Any]) -> None:
    answer = api.post("/v1/dreams", of_store(store, model="lite", phases=["dedup"]))
    assert untrue(document, "create_dream", answer) == []
    path = f"/v1/dreams/{answer.body['id']}"
    assert untrue(document, "cancel_dream", api.post(f"{path}/cancel")) == []
    assert untrue(document, "archive_dream", api.post(f"{path}/archive")) == []
    assert untrue(document, "get_dream", api.get(path)) == []
    assert untrue(document, "list_dreams", api.get("/v1/dreams", {"include_archived": "true"})) == []


def test_a_failed_dream(api: ApiClient, alice: Tenant, document: dict[str, Any]) -> None:
    store = new_store(alice.workspace, TEXTS)
    dream = new_dream(store)
    MemoryStore.objects.filter(id=store.id).update(policy_revision=9, archived_at="2026-01-01T00:00Z")
    assert ended(dream).status == "failed"
    assert untrue(document, "get_dream", api.get(f"/v1/dreams/{dream.id}")) == []


@pytest.fixture
def dream(alice: Tenant) -> Dream:
    """Completed in place, with operations and a suggestion."""
    store = new_store(alice.workspace, TEXTS)
    return ended(new_dream(store, in_place=True, phases=["dedup", "consolidate"], model_id="claude-x"))


def test_what_a_dream_leaves_behind(api: ApiClient, dream: Dream, document: dict[str, Any]) -> None:
    path = f"/v1/dreams/{dream.id}"
    assert untrue(document, "get_dream", api.get(path)) == []
    listed = api.get(f"{path}/plan")
    assert untrue(document, "list_dream_plan", listed) == []
    assert {each["kind"] for each in listed.body["data"]} >= {"merge_same", "conflict"}
    assert untrue(document, "list_dream_diff", api.get(f"{path}/diff")) == []
    assert untrue(document, "list_dream_lineage", api.get(f"{path}/lineage", {"limit": 100})) == []
    assert untrue(document, "get_dream_journal", api.get(f"{path}/journal")) == []
    assert untrue(document, "rollback_dream", api.post(f"{path}/rollback")) == []


def test_a_dream_of_a_pair(api: ApiClient, pair: Pair, document: dict[str, Any]) -> None:
    dream = ended(new_dream(pair.mount.store, mount=pair.mount))
    path = f"/v1/dreams/{dream.id}"
    assert untrue(document, "get_dream_journal", api.get(f"{path}/journal")) == []
    assert untrue(document, "rollback_dream", api.post(f"{path}/rollback")) == []


def test_an_unknown_cost_is_left_out(api: ApiClient, dream: Dream) -> None:
    report = api.get(f"/v1/dreams/{dream.id}").body["report"]
    assert "cost" not in report
    assert report == api.get(f"/v1/dreams/{dream.id}/journal").body["record"]["report"]
    Dream.objects.filter(id=dream.id).update(report={**report, "cost": 0.5})
    assert api.get(f"/v1/dreams/{dream.id}").body["report"]["cost"] == 0.5


# --- Requests ------------------------------------------------------------------------------------------------------
BEYOND_SCHEMAS = {
    "two primaries",
    "sessions only",
    "a session in two inputs",
    "101 sessions in two inputs",
    "behavior other store",
    "model blank",
    "model control",
    "model not printable",
    "sources keep",
}
"""What the service refuses and a schema does not say."""


def accepted(document: dict[str, Any], body: Any) -> bool:
    schema = operations(document)["create_dream"]["requestBody"]["content"][JSON]["schema"]
    return not problems(document, schema, body)


@pytest.mark.parametrize("case", BAD)
def test_what_is_refused_is_documented(document: dict[str, Any], case: str) -> None:
    change, _ = BAD[case]
    body = {"inputs": ["PRIMARY"], **change} if change else {}
    assert accepted(document, filled(body, "memstore_x")) == (case in BEYOND_SCHEMAS)


@pytest.mark.parametrize(
    "more",
    [
        {"model": {"id": "a", "speed": None}},
        {"model": {"id": "a"}},
        {"model": "a"},
        {"phases": [], "budget": {"tokens": None, "seconds": 1.5}},
        {"model": None, "instructions": None, "output_behavior": None, "dry_run": None, "budget": None},
        {"output_behavior": {"type": "create_new"}},
    ],
)
def test_what_is_documented_is_accepted(
    api: ApiClient, store: MemoryStore, document: dict[str, Any], more: dict[str, Any]
) -> None:
    body = of_store(store, **more)
    assert accepted(document, body)
    assert api.post("/v1/dreams", body).status == 200


# --- Words ---------------------------------------------------------------------------------------------------------
def components(document: dict[str, Any], found: Any, seen: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The components that a part of the document refers to, by name."""
    for reference in sorted(set(json.dumps(found).split('"#/components/schemas/')[1:])):
        name = reference.partition('"')[0]
        if name not in seen:
            seen.add(name)
            yield name, document["components"]["schemas"][name]
            yield from components(document, document["components"]["schemas"][name], seen)


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    found = operations(document)
    assert len(found) == 10
    assert [name for name, operation in found.items() if not operation.get("description")] == []


def test_every_object_is_described(document: dict[str, Any]) -> None:
    found = list(components(document, operations(document), {"ErrorResponse"}))
    objects = {name: schema for name, schema in found if schema.get("type") == "object" and not name.endswith("List")}
    assert "DreamCreateRequest" in objects
    assert [name for name, schema in objects.items() if not schema.get("description")] == []


def test_nothing_is_without_a_type(document: dict[str, Any]) -> None:
    for name, schema in components(document, operations(document), {"ErrorResponse"}):
        assert {} not in schema.get("properties", {}).values(), name


def test_examples_are_valid(document: dict[str, Any]) -> None:
    create = operations(document)["create_dream"]
    for content in (create["requestBody"]["content"][JSON], create["responses"]["200"]["content"][JSON]):
        assert content["examples"]
        for example in content["examples"].values():
            assert problems(closed(document), content["schema"], example["value"]) == []


def test_the_words_are_the_engines() -> None:
    assert get_args(plan.OperationKind) == plans.OPERATIONS
    assert get_args(plan.SuggestionKind) == plans.SUGGESTIONS
    assert get_args(journal.Section) == journals.SECTIONS
    assert get_args(journal.Mode) == journals.MODES
    unknown = {"cost", "partial", "duration_ms", "engine_version", "prompt_version"}
    assert COUNTS.keys() | unknown == set(Report.__dataclass_fields__)
