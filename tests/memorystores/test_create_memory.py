"""POST …/memories."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from memorystores.models import Memory
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def test_answers_every_documented_key(store: Store, alice: Tenant) -> None:
    body = store.add("notes/ü.md", "Wörter\n")
    times = {body.pop(key) for key in ("created_at", "updated_at", "observed_at")}
    assert len(times) == 1
    assert times.pop().endswith("Z")
    ids = body.pop("id"), body.pop("memory_version_id")
    assert [id.partition("_")[0] for id in ids] == ["mem", "memver"]
    assert body == {
        "type": "memory",
        "memory_store_id": store.id,
        "path": "/notes/ü.md",
        "content": "Wörter\n",
        "content_sha256": hashlib.sha256("Wörter\n".encode()).hexdigest(),
        "content_size_bytes": 8,
        "metadata": {},
        "tags": [],
        "pinned": False,
        "ring": "none",
        "trust": "verified",
        "decay_stage": "full",
        "signals": {
            "relevance": 0.5,
            "stability_days": 14.0,
            "access_count": 0,
            "last_accessed_at": None,
            "reinforcement_count": 0,
            "success_score": None,
        },
    }


def test_keeps_what_is_given(store: Store) -> None:
    given = {
        "observed_at": "2020-05-17T12:00:00.000001Z",
        "tags": ["b", "a"],
        "pinned": True,
        "ring": "shocks",
        "trust": "external",
        "metadata": {"k": "v"},
    }
    body = store.add("a", "text", **given)
    assert {key: body[key] for key in given} == given
    assert body["created_at"] > body["observed_at"]
    assert store.api.get(f"{store.url}/memories/{body['id']}").body == body


@pytest.mark.parametrize("text", ["", " ", "\n", "\r\n\t", "\ufeffx", "e\u0301", "x" * 102_400, "👍" * 25_600])
def test_texts_are_stored_raw(store: Store, text: str) -> None:
    body = store.add("a", text)
    assert body["content"] == text
    assert body["content_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert body["content_size_bytes"] == len(text.encode())


def test_basic_leaves_the_text_out(store: Store) -> None:
    answer = store.api.post(f"{store.url}/memories", {"path": "a", "content": "text"}, query={"view": "basic"})
    assert (answer.body["content"], answer.body["content_size_bytes"]) == (None, 4)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"content": ""}, "path"),
        ({"path": None, "content": ""}, "path"),
        ({"path": "a"}, "content"),
        ({"path": "a", "content": None}, "content"),
        ({"path": "a", "content": 5}, "content"),
        ({"path": "a", "content": "x" * 102_401}, "content"),
        ({"path": "a", "content": "ü" * 51_201}, "content"),
        ({"path": "", "content": ""}, "path"),
        ({"path": "/", "content": ""}, "path"),
        ({"path": "../a", "content": ""}, "path"),
        ({"path": "a\nb", "content": ""}, "path"),
        ({"path": "e\u0301", "content": ""}, "path"),
        ({"path": "a", "content": "", "observed_at": "2020-05-17"}, "observed_at"),
        ({"path": "a", "content": "", "observed_at": "2020-05-17T12:00:00"}, "observed_at"),
        ({"path": "a", "content": "", "tags": "x"}, "tags"),
        ({"path": "a", "content": "", "tags": [""]}, "tags.0"),
        ({"path": "a", "content": "", "tags": ["x", "x"]}, "tags"),
        ({"path": "a", "content": "", "tags": [str(tag) for tag in range(65)]}, "tags"),
        ({"path": "a", "content": "", "pinned": "true"}, "pinned"),
        ({"path": "a", "content": "", "ring": "outer"}, "ring"),
        ({"path": "a", "content": "", "trust": "full"}, "trust"),
        ({"path": "a", "content": "", "metadata": {"k": None, "l": 1}}, "metadata.l"),
        ({"path": "a", "content": "", "content_sha256": "0" * 64}, "content_sha256"),
        ({"path": "a", "content": "", "view": "full"}, "view"),
    ],
)
def test_refuses(store: Store, body: dict[str, Any], param: str) -> None:
    answer = store.api.post(f"{store.url}/memories", body)
    assert (answer.status, answer.error["type"], answer.error["param"]) == (400, "invalid_request_error", param)
    assert answer.error["message"].startswith(f"{param}: ")
    assert store.row()["revision"] == 0


@pytest.mark.parametrize(("path", "taken"), [("a", "/a"), ("/a/b/c", "/a/b"), ("x", "/x/y")])
def test_a_taken_path(store: Store, path: str, taken: str) -> None:
    other = store.add(taken)
    answer = store.api.post(f"{store.url}/memories", {"path": path, "content": "text"})
    assert (answer.status, answer.headers["x-should-retry"]) == (409, "false")
    assert answer.error["type"] == "memory_path_conflict_error"
    assert (answer.error["conflicting_memory_id"], answer.error["conflicting_path"]) == (other["id"], taken)
    assert answer.error["param"] == "path"


def test_a_deleted_memorys_path_is_free(store: Store) -> None:
    old = store.add("a")
    store.remove(old)
    assert store.add("a")["id"] != old["id"]


def test_a_full_store(store: Store, settings: Settings) -> None:
    settings.STORE_MAX_MEMORIES = 1
    store.add("a")
    answer = store.api.post(f"{store.url}/memories", {"path": "b", "content": ""})
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")
    assert "1 memories" in answer.error["message"]


def test_an_unknown_view(store: Store) -> None:
    answer = store.api.post(f"{store.url}/memories", {"path": "a", "content": ""}, query={"view": "half"})
    assert (answer.status, answer.error["param"]) == (400, "view")
    assert Memory.objects.count() == 0


def test_a_repeated_request_makes_one_memory(store: Store) -> None:
    body = {"path": "a", "content": "text"}
    first, again = (store.api.post(f"{store.url}/memories", body, idempotency_key="k") for _ in range(2))
    assert (again.status, again.body) == (200, first.body)
    assert store.row()["revision"] == 1


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    statuses = [
        client(key).post(f"{store.url}/memories", {"path": "a", "content": ""}).status
        for key in (bob.admin, charlie, None)
    ]
    assert statuses == [404, 403, 401]
    assert Memory.objects.count() == 0


def test_few_statements(store: Store, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(9):  # key, savepoint, lock, path, text, head, version, store, savepoint
        store.add("a/b/c")
