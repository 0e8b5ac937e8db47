"""The filters of the list of dreams."""

from __future__ import annotations

from dreams.models import Dream
from dreams.status import Status
from dreamsvc.filters import Choices, Exact, FilterSet, IncludeArchived, TimeRange


class DreamFilters(FilterSet):
    """Which dreams a list shows."""

    statuses = Choices("status", Status, name="DreamStatus")
    created_at = TimeRange("created_at")
    include_archived = IncludeArchived()
    memory_store_id = Exact("primary_store_id", help_text="Dreams that read this store.")
    identity_id = Exact("identity_id", help_text="Dreams of this identity's default memories.")
    template_id = Exact("template_id", help_text="Dreams of default memories for this template.")

    class Meta:
        model = Dream
        fields: list[str] = []
