"""What an apply costs those who write to its input meanwhile: 10,000 memories, 2 % changed, 2 % removed, two writers.

    python -m benchmarks.apply [--memories 10000] [--runs 3] [--writers 2] [--pause 0]

On SQLite, or on PostgreSQL by DATABASE_URL. The plan is made by rules alone; what is measured is the apply: all of it,
how long it held locks, how often it was drafted anew, and the writers' worst and usual write.
"""

from __future__ import annotations

import argparse
import logging
import random
import statistics
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any
from unittest import mock

from benchmarks.environment import temporary_database, use_django

use_django()

from django.db import connection, connections  # noqa: E402 - Django must be set up before its models are imported

from dreams.models import Dream  # noqa: E402
from dreams.services import DreamRequest, dream_create  # noqa: E402
from dreamsvc.actors import Actor, ActorType  # noqa: E402
from dreamsvc.ids import new_memory_id, new_version_id  # noqa: E402
from dreamsvc.models import Workspace  # noqa: E402
from memorystores.models import Memory, MemoryStore, MemoryVersion  # noqa: E402
from memorystores.services.contents import contents_upsert, sha256  # noqa: E402
from memorystores.services.memories import memory_update  # noqa: E402
from workers import apply, pipeline  # noqa: E402
from workers.engine.values import Ports  # noqa: E402
from workers.heart import Heart  # noqa: E402

KEY = Actor(ActorType.API, "apikey_benchmark")
SHARE = 0.02
FORK = get_context("fork")  # before anything is embedded


class Writer:
    """A process that edits memories which no operation touches, as fast as the service lets it."""

    def __init__(self, store: MemoryStore, ids: list[str], pause: float) -> None:
        self._ours, theirs = FORK.Pipe()
        self._process = FORK.Process(target=_write, args=(store.workspace_id, store.id, ids, pause, theirs))
        self._process.start()

    def stop(self) -> list[tuple[float, float]]:
        """When each write began, by the clock that all processes share, and the seconds it took."""
        self._ours.send(None)
        writes: list[tuple[float, float]] = self._ours.recv()
        self._process.join()
        return writes


def _write(workspace_id: str, store_id: str, ids: list[str], pause: float, link: Connection) -> None:
    choose = random.Random()
    writes = []
    while not link.poll(pause):
        start = time.monotonic()
        memory_update(
            workspace_id=workspace_id,
            store_id=store_id,
            memory_id=choose.choice(ids),
            actor=KEY,
            text=f"Edited as number {choose.randrange(10**9)}.\n",
        )
        writes.append((start, time.monotonic() - start))
    connection.close()
    link.send(writes)


class Locks:
    """When the apply took its first lock in its last round, and how often it was drafted."""

    def __init__(self) -> None:
        self.drafts = 0
        self.taken = 0.0
        self._fence, self._lock, self._draft = apply._fence, apply._lock, apply._draft
        self._first = False
        for name, replacement in (("_fence", self.fence), ("_lock", self.lock), ("_draft", self.draft)):
            setattr(apply, name, replacement)

    def draft(self, *args: Any) -> Any:
        self.drafts += 1
        return self._draft(*args)

    def fence(self, *args: Any) -> bool:
        if not self._first:
            self.taken = time.monotonic()
        return self._fence(*args)

    def lock(self, *args: Any) -> None:
        self._first, self.taken = True, time.monotonic()
        self._lock(*args)

    def start(self) -> None:
        self.drafts, self._first = 0, False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two writes of a writer")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    words = Ports(count_tokens=lambda text: len(text.split()))
    mock.patch("workers.pipeline.dream_ports", return_value=words).start()
    locks = Locks()
    with temporary_database():
        rows = [_run(options, locks) for _ in range(options.runs)]
        vendor = connection.vendor
    print(f"{vendor}, {options.memories} memories, {options.writers} writers, {options.runs} runs\n")
    print("| | apply ms | locks held ms | drafts | writes meanwhile | usual write ms | worst write meanwhile ms |")
    print("|---|---|---|---|---|---|---|")
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    for name, row in [*(("run", row) for row in rows), ("median", medians)]:
        print(f"| {name} | " + " | ".join(f"{value:.0f}" for value in row) + " |")


def _run(options: argparse.Namespace, locks: Locks) -> list[float]:
    store = _store(options.memories)
    request = DreamRequest(inputs=[{"type": "memory_store", "memory_store_id": store.id}], phases=["dedup"])
    dream = dream_create(workspace_id=store.workspace_id, actor_id=KEY.id, request=request)
    claim = Dream.objects.claim(dream.id)
    assert claim is not None
    heart = Heart(claim)
    job = pipeline.dream_plan(claim, heart)
    touched = {each for operation in job.plan.operations for each in operation.memories}
    ids = [memory.id for memory in job.taken.snapshot.memories if memory.id not in touched]
    connections.close_all()  # none may be inherited
    writers = [Writer(store, ids, options.pause) for _ in range(options.writers)]
    time.sleep(1.0)  # for the writers to be at it
    locks.start()
    start = time.monotonic()
    apply.dream_apply(job, heart)
    end = time.monotonic()
    writes = [write for writer in writers for write in writer.stop()]
    usual = [seconds for began, seconds in writes if began + seconds < start]
    meanwhile = [seconds for began, seconds in writes if began < end and began + seconds > start]
    return [
        1000 * (end - start),
        1000 * (end - locks.taken),
        locks.drafts,
        len(meanwhile),
        1000 * (statistics.median(usual) if usual else 0),
        1000 * max(meanwhile, default=0),
    ]


def _store(count: int) -> MemoryStore:
    """A store in which rules find 2 % of the memories to change and 2 % to remove."""
    workspace = Workspace.objects.create(name=f"benchmark {time.monotonic_ns()}")
    texts = [_text(number, count) for number in range(count)]
    contents = contents_upsert(workspace_id=workspace.id, texts=texts)
    store = MemoryStore.objects.create(
        workspace=workspace,
        name="notes",
        revision=count,
        entry_count=count,
        total_size=sum(len(text.encode()) for text in texts),
    )
    memories = [
        Memory(
            id=new_memory_id(),
            store=store,
            path=f"/notes/{number // 100}/{number}.md",
            content_id=contents[sha256(text)],
            version_id=new_version_id(),
            revision=number + 1,
        )
        for number, text in enumerate(texts)
    ]
    Memory.objects.bulk_create(memories, batch_size=1000)
    MemoryVersion.objects.bulk_create(
        [
            MemoryVersion(
                id=memory.version_id,
                store=store,
                store_revision=memory.revision,
                memory_id=memory.id,
                operation="created",
                path=memory.path,
                content_id=memory.content_id,
                actor_type=KEY.type,
                actor_id=KEY.id,
            )
            for memory in memories
        ],
        batch_size=1000,
    )
    return store


def _text(number: int, count: int) -> str:
    few = int(count * SHARE)
    fact = f"Customer {number} of region {number % 97} pays by the {number % 28 + 1}th and asked for invoice {number}."
    if number < few:
        return f"# Notes\n\n- {fact}\n- Checked in week {number}.\n- {fact}\n"
    if number < 3 * few:
        return f"The gateway of customer {number % few} listens on port {number % few + 1024}.\n"
    return f"{fact}\n"


if __name__ == "__main__":
    main()
