"""Texts, kept once per workspace."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dreamsvc.models import BATCH
from memorystores.models import Content
from memorystores.services.contents import contents_upsert, sha256
from tests.conftest import Tenant

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_digest_is_of_the_raw_bytes() -> None:
    assert sha256("e\u0301\r\n") == hashlib.sha256(b"e\xcc\x81\r\n").hexdigest()


def test_upserts_in_sorted_batches(alice: Tenant) -> None:
    texts = [f"text {number}" for number in range(2 * BATCH + 1)]
    with CaptureQueriesContext(connection) as captured:
        ids = contents_upsert(workspace_id=alice.workspace.id, texts=[*texts, texts[0]])
    assert sum(query["sql"] == "COMMIT" for query in captured) == 3
    assert ids == dict(Content.objects.values_list("sha256", "pk"))
    assert set(ids) == {sha256(text) for text in texts}
    by_age = Content.objects.order_by("pk").values_list("sha256", flat=True)
    assert list(by_age) == sorted(ids)


def test_a_text_that_is_there_is_touched(alice: Tenant, bob: Tenant) -> None:
    ids = contents_upsert(workspace_id=alice.workspace.id, texts=["a"])
    old = timezone.now() - timedelta(days=1)
    Content.objects.update(touched_at=old)
    assert contents_upsert(workspace_id=alice.workspace.id, texts=["a", "b"])[sha256("a")] == ids[sha256("a")]
    assert contents_upsert(workspace_id=bob.workspace.id, texts=["a"]) != ids
    assert not Content.objects.filter(touched_at=old).exists()


def test_nothing_to_do(alice: Tenant) -> None:
    assert contents_upsert(workspace_id=alice.workspace.id, texts=[]) == {}


def test_never_under_the_locks_of_another_transaction(alice: Tenant) -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        contents_upsert(workspace_id=alice.workspace.id, texts=["a"])
