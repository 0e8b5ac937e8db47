"""Memory stores: texts, heads, versions and the vectors of their passages."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from dreamsvc.actors import ActorType
from dreamsvc.errors import NotFound
from dreamsvc.fields import ByteOrderCharField, IdReference
from dreamsvc.ids import ID_LENGTH, new_memory_id, new_store_id, new_version_id
from dreamsvc.models import NAME_LENGTH, Workspace

PATH_BYTES = 1024
DESCRIPTION_LENGTH = 1024


class Content(models.Model):
    """One text of a workspace, stored once whatever number of memories and versions hold it."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE)
    sha256 = models.CharField(max_length=64)
    text = models.TextField(blank=True)
    size = models.PositiveIntegerField(help_text="bytes of UTF-8")
    touched_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "sha256"], name="content_text")]

    def __str__(self) -> str:
        return self.sha256


class TrustTier(models.TextChoices):
    """Which models may see the texts of a store; those of `legal` are seen by none, no embedder either."""

    LEGAL = "legal"
    WORK = "work"
    PERSONAL = "personal"
    PROJECT = "project"
    GLOBAL = "global"


class Decay(models.TextChoices):
    """Whether memories that nobody uses are shortened and forgotten: never, or step by step."""

    NONE = "none"
    LADDER = "ladder"


class Supersede(models.TextChoices):
    """What a dream does where texts contradict each other: it asks, or drops what a text says is no longer true."""

    ASK = "ask"
    EXPLICIT = "explicit"


class MemoryStoreQuerySet(models.QuerySet["MemoryStore"]):
    def for_workspace(self, workspace_id: str) -> Self:
        """The workspace's stores; a store being purged is gone for everybody."""
        return self.filter(workspace_id=workspace_id, deleted_at__isnull=True)

    def found(self, workspace_id: str, store_id: str, *, param: str = "memory_store_id") -> MemoryStore:
        """The workspace's store; raises NotFound naming `param`."""
        store = self.for_workspace(workspace_id).filter(id=store_id).first()
        if store is None:
            raise NotFound.no("memory store", store_id, param=param)
        return store

    def locked(self, workspace_id: str, store_id: str) -> MemoryStore:
        """The store, locked until the end of the transaction; raises NotFound.

        NO KEY: foreign keys onto the row (new memories, versions) must not wait for us.
        """
        return self.select_for_update(no_key=True).found(workspace_id, store_id)


class MemoryStore(models.Model):
    """A set of memories by path. `revision` counts writes to memories, `policy_revision` changes of the policy."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_store_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memory_stores")
    name = models.CharField(max_length=NAME_LENGTH)
    description = models.CharField(max_length=DESCRIPTION_LENGTH, blank=True, default="")
    metadata = models.JSONField(default=dict)
    trust_tier = models.CharField(max_length=16, choices=TrustTier.choices, default=TrustTier.WORK)
    decay = models.CharField(max_length=16, choices=Decay.choices, default=Decay.NONE)
    supersede = models.CharField(max_length=16, choices=Supersede.choices, default=Supersede.ASK)
    protected_paths = models.JSONField(default=list)
    revision = models.PositiveBigIntegerField(default=0)
    policy_revision = models.PositiveBigIntegerField(default=0)
    entry_count = models.PositiveIntegerField(default=0)
    total_size = models.PositiveBigIntegerField(default=0, help_text="bytes of the live memories")
    system_managed = models.BooleanField(default=False)
    identity_id = IdReference(null=True, blank=True)
    derived_from = IdReference(null=True, blank=True)
    derived_revision = models.PositiveBigIntegerField(null=True, blank=True)
    calibration = models.JSONField(null=True, blank=True, help_text="cosines of unrelated passages here, by embedder")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = MemoryStoreQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(trust_tier__in=TrustTier.values), name="memorystore_trust_tier"),
            models.CheckConstraint(condition=Q(decay__in=Decay.values), name="memorystore_decay"),
            models.CheckConstraint(condition=Q(supersede__in=Supersede.values), name="memorystore_supersede"),
        ]
        indexes = [
            models.Index(fields=["workspace", "-id"], name="memorystore_newest"),
            models.Index(fields=["deleted_at"], condition=Q(deleted_at__isnull=False), name="memorystore_purge"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def status(self) -> str:
        return "archived" if self.archived_at else "active"


class Ring(models.TextChoices):
    """The kind of memory: how to do things, what practice taught, lasting facts, or what must not happen again."""

    PROCEDURES = "procedures"
    PRACTICE = "practice"
    LONGTERM = "longterm"
    SHOCKS = "shocks"
    NONE = "none"


class Trust(models.TextChoices):
    """How far a text is to be believed."""

    VERIFIED = "verified"
    INFERRED = "inferred"
    EXTERNAL = "external"
    UNTRUSTED = "untrusted"


class DecayStage(models.TextChoices):
    """How far a memory has been shortened."""

    FULL = "full"
    COMPRESSED = "compressed"
    SUMMARY = "summary"
    ESSENCE = "essence"
    FORGOTTEN = "forgotten"


class Memory(models.Model):
    """The head of a memory.

    `revision` is the store's at its last change of anything but the signals of use. `dream_cluster_id` is set on a
    source that a dream merged elsewhere and was asked to keep.
    """

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_memory_id, editable=False)
    store = models.ForeignKey(MemoryStore, on_delete=models.CASCADE, related_name="memories")
    path = ByteOrderCharField(max_length=PATH_BYTES)
    content = models.ForeignKey(Content, on_delete=models.PROTECT, related_name="memories")
    version_id = IdReference()
    revision = models.PositiveBigIntegerField()
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    observed_at = models.DateTimeField(db_default=Now(), help_text="when the fact was learned")
    pinned = models.BooleanField(default=False)
    tags = models.JSONField(default=list)
    ring = models.CharField(max_length=16, choices=Ring.choices, default=Ring.NONE)
    trust = models.CharField(max_length=16, choices=Trust.choices, default=Trust.VERIFIED)
    decay_stage = models.CharField(max_length=16, choices=DecayStage.choices, default=DecayStage.FULL)
    relevance = models.FloatField(default=0.5)
    stability_days = models.FloatField(default=14.0)
    access_count = models.PositiveIntegerField(default=0)
    last_accessed_at = models.DateTimeField(null=True, blank=True)
    reinforcement_count = models.PositiveIntegerField(default=0)
    success_score = models.FloatField(null=True, blank=True)
    dream_cluster_id = IdReference(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["store", "path"], name="memory_path"),
            models.CheckConstraint(condition=Q(ring__in=Ring.values), name="memory_ring"),
            models.CheckConstraint(condition=Q(trust__in=Trust.values), name="memory_trust"),
            models.CheckConstraint(condition=Q(decay_stage__in=DecayStage.values), name="memory_decay_stage"),
            models.CheckConstraint(condition=Q(relevance__gte=0, relevance__lte=1), name="memory_relevance"),
        ]
        indexes = [models.Index(fields=["store", "revision"], name="memory_changes")]

    def __str__(self) -> str:
        return self.path


class Operation(models.TextChoices):
    """What a write did to the memory."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


class MemoryVersion(models.Model):
    """What a memory was after one write; append-only, outlives the memory. Redacted: path and content are null."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_version_id, editable=False)
    store = models.ForeignKey(MemoryStore, on_delete=models.CASCADE, related_name="versions")
    store_revision = models.PositiveBigIntegerField()
    memory_id = IdReference()
    operation = models.CharField(max_length=8, choices=Operation.choices)
    path = ByteOrderCharField(max_length=PATH_BYTES, null=True)
    content = models.ForeignKey(Content, on_delete=models.PROTECT, null=True, related_name="versions")
    actor_type = models.CharField(max_length=24, choices=ActorType.choices)
    actor_id = IdReference()
    created_at = models.DateTimeField(db_default=Now())
    redacted_at = models.DateTimeField(null=True, blank=True)
    redacted_by = IdReference(null=True, blank=True)
    redacted_content = models.BigIntegerField(
        null=True, blank=True, help_text="the row whose text was redacted, while another version holds it"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["store", "store_revision"], name="memoryversion_revision"),
            models.CheckConstraint(condition=Q(operation__in=Operation.values), name="memoryversion_operation"),
            models.CheckConstraint(condition=Q(actor_type__in=ActorType.values), name="memoryversion_actor"),
            models.CheckConstraint(
                condition=Q(redacted_at__isnull=True) | Q(path__isnull=True, content__isnull=True),
                name="memoryversion_redacted",
            ),
        ]
        indexes = [
            models.Index(fields=["memory_id", "store_revision"], name="memoryversion_memory"),
            models.Index(fields=["store", "actor_id"], name="memoryversion_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.path}"


class PassageVector(models.Model):
    """A passage's embedding, shared by all stores: it depends on nothing but the text and the embedder.

    `vector` holds little-endian float32; `tokens` the text's length by the embedder's tokenizer.
    """

    embedder = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    vector = models.BinaryField(null=True)
    tokens = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["embedder", "sha256"], name="passagevector_text")]

    def __str__(self) -> str:
        return f"{self.embedder}:{self.sha256}"
