"""POST /v1/dreams."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from dreams.models import Dream
from dreams.status import Status
from identities.models import Identity, Session, Template
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.dreams.conftest import MakeClient, Pair, of_store

KEYS = {
    "id", "type", "status", "inputs", "outputs", "model", "instructions", "output_behavior", "session_id", "usage",
    "error", "created_at", "started_at", "ended_at", "archived_at", "rolled_back_at", "dry_run", "progress", "report",
}  # fmt: skip


def test_shows_every_documented_key(api: ApiClient, store: MemoryStore) -> None:
    answer = api.post("/v1/dreams", of_store(store))
    assert answer.status == 200
    dream = answer.body
    assert set(dream) == KEYS
    assert dream["id"].startswith("drm_")
    assert (dream["type"], dream["status"], dream["outputs"]) == ("dream", "pending", [])
    assert dream["inputs"] == [{"type": "memory_store", "memory_store_id": store.id}]
    assert dream["model"] == {"id": "auto", "speed": "standard"}
    assert dream["instructions"] == ""
    assert dream["output_behavior"] == {"type": "create_new"}
    assert set(dream["usage"].values()) == {0}
    assert dream["created_at"].endswith("Z")
    unset = ("session_id", "error", "started_at", "ended_at", "archived_at", "rolled_back_at", "progress", "report")
    assert [dream[key] for key in unset] == [None] * len(unset)


@pytest.mark.django_db(transaction=True)
def test_is_sent_after_commit(api: ApiClient, store: MemoryStore, sent: list[str]) -> None:
    assert sent == [api.post("/v1/dreams", of_store(store)).body["id"]]


@pytest.mark.django_db(transaction=True)
def test_a_refused_dream_is_neither_stored_nor_sent(api: ApiClient, store: MemoryStore, sent: list[str]) -> None:
    assert api.post("/v1/dreams", of_store(store, budget={"tokens": 0})).status == 400
    assert sent == []
    assert not Dream.objects.exists()


@pytest.mark.parametrize(
    ("model", "shown"),
    [
        ("lite", {"id": "lite", "speed": "standard"}),
        ({"id": "claude-opus-4-8"}, {"id": "claude-opus-4-8", "speed": "standard"}),
        ({"id": "x", "speed": "standard"}, {"id": "x", "speed": "standard"}),
        (None, {"id": "auto", "speed": "standard"}),
        ("m" * 256, {"id": "m" * 256, "speed": "standard"}),
    ],
)
def test_model(api: ApiClient, store: MemoryStore, model: Any, shown: dict[str, str]) -> None:
    assert api.post("/v1/dreams", of_store(store, model=model)).body["model"] == shown


def test_null_is_absent(api: ApiClient, store: MemoryStore) -> None:
    optional = ("model", "instructions", "output_behavior", "dry_run", "phases", "sources", "budget")
    assert api.post("/v1/dreams", of_store(store, **dict.fromkeys(optional))).status == 200


def test_inputs_come_back_as_submitted(api: ApiClient, pair: Pair, session: Session) -> None:
    inputs = [{"type": "sessions", "session_ids": [session.id]}, pair.input]
    answer = api.post("/v1/dreams", {"inputs": inputs, "instructions": "Keep\ndates."})
    assert answer.body["inputs"] == inputs
    assert answer.body["instructions"] == "Keep\ndates."
    dream = Dream.objects.get(id=answer.body["id"])
    assert (dream.mount_id, dream.mount_revision, dream.mount_store_id) == (pair.mount.pk, 1, pair.mount.store_id)
    assert dream.session_ids == [session.id]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no inputs": ({}, "inputs"),
    "inputs null": ({"inputs": None}, "inputs"),
    "inputs no list": ({"inputs": {}}, "inputs"),
    "inputs empty": ({"inputs": []}, "inputs"),
    "entry no object": ({"inputs": ["x"]}, "inputs.0"),
    "entry without type": ({"inputs": [{"memory_store_id": "STORE"}]}, "inputs.0.type"),
    "unknown type": ({"inputs": [{"type": "folder"}]}, "inputs.0.type"),
    "type no string": ({"inputs": [{"type": ["memory_store"]}]}, "inputs.0.type"),
    "field of another type": (
        {"inputs": [{"type": "memory_store", "memory_store_id": "STORE", "session_ids": []}]},
        "inputs.0.session_ids",
    ),
    "id no string": ({"inputs": [{"type": "memory_store", "memory_store_id": 5}]}, "inputs.0.memory_store_id"),
    "id empty": ({"inputs": [{"type": "memory_store", "memory_store_id": ""}]}, "inputs.0.memory_store_id"),
    "two primaries": ({"inputs": [{"type": "memory_store", "memory_store_id": "STORE"}] * 2}, "inputs"),
    "sessions only": ({"inputs": [{"type": "sessions", "session_ids": ["sesn_1"]}]}, "inputs"),
    "no session ids": ({"inputs": ["PRIMARY", {"type": "sessions", "session_ids": []}]}, "inputs.1.session_ids"),
    "a session twice": (
        {"inputs": ["PRIMARY", {"type": "sessions", "session_ids": ["sesn_1", "sesn_1"]}]},
        "inputs.1.session_ids",
    ),
    "a session in two inputs": (
        {"inputs": ["PRIMARY", *[{"type": "sessions", "session_ids": ["sesn_1"]}] * 2]},
        "inputs.2.session_ids",
    ),
    "101 sessions": (
        {"inputs": ["PRIMARY", {"type": "sessions", "session_ids": [f"sesn_{n}" for n in range(101)]}]},
        "inputs.1.session_ids",
    ),
    "101 sessions in two inputs": (
        {
            "inputs": [
                "PRIMARY",
                {"type": "sessions", "session_ids": [f"sesn_{n}" for n in range(60)]},
                {"type": "sessions", "session_ids": [f"sesn_{n}" for n in range(60, 101)]},
            ]
        },
        "inputs",
    ),
    "instructions long": ({"instructions": "x" * 4097}, "instructions"),
    "instructions no string": ({"instructions": 1}, "instructions"),
    "model empty": ({"model": ""}, "model.id"),
    "model long": ({"model": "m" * 257}, "model.id"),
    "model control": ({"model": "a\nb"}, "model.id"),
    "model not printable": ({"model": "a\u200bb"}, "model.id"),
    "model blank": ({"model": "  "}, "model.id"),
    "model number": ({"model": 3}, "model"),
    "model without id": ({"model": {"speed": "standard"}}, "model.id"),
    "model speed": ({"model": {"id": "a", "speed": "fast"}}, "model.speed"),
    "budget seconds": ({"budget": {"seconds": 0}}, "budget.seconds"),
    "model unknown key": ({"model": {"id": "a", "size": 1}}, "model.size"),
    "behavior type": ({"output_behavior": {"type": "append"}}, "output_behavior.type"),
    "behavior without store": ({"output_behavior": {"type": "update_existing"}}, "output_behavior.memory_store_id"),
    "behavior other store": (
        {"output_behavior": {"type": "update_existing", "memory_store_id": "memstore_x"}},
        "output_behavior.memory_store_id",
    ),
    "create_new with store": (
        {"output_behavior": {"type": "create_new", "memory_store_id": "STORE"}},
        "output_behavior.memory_store_id",
    ),
    "dry_run string": ({"dry_run": "true"}, "dry_run"),
    "phases unknown": ({"phases": ["sleep"]}, "phases.0"),
    "a phase twice": ({"phases": ["dedup", "dedup"]}, "phases"),
    "phases no list": ({"phases": "dedup"}, "phases"),
    "sources keep": ({"sources": "keep"}, "sources"),
    "sources unknown": ({"sources": "burn"}, "sources"),
    "budget negative": ({"budget": {"calls": -1}}, "budget.calls"),
    "budget float": ({"budget": {"tokens": 1.5}}, "budget.tokens"),
    "budget unknown": ({"budget": {"euros": 1}}, "budget.euros"),
    "unknown key": ({"colour": "red"}, "colour"),
}


def filled(value: Any, store_id: str) -> Any:
    """The value with STORE and PRIMARY replaced by what they stand for."""
    if isinstance(value, dict):
        return {key: filled(one, store_id) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, store_id) for one in value]
    primary = {"type": "memory_store", "memory_store_id": store_id}
    return {"STORE": store_id, "PRIMARY": primary}.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize(("change", "param"), BAD.values(), ids=BAD)
def test_bad_input_names_the_field(api: ApiClient, store: MemoryStore, change: dict[str, Any], param: str) -> None:
    body = {"inputs": ["PRIMARY"], **change} if "no inputs" not in change and change else {}
    answer = api.post("/v1/dreams", filled(body, store.id))
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error"), answer.body
    assert answer.error["param"] == param
    assert answer.error["message"].startswith(f"{param}:")
    assert not Dream.objects.exists()


@pytest.mark.parametrize("body", [[], "x", 3, None, True])
def test_a_body_that_is_no_object(api: ApiClient, db: None, body: Any) -> None:
    assert api.post("/v1/dreams", body).status == 400


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "memory_store", "memory_store_id": "memstore_0"},
        {"type": "identity_template", "identity_id": "idn_0", "template_id": "TEMPLATE"},
        {"type": "identity_template", "identity_id": "IDENTITY", "template_id": "tmpl_0"},
    ],
)
def test_unknown_primary(api: ApiClient, pair: Pair, entry: dict[str, str]) -> None:
    known = {"IDENTITY": pair.identity.id, "TEMPLATE": pair.template.id}
    answer = api.post("/v1/dreams", {"inputs": [{key: known.get(value, value) for key, value in entry.items()}]})
    assert (answer.status, answer.error["type"]) == (404, "not_found_error")


def refused(api: ApiClient, body: dict[str, Any], status: int, param: str) -> None:
    answer = api.post("/v1/dreams", body)
    assert (answer.status, answer.error["param"]) == (status, param)
    assert answer.error["message"].startswith(f"{param}: ")


def test_unknown_session(api: ApiClient, store: MemoryStore) -> None:
    body = of_store(store)
    body["inputs"].append({"type": "sessions", "session_ids": ["sesn_0"]})
    refused(api, body, 404, "inputs.1.session_ids")


def test_another_workspaces_objects(client: MakeClient, bob: Tenant, pair: Pair, session: Session) -> None:
    own = MemoryStore.objects.create(workspace=bob.workspace, name="bob's")
    sessions = {"type": "sessions", "session_ids": [session.id]}
    foreign_store = {"type": "memory_store", "memory_store_id": pair.mount.store_id}
    for inputs in ([foreign_store], [pair.input], [*of_store(own)["inputs"], sessions]):
        assert client(bob.admin).post("/v1/dreams", {"inputs": inputs}).status == 404


def test_no_default_memory(api: ApiClient, alice: Tenant, pair: Pair) -> None:
    other = Identity.objects.create(workspace=alice.workspace, external_id="bea")
    answer = api.post("/v1/dreams", {"inputs": [{**pair.input, "identity_id": other.id}]})
    assert answer.status == 404
    assert answer.error["code"] == "default_memory_not_found"
    assert answer.error["param"] == "inputs.0.template_id"
    assert answer.error["details"] == {"error_code": "default_memory_not_found"}


def test_archived_store(api: ApiClient, store: MemoryStore) -> None:
    MemoryStore.objects.filter(id=store.id).update(archived_at=Now())
    refused(api, of_store(store), 400, "inputs.0.memory_store_id")


def test_disabled_identity(api: ApiClient, pair: Pair) -> None:
    Identity.objects.update(enabled=False)
    refused(api, {"inputs": [pair.input]}, 400, "inputs.0.identity_id")


def test_archived_template(api: ApiClient, pair: Pair) -> None:
    Template.objects.update(archived_at=Now())
    refused(api, {"inputs": [pair.input]}, 400, "inputs.0.template_id")


def test_update_existing(api: ApiClient, store: MemoryStore) -> None:
    behavior = {"type": "update_existing", "memory_store_id": store.id}
    answer = api.post("/v1/dreams", of_store(store, output_behavior=behavior))
    assert answer.body["output_behavior"] == behavior
    second = api.post("/v1/dreams", of_store(store, output_behavior=behavior))
    assert (second.status, second.error["type"]) == (409, "conflict_error")
    assert second.headers["x-should-retry"] == "false"
    assert api.post("/v1/dreams", of_store(store, output_behavior=behavior, dry_run=True)).status == 200
    Dream.objects.filter(id=answer.body["id"]).update(status=Status.CANCELED, ended_at=Now())
    assert api.post("/v1/dreams", of_store(store, output_behavior=behavior)).status == 200


def test_update_existing_of_a_pair(api: ApiClient, pair: Pair) -> None:
    behavior = {"type": "update_existing", "memory_store_id": pair.mount.store_id}
    assert api.post("/v1/dreams", {"inputs": [pair.input], "output_behavior": behavior}).status == 400


def test_too_many_live_dreams(api: ApiClient, store: MemoryStore, settings: Settings) -> None:
    settings.DREAM_MAX_LIVE = 2
    for expected in (200, 200, 429):
        answer = api.post("/v1/dreams", of_store(store))
        assert answer.status == expected
    assert answer.error["type"] == "rate_limit_error"
    assert int(answer.headers["retry-after"]) > 0


def test_a_read_key_may_not_create(client: MakeClient, charlie: str, store: MemoryStore) -> None:
    answer = client(charlie).post("/v1/dreams", of_store(store))
    assert (answer.status, answer.error["type"]) == (403, "permission_error")


def test_same_key_makes_one_dream(
    api: ApiClient, store: MemoryStore, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first = api.post("/v1/dreams", of_store(store), idempotency_key="k")
    second = api.post("/v1/dreams", of_store(store), idempotency_key="k")
    assert second.body == first.body
    assert second.headers["idempotent-replayed"] == "true"
    assert Dream.objects.count() == 1
