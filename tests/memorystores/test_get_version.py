"""GET …/memory_versions/{id}."""

from __future__ import annotations

from collections.abc import Callable

from tests.memorystores.conftest import Store


def test_with_and_without_the_text(store: Store) -> None:
    memory = store.add("a", "old")
    store.edit(memory, content="new", path="b")
    url = f"{store.url}/memory_versions/{memory['memory_version_id']}"
    full = store.api.get(url).body
    assert (full["content"], full["path"], full["operation"]) == ("old", "/a", "created")
    assert store.api.get(url, {"view": "basic"}).body == {**full, "content": None}


def test_outlives_its_memory(store: Store) -> None:
    memory = store.add("a", "text")
    store.remove(memory)
    assert store.api.get(f"{store.url}/memory_versions/{memory['memory_version_id']}").body["content"] == "text"


def test_unknown(store: Store, new_store: Callable[..., Store]) -> None:
    elsewhere = new_store().add("a")["memory_version_id"]
    for id in (elsewhere, "memver_" + "0" * 32, "x"):
        assert store.api.get(f"{store.url}/memory_versions/{id}").status == 404
