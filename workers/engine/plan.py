"""What a dream wants to do: operations with their evidence, suggestions for a person, and the record of both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from workers.engine import codec
from workers.engine.journal import JournalRecord
from workers.engine.report import Report
from workers.engine.values import Calibration, Memory, Snapshot, Trust

OperationKind = Literal["merge_same", "merge_contained", "supersede"]
SuggestionKind = Literal["conflict", "cluster", "recurring"]


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A passage of the snapshot, or a whole memory (`passage_index` None).

    `start:end` is the half-open span of lines; `sha256` is of the raw text of that span (of the memory, if whole).
    """

    memory_id: str
    version_id: str
    path: str
    passage_index: int | None
    start: int
    end: int
    sha256: str

    @classmethod
    def of_memory(cls, memory: Memory, lines: int) -> SourceRef:
        """The whole memory of so many lines."""
        return cls(memory.id, memory.version_id, memory.path, None, 0, lines, memory.sha256)

    @classmethod
    def of_passage(cls, memory: Memory, index: int, start: int, end: int, text: str) -> SourceRef:
        """The passage `text` at lines `start:end` of the memory."""
        return cls(memory.id, memory.version_id, memory.path, index, start, end, text_sha256(text))


@dataclass(frozen=True, slots=True)
class PassageEdit:
    """One span of lines of a snapshot memory that goes (`replacement` None) or is replaced."""

    memory_id: str
    start: int
    end: int
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory that an operation creates; if `path` is taken when the plan is applied, it gets `-2`, `-3` …"""

    path: str
    text: str
    trust: Trust = "inferred"
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One justified change. `sources` go (spans by `edits`, whole memories by `removes`), `survivor` holds their facts.

    `writes` and `relies_on` are the ids of the memories it changes and of those it needs unchanged: operations that
    share one are kept or dropped together. `evidence` names the rule and the values it compared.
    """

    id: str
    kind: OperationKind
    sources: tuple[SourceRef, ...]
    survivor: SourceRef | None
    edits: tuple[PassageEdit, ...]
    removes: tuple[str, ...]
    writes: frozenset[str]
    relies_on: frozenset[str]
    reason: str
    evidence: Mapping[str, str] = field(default_factory=dict)
    creates: NewMemory | None = None

    @property
    def memories(self) -> frozenset[str]:
        """Every memory this operation touches or needs."""
        return self.writes | self.relies_on


@dataclass(frozen=True, slots=True)
class Member:
    """One passage of a suggestion, and the values only it has."""

    source: SourceRef
    text: str
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something for a person to decide; nothing was changed.

    `similarity` is the mean over the pairs, on the scale of `similarity.scale`; `tokens_saved` estimates what one text
    in place of the members would save.
    """

    id: str
    kind: SuggestionKind
    members: tuple[Member, ...]
    reason: str
    similarity: float | None = None
    shared: tuple[str, ...] = ()
    tokens_saved: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """A session quoted a memory; that counts as use, once."""

    memory_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All a dream decided about one snapshot, and the calibration it went by. `digest` is over the decisions."""

    store_id: str
    snapshot_digest: str
    operations: tuple[Operation, ...]
    suggestions: tuple[Suggestion, ...]
    accesses: tuple[Access, ...]
    journal: JournalRecord
    report: Report
    calibration: Calibration | None = None
    digest: str = ""

    def sealed(self) -> Plan:
        """The same plan carrying its digest."""
        return replace(self, digest=_digest(self))


class SnapshotMismatch(ValueError):
    """The plan was made for another snapshot."""


def to_json(plan: Plan) -> codec.Json:
    """The plan as JSON; `from_json(to_json(plan)) == plan`."""
    return codec.encode(plan)


def from_json(data: codec.Json) -> Plan:
    """The plan in `data`. Raises ValueError if it is none, or if its digest is not that of its content."""
    plan = codec.decode(Plan, data)
    if plan.digest != _digest(plan):
        raise ValueError("the plan does not match its digest")
    return plan


def snapshot_digest(snapshot: Snapshot) -> str:
    """Hash of all that a plan depends on: texts, paths, dates, pins, tags, trust and policy, but no counters."""
    head = (snapshot.store_id, snapshot.revision, snapshot.trust_tier, snapshot.supersede)
    rows = sorted(
        (
            *(m.id, m.version_id, m.revision, m.path, m.sha256, m.observed_at.isoformat()),
            *(m.pinned, m.trust, m.ring, m.decay_stage, m.tags),
        )
        for m in snapshot.memories
    )
    return _sha256_json([head, snapshot.protected_paths, sorted(snapshot.tombstones), rows])


def require_snapshot(plan: Plan, snapshot: Snapshot) -> None:
    """Raise SnapshotMismatch unless the plan was made for exactly this snapshot."""
    if plan.snapshot_digest != snapshot_digest(snapshot):
        raise SnapshotMismatch("the plan was made for another snapshot of this store, or for another store")


def stable_id(prefix: str, *parts: object) -> str:
    """An id that depends on content alone, so that two attempts of one dream name things alike."""
    return f"{prefix}_{_sha256_json([codec.encode(part) for part in parts])[:24]}"


def text_sha256(text: str) -> str:
    """Hex digest of the UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest(plan: Plan) -> str:
    parts = (plan.store_id, plan.snapshot_digest, plan.operations, plan.suggestions, plan.accesses)
    return _sha256_json(codec.encode(parts))


def _sha256_json(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()
