"""GET …/memories/{id}."""

from __future__ import annotations

from collections.abc import Callable

from pytest_django import DjangoAssertNumQueries

from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store


def test_with_and_without_the_text(client: Callable[..., ApiClient], store: Store, charlie: str) -> None:
    memory = store.add("a", "text")
    url = f"{store.url}/memories/{memory['id']}"
    assert client(charlie).get(url).body == client(charlie).get(url, {"view": "full"}).body == memory
    assert client(charlie).get(url, {"view": "basic"}).body == {**memory, "content": None}


def test_unknown(store: Store, new_store: Callable[..., Store]) -> None:
    elsewhere = new_store().add("a")
    for id in (elsewhere["id"], "mem_" + "0" * 32, "x"):
        answer = store.api.get(f"{store.url}/memories/{id}")
        assert (answer.status, answer.error["type"]) == (404, "not_found_error")
    assert store.api.get(f"{store.url}/memories/{store.add('b')['id']}", {"depth": 1}).status == 400


def test_others(client: Callable[..., ApiClient], store: Store, bob: Tenant) -> None:
    url = f"{store.url}/memories/{store.add('a')['id']}"
    assert [client(key).get(url).status for key in (bob.admin, None)] == [404, 401]


def test_one_query(store: Store, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    url = f"{store.url}/memories/{store.add('a')['id']}"
    with django_assert_num_queries(2):  # the key, the memory
        store.api.get(url)
