"""The cases of `tests/cases`, played against the engine alone: snapshot, dream, rebase, then what each expects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.engine.stores import dangling, memory, output, run, snapshot, texts, words
from workers.engine import journal
from workers.engine.rebase import rebase
from workers.engine.values import Ports, Snapshot, Vectors

KINDS = frozenset({"twin", "duplicate", "structure", "time", "trust"})
UNKNOWN_TO_THE_ENGINE = frozenset({"model_calls", "status"})
"""Without a model there are no calls, and a status belongs to the service."""
Case = Mapping[str, Any]


def cases() -> list[Case]:
    lines = (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["kind"] in KINDS and "needs" not in case]


def taken(case: Case) -> Snapshot:
    memories = []
    for row in case["store"]:
        time = datetime.fromisoformat(row["updated_at"])
        times: dict[str, Any] = {"created_at": time, "updated_at": time, "observed_at": time}
        memories.append(memory(row["path"], row["content"], pinned=row.get("pinned", False), **times))
    return snapshot(memories, trust_tier=case.get("trust_tier", "work"))


class NoEmbedder:
    """Fails the case if anything is embedded."""

    id = "none"
    baselines: Mapping[str, float] = {"other": 0.8}

    def embed(self, texts: object) -> Vectors:
        raise AssertionError("embedded")


@pytest.mark.parametrize("case", cases(), ids=[case["id"] for case in cases()])
def test_case(case: Case) -> None:
    before, expect = taken(case), case["expect"]
    embedder = NoEmbedder() if expect.get("embedder_calls") == 0 else None
    plan = run(before, ports=Ports(words, embedder))
    rebased = rebase(plan, before)
    after = texts(output(before, rebased))
    told = journal.render(plan.journal)
    everything = "\n".join(after.values())
    checks: dict[str, Callable[[Any], bool]] = {
        "memories": lambda count: len(after) == count,
        "all_present": lambda parts: all(part in everything for part in parts),
        "absent": lambda parts: not any(part in everything for part in parts),
        "unchanged": lambda paths: all(after[path] == texts(before)[path] for path in paths),
        "content": lambda files: all(after[path] == text for path, text in files.items()),
        "identical": lambda _: after == texts(before),
        "survivor_sources": lambda count: len({each.source for each in rebased.lineage}) == count,
        "no_dangling_links": lambda _: not dangling(output(before, rebased)),
        "journal_mentions": lambda parts: all(part in told for part in parts),
        "suggestions_min": lambda count: len(plan.suggestions) >= count,
        "embedder_calls": lambda count: count == 0,
    }
    assert expect.keys() <= checks.keys() | UNKNOWN_TO_THE_ENGINE
    for name, expected in expect.items():
        assert name not in checks or checks[name](expected), (name, expected, after, told)
