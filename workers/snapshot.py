"""What a dream reads: one store at one revision, in one statement. Two statements would be two snapshots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, TextField, Value, When
from django.db.models.expressions import Combinable

from dreams.lifecycle import Claim
from dreams.models import Dream
from identities.transcripts import transcripts
from memorystores.models import MemoryStore, TrustTier
from workers.engine import codec
from workers.engine.values import Calibration, Memory, Signals, Snapshot, Transcript, TranscriptEvent
from workers.failures import Stopped
from workers.fences import check_inputs, check_store

SIGNALS = (
    "relevance",
    "stability_days",
    "access_count",
    "last_accessed_at",
    "reinforcement_count",
    "success_score",
)
STATE = (
    "id",
    "version_id",
    "revision",
    "path",
    "created_at",
    "updated_at",
    "observed_at",
    "pinned",
    "trust",
    "ring",
    "decay_stage",
    "metadata",
)
HEAD = ("revision", "policy_revision", "trust_tier", "supersede", "protected_paths", "calibration")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """The snapshot, the policy revision it was taken under, and the transcripts given."""

    snapshot: Snapshot
    policy_revision: int
    transcripts: tuple[Transcript, ...]


def snapshot_take(claim: Claim, dream: Dream) -> Taken:
    """Reads the inputs and records their revisions.

    Raises DreamFailed when one is gone, closed, changed or too large, and Stopped when the claim is void.
    """
    check_inputs(dream, policy_revision=None)
    snapshot, policy_revision = store_snapshot(dream.primary_store_id)
    taken = Taken(snapshot, policy_revision, transcripts_read(dream))
    if not Dream.objects.hold(claim, snapshot_revision=snapshot.revision, policy_revision=policy_revision):
        raise Stopped
    return taken


def store_snapshot(store_id: str) -> tuple[Snapshot, int]:
    """The store with all its live memories by path in byte order, and its policy revision."""
    rows = list(
        MemoryStore.objects.filter(pk=store_id, deleted_at__isnull=True)
        .order_by("memories__path")
        .values(*HEAD, **memory_columns("memories__"))
    )
    if not rows:
        check_store(None, None)
    head = rows[0]
    snapshot = Snapshot(
        store_id=store_id,
        revision=head["revision"],
        memories=tuple(memory_of(row) for row in rows if row["m_id"] is not None),
        trust_tier=head["trust_tier"],
        supersede=head["supersede"],
        protected_paths=tuple(head["protected_paths"]),
        calibration=codec.decode(Calibration, head["calibration"]) if head["calibration"] else None,
    )
    return snapshot, head["policy_revision"]


def memory_columns(prefix: str, tier: str = "trust_tier") -> dict[str, Combinable]:
    """What `memory_of` reads, for `values()`; `prefix` leads to the memory and `tier` to its store's tier.

    The text of a legal store is not even fetched.
    """
    text = Case(
        When(**{tier: TrustTier.LEGAL}, then=Value("")), default=F(f"{prefix}content__text"), output_field=TextField()
    )
    columns: dict[str, Combinable] = {f"m_{name}": F(f"{prefix}{name}") for name in (*STATE, *SIGNALS, "tags")}
    return {**columns, "m_sha256": F(f"{prefix}content__sha256"), "m_text": text}


def memory_of(row: Row) -> Memory:
    """The engine's value of a row of `memory_columns`."""
    return Memory(
        **{name: row[f"m_{name}"] for name in STATE},
        text=row["m_text"],
        sha256=row["m_sha256"],
        tags=tuple(row["m_tags"]),
        signals=Signals(**{name: row[f"m_{name}"] for name in SIGNALS}),
    )


def transcripts_read(dream: Dream) -> tuple[Transcript, ...]:
    """What was said in the sessions given, as the engine's values."""
    found = transcripts(workspace_id=dream.workspace_id, session_ids=dream.session_ids) if dream.session_ids else []
    return tuple(Transcript(one.session_id, one.created_at, one.title, _events(one.events)) for one in found)


def _events(events: Sequence[Any]) -> tuple[TranscriptEvent, ...]:
    return tuple(TranscriptEvent(event.type, event.text, event.created_at) for event in events)
