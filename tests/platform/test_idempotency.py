"""Idempotency-Key: one row per key, whoever asks how often."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from dreamsvc.idempotency import idempotency_expire, idempotency_forget
from dreamsvc.models import ApiKey, IdempotentRequest
from tests.conftest import Answer, ApiClient, Tenant
from tests.platform.probe import EVERYTHING, ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]
REPLAYED = "idempotent-replayed"


def create(client: ApiClient, name: str = "one", key: str = "k") -> Answer:
    return client.post(ITEMS, {"name": name}, idempotency_key=key)


def test_the_second_answer_is_the_first(alice: Tenant, client: Connect) -> None:
    first, second = (create(client(alice.write)) for _ in range(2))
    assert first.status == second.status == 200
    assert second.raw == first.raw
    assert REPLAYED not in first.headers
    assert second.headers[REPLAYED] == "true"
    assert second.headers["request-id"] != first.headers["request-id"]
    assert ApiKey.objects.filter(name="one").count() == 1


def test_the_answer_is_the_old_one_whatever_became_of_the_row(alice: Tenant, client: Connect) -> None:
    first = create(client(alice.write))
    ApiKey.objects.filter(name="one").delete()
    assert create(client(alice.write)).raw == first.raw
    assert not ApiKey.objects.filter(name="one").exists()


def test_the_order_of_keys_makes_no_other_request(alice: Tenant, client: Connect) -> None:
    for raw in (b'{"name": "one", "scope": "read"}', b'{ "scope":"read","name":"one"}'):
        headers = {"idempotency-key": "k"}
        assert client(alice.write).request("POST", ITEMS, raw=raw, headers=headers).status == 200


def test_another_request_with_the_key_is_a_conflict(alice: Tenant, client: Connect) -> None:
    connected = client(alice.write)
    create(connected)
    for answer in (
        create(connected, name="two"),
        connected.post(ITEMS, {"name": "one", "scope": "read"}, idempotency_key="k"),
        connected.post(ITEMS, {"name": "one"}, {"beta": "true"}, idempotency_key="k"),
    ):
        assert (answer.status, answer.error["type"]) == (409, "conflict_error")
        assert answer.headers["x-should-retry"] == "false"
        assert answer.error["param"] == "idempotency-key"
    assert ApiKey.objects.filter(name__in=["one", "two"]).count() == 1


def test_each_key_has_keys_of_its_own(alice: Tenant, bob: Tenant, client: Connect) -> None:
    assert create(client(alice.write)).status == 200
    assert create(client(alice.admin), name="two").status == 200
    assert create(client(bob.write), name="three").status == 200


@pytest.mark.parametrize("key", ["k", "a" * 255, "with space ~!", "0"])
def test_a_good_key(alice: Tenant, client: Connect, key: str) -> None:
    assert create(client(alice.write), key=key).status == 200
    assert create(client(alice.write), key=key).headers[REPLAYED] == "true"


@pytest.mark.parametrize("key", ["", "a" * 256, "tab\t", "ümlaut", "\x7f"])
def test_a_bad_key(alice: Tenant, client: Connect, key: str) -> None:
    answer = create(client(alice.write), key=key)
    assert (answer.status, answer.error["param"]) == (400, "idempotency-key")
    assert not ApiKey.objects.filter(name="one").exists()


def test_errors_are_not_kept(alice: Tenant, client: Connect) -> None:
    taken = create(client(alice.write), key="first")
    refused = create(client(alice.write), key="second")
    assert (taken.status, refused.status) == (200, 409)
    ApiKey.objects.filter(name="one").delete()
    again = create(client(alice.write), key="second")
    assert again.status == 200
    assert REPLAYED not in again.headers
    invalid = client(alice.write).post(ITEMS, {"name": ""}, idempotency_key="third")
    assert invalid.status == 400
    assert not IdempotentRequest.objects.filter(key="third").exists()


def test_the_row_knows_what_was_made_and_can_be_forgotten(alice: Tenant, client: Connect) -> None:
    made = create(client(alice.write)).body["id"]
    assert IdempotentRequest.objects.get().object_id == made
    idempotency_forget(object_ids=[made])
    assert not IdempotentRequest.objects.exists()


def age(hours: float) -> None:
    IdempotentRequest.objects.update(created_at=timezone.now() - timedelta(hours=hours))


def test_a_key_lives_for_a_day(alice: Tenant, client: Connect) -> None:
    create(client(alice.write))
    age(23.9)
    assert create(client(alice.write)).headers[REPLAYED] == "true"
    age(24.1)
    assert create(client(alice.write), name="two").status == 200
    assert IdempotentRequest.objects.count() == 1


def test_old_rows_are_swept_in_bounded_steps(alice: Tenant, client: Connect) -> None:
    for index in range(5):
        create(client(alice.write), name=str(index), key=str(index))
    age(25)
    create(client(alice.write), name="new", key="new")
    assert [idempotency_expire(limit=3) for _ in range(3)] == [3, 2, 0]
    assert [row.key for row in IdempotentRequest.objects.all()] == ["new"]


def test_where_nothing_is_created_the_key_means_nothing(alice: Tenant, client: Connect) -> None:
    for text in ("a", "b"):
        answer = client(alice.write).post(EVERYTHING, {"text": text}, idempotency_key="k")
        assert answer.body == {"text": text}


# --- Several at once -----------------------------------------------------------------------------------------------
def at_once(count: int, work: Callable[[int], Answer]) -> list[Answer]:
    """`work` in so many threads that start together, each with connections of its own that are closed."""
    barrier = threading.Barrier(count)

    def one(index: int) -> Answer:
        try:
            barrier.wait(10)
            return work(index)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


@pytest.fixture
def tenant(transactional_db: None, request: pytest.FixtureRequest) -> Tenant:
    """Alice, committed: other threads see her."""
    tenant: Tenant = request.getfixturevalue("alice")
    return tenant


@pytest.mark.parametrize("round", range(3))
def test_ten_at_once_make_one(tenant: Tenant, client: Connect, round: int) -> None:
    answers = at_once(10, lambda _: create(client(tenant.write), name=f"round {round}"))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.raw for answer in answers}) == 1
    assert sum(REPLAYED in answer.headers for answer in answers) == 9
    assert ApiKey.objects.filter(name=f"round {round}").count() == 1


def test_ten_at_once_with_different_bodies_make_one(tenant: Tenant, client: Connect) -> None:
    answers = at_once(10, lambda index: create(client(tenant.write), name=f"n{index}"))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 9
    assert ApiKey.objects.filter(name__startswith="n").count() == 1


def test_the_second_waits_for_a_first_that_fails_and_then_does_the_work(tenant: Tenant, client: Connect) -> None:
    key = tenant.keys["write"]
    holding, release = threading.Event(), threading.Event()

    def first(_: int) -> None:
        try:
            with transaction.atomic():
                IdempotentRequest.objects.create(
                    api_key=key, key="k", method="POST", path=ITEMS, body_sha256="", response_status=200
                )
                holding.set()
                assert release.wait(10)
                transaction.set_rollback(True)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        failing = pool.submit(first, 0)
        assert holding.wait(10)
        waiting = pool.submit(at_once, 1, lambda _: create(client(tenant.write)))
        release.set()
        failing.result()
        (answer,) = waiting.result()
    assert answer.status == 200
    assert REPLAYED not in answer.headers


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's writers wait for their turn instead")
def test_who_waits_too_long_is_asked_to_come_again(tenant: Tenant, client: Connect) -> None:
    def impatient(_: int) -> Answer:
        connection.cursor().execute("SET lock_timeout = 50")
        return create(client(tenant.write))

    with transaction.atomic():
        IdempotentRequest.objects.create(
            api_key=tenant.keys["write"], key="k", method="POST", path=ITEMS, body_sha256="", response_status=200
        )
        (answer,) = at_once(1, impatient)
    assert (answer.status, answer.error["type"], answer.headers["retry-after"]) == (503, "overloaded_error", "2")
    assert not ApiKey.objects.filter(name="one").exists()
