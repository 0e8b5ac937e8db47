"""The one write path: revisions, versions, counts and limits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from dreamsvc.actors import Actor
from dreamsvc.errors import InvalidRequest, NotFound, PathConflict
from dreamsvc.ids import DREAM, new_id
from memorystores.models import Content, Memory, MemoryStore, MemoryVersion
from memorystores.services.contents import contents_upsert, sha256
from memorystores.services.stores import store_archive, store_create, store_delete
from memorystores.services.writer import StoreMoved, StoreWriter, writing
from tests.conftest import Tenant

DREAMER = Actor.dream(new_id(DREAM))


@pytest.fixture
def store(alice: Tenant) -> MemoryStore:
    return store_create(workspace_id=alice.workspace.id, fields={"name": "notes"}, admin=False)


def write(store: MemoryStore, **texts: str) -> dict[str, Memory]:
    """Memories by name, written in one go."""
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        return {name: writer.create(path=name, text=text).memory for name, text in texts.items()}


def versions(store: MemoryStore) -> list[tuple[int, str, str | None]]:
    rows = MemoryVersion.objects.filter(store=store).order_by("store_revision")
    return [(row.store_revision, row.operation, row.path) for row in rows]


def counts(store: MemoryStore) -> tuple[int, int, int]:
    store.refresh_from_db()
    return store.revision, store.entry_count, store.total_size


def true_counts(store: MemoryStore) -> tuple[int, int]:
    sizes = list(Memory.objects.filter(store=store).values_list("content__size", flat=True))
    return len(sizes), sum(sizes)


def test_many_writes_under_one_lock_take_consecutive_revisions(store: MemoryStore) -> None:
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        a = writer.create(path="a", text="one").memory
        b = writer.create(path="b", text="zwölf").memory
        edited = writer.update(a, text="two", path="c")
        deleted = writer.delete(b)
    assert versions(store) == [(1, "created", "/a"), (2, "created", "/b"), (3, "modified", "/c"), (4, "deleted", "/b")]
    assert counts(store) == (4, 1, 3)
    assert edited.version is not None
    assert (edited.memory.version_id, edited.memory.revision) == (edited.version.id, 3)
    assert deleted.version is not None
    assert deleted.version.content is None


def test_two_writings_go_on_counting(store: MemoryStore) -> None:
    write(store, a="1")
    write(store, b="2")
    assert [revision for revision, _, _ in versions(store)] == [1, 2]


def test_a_text_is_kept_once_per_workspace(store: MemoryStore, bob: Tenant) -> None:
    other = store_create(workspace_id=bob.workspace.id, fields={"name": "notes"}, admin=False)
    write(store, a="same", b="same")
    write(other, a="same")
    assert Content.objects.filter(text="same").count() == 2
    assert counts(store)[1:] == true_counts(store) == (2, 8)


def test_a_change_of_nothing_writes_nothing(
    store: MemoryStore, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        head = writer.get(memory.id)
        with django_assert_num_queries(0):
            done = writer.update(head, text="one", path="a", pinned=False, tags=[], trust="inferred")
            writer.finish()
    assert done.version is None
    assert counts(store)[0] == 1
    assert Memory.objects.get(id=memory.id).updated_at == memory.updated_at


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pinned", True),
        ("tags", ["x"]),
        ("trust", "untrusted"),
        ("ring", "shocks"),
        ("observed_at", datetime(2020, 1, 1, tzinfo=UTC)),
        ("metadata", {"k": "v"}),
        ("dream_cluster_id", "c1"),
    ],
)
def test_what_is_said_of_a_memory_raises_both_revisions_without_a_version(
    store: MemoryStore, field: str, value: object
) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.update(writer.get(memory.id), **{field: value})  # type: ignore[arg-type]  # one of several fields
    row = Memory.objects.get(id=memory.id)
    assert getattr(row, field) == value
    assert (row.revision, counts(store)[0]) == (2, 2)
    assert (row.updated_at, row.version_id) == (memory.updated_at, memory.version_id)
    assert len(versions(store)) == 1


@pytest.mark.parametrize(("field", "value"), [("relevance", 0.9), ("access_count", 3), ("success_score", 0.5)])
def test_signals_move_no_revision(store: MemoryStore, field: str, value: object) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.update(writer.get(memory.id), **{field: value})  # type: ignore[arg-type]  # one of several fields
    row = Memory.objects.get(id=memory.id)
    assert getattr(row, field) == value
    assert (row.revision, counts(store)[0], row.updated_at) == (1, 1, memory.updated_at)


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("a/b", "/a/b"),
        ("a", "/a/b"),
        ("a/b/c", "/a/b"),
        ("a/b/c/d", "/a/b"),
        ("0", "/0/x.md"),
        ("ü", "/ü/ä"),
    ],
)
def test_a_path_at_above_or_below_another_is_taken(store: MemoryStore, path: str, other: str) -> None:
    made = write(store, **{other: "text"})[other]
    with pytest.raises(PathConflict) as refusal:
        write(store, **{path: "text"})
    assert refusal.value.extra == {"conflicting_memory_id": made.id, "conflicting_path": other}
    assert counts(store) == (1, 1, 4)


@pytest.mark.parametrize("path", ["A/b", "a/b.md", "a/bc", "a/b0", "a/b-", "a0", "a.md", "a/c", "b", "a/b "])
def test_neighbours_are_free(store: MemoryStore, path: str) -> None:
    write(store, **{"a/b": "text"})
    write(store, **{path: "text"})
    assert counts(store)[1] == 2


def test_a_memory_may_move_above_or_below_itself(store: MemoryStore) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.update(memory, path="a/b/c")
        writer.update(memory, path="a/b")
    assert [path for _, _, path in versions(store)] == ["/a", "/a/b/c", "/a/b"]


def test_a_path_freed_under_the_same_lock_is_free(store: MemoryStore) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.delete(memory)
        writer.create(path="a/b", text="two")
    assert counts(store) == (3, 1, 3)


def test_a_refused_write_leaves_the_writer_as_it_was(store: MemoryStore) -> None:
    """A dream tries the next free name after a conflict."""
    write(store, a="one")
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        with pytest.raises(PathConflict):
            writer.create(path="a", text="two")
        writer.create(path="a-2", text="two")
    assert versions(store)[1:] == [(2, "created", "/a-2")]
    assert counts(store) == (2, *true_counts(store))


def test_limits(store: MemoryStore, settings: Settings) -> None:
    settings.STORE_MAX_MEMORIES, settings.STORE_MAX_BYTES = 2, 10
    memory = write(store, a="12345")["a"]
    with pytest.raises(InvalidRequest, match="more than 10 bytes"):
        write(store, b="123456")
    write(store, b="12345")
    with pytest.raises(InvalidRequest, match="2 memories"):
        write(store, c="")
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        with pytest.raises(InvalidRequest, match="more than 10 bytes"):
            writer.update(memory, text="123456")
        writer.update(memory, text="1234")
    assert counts(store) == (3, 2, 9)


def test_a_store_over_a_lowered_limit_may_shrink(store: MemoryStore, settings: Settings) -> None:
    made = write(store, a="12345", b="12345")
    settings.STORE_MAX_MEMORIES, settings.STORE_MAX_BYTES = 1, 5
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.update(made["a"], text="123")
        writer.delete(made["b"])
    assert counts(store)[1:] == (1, 3)


def test_content_is_measured_in_bytes(store: MemoryStore) -> None:
    write(store, a="ü" * 51_200)
    with pytest.raises(InvalidRequest, match="102402 bytes"):
        write(store, b="ü" * 51_201)


def test_trust_follows_who_writes(store: MemoryStore, alice: Tenant) -> None:
    dreamt = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=Actor.key(alice.keys["write"])) as writer:
        told = writer.create(path="b", text="two").memory
        given = writer.create(path="c", text="three", trust="external").memory
    assert [dreamt.trust, told.trust, given.trust] == ["inferred", "verified", "external"]


def test_a_removed_memory_comes_back_under_its_id(store: MemoryStore) -> None:
    memory = write(store, a="one")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER) as writer:
        writer.delete(memory)
        back = writer.create(path="a", text="one", memory_id=memory.id, created_at=memory.created_at).memory
    assert Memory.objects.get(id=memory.id).version_id == back.version_id
    assert Memory.objects.get(id=memory.id).created_at == memory.created_at


def test_archived_and_gone_stores_are_closed(store: MemoryStore, bob: Tenant) -> None:
    memory = write(store, a="one")["a"]
    with pytest.raises(NotFound), writing(workspace_id=bob.workspace.id, store_id=store.id, actor=DREAMER):
        pass
    store_archive(workspace_id=store.workspace_id, store_id=store.id)
    with pytest.raises(InvalidRequest, match="archived"):
        write(store, b="two")
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER, archived=True) as writer:
        writer.delete(memory)
    assert counts(store) == (2, 0, 0)
    store_delete(workspace_id=store.workspace_id, store_id=store.id)
    with pytest.raises(NotFound):
        write(store, b="two")


def test_a_store_written_to_meanwhile_is_not_moved(store: MemoryStore) -> None:
    """Without the lock it is the last statement that decides."""
    stale = StoreWriter(MemoryStore.objects.get(id=store.id), DREAMER)
    write(store, a="one")
    stale.revision += 1
    with pytest.raises(StoreMoved):
        stale.finish()
    assert counts(store) == (1, 1, 3)


def test_a_deleted_store_is_not_moved(store: MemoryStore) -> None:
    stale = StoreWriter(MemoryStore.objects.get(id=store.id), DREAMER)
    store_delete(workspace_id=store.workspace_id, store_id=store.id)
    stale.revision += 1
    with pytest.raises(StoreMoved):
        stale.finish()


@pytest.mark.django_db(transaction=True)
def test_texts_upserted_before_need_no_further_statement(
    store: MemoryStore, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ids = contents_upsert(workspace_id=store.workspace_id, texts=["one", "two"])
    memory = write(store, a="old")["a"]
    with writing(workspace_id=store.workspace_id, store_id=store.id, actor=DREAMER, contents=ids) as writer:
        head = writer.get(memory.id)
        with django_assert_num_queries(1):
            writer.update(head, text="one")
    assert Memory.objects.get(id=memory.id).content_id == ids[sha256("one")]
