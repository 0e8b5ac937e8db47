"""How long a dream takes over 100, 1,000 and 10,000 short memories, and over the same again with a warm cache.

    python -m benchmarks.dream [--sizes 100 1000 10000]

Each size is a process of its own, so that its peak memory is its own; a whole dream runs in it, from the pending row to
the output store, on an empty database (SQLite, or the server of DATABASE_URL). Time is split into embedding, neighbours
and everything else (reading, rules, rebasing, storing). The machine's speed drifts: read the ratios.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest import mock

from benchmarks.environment import temporary_database, use_django

SEED = 20260301
DUPLICATES = 0.05
Result = TypeVar("Result")

SUBJECTS = ("The importer", "The billing job", "Our gateway", "The search index", "The mobile app", "Kim's report")
VERBS = ("runs", "restarts", "is checked", "is rebuilt", "was moved", "fails over")
PLACES = ("on host {n}", "in region {n}", "behind proxy {n}", "for customer {n}", "in rack {n}", "at site {n}")
TIMES = ("every night", "on Mondays", "after a release", "before lunch", "twice a week", "when the queue is empty")
REASONS = ("to save money", "because of the audit", "for the new team", "so that backups finish", "as agreed with Ruth")


def memories(count: int) -> Iterator[tuple[str, str]]:
    """Paths and one-line texts of about 20 tokens; one in twenty says what an earlier one says."""
    chance = random.Random(SEED)
    texts: list[str] = []
    for number in range(count):
        if texts and chance.random() < DUPLICATES:
            texts.append(chance.choice(texts).rstrip("."))
        else:
            place = chance.choice(PLACES).format(n=number)
            parts = (chance.choice(SUBJECTS), chance.choice(VERBS), place, chance.choice(TIMES), chance.choice(REASONS))
            texts.append(" ".join(parts) + ".")
        yield f"/notes/{number // 100:03}/{number:05}.md", texts[-1] + "\n"


class Stopwatch:
    """Seconds spent inside the functions that it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.calls = 0

    def around(self, function: Callable[..., Result]) -> Callable[..., Result]:
        def timed(*args: Any, **kwargs: Any) -> Result:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - start
                self.calls += 1

        return timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_measured(options.one)))
        return
    rows = [row for size in options.sizes for row in _in_own_process(size)]
    _print(rows)


def _in_own_process(size: int) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "benchmarks.dream", "--one", str(size)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def _measured(size: int) -> list[dict[str, Any]]:
    """The cold dream and the warm one after it."""
    use_django()
    with temporary_database():
        store_id, workspace_id = _stored(size)
        return [{"size": size, "cache": cache, **_dreamt(store_id, workspace_id)} for cache in ("cold", "warm")]


def _stored(size: int) -> tuple[str, str]:
    from django.db import transaction

    from dreamsvc.actors import Actor
    from dreamsvc.keys import api_key_create
    from memorystores.models import MemoryStore
    from memorystores.services.writer import StoreWriter

    key, _ = api_key_create(workspace_name="benchmark", scope="admin")
    store = MemoryStore.objects.create(workspace=key.workspace, name="notes")
    with transaction.atomic():
        writer = StoreWriter(store, Actor.key(key))
        for path, text in memories(size):
            writer.create(path=path, text=text)
        writer.finish()
    return store.id, key.workspace.id


def _dreamt(store_id: str, workspace_id: str) -> dict[str, Any]:
    from dreams.models import Dream
    from workers.pipeline import dream_run

    inputs = [{"type": "memory_store", "memory_store_id": store_id}]
    dream = Dream.objects.create(workspace_id=workspace_id, primary_store_id=store_id, inputs=inputs)
    with _watched() as (embedding, neighbours):
        start = time.perf_counter()
        dream_run(dream.id)
        total = time.perf_counter() - start
    dream.refresh_from_db()
    assert dream.report is not None, (dream.status, dream.error_type, dream.error_message)
    return {
        "total": total,
        "embedding": embedding.seconds,
        "embedding calls": embedding.calls,
        "neighbours": neighbours.seconds,
        "rest": total - embedding.seconds - neighbours.seconds,
        "merged": dream.report["exact_merged"] + dream.report["contained_merged"],
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


@contextmanager
def _watched() -> Iterator[tuple[Stopwatch, Stopwatch]]:
    from workers.engine import similarity
    from workers.providers.embedders import LocalEmbedder

    embedding, neighbours = Stopwatch(), Stopwatch()
    with (
        mock.patch.object(LocalEmbedder, "embed", embedding.around(LocalEmbedder.embed)),
        mock.patch("workers.engine.clusters.neighbours", neighbours.around(similarity.neighbours)),
    ):
        yield embedding, neighbours


def _print(rows: list[dict[str, Any]]) -> None:
    print("| memories | cache | embedding s | neighbours s | rest s | total s | merged | embedding calls | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        seconds = " | ".join(f"{row[name]:.2f}" for name in ("embedding", "neighbours", "rest", "total"))
        tail = f"{row['merged']} | {row['embedding calls']} | {row['peak MB']:.0f}"
        print(f"| {row['size']:,} | {row['cache']} | {seconds} | {tail} |")
    totals = {(row["size"], row["cache"]): row["total"] for row in rows}
    for cache in ("cold", "warm"):
        if {(1_000, cache), (10_000, cache)} <= totals.keys():
            print(f"\ngrowth from 1,000 to 10,000, {cache}: {totals[10_000, cache] / totals[1_000, cache]:.1f} ×")


if __name__ == "__main__":
    main()
