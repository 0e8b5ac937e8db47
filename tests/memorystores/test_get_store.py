"""GET /v1/memory_stores/{id}."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import STORES, Store


def test_charlie_reads(client: Callable[..., ApiClient], store: Store, charlie: str) -> None:
    answer = client(charlie).get(store.url)
    assert (answer.status, answer.body["id"]) == (200, store.id)


def test_counts_what_it_holds(store: Store) -> None:
    store.add("a", "ü")
    memory = store.add("b", "12345")
    store.edit(memory, content="1")
    row = store.row()
    assert (row["entry_count"], row["total_size"], row["revision"]) == (2, 3, 3)
    assert row["updated_at"] == row["created_at"]


@pytest.mark.parametrize("id", ["memstore_" + "0" * 32, "x", "..", "mem_1", "%00", "é"])
def test_unknown_ids(client: Callable[..., ApiClient], alice: Tenant, id: str) -> None:
    answer = client(alice.read).get(f"{STORES}/{id}")
    assert answer.status in (404, 400)
    assert answer.headers["content-type"].startswith("application/json")


def test_bob_and_nobody_do_not_see_it(client: Callable[..., ApiClient], store: Store, bob: Tenant) -> None:
    assert (client(bob.admin).get(store.url).status, client(None).get(store.url).status) == (404, 401)
