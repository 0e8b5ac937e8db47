"""GET …/memory_versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dreamsvc.actors import Actor
from dreamsvc.ids import DREAM, new_id
from memorystores.models import MemoryStore
from memorystores.services.writer import writing
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def test_newest_first_with_every_documented_key(store: Store, alice: Tenant) -> None:
    memory = store.add("a", "old")
    edited = store.edit(memory, content="newer").body
    newest, first = store.versions()
    created_at = newest.pop("created_at")
    assert created_at == edited["updated_at"]
    assert newest == {
        "id": edited["memory_version_id"],
        "type": "memory_version",
        "memory_store_id": store.id,
        "memory_id": memory["id"],
        "operation": "modified",
        "path": "/a",
        "content": None,
        "content_sha256": edited["content_sha256"],
        "content_size_bytes": 5,
        "store_revision": 2,
        "created_by": {"type": "api_actor", "api_key_id": alice.keys["admin"].id},
        "redacted": False,
        "redacted_at": None,
        "redacted_by": None,
    }
    assert first["id"] == memory["memory_version_id"]


def test_full_shows_texts_on_shorter_pages(store: Store) -> None:
    memory = store.add("a", "0")
    for number in range(1, 23):
        store.edit(memory, content=str(number))
    body = store.api.get(f"{store.url}/memory_versions", {"view": "full", "limit": 100}).body
    assert [row["content"] for row in body["data"]] == [str(number) for number in range(22, 2, -1)]
    assert body["has_more"]
    rest = store.api.get(f"{store.url}/memory_versions", {"view": "full", "page": body["next_page"]}).body
    assert [row["content"] for row in rest["data"]] == ["2", "1", "0"]
    assert len(store.versions(limit=100)) == 23


def test_filters(store: Store, client: Callable[..., ApiClient], alice: Tenant) -> None:
    a, b = store.add("a"), store.add("b")
    store.edit(a, content="new")
    middle = timezone.now().isoformat()
    store.remove(b)
    client(alice.write).post(f"{store.url}/memories", {"path": "c", "content": ""})
    dream = new_id(DREAM)
    with writing(workspace_id=alice.workspace.id, store_id=store.id, actor=Actor.dream(dream)) as writer:
        writer.create(path="d", text="dreamt")

    def found(**query: Any) -> list[tuple[str, str]]:
        return [(row["operation"], row["path"]) for row in store.versions(**query)]

    assert found(memory_id=b["id"]) == [("deleted", "/b"), ("created", "/b")]
    assert found(operation="deleted") == [("deleted", "/b")]
    assert found(operation="modified", memory_id=b["id"]) == []
    assert found(api_key_id=alice.keys["write"].id) == [("created", "/c")]
    assert found(service_account_id=dream) == [("created", "/d")]
    assert found(service_account_id=alice.keys["write"].id) == found(api_key_id=dream) == []
    assert found(session_id="sesn_1") == []
    assert [path for _, path in found(**{"created_at[gt]": middle})] == ["/d", "/c", "/b"]
    assert [path for _, path in found(**{"created_at[lte]": middle})] == ["/a", "/b", "/a"]
    (dreamt,) = store.versions(service_account_id=dream)
    assert dreamt["created_by"] == {"type": "service_account_actor", "service_account_id": dream}


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_while_writes_arrive(store: Store, limit: int) -> None:
    for number in range(4):
        store.add(str(number))
    url = f"{store.url}/memory_versions"
    found: list[str] = []
    query: dict[str, Any] = {"limit": limit}
    for _ in range(5):
        body = store.api.get(url, query).body
        found += [row["path"] for row in body["data"]]
        store.add(f"late{len(found)}")
        if not body["has_more"]:
            break
        query = {"limit": limit, "page": body["next_page"]}
    assert found == ["/3", "/2", "/1", "/0"]


def test_after_and_before_an_id(store: Store) -> None:
    ids = [store.add(str(number))["memory_version_id"] for number in range(5)]
    url = f"{store.url}/memory_versions"
    after = store.api.get(url, {"after_id": ids[3], "limit": 2}).body
    assert ([row["path"] for row in after["data"]], after["has_more"]) == (["/2", "/1"], True)
    assert (after["first_id"], after["last_id"]) == (ids[2], ids[1])
    before = store.api.get(url, {"before_id": ids[0], "limit": 2}).body
    assert [row["path"] for row in before["data"]] == ["/2", "/1"]


@pytest.mark.parametrize(
    "query",
    [
        {"operation": "renamed"},
        {"view": "half"},
        {"created_at[gte]": "now"},
        {"after_id": "memver_" + "0" * 32},
        {"path": "/a"},
        {"page": "x"},
    ],
)
def test_refuses(store: Store, query: dict[str, Any]) -> None:
    answer = store.api.get(f"{store.url}/memory_versions", query)
    assert (answer.status, answer.error["param"]) == (400, next(iter(query)))


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    version = store.add("a")["memory_version_id"]
    url = f"{store.url}/memory_versions"
    assert [client(key).get(url).status for key in (bob.admin, charlie, None)] == [404, 200, 401]
    assert [client(key).get(f"{url}/{version}").status for key in (bob.admin, charlie, None)] == [404, 200, 401]


def test_the_number_of_queries_does_not_grow(store: Store, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(5):
        store.add(str(number))
    assert MemoryStore.objects.get().revision == 5
    for view in ("basic", "full"):
        with django_assert_num_queries(3):  # the key, the store, the page
            store.versions(view=view)
