"""GET …/memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from dreamsvc.actors import Actor, ActorType
from memorystores.models import Memory, MemoryStore
from memorystores.services.stores import store_create
from memorystores.services.writer import writing
from tests.conftest import ApiClient, Tenant
from tests.memorystores.conftest import Store

PATHS = ["/A", "/a b", "/a-x/e", "/a.md", "/a/b", "/a/c/d", "/a/c/e", "/a/d", "/a0", "/b/1/2/3", "/ä/x", "/日", "/👍"]
TOP = ["/A", "/a b", "/a-x/", "/a.md", "/a/", "/a0", "/b/", "/ä/", "/日", "/👍"]


def fill(store: Store, paths: Iterable[str]) -> None:
    row = MemoryStore.objects.get(id=store.id)
    with writing(workspace_id=row.workspace_id, store_id=row.id, actor=Actor(ActorType.API, "apikey_1")) as writer:
        for path in paths:
            writer.create(path=path, text=f"text of {path}")


def pages(store: Store, **query: Any) -> list[list[dict[str, Any]]]:
    """Every page, by `next_page`."""
    found = []
    cursor: dict[str, str] = {}
    for _ in range(50):
        answer = store.api.get(f"{store.url}/memories", {**query, **cursor})
        assert answer.status == 200, answer.body
        found.append(answer.body["data"])
        assert (answer.body["next_page"] is None) == (answer.body["has_more"] is False)
        if not answer.body["has_more"]:
            return found
        cursor = {"page": answer.body["next_page"]}
    raise AssertionError("the list does not end")


def paths(store: Store, **query: Any) -> list[str]:
    return [item["path"] for page in pages(store, **query) for item in page]


@pytest.fixture
def filled(store: Store) -> Store:
    fill(store, reversed(PATHS))
    return store


def test_in_byte_order(filled: Store) -> None:
    assert sorted(PATHS, key=str.encode) == PATHS
    assert paths(filled) == PATHS


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 100])
def test_pages(filled: Store, limit: int) -> None:
    assert paths(filled, limit=limit) == PATHS
    assert paths(filled, limit=limit, depth=1) == TOP
    assert [len(page) for page in pages(filled, limit=limit, depth=1)[:-1]] == [limit] * ((len(TOP) - 1) // limit)


@pytest.mark.parametrize(
    ("prefix", "all_below", "one_level"),
    [
        ("/", PATHS, TOP),
        ("/a/", ["/a/b", "/a/c/d", "/a/c/e", "/a/d"], ["/a/b", "/a/c/", "/a/d"]),
        ("a/", ["/a/b", "/a/c/d", "/a/c/e", "/a/d"], ["/a/b", "/a/c/", "/a/d"]),
        ("/a/c/", ["/a/c/d", "/a/c/e"], ["/a/c/d", "/a/c/e"]),
        ("/b/", ["/b/1/2/3"], ["/b/1/"]),
        ("/ä/", ["/ä/x"], ["/ä/x"]),
        ("/A/", [], []),
        ("/a.md/", [], []),
        ("/nothing/", [], []),
    ],
)
def test_under_a_folder(filled: Store, prefix: str, all_below: list[str], one_level: list[str]) -> None:
    for limit in (1, 20):
        assert paths(filled, path_prefix=prefix, limit=limit) == all_below
        assert paths(filled, path_prefix=prefix, limit=limit, depth=0) == all_below
        assert paths(filled, path_prefix=prefix, limit=limit, depth=1) == one_level


def test_folders_are_items_without_an_id(filled: Store) -> None:
    body = filled.api.get(f"{filled.url}/memories", {"depth": 1, "path_prefix": "/a/", "limit": 3}).body
    memory, folder, last = body["data"]
    assert folder == {"type": "memory_prefix", "path": "/a/c/"}
    assert (memory["type"], memory["content"]) == ("memory", None)
    assert (body["first_id"], body["last_id"]) == (memory["id"], last["id"])
    only = filled.api.get(f"{filled.url}/memories", {"depth": 1, "path_prefix": "/b/"}).body
    assert (only["first_id"], only["last_id"], only["next_page"]) == (None, None, None)


def test_a_page_that_ends_with_a_folder_names_no_id_to_go_on_from(filled: Store) -> None:
    url = f"{filled.url}/memories"
    body = filled.api.get(url, {"depth": 1, "limit": 5}).body
    assert [body["data"][-1]["path"], body["first_id"], body["last_id"]] == ["/a/", body["data"][0]["id"], None]
    assert body["has_more"] is True
    rest = filled.api.get(url, {"depth": 1, "page": body["next_page"], "limit": 100}).body
    assert [item["path"] for item in body["data"] + rest["data"]] == TOP


def test_full_shows_texts_on_shorter_pages(store: Store) -> None:
    fill(store, [f"/{number:02}" for number in range(23)] + ["/x/y"])
    for depth in (0, 1):
        first, second = pages(store, view="full", depth=depth, limit=100)
        assert (len(first), len(second)) == (20, 4)
        assert first[0]["content"] == "text of /00"
    (basic,) = pages(store, view="basic", limit=100)
    assert {item["content"] for item in basic} == {None}
    assert all(item["content_sha256"] and item["content_size_bytes"] for item in basic)


def test_nothing_is_skipped_or_repeated_while_rows_come_and_go(filled: Store) -> None:
    url = f"{filled.url}/memories"
    body = filled.api.get(url, {"limit": 4}).body
    assert [item["path"] for item in body["data"]] == PATHS[:4]
    for item in body["data"]:
        filled.remove(item)  # the cursor's own row too
    filled.add("/a#new-before")
    filled.add("/a/c/dd")
    rest = filled.api.get(url, {"page": body["next_page"], "limit": 100}).body["data"]
    expected = sorted([*PATHS[4:], "/a/c/dd"], key=str.encode)
    assert [item["path"] for item in rest] == expected


def test_a_folder_that_was_shown_is_not_shown_again(filled: Store) -> None:
    url = f"{filled.url}/memories"
    body = filled.api.get(url, {"limit": 5, "depth": 1}).body
    assert body["data"][-1]["path"] == "/a/"
    filled.add("/a/zzz")
    rest = filled.api.get(url, {"page": body["next_page"], "depth": 1}).body["data"]
    assert [item["path"] for item in rest] == TOP[5:]


@pytest.mark.parametrize("depth", [0, 1])
def test_after_and_before_an_id(filled: Store, depth: int) -> None:
    url = f"{filled.url}/memories"
    everything = PATHS if depth == 0 else TOP
    here = filled.api.get(url, {"path_prefix": "/", "limit": 100}).body["data"]
    pivot = next(item for item in here if item["path"] == "/a.md")
    at = everything.index("/a.md")
    after = filled.api.get(url, {"after_id": pivot["id"], "limit": 2, "depth": depth}).body
    assert [item["path"] for item in after["data"]] == everything[at + 1 : at + 3]
    before = filled.api.get(url, {"before_id": pivot["id"], "limit": 2, "depth": depth}).body
    assert ([item["path"] for item in before["data"]], before["has_more"]) == (everything[at - 2 : at], True)
    first = filled.api.get(url, {"page": before["next_page"], "limit": 2, "depth": depth}).body
    assert ([item["path"] for item in first["data"]], first["has_more"]) == (everything[:1], False)


def test_after_the_id_of_a_memory_that_is_gone(filled: Store) -> None:
    url = f"{filled.url}/memories"
    third = filled.api.get(url, {"limit": 3}).body["data"][2]
    filled.remove(third)
    rest = filled.api.get(url, {"after_id": third["id"], "limit": 100}).body["data"]
    assert [item["path"] for item in rest] == PATHS[3:]


@pytest.mark.parametrize(
    "query",
    [
        {"path_prefix": "/a"},
        {"path_prefix": ""},
        {"path_prefix": "/a//"},
        {"path_prefix": "/../"},
        {"depth": 2},
        {"depth": "one"},
        {"view": "half"},
        {"limit": 0},
        {"page": "L2E"},
        {"after_id": "mem_" + "0" * 32},
        {"after_id": "memstore_" + "0" * 32},
        {"order": "asc"},
        {"statuses": "a"},
    ],
)
def test_refuses(store: Store, query: dict[str, Any]) -> None:
    answer = store.api.get(f"{store.url}/memories", query)
    assert (answer.status, answer.error["param"]) == (400, next(iter(query)))


def test_a_cursor_of_another_list_is_none(filled: Store, new_store: Callable[..., Store]) -> None:
    cursor = filled.api.get(f"{filled.url}/memories", {"limit": 1}).body["next_page"]
    elsewhere = new_store()
    fill(elsewhere, PATHS)
    assert elsewhere.api.get(f"{elsewhere.url}/memories", {"page": cursor}).status == 400
    assert filled.api.get(f"{filled.url}/memories", {"page": cursor, "depth": 1}).status == 400
    assert filled.api.get("/v1/memory_stores", {"page": cursor}).status == 400
    assert (
        elsewhere.api.get(
            f"{elsewhere.url}/memories", {"after_id": Memory.objects.filter(store=filled.id)[0].id}
        ).status
        == 400
    )


@pytest.mark.parametrize(("depth", "number"), [(0, 3), (1, 4)])
def test_the_number_of_queries_does_not_grow(
    store: Store, depth: int, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fill(store, [f"/{name}/{number}" for name in "abcdef" for number in range(30)] + ["/x", "/y"])
    with django_assert_num_queries(number):  # the key, the store, the page, and the memories among its items
        store.api.get(f"{store.url}/memories", {"depth": depth, "limit": 100})


def test_others(client: Callable[..., ApiClient], filled: Store, bob: Tenant, charlie: str) -> None:
    url = f"{filled.url}/memories"
    assert [client(key).get(url).status for key in (bob.admin, charlie, None)] == [404, 200, 401]
    assert [client(bob.admin).get(url, {"depth": 1}).status] == [404]


SEGMENTS = st.text(st.sampled_from("aB -.0~é\U0010ffff"), min_size=1, max_size=2).filter(
    lambda text: text not in (".", "..")
)
TREES = st.lists(st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join), min_size=1, max_size=12, unique=True)


@given(tree=TREES, limit=st.integers(1, 4), folder=st.sampled_from(["/", "/a/", "/a/a/"]))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_level_is_what_a_simple_scan_finds(
    client: Callable[..., ApiClient], alice: Tenant, tree: list[str], limit: int, folder: str
) -> None:
    kept = [f"/{path}" for path in tree if not any(path.startswith(f"{other}/") for other in tree)]
    row = store_create(workspace_id=alice.workspace.id, fields={"name": "n"}, admin=False)
    store = Store(client(alice.admin), row.id)
    fill(store, kept)
    inside = sorted((path for path in kept if path.startswith(folder)), key=str.encode)
    heads = [path[len(folder) :].partition("/") for path in inside]
    expected = list(dict.fromkeys(folder + head + slash for head, slash, _ in heads))
    assert paths(store, depth=1, limit=limit, path_prefix=folder) == expected
    assert paths(store, depth=0, limit=limit, path_prefix=folder) == inside
