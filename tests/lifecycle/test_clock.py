from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F, Value
from django.db.models.functions import Now

from dreams.clock import NowPlus
from dreamsvc.models import Workspace


@pytest.mark.parametrize("seconds", [0.0, 0.25, 30.0, -0.5, -86_400.0, 1e-5, 12_345.678])
def test_adds_seconds_to_the_statements_start(workspace: Workspace, seconds: float) -> None:
    row = Workspace.objects.annotate(now=Now(), later=NowPlus(seconds)).get()
    assert abs((row.later - row.now) - timedelta(seconds=seconds)) <= timedelta(milliseconds=1)


def test_takes_an_expression(workspace: Workspace) -> None:
    row = Workspace.objects.annotate(n=Value(2), now=Now(), later=NowPlus(F("n") * 30)).get()
    assert abs((row.later - row.now) - timedelta(seconds=60)) <= timedelta(milliseconds=1)


def test_a_millisecond_counts(workspace: Workspace) -> None:
    later = Workspace.objects.filter(id=workspace.id)
    assert later.filter(created_at__lt=NowPlus(0.25)).exists()
    assert not later.filter(created_at__lt=NowPlus(-10)).exists()
    Workspace.objects.update(created_at=NowPlus(0.2))
    assert not later.filter(created_at__lte=Now()).exists()
