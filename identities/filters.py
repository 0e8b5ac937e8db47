"""Filters of the lists."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet

from dreamsvc.filters import AnyOf, Choices, Exact, FilterSet, Flag, IncludeArchived, OneOf, TimeRange
from identities.models import IdentityQuerySet
from identities.serializers.sessions import STATUSES as SESSION_STATUSES
from identities.serializers.templates import STATUSES as TEMPLATE_STATUSES

IDLE = "idle"


class _Search(Exact):
    """Rows whose name or external id holds the text, in any case."""

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        return qs if value is None else cast(IdentityQuerySet, qs).holding(value)


class _Archived(OneOf):
    """`active` and `archived` by the time of archiving."""

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(archived_at__isnull=value == "active")


class _Statuses(Choices):
    """Every session is idle."""

    def filter(self, qs: QuerySet[Any], value: list[str] | None) -> QuerySet[Any]:
        return qs if value is None or IDLE in value else qs.none()


class IdentityFilters(FilterSet):
    external_id = Exact("external_id")
    identity_ids = AnyOf("id")
    search = _Search("name")
    enabled = Flag("enabled")


class TemplateFilters(FilterSet):
    status = _Archived("archived_at", TEMPLATE_STATUSES, name="TemplateStatus")


class SessionFilters(FilterSet):
    statuses = _Statuses("archived_at", SESSION_STATUSES, name="SessionStatus")
    agent_id = Exact("agent_id")
    template_id = Exact("template_id")
    identity_ids = AnyOf("identity_id")
    include_archived = IncludeArchived()
    created_at = TimeRange("created_at")


class EventFilters(FilterSet):
    types = AnyOf("type")
    created_at = TimeRange("created_at")
