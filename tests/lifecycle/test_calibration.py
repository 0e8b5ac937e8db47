"""What the similarities of a store go by is measured once and goes from dream to dream."""

from __future__ import annotations

from typing import Any

import pytest

from dreams.models import Dream
from dreamsvc.models import Workspace
from memorystores.models import MemoryStore
from tests.lifecycle.stores import ended, new_dream, new_store, write
from workers.providers.embedders import LocalEmbedder

SUBJECTS = ("The importer", "A gardener", "Our lawyer", "The dentist", "Kim's boat")
VERBS = ("sleeps on Mondays", "lost the green key", "moved to Lisbon", "speaks Finnish", "was painted red")
NOTES = {
    f"/{row}{column}.md": f"{subject} {verb}.\n"
    for row, subject in enumerate(SUBJECTS)
    for column, verb in enumerate(VERBS)
}


def dreamt(store: MemoryStore, **request: Any) -> Dream:
    dream = ended(new_dream(store, phases=["consolidate"], **request))
    assert dream.status == "completed"
    return dream


def calibration(store_id: str | None) -> Any:
    return MemoryStore.objects.get(id=str(store_id)).calibration


@pytest.fixture
def store(workspace: Workspace, sent: list[str]) -> MemoryStore:
    return new_store(workspace, NOTES)


def test_an_output_store_has_what_the_dream_measured(store: MemoryStore) -> None:
    made = calibration(dreamt(store).output_store_id)
    assert made["embedder"] == LocalEmbedder().id
    assert made["baselines"]["latin"]["passages"] == len(NOTES)
    assert 0.6 < made["baselines"]["latin"]["cosine"] < 0.95
    assert calibration(store.id) is None


def test_the_next_dream_goes_by_it(store: MemoryStore) -> None:
    first = str(dreamt(store).output_store_id)
    output = MemoryStore.objects.get(id=first)
    for number in range(10):
        write(output, f"/more/{number}.md", f"Ana counted {number} ships in the harbour this morning.\n")
    assert calibration(dreamt(output).output_store_id) == calibration(first)


def test_a_store_changed_in_place_keeps_it(store: MemoryStore) -> None:
    dreamt(store, in_place=True)
    assert calibration(store.id)["baselines"]["latin"]["passages"] == len(NOTES)


def test_a_dry_run_writes_nothing(store: MemoryStore) -> None:
    dreamt(store, dry_run=True)
    assert calibration(store.id) is None
