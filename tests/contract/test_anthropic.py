"""The official `anthropic` client works against the service by its base URL alone."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import pytest
from anthropic.types.beta import BetaDream

from tests.processes import Service

pytestmark = pytest.mark.xdist_group("contract")
SECONDS = 120.0


@pytest.fixture
def client(service: Service) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=service.url, api_key=service.key, max_retries=0, timeout=30) as client:
        yield client


def refused(status: int, call: Callable[..., Any], *args: Any, **kwargs: Any) -> anthropic.APIStatusError:
    with pytest.raises(anthropic.APIStatusError) as caught:
        call(*args, **kwargs)
    assert caught.value.status_code == status, caught.value.body
    assert caught.value.request_id
    return caught.value


def ended(client: anthropic.Anthropic, dream_id: str) -> BetaDream:
    end = time.monotonic() + SECONDS
    while (dream := client.beta.dreams.retrieve(dream_id)).status in ("pending", "running"):
        assert time.monotonic() < end, dream
        time.sleep(0.1)
    return dream


def test_memories(client: anthropic.Anthropic) -> None:
    stores, memories = client.beta.memory_stores, client.beta.memory_stores.memories
    store = stores.create(name="contract", description="d", metadata={"k": "v"})
    made = [
        memories.create(store.id, path=path, content=f"body of {path}\n", view="full")
        for path in ("/a.md", "/notes/b.md", "/notes/c.md", "/notes/deep/d.md", "/notes-x/e.md")
    ]
    assert made[0].content_sha256 == hashlib.sha256(b"body of /a.md\n").hexdigest()
    assert refused(409, memories.create, store.id, path="/a.md", content="x").type == "memory_path_conflict_error"
    refused(409, memories.create, store.id, path="/a.md/below.md", content="x")
    listed = [one.path for one in memories.list(store.id, path_prefix="/notes/", limit=2)]
    assert listed == ["/notes/b.md", "/notes/c.md", "/notes/deep/d.md"]
    shallow = {(one.type, one.path) for one in memories.list(store.id, path_prefix="/notes/", depth=1)}
    assert shallow == {("memory", "/notes/b.md"), ("memory", "/notes/c.md"), ("memory_prefix", "/notes/deep/")}


def test_preconditions_and_versions(client: anthropic.Anthropic) -> None:
    stores = client.beta.memory_stores
    store = stores.create(name="versions")
    first = stores.memories.create(store.id, path="/a.md", content="v1")
    at_first: Any = {"type": "content_sha256", "content_sha256": first.content_sha256}
    second = stores.memories.update(first.id, memory_store_id=store.id, content="v2", precondition=at_first)
    assert second.memory_version_id != first.memory_version_id
    late = refused(409, stores.memories.update, first.id, memory_store_id=store.id, content="v3", precondition=at_first)
    assert late.type == "memory_precondition_failed_error"
    assert stores.memories.retrieve(first.id, memory_store_id=store.id).content == "v2"
    redacted = stores.memory_versions.redact(first.memory_version_id, memory_store_id=store.id)
    assert redacted.redacted_at
    assert (redacted.content, redacted.path) == (None, None)
    stores.memories.delete(first.id, memory_store_id=store.id, expected_content_sha256=second.content_sha256)
    operations = [version.operation for version in stores.memory_versions.list(store.id, limit=1)]
    assert operations == ["deleted", "modified", "created"]


def test_a_dream_of_a_store_and_a_session(client: anthropic.Anthropic) -> None:
    store = client.beta.memory_stores.create(name="dreamt")
    memories = client.beta.memory_stores.memories
    for path in ("/a.md", "/b.md"):
        memories.create(store.id, path=path, content="The API key rotates every 90 days.\n")
    session = client.beta.sessions.create(agent="agent_contract", environment_id="env_contract")
    said: Any = [{"type": "user.message", "content": [{"type": "text", "text": "I moved to Oslo"}]}]
    client.beta.sessions.events.send(session.id, events=said)
    inputs: Any = [
        {"type": "memory_store", "memory_store_id": store.id},
        {"type": "sessions", "session_ids": [session.id]},
    ]
    made = client.beta.dreams.create(inputs=inputs, model="claude-opus-4-8", instructions="Keep dates absolute.")
    assert (made.status, made.outputs, made.output_behavior.type) == ("pending", [], "create_new")
    dream = ended(client, made.id)
    assert dream.status == "completed", dream.error
    assert dream.outputs[0].memory_store_id != store.id
    assert len(list(memories.list(dream.outputs[0].memory_store_id))) == 1
    assert len(list(memories.list(store.id))) == 2
    assert refused(400, client.beta.dreams.cancel, dream.id).type == "invalid_request_error"


def test_cancel_archive_and_list(client: anthropic.Anthropic) -> None:
    dreams = client.beta.dreams
    store = client.beta.memory_stores.create(name="canceled")
    inputs: Any = [{"type": "memory_store", "memory_store_id": store.id}]
    canceled = _canceled(client, inputs)
    assert dreams.cancel(canceled).status == "canceled"
    assert dreams.archive(canceled).archived_at == dreams.archive(canceled).archived_at
    assert canceled not in [dream.id for dream in dreams.list(limit=1, statuses=["canceled", "completed"])]
    assert canceled in [dream.id for dream in dreams.list(limit=1, include_archived=True)]


def _canceled(client: anthropic.Anthropic, inputs: Any) -> str:
    """A dream that a cancel reached; a small one may end before it."""
    for _ in range(20):
        dream = client.beta.dreams.create(inputs=inputs, model={"id": "claude-opus-4-8", "speed": "standard"})
        try:
            assert client.beta.dreams.cancel(dream.id).status == "canceled"
        except anthropic.BadRequestError:
            continue
        return dream.id
    raise AssertionError("every dream ended before its cancel")


def test_archived_and_deleted_stores(client: anthropic.Anthropic) -> None:
    stores = client.beta.memory_stores
    store = stores.create(name="gone")
    stores.archive(store.id)
    refused(400, stores.memories.create, store.id, path="/z.md", content="")
    assert stores.delete(store.id).id == store.id
    assert refused(404, stores.retrieve, store.id).type == "not_found_error"
