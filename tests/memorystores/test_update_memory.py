"""POST …/memories/{id}."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store

ZERO = "0" * 64


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_new_text(store: Store) -> None:
    old = store.add("a", "old", tags=["t"])
    new = store.edit(old, content="new").body
    assert (new["content"], new["content_sha256"]) == ("new", sha256("new"))
    assert new["memory_version_id"] != old["memory_version_id"]
    assert new["updated_at"] > old["updated_at"]
    same = ("id", "path", "created_at", "observed_at", "tags", "trust")
    assert {key: new[key] for key in same} == {key: old[key] for key in same}
    assert [version["operation"] for version in store.versions()] == ["modified", "created"]


def test_a_new_path(store: Store) -> None:
    old = store.add("a/b", "text")
    new = store.edit(old, path="a").body
    assert (new["id"], new["path"], new["content"]) == (old["id"], "/a", "text")
    assert [version["path"] for version in store.versions()] == ["/a", "/a/b"]
    assert store.row()["total_size"] == 4


def test_a_taken_path(store: Store) -> None:
    other, memory = store.add("a/b"), store.add("c")
    answer = store.edit(memory, path="a", content="new")
    assert (answer.status, answer.error["type"]) == (409, "memory_path_conflict_error")
    assert answer.error["conflicting_memory_id"] == other["id"]
    assert store.api.get(f"{store.url}/memories/{memory['id']}").body == memory


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"content": "text"},
        {"path": "a"},
        {"path": "/a", "content": "text", "pinned": False, "tags": [], "metadata": {}},
        {"content": None, "path": None, "tags": None, "precondition": None, "content_sha256": None},
        {"metadata": {"absent": None}},
    ],
)
def test_nothing_new_changes_nothing(store: Store, fields: dict[str, Any]) -> None:
    memory = store.add("a", "text")
    before = store.row()
    assert store.edit(memory, **fields).body == memory
    assert store.row() == before
    assert len(store.versions()) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"tags": ["x"]},
        {"trust": "untrusted"},
        {"ring": "shocks"},
        {"observed_at": "2020-01-01T00:00:00.000000Z"},
        {"metadata": {"k": "v"}},
        {"pinned": True, "tags": ["x"], "trust": "inferred"},
    ],
)
def test_without_a_new_text_there_is_no_version(store: Store, fields: dict[str, Any]) -> None:
    memory = store.add("a")
    after = store.edit(memory, **fields).body
    assert after == {**memory, **fields}
    assert len(store.versions()) == 1
    assert store.row()["revision"] == 2


def test_metadata_is_a_patch(store: Store) -> None:
    memory = store.add("a", metadata={"a": "1", "b": "2"})
    assert store.edit(memory, metadata={"a": None, "c": "3"}).body["metadata"] == {"b": "2", "c": "3"}


def precondition(form: str, digest: str) -> dict[str, Any]:
    nested: dict[str, Any] = {"precondition": {"type": "content_sha256", "content_sha256": digest}}
    flat: dict[str, Any] = {"content_sha256": digest}
    return {"nested": nested, "flat": flat, "both": nested | flat}[form]


@pytest.mark.parametrize("form", ["nested", "flat", "both"])
class TestPrecondition:
    def test_holds(self, store: Store, form: str) -> None:
        memory = store.add("a", "old")
        answer = store.edit(memory, content="new", **precondition(form, memory["content_sha256"]))
        assert (answer.status, answer.body["content"]) == (200, "new")

    def test_fails(self, store: Store, form: str) -> None:
        memory = store.add("a", "old")
        before = store.row()
        for fields in ({"content": "new"}, {"path": "b"}, {"content": "old", "path": "b"}, {"pinned": True}, {}):
            answer = store.edit(memory, **fields, **precondition(form, ZERO))
            assert (answer.status, answer.error["type"]) == (409, "memory_precondition_failed_error"), fields
            assert answer.headers["x-should-retry"] == "false"
            param = "content_sha256" if form == "flat" else "precondition.content_sha256"
            assert answer.error["param"] == param
            assert answer.error["message"].startswith(f"{param}: ")
        assert store.row() == before

    def test_a_repeated_request_whose_answer_was_lost(self, store: Store, form: str) -> None:
        memory = store.add("a", "old")
        fields = {"content": "new", "path": "b", **precondition(form, memory["content_sha256"])}
        first = store.edit(memory, **fields)
        again = store.edit(memory, **fields)
        assert (again.status, again.body) == (200, first.body)
        assert len(store.versions()) == 2


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"content_sha256": "X" * 64}, "content_sha256"),
        ({"content_sha256": "a" * 63}, "content_sha256"),
        ({"precondition": {"type": "etag", "content_sha256": ZERO}}, "precondition.type"),
        ({"precondition": {"content_sha256": ZERO}}, "precondition.type"),
        ({"precondition": {"type": "content_sha256"}}, "precondition.content_sha256"),
        ({"precondition": {"type": "content_sha256", "content_sha256": None}}, "precondition.content_sha256"),
        ({**precondition("nested", ZERO), **precondition("flat", "1" * 64)}, "content_sha256"),
        ({"precondition": "content_sha256"}, "precondition"),
        ({"path": "a/"}, "path"),
        ({"content": "x" * 102_401}, "content"),
        ({"id": "mem_1"}, "id"),
    ],
)
def test_refuses(store: Store, fields: dict[str, Any], param: str) -> None:
    memory = store.add("a")
    answer = store.edit(memory, **fields)
    assert (answer.status, answer.error["param"]) == (400, param)


def test_unknown(store: Store, new_store: Callable[..., Store]) -> None:
    elsewhere = new_store().add("a")
    assert store.edit(elsewhere, content="x").status == 404
    gone = store.add("a")
    store.remove(gone)
    answer = store.edit(gone, content="x")
    assert (answer.status, answer.error["param"]) == (404, "memory_id")
    assert answer.error == store.api.get(f"{store.url}/memories/{gone['id']}").error


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    memory = store.add("a")
    url = f"{store.url}/memories/{memory['id']}"
    assert [client(key).post(url, {"content": "x"}).status for key in (bob.admin, charlie, None)] == [404, 403, 401]
    assert store.api.get(url).body == memory
