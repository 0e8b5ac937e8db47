"""The first look at a store: how much there is, in which languages, how old, and what is out of bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable

from workers.engine import facts
from workers.engine.inventory import CHUNK, Inventory
from workers.engine.journal import Survey
from workers.engine.values import Memory, TokenCounter

LANGUAGE_CHARACTERS = 2_000
"""The beginning of a memory that its language is told from."""


def survey(inventory: Inventory, count_tokens: TokenCounter) -> Generator[tuple[int, int], None, Survey]:
    """Counts and means over a store; yields (counted, total) memories, every `CHUNK`."""
    memories = inventory.snapshot.memories
    tokens = 0
    for number, memory in enumerate(memories, start=1):
        tokens += count_tokens(memory.text)
        if number % CHUNK == 0:
            yield number, len(memories)
    times = [memory.observed_at for memory in memories]
    readable = [sheet.memory for sheet in inventory.sheets.values()]
    return Survey(
        memories=len(memories),
        passages=sum(len(sheet.document.passages) for sheet in inventory.sheets.values()),
        size_bytes=sum(len(memory.text.encode("utf-8", "surrogatepass")) for memory in memories),
        tokens=tokens,
        mean_relevance=_mean(memory.signals.relevance for memory in memories),
        mean_stability_days=_mean(memory.signals.stability_days for memory in memories),
        oldest=min(times, default=None),
        newest=max(times, default=None),
        languages=_languages(readable),
        protected=dict(sorted(Counter(inventory.protections.values()).items())),
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def _languages(memories: Iterable[Memory]) -> dict[str, int]:
    """Memories by language, most first."""
    counts = Counter(facts.language(memory.text[:LANGUAGE_CHARACTERS]) for memory in memories)
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
