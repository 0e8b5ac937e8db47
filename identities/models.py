"""For whom agents remember: identities, templates, their default memory, and the transcripts of their sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from dreamsvc.actors import ActorType
from dreamsvc.errors import NotFound
from dreamsvc.fields import ByteOrderCharField, IdReference
from dreamsvc.ids import ID_LENGTH, new_event_id, new_identity_id, new_session_id, new_template_id
from dreamsvc.models import NAME_LENGTH, Workspace
from identities.folding import folded
from memorystores.models import MemoryStore
from memorystores.mounting import Access

_Row = TypeVar("_Row", bound=models.Model, covariant=True)


class OwnedQuerySet(models.QuerySet[_Row]):
    """Rows that belong to a workspace; `noun` is what the wire calls one."""

    noun: ClassVar[str]

    def for_workspace(self, workspace_id: str) -> Self:
        return self.filter(workspace_id=workspace_id)

    def found(self, workspace_id: str, row_id: str) -> _Row:
        """The workspace's row; raises NotFound."""
        row = self.for_workspace(workspace_id).filter(id=row_id).first()
        if row is None:
            raise NotFound.no(self.noun, row_id)
        return row

    def locked(self, workspace_id: str, row_id: str) -> _Row:
        """The workspace's row, locked until the end of the transaction; raises NotFound.

        NO KEY: foreign keys onto the row must not wait for us.
        """
        return self.select_for_update(no_key=True).found(workspace_id, row_id)

    def change(self, row: models.Model, values: Mapping[str, Any]) -> None:
        """Writes those values that differ, and the time; nothing when none does."""
        differing = {name: value for name, value in values.items() if getattr(row, name) != value}
        if differing:
            self.filter(pk=row.pk).update(**differing, updated_at=Now())


class IdentityQuerySet(OwnedQuerySet["Identity"]):
    noun = "identity"

    def holding(self, text: str) -> Self:
        """Those whose name or external id holds the text, in any case."""
        if len(text) > NAME_LENGTH or "\n" in text:
            return self.none()  # no name is so long, and SQLite refuses a pattern of 50,000 bytes
        return self.filter(searched__contains=folded(text))


class Identity(models.Model):
    """Somebody whom agents serve, by the caller's own `external_id`."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_identity_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="identities")
    external_id = models.CharField(max_length=255)
    name = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null is on the wire
    identity_type = models.CharField(max_length=64, default="user")
    enabled = models.BooleanField(default=True)
    metadata = models.JSONField(default=dict)
    searched = models.TextField(default="", editable=False, help_text="name and external id, folded")
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())

    objects = IdentityQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "external_id"], name="identity_external_id")]

    def __str__(self) -> str:
        return self.external_id


class TemplateQuerySet(OwnedQuerySet["Template"]):
    noun = "template"


class Template(models.Model):
    """An agent's definition, as far as its memory needs one; keys we do not know are kept in `extra` and echoed."""

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_template_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="templates")
    name = models.CharField(max_length=255)
    description = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is on the wire
    model = models.JSONField(null=True)
    environment_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null is on the wire
    system = models.JSONField(null=True)
    metadata = models.JSONField(default=dict)
    extra = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = TemplateQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="template_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def status(self) -> str:
        return "archived" if self.archived_at else "active"


class MountQuerySet(models.QuerySet["Mount"]):
    def for_workspace(self, workspace_id: str) -> Self:
        return self.filter(identity__workspace_id=workspace_id)

    def default(self, identity_id: str, template_id: str) -> Self:
        """The pair's default memory: its only read_write mount."""
        return self.filter(identity_id=identity_id, template_id=template_id, access=Access.READ_WRITE)


class Mount(models.Model):
    """A store that an identity has with a template.

    `revision` rises with every replacement of the store, so that a change there and back is seen as a change.
    """

    identity = models.ForeignKey(Identity, on_delete=models.CASCADE, related_name="mounts")
    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="mounts")
    store = models.ForeignKey(MemoryStore, on_delete=models.PROTECT, related_name="mounts")
    access = models.CharField(max_length=16, choices=Access.choices)
    system_managed = models.BooleanField(default=False)
    revision = models.PositiveBigIntegerField(default=1)
    created_at = models.DateTimeField(db_default=Now())

    objects = MountQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["identity", "template", "store"], name="mount_store"),
            models.UniqueConstraint(
                fields=["identity", "template"], condition=Q(access=Access.READ_WRITE), name="mount_default"
            ),
            models.CheckConstraint(condition=Q(access__in=Access.values), name="mount_access"),
        ]

    def __str__(self) -> str:
        return f"{self.identity_id}/{self.template_id} → {self.store_id}"


class MountChange(models.Model):
    """The history of a default memory: which store it was from `revision` on, and who made it so.

    `retired_store_id` is the store that a dream replaced here and that waits to be archived; null where nothing waits.
    """

    mount = models.ForeignKey(Mount, on_delete=models.CASCADE, related_name="changes")
    revision = models.PositiveBigIntegerField()
    store_id = IdReference()
    actor_type = models.CharField(max_length=24, choices=ActorType.choices)
    actor_id = IdReference()
    retired_store_id = IdReference(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["mount", "revision"], name="mountchange_revision"),
            models.CheckConstraint(condition=Q(actor_type__in=ActorType.values), name="mountchange_actor"),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(retired_store_id__isnull=False), name="mountchange_retired"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mount_id}@{self.revision} → {self.store_id}"


class SessionQuerySet(OwnedQuerySet["Session"]):
    noun = "session"


class Session(models.Model):
    """A transcript's head: with an agent and environment, or with an identity and template.

    The identity is a plain id: a session outlives its identity and still says whose it was.
    """

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_session_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="sessions")
    agent = models.JSONField(null=True)
    agent_id = models.CharField(max_length=255, blank=True, default="", db_index=True)
    environment_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null is on the wire
    identity_id = IdReference(null=True, blank=True)
    template = models.ForeignKey(Template, on_delete=models.SET_NULL, null=True, related_name="sessions")
    external_key = models.CharField(max_length=255, blank=True, default="", help_text="the key of an import")
    title = models.CharField(max_length=1024, null=True, blank=True)  # noqa: DJ001 - null is on the wire
    metadata = models.JSONField(default=dict)
    event_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-id"], name="session_newest"),
            models.Index(fields=["workspace", "identity_id"], name="session_identity"),
        ]

    def __str__(self) -> str:
        return self.title or self.id


class SessionEvent(models.Model):
    """One event of a transcript; `content` is a string or a list of blocks, as it was sent.

    `details` holds what else events of some types carry (`tool_use_id`, `is_error` …). `seq` counts from 1 within
    the session, in the order in which events came.
    """

    id = ByteOrderCharField(primary_key=True, max_length=ID_LENGTH, default=new_event_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=128)
    content = models.JSONField(null=True)
    details = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="sessionevent_seq")]

    def __str__(self) -> str:
        return f"{self.session_id}#{self.seq} {self.type}"
