"""First sessions of a pair that begin at once, on whatever database the tests run on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from identities.models import Mount, Session
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.identities.conftest import PairIds

THREADS = 4


@pytest.mark.django_db(transaction=True)
def test_make_one_default_memory(alice: Tenant, pair: PairIds) -> None:
    together = Barrier(THREADS)

    def begin(_: int) -> int:
        try:
            together.wait(30)
            return ApiClient(alice.write).post("/v1/sessions", pair.key).status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(begin, range(THREADS))) == [200] * THREADS
    assert Session.objects.count() == THREADS
    assert [mount.store_id for mount in Mount.objects.all()] == [store.id for store in MemoryStore.objects.all()]
    assert Mount.objects.count() == 1
