"""What may be done to an identity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from dreamsvc.errors import Conflict
from dreamsvc.metadata import patched
from identities.folding import folded
from identities.models import Identity


def identity_create(*, workspace_id: str, fields: Mapping[str, Any]) -> Identity:
    """A new identity; raises Conflict when the workspace has its external id already."""
    identity = Identity(workspace_id=workspace_id, **fields)
    identity.searched = folded(identity.name, identity.external_id)
    try:
        with transaction.atomic():
            identity.save(force_insert=True)
    except IntegrityError as error:
        raise _taken(fields["external_id"]) from error
    return identity


def identity_update(*, workspace_id: str, identity_id: str, changes: Mapping[str, Any]) -> Identity:
    """Changes the fields given, metadata as a patch; raises NotFound, or Conflict on a taken external id."""
    values = dict(changes)
    try:
        with transaction.atomic():
            identity = Identity.objects.locked(workspace_id, identity_id)
            if "metadata" in values:
                values["metadata"] = patched(identity.metadata, values["metadata"])
            named = {name: values.get(name, getattr(identity, name)) for name in ("name", "external_id")}
            Identity.objects.change(identity, {**values, "searched": folded(*named.values())})
    except IntegrityError as error:
        raise _taken(values["external_id"]) from error
    return Identity.objects.found(workspace_id, identity_id)


def identity_enable(*, workspace_id: str, identity_id: str, enabled: bool) -> Identity:
    """Enables or disables; again: unchanged. Raises NotFound."""
    rows = Identity.objects.for_workspace(workspace_id).filter(id=identity_id)
    with transaction.atomic():
        rows.exclude(enabled=enabled).update(enabled=enabled, updated_at=Now())
    return Identity.objects.found(workspace_id, identity_id)


def identity_delete(*, workspace_id: str, identity_id: str) -> None:
    """Forgets the identity and its mounts; its stores and sessions stay as they are. Raises NotFound.

    A dream of one of its pairs finds the mount gone and fails; the store it read is untouched.
    """
    with transaction.atomic():
        Identity.objects.locked(workspace_id, identity_id).delete()


def _taken(external_id: str) -> Conflict:
    return Conflict(f"external_id: {external_id} is another identity's", param="external_id")
