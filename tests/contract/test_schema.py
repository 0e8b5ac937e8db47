"""Whatever the OpenAPI document allows or forbids, the service answers as the document says, and never with a 5xx.

Each operation gets requests made from its schema, valid and invalid ones, the same in every run. In the valid ones
ids are replaced by those of objects that there are, so that more than 404 is met.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core import NotSet
from schemathesis.specs.openapi.checks import negative_data_rejection

from tests.processes import ROOT, Service
from tests.waiting import until

pytestmark = [pytest.mark.xdist_group("contract"), pytest.mark.slow]
EXAMPLES = 6
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
)
CONFIG = schemathesis.Config.from_dict(
    {
        "seed": 1,
        "generation": {"deterministic": True, "allow-x00": True},
        "checks": {"enabled": False, **{name: {"enabled": True} for name in CHECKS}},
    }
)
schemathesis.serializer.alias(["application/x-ndjson", "application/jsonl"], "text/plain")
schema = schemathesis.openapi.from_dict(json.loads((ROOT / "docs/openapi.json").read_text()), config=CONFIG)
bounded = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def http(service: Service) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=service.url, headers={"x-api-key": service.key}, timeout=30) as client:
        yield client


def made(http: httpx2.Client, path: str, body: Any) -> dict[str, Any]:
    answer = http.post(f"/v1/{path}", json=body)
    assert answer.is_success, answer.text
    created: dict[str, Any] = answer.json()
    return created


def pair_made(http: httpx2.Client) -> dict[str, str]:
    """The ids of a pair of identity and template, and of the store that is its default memory."""
    pair = {
        "identity_id": made(http, "identities", {"external_id": uuid4().hex})["id"],
        "template_id": made(http, "templates", {"name": uuid4().hex})["id"],
    }
    mount = {**pair, "access": "read_write"}
    return {**pair, "memory_store_id": made(http, "memory_stores", {"name": "default", "mount": mount})["id"]}


@pytest.fixture(scope="module")
def dream_id(http: httpx2.Client) -> str:
    """A dream that has merged two memories into a default memory."""
    pair = pair_made(http)
    memories = f"memory_stores/{pair.pop('memory_store_id')}/memories"
    for path in ("/a.md", "/b.md"):
        made(http, memories, {"path": path, "content": "The schema of the invoices has three tables.\n"})
    dream: str = made(http, "dreams", {"inputs": [{"type": "identity_template", **pair}]})["id"]
    until(lambda: http.get(f"/v1/dreams/{dream}").json()["status"] == "completed")
    return dream


@pytest.fixture
def known(http: httpx2.Client, dream_id: str) -> dict[str, str]:
    """The ids of one object of each kind, by the names that the document has for them; new for each operation."""
    store = made(http, "memory_stores", {"name": "known"})["id"]
    first = made(http, f"memory_stores/{store}/memories", {"path": "/a.md", "content": "before"})
    made(http, f"memory_stores/{store}/memories/{first['id']}", {"content": "after"})
    return {
        **pair_made(http),
        "memory_store_id": store,
        "memory_id": first["id"],
        "memory_version_id": first["memory_version_id"],
        "session_id": made(http, "sessions", {"agent": "a", "environment_id": "e"})["id"],
        "dream_id": dream_id,
    }


def pointed(value: Any, known: Mapping[str, str]) -> Any:
    """`value` with every id in it replaced by one that there is."""
    if isinstance(value, list):
        return [pointed(each, known) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: known[key] if key in known else pointed(each, known) for key, each in value.items()}


def excluded(case: schemathesis.Case[Any]) -> list[schemathesis.CheckFunction]:
    """No body counts as an empty object, which an update may be: that is not held against the service."""
    return [negative_data_rejection] if isinstance(case.body, NotSet) else []


def freshen(case: schemathesis.Case[Any]) -> None:
    """Gives a valid Idempotency-Key a value of its own: a repeated one would only ever meet a conflict."""
    if 0 < len(case.headers.get("Idempotency-Key") or "") <= 255:
        case.headers["Idempotency-Key"] = uuid4().hex


@schema.parametrize()
@bounded
def test_operation(case: schemathesis.Case[Any], service: Service, known: Mapping[str, str]) -> None:
    freshen(case)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.path_parameters, case.body = pointed(case.path_parameters, known), pointed(case.body, known)
    case.call_and_validate(
        base_url=service.url, headers={"x-api-key": service.key}, excluded_checks=excluded(case), timeout=30
    )
