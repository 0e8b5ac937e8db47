"""The filters of the lists."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from dreamsvc.actors import ActorType
from dreamsvc.filters import Exact, FilterSet, Flag, IncludeArchived, OneOf, TimeRange
from memorystores.models import Operation


class StoreFilters(FilterSet):
    """Of memory stores; `name` is the whole name."""

    name = Exact("name")
    system_managed = Flag("system_managed")
    include_archived = IncludeArchived()
    created_at = TimeRange("created_at")


class WrittenBy(Exact):
    """Rows written by the actor of this kind and id; None is a kind that writes nothing here."""

    def __init__(self, actor_type: ActorType | None) -> None:
        super().__init__("actor_id")
        self.actor_type = actor_type

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        if value is None:
            return qs
        return qs.filter(actor_type=self.actor_type, actor_id=value) if self.actor_type else qs.none()


class VersionFilters(FilterSet):
    """`service_account_id` is the id of a dream; sessions write through keys, so `session_id` finds nothing."""

    memory_id = Exact("memory_id")
    operation = OneOf("operation", Operation, name="MemoryVersionOperation")
    api_key_id = WrittenBy(ActorType.API)
    service_account_id = WrittenBy(ActorType.SERVICE_ACCOUNT)
    session_id = WrittenBy(None)
    created_at = TimeRange("created_at")
