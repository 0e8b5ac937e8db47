"""The frozen values that cross the engine's border: what a dream reads and the ports it may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Trust = Literal["verified", "inferred", "external", "untrusted"]
Ring = Literal["procedures", "practice", "longterm", "shocks", "none"]
TrustTier = Literal["legal", "work", "personal", "project", "global"]
DecayStage = Literal["full", "compressed", "summary", "essence", "forgotten"]
Phase = Literal["orient", "replay", "dedup", "consolidate", "schema", "stability", "transitive", "journal"]

PHASES: tuple[Phase, ...] = (
    "orient",
    "replay",
    "dedup",
    "consolidate",
    "schema",
    "stability",
    "transitive",
    "journal",
)


@dataclass(frozen=True, slots=True)
class Signals:
    """What the store knows about the use of a memory. Times are aware UTC, stability is in days."""

    relevance: float = 0.5
    stability_days: float = 14.0
    access_count: int = 0
    last_accessed_at: datetime | None = None
    reinforcement_count: int = 0
    success_score: float | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as the snapshot saw it. `sha256` is the hex digest of the raw UTF-8 bytes of `text`."""

    id: str
    version_id: str
    revision: int
    path: str
    text: str
    sha256: str
    created_at: datetime
    updated_at: datetime
    observed_at: datetime
    pinned: bool = False
    trust: Trust = "verified"
    ring: Ring = "none"
    decay_stage: DecayStage = "full"
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    signals: Signals = Signals()


@dataclass(frozen=True, slots=True)
class Baseline:
    """The cosine of unrelated passages, measured over so many distinct ones."""

    cosine: float
    passages: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """A store's own baselines under one embedder, by script; scripts with too few passages have none."""

    embedder: str
    baselines: Mapping[str, Baseline]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One store at one revision, memories by path in byte order.

    `protected_paths` are gitignore-style patterns; `tombstones` are canonical keys of passages that a person deleted;
    `calibration` is what an earlier dream measured.
    """

    store_id: str
    revision: int
    memories: tuple[Memory, ...]
    trust_tier: TrustTier = "work"
    supersede: Literal["ask", "explicit"] = "ask"
    protected_paths: tuple[str, ...] = ()
    tombstones: frozenset[str] = frozenset()
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True)
class TranscriptEvent:
    """One thing said in a session: user, agent or tool text (thinking and status events never come here)."""

    type: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Transcript:
    """A past session as the snapshot saw it, events in the order they happened."""

    session_id: str
    created_at: datetime
    title: str = ""
    events: tuple[TranscriptEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Every threshold of the engine. Similarities are on the scale of `similarity.scale`, budgets in tokens."""

    similarity_threshold: float = 0.75
    review_threshold: float = 0.85
    same_threshold: float = 0.95
    top_k: int = 3
    min_cluster_size: int = 3
    max_cluster_size: int = 20
    max_clusters: int = 10
    max_input_tokens: int = 1500
    max_output_tokens: int = 300
    cooldown_days: int = 7
    max_conflict_suggestions: int = 20
    contained_min_tokens: int = 3
    contained_min_han: int = 8
    recurring_min_places: int = 5
    embed_tokens: int = 256
    seed: int = 20260301
    embed_seconds: float | None = None
    """How long the report-only embeddings may take, by the caller's clock (`Ports.time_left`); None: no limit."""


class Embedder(Protocol):
    """Turns texts into unit vectors. `id` names model and version: vectors of different ids never mix."""

    id: str

    @property
    def baselines(self) -> Mapping[str, float]:
        """Mean cosine of unrelated text by script (`latin`, `han`, `kana`, `hangul`, `other`)."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (len(texts), dim), each of length 1."""
        ...


class TokenCounter(Protocol):
    """Counts tokens, net of prefix and special tokens."""

    def __call__(self, text: str) -> int: ...


class TimeLeft(Protocol):
    """Seconds that optional work may still take; the caller owns the clock."""

    def __call__(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine may call. `embedder` is None where the store's tier lets none see its text."""

    count_tokens: TokenCounter
    embedder: Embedder | None = None
    time_left: TimeLeft = lambda: float("inf")
