"""DELETE …/memories/{id}."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def test_the_versions_stay(store: Store) -> None:
    memory = store.add("a", "text")
    answer = store.remove(memory)
    assert (answer.status, answer.body) == (200, {"id": memory["id"], "type": "memory_deleted", "deleted": True})
    assert store.remove(memory).status == 404
    last, first = store.versions(memory_id=memory["id"], view="full")
    assert (first["operation"], first["content"]) == ("created", "text")
    assert (last["operation"], last["path"]) == ("deleted", "/a")
    assert [last[key] for key in ("content", "content_sha256", "content_size_bytes")] == [None] * 3
    row = store.row()
    assert (row["entry_count"], row["total_size"], row["revision"]) == (0, 0, 2)


def test_only_the_text_that_is_expected(store: Store) -> None:
    memory = store.add("a", "text")
    url = f"{store.url}/memories/{memory['id']}"
    wrong = store.api.delete(url, {"expected_content_sha256": "0" * 64})
    assert (wrong.status, wrong.error["type"]) == (409, "memory_precondition_failed_error")
    assert wrong.headers["x-should-retry"] == "false"
    assert wrong.error["param"] == "expected_content_sha256"
    assert wrong.error["message"].startswith("expected_content_sha256: ")
    assert store.api.delete(url, {"expected_content_sha256": memory["content_sha256"]}).status == 200


@pytest.mark.parametrize("value", ["", "x", "A" * 64, "0" * 65])
def test_refuses_what_is_no_digest(store: Store, value: str) -> None:
    answer = store.api.delete(f"{store.url}/memories/{store.add('a')['id']}", {"expected_content_sha256": value})
    assert (answer.status, answer.error["param"]) == (400, "expected_content_sha256")


def test_unknown(store: Store, new_store: Callable[..., Store]) -> None:
    assert store.remove(new_store().add("a")).status == 404


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant, charlie: str) -> None:
    url = f"{store.url}/memories/{store.add('a')['id']}"
    assert [client(key).delete(url).status for key in (bob.admin, charlie, None)] == [404, 403, 401]
    assert store.row()["entry_count"] == 1
