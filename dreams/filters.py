"""The filters of the list of dreams."""

from __future__ import annotations

from dreams.models import Dream
from dreams.status import Status
from dreamsvc.filters import Choices, Exact, FilterSet, IncludeArchived, TimeRange


class DreamFilter(FilterSet):
    statuses = Choices("status", Status, name="DreamStatus")
    created_at = TimeRange("created_at")
    include_archived = IncludeArchived()
    memory_store_id = Exact("primary_store_id")
    identity_id = Exact("identity_id")
    template_id = Exact("template_id")

    class Meta:
        model = Dream
        fields: list[str] = []
