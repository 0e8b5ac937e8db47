"""What a dream without a model suggests about passages of one matter and lines that recur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tests.engine.stores import PORTS, memory, run, snapshot, store, words
from workers.engine import canonical
from workers.engine.values import Policy, Ports, Vectors


class WordVectors:
    """A small embedder: each word is a direction, so that texts of the same words lie near."""

    id = "words"

    def __init__(self) -> None:
        self.seen: list[str] = []

    @property
    def baselines(self) -> Mapping[str, float]:
        return {"other": 0.0}

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        rows = np.zeros((len(texts), 4096), dtype=np.float32)
        for row, text in enumerate(texts):
            for token in canonical.tokens(text):
                rows[row, int(canonical.key(token)[:6], 16) % 4096] += 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


MATTER = (
    "Nadia moved the Slovak legal search to the new cluster of Kosice in the spring.",
    "The Slovak legal search of Nadia moved in the spring to the new cluster of Kosice, with P3006.",
    "In the spring Nadia moved the legal Slovak search to the new Kosice cluster, on 2026-03-04.",
)
STORE = store({**{f"/{n}.md": line for n, line in enumerate(MATTER)}, "/x.md": "Tea is served at four in the garden."})


def test_notes_of_one_matter_become_one_suggestion() -> None:
    plan = run(STORE, ports=Ports(words, WordVectors()))
    (suggestion,) = [each for each in plan.suggestions if each.kind == "cluster"]
    assert {member.source.path for member in suggestion.members} == {"/0.md", "/1.md", "/2.md"}
    assert suggestion.similarity is not None
    assert 0.75 <= suggestion.similarity <= 1
    differs = {member.source.path: member.differs for member in suggestion.members}
    assert "P3006" in differs["/1.md"]
    assert "2026-03-04" in differs["/2.md"]
    assert "Slovak" in suggestion.shared
    assert suggestion.tokens_saved > 0
    assert (plan.report.clusters_found, plan.report.clusters_left, plan.operations) == (1, 0, ())
    assert (plan.journal.survey.vectors, plan.journal.survey.vectors_wanted) == (4, 4)


def test_what_two_of_three_have_is_neither_shared_nor_one_notes_own() -> None:
    lines = {f"/{n}.md": f"{line.rstrip('.')}{' for P9 alone' if n else ''}." for n, line in enumerate(MATTER)}
    plan = run(store(lines), ports=Ports(words, WordVectors()))
    (suggestion,) = [each for each in plan.suggestions if each.kind == "cluster"]
    assert len(suggestion.members) == 3
    assert "P9" not in suggestion.shared
    assert all("P9" not in member.differs for member in suggestion.members)


def test_without_an_embedder_nothing_is_clustered() -> None:
    plan = run(STORE, ports=PORTS)
    assert plan.suggestions == ()
    assert not plan.report.partial
    assert any("no embedder" in entry.why for entry in plan.journal.entries)


def test_what_time_does_not_allow_waits_and_the_journal_says_so() -> None:
    taken = store({f"/{n:03}.md": f"Thing {n} of many things is {n * n} long." for n in range(100)})
    left = iter((1.0, 0.0))
    embedder = WordVectors()
    plan = run(taken, ports=Ports(words, embedder, lambda: next(left)))
    assert len(embedder.seen) == 64
    assert plan.report.partial
    assert any("36 passages" in entry.why for entry in plan.journal.entries)


def test_no_time_at_all_embeds_nothing() -> None:
    embedder = WordVectors()
    assert run(STORE, ports=Ports(words, embedder, lambda: 0.0)).suggestions == ()
    assert embedder.seen == []


def test_protected_text_is_not_embedded() -> None:
    embedder = WordVectors()
    taken = snapshot(
        [
            memory("/private/a.md", "A secret of the house."),
            memory("/pinned.md", "A pinned line of the house.", pinned=True),
            memory("/a.md", "An open line of the house."),
            memory("/b.md", "Another open line of this house."),
        ],
        protected_paths=("/private/",),
    )
    run(taken, ports=Ports(words, embedder))
    assert set(embedder.seen) == {"An open line of the house.", "Another open line of this house."}


def test_a_line_in_five_places_is_one_suggestion() -> None:
    places = "".join(f"## 2026-03-0{n}\n\n- all checks are green\n\n" for n in range(1, 6))
    plan = run(store({"/log.md": places}))
    (suggestion,) = plan.suggestions
    assert (suggestion.kind, len(suggestion.members)) == ("recurring", 5)
    assert suggestion.tokens_saved == 4 * words("- all checks are green")
    four = places.replace("## 2026-03-05\n\n- all checks are green\n\n", "")
    assert run(store({"/log.md": four})).suggestions == ()


def test_clusters_beyond_the_limit_wait() -> None:
    topics = ("ant", "bee")
    lines = {f"/{topic}/{n}.md": f"{topic} {topic}s love {topic} food most {n}." for topic in topics for n in range(3)}
    plan = run(store(lines), ports=Ports(words, WordVectors()), policy=Policy(max_clusters=1))
    assert (plan.report.clusters_found, plan.report.clusters_left) == (2, 1)
