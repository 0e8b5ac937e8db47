"""The official Qoder clients, `Managed` and `Forward`, work against the service by their base URL alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
import qca

from tests.processes import Service

pytestmark = pytest.mark.xdist_group("contract")
SECONDS = 120.0


@pytest.fixture
def managed(service: Service) -> Iterator[Any]:
    with qca.Managed(pat=service.key, base_url=f"{service.url}/v1/", max_retries=0) as client:
        yield client


@pytest.fixture
def forward(service: Service) -> Iterator[Any]:
    with qca.Forward(pat=service.key, base_url=f"{service.url}/v1/", max_retries=0) as client:
        yield client


@pytest.fixture
def tag() -> str:
    return uuid4().hex[:8]


def pair_of(forward: Any, tag: str) -> tuple[Any, Any, Any]:
    """An identity, a template, and the store that is their default memory."""
    who = forward.identities.create(external_id=f"user-{tag}", name="Ana")
    agent = forward.templates.create(name=f"helper-{tag}", model="auto", environment_id="env_1")
    mount = {"identity_id": who.id, "template_id": agent.id, "access": "read_write"}
    return who, agent, forward.memory_stores.create(name=f"notes-{tag}", idempotency_key=f"s-{tag}", mount=mount)


def mounts_of(forward: Any, who: Any, agent: Any) -> list[Any]:
    mounts = forward.identities.memory_stores.list(template_id=agent.id, identity_id=who.id)
    return list(getattr(mounts, "data", mounts))


def ended(managed: Any, dream_id: str) -> Any:
    end = time.monotonic() + SECONDS
    while (dream := managed.dreams.retrieve(dream_id)).status in ("pending", "running"):
        assert time.monotonic() < end, dream
        time.sleep(0.1)
    return dream


def refused(error: type[Exception], call: Callable[..., Any], **kwargs: Any) -> None:
    with pytest.raises(error):
        call(**kwargs)


def test_identities(forward: Any, tag: str) -> None:
    made = [
        forward.identities.create(external_id=f"user-{tag}", name="Ana", idempotency_key=f"i-{tag}") for _ in range(2)
    ]
    assert made[0].id == made[1].id
    refused(qca.ConflictError, forward.identities.create, external_id=f"user-{tag}", name="Bea")
    assert [one.id for one in forward.identities.list(external_id=f"user-{tag}")] == [made[0].id]


def test_mounts(forward: Any, tag: str) -> None:
    who, agent, store = pair_of(forward, tag)
    first = mounts_of(forward, who, agent)[0]
    assert (first.memory_store_id, first.access) == (store.id, "read_write")
    extra = forward.memory_stores.create(name=f"extra-{tag}", idempotency_key=f"x-{tag}")
    ids = {"template_id": agent.id, "identity_id": who.id}
    stores = forward.identities.memory_stores
    assert stores.mount(memory_store_id=extra.id, **ids).access == "read_only"
    stores.detach(memory_store_id=extra.id, **ids)
    refused(qca.ConflictError, stores.detach, memory_store_id=store.id, **ids)


def test_optimistic_concurrency(managed: Any, forward: Any, tag: str) -> None:
    _, _, store = pair_of(forward, tag)
    notes = managed.memory_stores.memories
    made = notes.create(store.id, path="team.md", content="PR #260 is Kim's.\n")
    sha256 = notes.retrieve(made.id, memory_store_id=store.id).content_sha256
    notes.update(made.id, memory_store_id=store.id, content="PR #480 is Kim's.\n", content_sha256=sha256)
    stale = {"memory_id": made.id, "memory_store_id": store.id, "content": "x", "content_sha256": sha256}
    refused(qca.ConflictError, notes.update, **stale)


def test_a_dream_moves_the_default_memory(managed: Any, forward: Any, tag: str) -> None:
    who, agent, store = pair_of(forward, tag)
    notes = managed.memory_stores.memories
    for path, text in {
        "rules/a.md": "Ask before a release.\n",
        "rules/b.md": "Ask before a release.\n",
        "c.md": "Else.\n",
    }.items():
        notes.create(store.id, path=path, content=text)
    pair = {"type": "identity_template", "identity_id": who.id, "template_id": agent.id}
    dream = managed.dreams.create(inputs=[pair], model="auto")
    assert (dream.status, dream.instructions) == ("pending", "")
    dream = ended(managed, dream.id)
    assert dream.status == "completed", dream.error
    output = dream.outputs[0].memory_store_id
    assert output != store.id
    assert mounts_of(forward, who, agent)[0].memory_store_id == output
    assert (len(list(notes.list(output))), len(list(notes.list(store.id)))) == (2, 3)
    assert managed.dreams.archive(dream.id).archived_at
    assert dream.id in [one.id for one in managed.dreams.list(include_archived=True, limit=1)]


def test_refused_dreams(managed: Any, forward: Any, tag: str) -> None:
    who, agent, store = pair_of(forward, tag)
    other = forward.identities.create(external_id=f"other-{tag}", name="Bea")
    pair = {"type": "identity_template", "identity_id": who.id, "template_id": agent.id}
    create = managed.dreams.create
    refused(qca.NotFoundError, create, inputs=[{**pair, "identity_id": other.id}], model="auto")
    both = [pair, {"type": "memory_store", "memory_store_id": store.id}]
    refused(qca.BadRequestError, create, inputs=both, model="auto")
