"""POST /v1/memory_stores/{id}."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def policy_revision(store: Store) -> int:
    return MemoryStore.objects.get(id=store.id).policy_revision


def test_changes_what_is_given(store: Store) -> None:
    before = store.row()
    after = store.api.post(store.url, {"name": "new", "description": "d"}).body
    assert (after["name"], after["description"]) == ("new", "d")
    assert after["updated_at"] > before["updated_at"]
    assert {**after, "name": "", "description": "", "updated_at": ""} == {
        **before,
        "name": "",
        "description": "",
        "updated_at": "",
    }
    assert store.row() == after


def test_metadata_is_a_patch(new_store: Callable[..., Store]) -> None:
    store = new_store(metadata={"a": "1", "b": "2"})
    assert store.api.post(store.url, {"metadata": {"b": None, "c": "3"}}).body["metadata"] == {"a": "1", "c": "3"}
    assert store.api.post(store.url, {"metadata": None}).body["metadata"] == {"a": "1", "c": "3"}


def test_metadata_is_limited_after_the_patch(new_store: Callable[..., Store]) -> None:
    store = new_store(metadata={str(key): "v" for key in range(16)})
    answer = store.api.post(store.url, {"metadata": {"new": "v"}})
    assert (answer.status, answer.error["param"]) == (400, "metadata")
    assert store.api.post(store.url, {"metadata": {"new": "v", "0": None}}).status == 200


@pytest.mark.parametrize("body", [{}, {"name": "notes"}, {"name": None}, {"metadata": {}}, {"trust_tier": "work"}])
def test_nothing_new_changes_nothing(store: Store, body: dict[str, Any]) -> None:
    before = store.row()
    assert store.api.post(store.url, body).body == before
    assert policy_revision(store) == 0


@pytest.mark.parametrize(
    ("body", "raised"),
    [
        ({"trust_tier": "legal"}, 1),
        ({"protected_paths": ["/a/"]}, 1),
        ({"decay": "ladder"}, 1),
        ({"trust_tier": "legal", "decay": "ladder", "name": "n"}, 1),
        ({"supersede": "explicit"}, 0),
        ({"name": "n"}, 0),
    ],
)
def test_the_policy_has_a_revision_of_its_own(store: Store, body: dict[str, Any], raised: int) -> None:
    assert store.api.post(store.url, body).body["revision"] == 0
    assert policy_revision(store) == raised


@pytest.mark.parametrize("body", [{"trust_tier": "global"}, {"protected_paths": ["x"]}])
def test_the_policy_needs_the_admin_scope(
    client: Callable[..., ApiClient], alice: Tenant, store: Store, body: dict[str, Any]
) -> None:
    before = store.row()
    answer = client(alice.write).post(store.url, {"name": "new", **body})
    assert (answer.status, answer.error["type"]) == (403, "permission_error")
    assert store.row() == before
    assert client(alice.write).post(store.url, {"decay": "ladder", "trust_tier": "work"}).status == 200


@pytest.mark.parametrize(
    ("body", "param"),
    [({"name": ""}, "name"), ({"colour": 1}, "colour"), ({"mount": {}}, "mount"), ({"status": "active"}, "status")],
)
def test_refuses(store: Store, body: dict[str, Any], param: str) -> None:
    answer = store.api.post(store.url, body)
    assert (answer.status, answer.error["param"]) == (400, param)


def test_an_archived_store_stays_as_it_is(store: Store) -> None:
    store.api.post(f"{store.url}/archive")
    answer = store.api.post(store.url, {"name": "new"})
    assert (answer.status, answer.error["param"]) == (400, "memory_store_id")
    assert "archived" in answer.error["message"]


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    assert client(bob.admin).post(store.url, {"name": "x"}).status == 404
    assert client(charlie).post(store.url, {"name": "x"}).status == 403
    assert store.row()["name"] == "notes"
