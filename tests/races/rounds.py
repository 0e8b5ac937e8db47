"""One round of a race over an apply: a store, a dream planned on it, and what is true of the output in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dreams.models import Dream
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore, MemoryVersion, Operation
from tests.lifecycle.stores import claimed, new_dream, new_store
from workers import pipeline
from workers.apply import dream_apply
from workers.engine.values import Ports
from workers.heart import Heart
from workers.job import Job

FACTS = ("The invoice run starts on the 5th.\n", "Ana leads the billing team in Graz.\n", "Ship on Friday from main.\n")
NOTES = {
    "/a.md": FACTS[0],
    "/b.md": FACTS[0],
    "/c.md": FACTS[1],
    "/d.md": FACTS[1],
    "/e.md": FACTS[2],
    "/index.md": "# Index\n\n- [invoices](a.md)\n- [team](c.md)\n",
}


def count_words(text: str) -> int:
    """Tokens are not what these races are about; the real counter loads a model."""
    return len(text.split())


@dataclass(frozen=True)
class Planned:
    """A dream that is about to be applied."""

    job: Job
    heart: Heart

    @property
    def id(self) -> str:
        return self.job.dream.id

    def apply(self) -> Any:
        """As the pipeline does it: what it raises ends the dream as the pipeline would."""
        pipeline.guarded(self.job.claim, lambda: dream_apply(self.job, self.heart))

    def again(self) -> Dream:
        return Dream.objects.get(id=self.id)


def planned(dream: Dream) -> Planned:
    claim, heart = claimed(dream)
    return Planned(pipeline.dream_plan(claim, heart), heart)


def round_of(workspace: Workspace, **request: Any) -> tuple[MemoryStore, Planned]:
    store = new_store(workspace, NOTES)
    return store, planned(new_dream(store, **request))


def outputs_of(store: MemoryStore) -> list[str]:
    """Stores that derive from this one, whoever can see them."""
    return list(MemoryStore.objects.filter(derived_from=store.id).values_list("id", flat=True))


def consistent(store: MemoryStore, dream: Dream) -> bool:
    """Ended once, with one output exactly if completed."""
    outputs = outputs_of(store)
    if dream.status == "completed":
        return outputs == [dream.output_store_id]
    return outputs == [] and dream.output_store_id is None


def state(store_id: str, revision: int) -> dict[str, tuple[str, str]]:
    """Path and text by memory id, as the store was at a revision."""
    rows = MemoryVersion.objects.filter(store_id=store_id, store_revision__lte=revision).select_related("content")
    heads = {row.memory_id: row for row in rows.order_by("store_revision")}
    return {
        memory_id: (str(row.path), row.content.text)
        for memory_id, row in heads.items()
        if row.operation != Operation.DELETED and row.content is not None
    }


def output_state(dream: Dream) -> dict[str, tuple[str, str]]:
    """The output as the dream left it, without what was written to it since."""
    mine = MemoryVersion.objects.filter(store_id=dream.output_store_id, actor_id=dream.id)
    last = mine.order_by("-store_revision").values_list("store_revision", flat=True).first()
    return state(str(dream.output_store_id), last if last is not None else int(dream.applied_revision or 0))


def set_ports(monkeypatch: Any) -> None:
    """Rules alone: no embedder, and words for tokens."""
    monkeypatch.setattr(pipeline, "dream_ports", lambda dream, taken, heart: Ports(count_tokens=count_words))
