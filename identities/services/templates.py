"""What may be done to a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from dreamsvc.errors import Conflict, InvalidRequest
from dreamsvc.metadata import patched
from identities.kept import check_kept
from identities.models import Template

KEPT: Final = frozenset({"model", "system", "extra"})
"""Fields that are kept as sent."""


def template_create(*, workspace_id: str, fields: Mapping[str, Any]) -> Template:
    """A new template.

    Raises InvalidRequest when more is to be kept than we keep, and Conflict when the workspace has one of that name,
    archived or not.
    """
    _check_size(fields)
    template = Template(workspace_id=workspace_id, **fields)
    try:
        with transaction.atomic():
            template.save(force_insert=True)
    except IntegrityError as error:
        raise _taken(fields["name"]) from error
    return template


def template_update(*, workspace_id: str, template_id: str, changes: Mapping[str, Any]) -> Template:
    """Changes the fields given; metadata is patched, keys unknown to us join those kept.

    Raises NotFound, InvalidRequest on an archived template or too much to keep, Conflict on a taken name.
    """
    try:
        with transaction.atomic():
            template = Template.objects.locked(workspace_id, template_id)
            if template.archived_at is not None:
                raise InvalidRequest(f"template_id: template {template_id} is archived", param="template_id")
            values = _values(template, changes)
            if values.keys() & KEPT:
                _check_size({name: values.get(name, getattr(template, name)) for name in KEPT})
            Template.objects.change(template, values)
    except IntegrityError as error:
        raise _taken(changes["name"]) from error
    return Template.objects.found(workspace_id, template_id)


def template_archive(*, workspace_id: str, template_id: str) -> Template:
    """Nothing new begins with an archived template; what there is stays. Again: unchanged. Raises NotFound."""
    rows = Template.objects.for_workspace(workspace_id).filter(id=template_id, archived_at__isnull=True)
    with transaction.atomic():
        rows.update(archived_at=Now(), updated_at=Now())
    return Template.objects.found(workspace_id, template_id)


def _values(template: Template, changes: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(changes)
    if "metadata" in values:
        values["metadata"] = patched(template.metadata, values["metadata"])
    if "extra" in values:
        values["extra"] = {**template.extra, **values["extra"]}
    return values


def _check_size(fields: Mapping[str, Any]) -> None:
    check_kept({"model": fields.get("model"), "system": fields.get("system"), **fields.get("extra", {})})


def _taken(name: str) -> Conflict:
    return Conflict(f"name: there is a template {name} already", param="name")
