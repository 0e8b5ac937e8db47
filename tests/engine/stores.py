"""Small stores for the engine's tests: snapshots from texts, whole dreams, and the store that a plan leaves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from workers.engine import dream, links
from workers.engine.plan import Plan
from workers.engine.rebase import LateWrite, Rebased, rebase
from workers.engine.values import Memory, Policy, Ports, Snapshot, Transcript

NOW = datetime(2026, 3, 6, 4, 0, tzinfo=UTC)
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def words(text: str) -> int:
    """A token counter for tests."""
    return len(text.split())


PORTS = Ports(count_tokens=words)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def memory(path: str, text: str, *, number: int = 0, **changes: Any) -> Memory:
    """A memory learned `number` days after START."""
    time = START + timedelta(days=number)
    values: dict[str, Any] = {
        "id": f"mem_{path}",
        "version_id": f"memver_{path}",
        "revision": 1,
        "path": path,
        "text": text,
        "sha256": sha256(text),
        "created_at": time,
        "updated_at": time,
        "observed_at": time,
    }
    return Memory(**{**values, **changes})


def edited(before: Memory, text: str) -> Memory:
    """The memory with another text, one revision later."""
    return replace(before, text=text, sha256=sha256(text), revision=before.revision + 1)


def snapshot(memories: Iterable[Memory], **changes: Any) -> Snapshot:
    """One store, memories in the order given."""
    return Snapshot("memstore_1", 7, tuple(memories), **changes)


def store(texts: Mapping[str, str], **changes: Any) -> Snapshot:
    """One store from texts by path, each a day younger than the one before."""
    return snapshot([memory(path, text, number=n) for n, (path, text) in enumerate(texts.items())], **changes)


def run(
    taken: Snapshot,
    transcripts: Sequence[Transcript] = (),
    *,
    ports: Ports = PORTS,
    policy: Policy | None = None,
    **more: Any,
) -> Plan:
    """A whole dream."""
    steps = dream.run(taken, transcripts, policy or Policy(), ports, NOW, **more)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            plan: Plan = stop.value
            return plan


def output(taken: Snapshot, rebased: Rebased, late: Iterable[LateWrite] = ()) -> Snapshot:
    """The store that the rebased plan leaves, as the next dream would see it."""
    live = {each.id: each for each in taken.memories}
    live |= {write.memory_id: write.state for write in late if write.state is not None}
    kept = [live[each] for each in rebased.unchanged_ids]
    changed = [replace(each.memory, id=each.source_id or f"mem_{each.memory.path}") for each in rebased.changed]
    return replace(
        taken, memories=tuple(sorted((*kept, *changed), key=lambda each: each.path)), revision=taken.revision + 1
    )


def dreamt(taken: Snapshot, **more: Any) -> Snapshot:
    """The store after a whole dream."""
    return output(taken, rebase(run(taken, **more), taken))


def texts(taken: Snapshot) -> dict[str, str]:
    return {each.path: each.text for each in taken.memories}


def dangling(taken: Snapshot) -> set[tuple[str, tuple[str, ...]]]:
    """Relative links of a store that lead nowhere, by path and what they may have meant."""
    paths = frozenset(each.path for each in taken.memories)
    return {
        (each.path, link.candidates)
        for each in taken.memories
        for link in links.outgoing(each.path, each.text)
        if links.resolve(link, paths) is None
    }


PATHS = ("/index.md", "/a.md", "/b.md", "/n1.md", "/n2.md", "/ops/a.md", "/ops/deploys.md", "/2026-03-01.md", "/x.txt")
STATEMENTS = (
    (
        "Run the tests of the importer before pushing to main.",
        "run the **tests** of the importer before pushing to main",
        "Run the tests of the importer before pushing to main, on the build machine.",
    ),
    ("Run tests first.", "run tests first", "Run tests first, with uv."),
    (
        "The API key of the billing service rotates every 90 days.",
        "the API key of the **billing** service rotates every 90 days",
        "The API key of the billing service rotates every 30 days.",
    ),
    ("TLS is supported on the edge proxy.", "TLS is not supported on the edge proxy."),
    ("The orders API is at /v1/orders.", "The orders API moved from /v1/orders to /v2/orders on 2026-02-01."),
    ("发布前必须跑回归测试。", "发布前必须跑回归测试"),
    ("Steps:", "**Monday**", "ok"),
)
LINKS = (
    "[Deploys](ops/deploys.md)",
    "[A](a.md) — how we ship",
    "See [b](b.md) for the details of all that we ship.",
    "See [[deploys]] for the details of all that we ship.",
    "See [the note](../a.md) or [this][x].",
)
HEADINGS = ("# Rules", "## Deploys", "## 2026-03-01", "### Of Alice")
VERBATIM = (
    "```\nmake deploy now\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "[x]: a.md",
    "<details>\nmore\n</details>",
    "---",
)
FRONT = ("---\nname: testing\n---\n", "---\nname: other\n---\n")


@st.composite
def contents(draw: st.DrawFn, statements: Sequence[str]) -> str:
    """A text of a few blocks."""
    statement = st.sampled_from(statements)
    if draw(st.integers(0, 3)) == 0:
        return draw(statement) + draw(st.sampled_from(("", "\n")))
    marker = draw(st.sampled_from(("", "- ", "- ", "1. ")))
    line = st.one_of(statement, statement, statement, st.sampled_from(LINKS)).map(lambda text: marker + text)
    block = st.one_of(line, line, line, line, st.sampled_from(HEADINGS), st.sampled_from(VERBATIM))
    gap = draw(st.sampled_from(("\n", "\n\n", "\r\n")))
    front = draw(st.sampled_from(("", "", "", *FRONT)))
    return front + gap.join(draw(st.lists(block, min_size=1, max_size=7))) + draw(st.sampled_from(("", "\n", "\n\n")))


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """A store of a few memories that repeat each other, some of them protected in one way or another."""
    statements = [
        each for family in draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=2)) for each in family
    ]
    text = contents(statements)
    pool = draw(st.lists(text, min_size=1, max_size=3))
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True, min_size=1, max_size=6))
    held = [draw(_memories(path, st.one_of(st.sampled_from(pool), text))) for path in paths]
    policy = {
        "supersede": draw(st.sampled_from(("ask", "explicit"))),
        "protected_paths": draw(st.sampled_from(((), (), (), ("/ops/",)))),
    }
    return snapshot(held, **policy)


def _memories(path: str, texts: st.SearchStrategy[str]) -> st.SearchStrategy[Memory]:
    return st.builds(
        memory,
        st.just(path),
        texts,
        number=st.integers(0, 5),
        pinned=st.sampled_from((False, False, False, False, True)),
        trust=st.sampled_from(("verified", "verified", "verified", "inferred", "untrusted")),
        ring=st.sampled_from(("none", "none", "none", "none", "shocks")),
        tags=st.sampled_from(((), ("x",), ("y", "x"))),
    )


SNAPSHOTS = snapshots()
