"""What is asked at every tick and every end must not look at dreams that ended long ago."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from dreams.lifecycle import LAPSED, OVERDUE
from dreams.models import Dream
from dreams.status import Status
from dreamsvc.models import Workspace


@pytest.fixture
def many(workspace: Workspace) -> None:
    ended = {"status": Status.COMPLETED, "ended_at": Now(), "created_by": "apikey_x", "inputs": []}
    rows = [Dream(workspace=workspace, primary_store_id="memstore_x", **ended) for _ in range(5000)]
    Dream.objects.bulk_create(rows, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE dreams_dream")


def plan(queryset: QuerySet[Dream, object]) -> str:
    return str(queryset.explain())


@pytest.mark.usefixtures("many")
def test_only_live_rows_are_looked_at(workspace: Workspace) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's statistics do not choose partial indexes for OR")
    mine = Dream.objects.for_workspace(workspace.id)
    asked = {
        "due": Dream.objects.claimable().filter(nudge_at__lte=Now()).order_by("nudge_at", "id").values("id")[:200],
        "overdue": Dream.objects.live().filter(OVERDUE).order_by("id").values("id")[:200],
        "lost": Dream.objects.live().filter(LAPSED & Q(lost__gte=3)).order_by("id").values("id")[:200],
        "oldest": mine.filter(status=Status.PENDING).order_by("id").values("id")[:1],
        "running": mine.filter(status=Status.RUNNING).values("id"),
        "live": mine.live().values("id"),
    }
    for name, queryset in asked.items():
        assert "dream_live" in plan(queryset) or "dream_waiting" in plan(queryset), (name, plan(queryset))
