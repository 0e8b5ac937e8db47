"""The Dream, what it planned and did, and where each output memory came from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from dreams.lifecycle import DreamQuerySet
from dreams.status import LIVE, TERMINAL, Status
from dreamsvc.fields import ByteOrderCharField, IdReference
from dreamsvc.ids import ID_LENGTH, new_dream_id
from dreamsvc.models import Workspace
from memorystores.models import Memory


class OutputBehavior(models.TextChoices):
    CREATE_NEW = "create_new"
    UPDATE_EXISTING = "update_existing"


class ModelSpeed(models.TextChoices):
    STANDARD = "standard"


class Sources(models.TextChoices):
    """What becomes of a memory that was merged away."""

    DROP = "drop"
    KEEP = "keep"


class Dream(models.Model):
    """One dream, and the truth of the queue about it.

    `attempt` and `lease_until` say who may run it; `mount_revision`, `snapshot_revision` and `policy_revision` what it
    must find unchanged. Stores, mounts and sessions are plain ids: deleting one neither cascades here nor locks this
    row.
    """

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_dream_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="dreams")
    created_by = IdReference()

    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    inputs = models.JSONField()
    session_ids = models.JSONField(default=list)
    model_id = models.CharField(max_length=256, default="auto")
    model_speed = models.CharField(max_length=16, choices=ModelSpeed.choices, default=ModelSpeed.STANDARD)
    instructions = models.TextField(blank=True, default="", max_length=4096)
    output_behavior = models.CharField(max_length=16, choices=OutputBehavior.choices, default=OutputBehavior.CREATE_NEW)
    dry_run = models.BooleanField(default=False)
    phases = models.JSONField(null=True)
    sources = models.CharField(max_length=8, choices=Sources.choices, default=Sources.DROP)
    budget = models.JSONField(default=dict)

    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cache_creation_input_tokens = models.PositiveBigIntegerField(default=0)
    cache_read_input_tokens = models.PositiveBigIntegerField(default=0)

    error_type = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - null: no error
    error_code = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - null: no code
    error_message = models.TextField(blank=True, default="")
    progress = models.JSONField(null=True)
    report = models.JSONField(null=True)
    files_touched = models.JSONField(null=True)

    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    rolled_back_at = models.DateTimeField(null=True, blank=True)
    rollback = models.JSONField(null=True, help_text="what the rollback put back and what it left alone")

    attempt = models.PositiveIntegerField(default=0, help_text="fences: only the attempt that claimed may write")
    lost = models.PositiveIntegerField(default=0, help_text="claims that were not handed back")
    lease_until = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    nudge_at = models.DateTimeField(db_default=Now())
    nudges = models.PositiveIntegerField(default=0)

    identity_id = IdReference(null=True, blank=True)
    template_id = IdReference(null=True, blank=True)
    primary_store_id = IdReference()
    mount_id = models.BigIntegerField(null=True, blank=True)
    mount_revision = models.PositiveBigIntegerField(null=True, blank=True)
    mount_store_id = IdReference(null=True, blank=True)
    output_store_id = IdReference(null=True, blank=True)
    policy_revision = models.PositiveBigIntegerField(null=True, blank=True)
    snapshot_revision = models.PositiveBigIntegerField(null=True, blank=True)
    applied_revision = models.PositiveBigIntegerField(null=True, blank=True)
    plan_digest = models.CharField(max_length=64, blank=True, default="")

    objects = DreamQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="dream_status"),
            models.CheckConstraint(
                condition=Q(status__in=TERMINAL, ended_at__isnull=False) | Q(status__in=LIVE, ended_at__isnull=True),
                name="dream_ended",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.RUNNING, lease_until__isnull=False)
                | (~Q(status=Status.RUNNING) & Q(lease_until__isnull=True)),
                name="dream_lease",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FAILED, error_type__isnull=False)
                | (~Q(status=Status.FAILED) & Q(error_type__isnull=True)),
                name="dream_error",
            ),
            models.CheckConstraint(
                condition=Q(output_behavior__in=OutputBehavior.values), name="dream_output_behavior"
            ),
            models.CheckConstraint(condition=Q(model_speed__in=ModelSpeed.values), name="dream_model_speed"),
            models.CheckConstraint(condition=Q(sources__in=Sources.values), name="dream_sources"),
            models.UniqueConstraint(
                fields=["primary_store_id"],
                condition=Q(status__in=LIVE, dry_run=False, output_behavior=OutputBehavior.UPDATE_EXISTING),
                name="dream_one_update_per_store",
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "-id"], name="dream_newest"),
            models.Index(fields=["status", "nudge_at"], condition=Q(status__in=LIVE), name="dream_live"),
            models.Index(fields=["workspace", "id"], condition=Q(status__in=LIVE), name="dream_waiting"),
            models.Index(fields=["primary_store_id"], name="dream_store"),
            models.Index(fields=["identity_id", "template_id"], name="dream_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class DreamOperation(models.Model):
    """One operation or suggestion of a dream's plan; `outcome` says what became of it at apply."""

    class Outcome(models.TextChoices):
        PLANNED = "planned"
        APPLIED = "applied"
        DROPPED = "dropped"
        SUGGESTED = "suggested"

    dream = models.ForeignKey(Dream, on_delete=models.CASCADE, related_name="operations")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=32)
    body = models.JSONField()
    outcome = models.CharField(max_length=16, choices=Outcome.choices, default=Outcome.PLANNED)
    outcome_reason = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dream", "seq"], name="dreamoperation_seq"),
            # Spelled out: the names of `Outcome` cannot be seen from here.
            models.CheckConstraint(
                condition=Q(outcome__in=["planned", "applied", "dropped", "suggested"]), name="dreamoperation_outcome"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dream_id}#{self.seq} {self.kind}"


class TouchedMemory(models.Model):
    """The columns of a memory before a dream changed or deleted it in place, so that a rollback can put them back.

    Path and text are in the versions; this holds what versions do not. `revision` is the one at which the dream left
    the memory: as long as it stands, nobody has written it since.
    """

    COLUMNS = (
        "metadata",
        "created_at",
        "observed_at",
        "tags",
        "pinned",
        "ring",
        "trust",
        "decay_stage",
        "relevance",
        "stability_days",
        "access_count",
        "last_accessed_at",
        "reinforcement_count",
        "success_score",
    )

    dream = models.ForeignKey(Dream, on_delete=models.CASCADE, related_name="touched")
    memory_id = IdReference()
    revision = models.PositiveBigIntegerField()
    before = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dream", "memory_id"], name="touchedmemory_memory")]

    def __str__(self) -> str:
        return f"{self.memory_id} before {self.dream_id}"

    @classmethod
    def of(cls, dream_id: str, memory: Memory, revision: int) -> TouchedMemory:
        """The row for a memory as it was before the dream leaves it at `revision`."""
        before = {name: _plain(getattr(memory, name)) for name in cls.COLUMNS}
        return cls(dream_id=dream_id, memory_id=memory.id, revision=revision, before=before)

    def columns(self) -> dict[str, Any]:
        """The values as the memory's columns take them."""
        columns = {column.name: column for column in Memory._meta.fields}
        return {name: columns[name].to_python(value) for name, value in self.before.items()}


def _plain(value: Any) -> Any:
    # Django's own JSON encoder drops microseconds.
    return value.isoformat() if isinstance(value, datetime) else value


class Lineage(models.Model):
    """An output memory holds (part of) a source memory's version. Plain ids: outlives both stores."""

    dream = models.ForeignKey(Dream, on_delete=models.CASCADE, related_name="lineage")
    store_id = IdReference()
    memory_id = IdReference()
    path = ByteOrderCharField(max_length=1024)
    source_memory_id = IdReference()
    source_version_id = IdReference()
    source_path = ByteOrderCharField(max_length=1024)
    passage_hash = models.CharField(max_length=64, blank=True, default="")
    operation = models.CharField(max_length=32, help_text="kept, or the kind of the operation that joined them")

    class Meta:
        indexes = [
            models.Index(fields=["memory_id"], name="lineage_output"),
            models.Index(fields=["source_memory_id"], name="lineage_source"),
        ]

    def __str__(self) -> str:
        return f"{self.path} ← {self.source_path}"


class JournalEntry(models.Model):
    """What a dream did and why, as the record that Markdown and JSON are both rendered from."""

    dream = models.OneToOneField(Dream, on_delete=models.CASCADE, related_name="journal", primary_key=True)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE)
    record = models.JSONField()
    markdown = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["workspace", "-created_at"], name="journalentry_newest")]

    def __str__(self) -> str:
        return f"journal of {self.dream_id}"
