"""The Celery tasks. A message holds one id; the row holds the rest."""

from __future__ import annotations

from dreamsvc.celery import app
from workers import pipeline
from workers import sweep as sweeping


@app.task(name="workers.tasks.dream")  # type: ignore[untyped-decorator] # Celery has no types
def dream(dream_id: str) -> None:
    pipeline.dream_run(dream_id)


@app.task(name="workers.tasks.sweep")  # type: ignore[untyped-decorator] # Celery has no types
def sweep() -> None:
    sweeping.sweep()
