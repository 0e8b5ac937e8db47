"""Every move of a dream: one conditional UPDATE whose row count decides. Nobody reads, checks and then writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models

from dreams.status import LIVE

if TYPE_CHECKING:
    from dreams.models import Dream  # noqa: F401 - the type of the rows; importing it here at run time is a cycle


class DreamQuerySet(models.QuerySet["Dream"]):
    def for_workspace(self, workspace_id: str) -> Self:
        return self.filter(workspace_id=workspace_id)

    def live(self) -> Self:
        return self.filter(status__in=LIVE)
