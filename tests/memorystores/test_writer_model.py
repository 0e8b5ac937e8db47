"""Any sequence of writes leaves the store as a plain dictionary of texts by path would be."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamsvc.actors import Actor
from dreamsvc.errors import PathConflict
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.stores import store_create
from memorystores.services.writer import StoreWriter, Write, writing
from tests.conftest import Tenant

PATHS = st.sampled_from(["/a", "/a/b", "/a/b/c", "/a.md", "/a0", "/b"])
TEXTS = st.sampled_from(["", "x", "ü", "xyz"])
STEPS = st.one_of(
    st.tuples(st.just("create"), PATHS, TEXTS),
    st.tuples(st.just("edit"), PATHS, TEXTS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("delete"), PATHS, st.just("")),
)
Model = dict[str, str]


def clashes(model: Model, path: str) -> bool:
    return any(path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/") for other in model)


def expected(model: Model, kind: str, path: str, value: str) -> tuple[Model, bool]:
    """The dictionary afterwards, and whether a version says so."""
    rest = {other: text for other, text in model.items() if other != path}
    if kind == "create":
        return (model, False) if clashes(model, path) else ({**model, path: value}, True)
    if path not in model:
        return model, False
    if kind == "delete":
        return rest, True
    after = {**rest, path: value} if kind == "edit" else {**rest, value: model[path]}
    allowed = kind == "edit" or not clashes(rest, value)
    return (after, after != model) if allowed else (model, False)


def take(writer: StoreWriter, kind: str, path: str, value: str) -> Write | None:
    if kind == "create":
        return writer.create(path=path, text=value)
    memory = Memory.objects.select_related("content").filter(store=writer.store, path=path).first()
    if memory is None:
        return None
    if kind == "delete":
        return writer.delete(memory)
    return writer.update(memory, text=value) if kind == "edit" else writer.update(memory, path=value)


@given(runs=st.lists(st.lists(STEPS, max_size=6), max_size=3))
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.django_db
def test_like_a_dictionary(alice: Tenant, runs: list[list[tuple[str, str, str]]]) -> None:
    store = store_create(workspace_id=alice.workspace.id, fields={"name": "n"}, admin=False)
    model: Model = {}
    versions = 0
    for run in runs:
        with writing(workspace_id=store.workspace_id, store_id=store.id, actor=Actor.dream("drm_1")) as writer:
            for step in run:
                after, versioned = expected(model, *step)
                try:
                    done = take(writer, *step)
                except PathConflict:
                    done = None
                assert (done is not None and done.version is not None) == versioned
                model, versions = after, versions + versioned
    check(store, model, versions)


def check(store: MemoryStore, model: Model, versions: int) -> None:
    row = MemoryStore.objects.get(id=store.id)
    heads = Memory.objects.filter(store=store)
    assert dict(heads.values_list("path", "content__text")) == model
    assert (row.entry_count, row.total_size) == (len(model), sum(len(text.encode()) for text in model.values()))
    made = MemoryVersion.objects.filter(store=store).order_by("store_revision")
    assert (
        list(made.values_list("store_revision", flat=True))
        == list(range(1, versions + 1))
        == [*range(1, row.revision + 1)]
    )
    for head in heads.select_related("content"):
        version = made.get(id=head.version_id)
        assert (version.path, version.content, version.store_revision) == (head.path, head.content, head.revision)
