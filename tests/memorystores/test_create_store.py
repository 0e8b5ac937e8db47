"""POST /v1/memory_stores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from identities.models import Identity, Mount, Template
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant

URL = "/v1/memory_stores"


@pytest.fixture
def alice_api(client: Callable[..., ApiClient], alice: Tenant) -> ApiClient:
    return client(alice.write)


def test_answers_every_documented_key(alice_api: ApiClient) -> None:
    answer = alice_api.post(URL, {"name": "notes"})
    assert answer.status == 200
    assert answer.body["id"].startswith("memstore_")
    assert answer.body["created_at"] == answer.body["updated_at"]
    assert answer.body["created_at"].endswith("Z")
    constant = {key: value for key, value in answer.body.items() if key not in ("id", "created_at", "updated_at")}
    assert constant == {
        "type": "memory_store",
        "name": "notes",
        "description": "",
        "metadata": {},
        "status": "active",
        "archived_at": None,
        "entry_count": 0,
        "total_size": 0,
        "trust_tier": "work",
        "decay": "none",
        "supersede": "ask",
        "protected_paths": [],
        "revision": 0,
        "system_managed": False,
        "derived_from": None,
        "identity_id": None,
        "binding_info": {"identity_template_count": 0},
    }


def test_keeps_what_is_given(client: Callable[..., ApiClient], alice: Tenant) -> None:
    given = {
        "name": "Notizen 👍",
        "description": "two\nlines",
        "metadata": {"team": "a", "empty": ""},
        "trust_tier": "legal",
        "decay": "ladder",
        "supersede": "explicit",
        "protected_paths": ["/private/", "*.secret", "!/private/open.md"],
    }
    body = client(alice.admin).post(URL, given).body
    assert {key: body[key] for key in given} == given


def test_null_means_absent(alice_api: ApiClient) -> None:
    nothing = dict.fromkeys(("description", "metadata", "trust_tier", "decay", "protected_paths", "mount"))
    assert alice_api.post(URL, {"name": "notes", **nothing}).status == 200


def test_names_need_not_be_unique(alice_api: ApiClient) -> None:
    ids = {alice_api.post(URL, {"name": "notes"}).body["id"] for _ in range(2)}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({}, "name"),
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": 5}, "name"),
        ({"name": "n", "description": "x" * 1025}, "description"),
        ({"name": "n", "metadata": {"k": 1}}, "metadata.k"),
        ({"name": "n", "metadata": {"": "v"}}, "metadata"),
        ({"name": "n", "metadata": {"k" * 65: "v"}}, "metadata"),
        ({"name": "n", "metadata": {"k": "v" * 513}}, "metadata.k"),
        ({"name": "n", "metadata": {str(key): "v" for key in range(17)}}, "metadata"),
        ({"name": "n", "trust_tier": "secret"}, "trust_tier"),
        ({"name": "n", "decay": "fast"}, "decay"),
        ({"name": "n", "supersede": True}, "supersede"),
        ({"name": "n", "protected_paths": "*.md"}, "protected_paths"),
        ({"name": "n", "protected_paths": [""]}, "protected_paths.0"),
        ({"name": "n", "protected_paths": ["ok", "!"]}, "protected_paths.1"),
        ({"name": "n", "protected_paths": ["# a comment"]}, "protected_paths.0"),
        ({"name": "n", "protected_paths": ["x"] * 101}, "protected_paths"),
        ({"name": "n", "system_managed": True}, "system_managed"),
        ({"name": "n", "colour": "red"}, "colour"),
        ({"name": "n", "mount": {}}, "mount.identity_id"),
        ({"name": "n", "mount": {"identity_id": "i", "template_id": "t", "access": "none"}}, "mount.access"),
        ({"name": "n", "mount": {"identity_id": "i", "template_id": "t", "more": 1}}, "mount.more"),
    ],
)
def test_refuses(client: Callable[..., ApiClient], alice: Tenant, body: dict[str, Any], param: str) -> None:
    answer = client(alice.admin).post(URL, body)
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")
    assert answer.error["param"] == param
    assert answer.error["message"].startswith(f"{param}: ")
    assert MemoryStore.objects.count() == 0


@pytest.mark.parametrize("field", [{"trust_tier": "global"}, {"protected_paths": ["*.md"]}])
def test_the_policy_needs_the_admin_scope(alice_api: ApiClient, field: dict[str, Any]) -> None:
    answer = alice_api.post(URL, {"name": "n", **field})
    assert (answer.status, answer.error["type"]) == (403, "permission_error")
    assert answer.error["param"] in field
    assert MemoryStore.objects.count() == 0


def test_the_default_policy_may_be_spelled_out(alice_api: ApiClient) -> None:
    assert alice_api.post(URL, {"name": "n", "trust_tier": "work", "protected_paths": []}).status == 200


def test_charlie_may_only_read(client: Callable[..., ApiClient], charlie: str) -> None:
    assert client(charlie).post(URL, {"name": "n"}).status == 403
    assert client(None).post(URL, {"name": "n"}).status == 401


def test_a_repeated_request_makes_one_store(alice_api: ApiClient) -> None:
    first = alice_api.post(URL, {"name": "n"}, idempotency_key="k1")
    again = alice_api.post(URL, {"name": "n"}, idempotency_key="k1")
    assert again.body == first.body
    assert again.headers["idempotent-replayed"] == "true"
    assert alice_api.post(URL, {"name": "other"}, idempotency_key="k1").status == 409
    assert MemoryStore.objects.count() == 1


@pytest.fixture
def pair(alice: Tenant) -> dict[str, str]:
    identity = Identity.objects.create(workspace=alice.workspace, external_id="ana")
    template = Template.objects.create(workspace=alice.workspace, name="helper")
    return {"identity_id": identity.id, "template_id": template.id}


def test_mounts_the_new_store_as_the_default(alice_api: ApiClient, pair: dict[str, str]) -> None:
    body = alice_api.post(URL, {"name": "n", "mount": {**pair, "access": "read_write"}}).body
    assert body["identity_id"] == pair["identity_id"]
    assert body["binding_info"] == {"identity_template_count": 1}
    mount = Mount.objects.get()
    assert (mount.store_id, mount.access) == (body["id"], "read_write")


def test_mounts_read_only_unless_told_otherwise(alice_api: ApiClient, pair: dict[str, str]) -> None:
    body = alice_api.post(URL, {"name": "n", "mount": pair}).body
    assert Mount.objects.get().access == "read_only"
    assert (body["identity_id"], body["binding_info"]) == (None, {"identity_template_count": 1})


def test_a_second_default_undoes_the_store(alice_api: ApiClient, pair: dict[str, str]) -> None:
    mount = {**pair, "access": "read_write"}
    assert alice_api.post(URL, {"name": "first", "mount": mount}).status == 200
    answer = alice_api.post(URL, {"name": "second", "mount": mount})
    assert (answer.status, answer.error["type"]) == (409, "conflict_error")
    assert answer.headers["x-should-retry"] == "false"
    assert [store.name for store in MemoryStore.objects.all()] == ["first"]


def test_another_workspaces_pair_is_unknown(
    client: Callable[..., ApiClient], bob: Tenant, pair: dict[str, str]
) -> None:
    answer = client(bob.write).post(URL, {"name": "n", "mount": {**pair, "access": "read_write"}})
    assert (answer.status, answer.error["param"]) == (404, "mount.identity_id")
    assert MemoryStore.objects.count() == 0
