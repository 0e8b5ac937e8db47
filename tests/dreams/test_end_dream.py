"""POST /v1/dreams/{id}/cancel and /archive."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from dreams.clock import NowPlus
from dreams.models import Dream
from dreams.status import Status
from memorystores.models import MemoryStore
from tests.conftest import ApiClient, Tenant
from tests.dreams.conftest import MakeClient, of_store


@pytest.fixture
def dream_id(api: ApiClient, store: MemoryStore) -> str:
    made: str = api.post("/v1/dreams", of_store(store)).body["id"]
    return made


def move(dream_id: str, status: Status) -> None:
    columns = {"status": status, "ended_at": Now(), "error_type": "timeout" if status == Status.FAILED else None}
    if status == Status.RUNNING:
        columns = {"status": status, "attempt": 1, "lease_until": NowPlus(30)}
    Dream.objects.filter(id=dream_id).update(**columns)


@pytest.mark.parametrize("status", [Status.PENDING, Status.RUNNING])
def test_cancel(api: ApiClient, dream_id: str, status: Status) -> None:
    if status == Status.RUNNING:
        move(dream_id, status)
    first = api.post(f"/v1/dreams/{dream_id}/cancel").body
    assert (first["status"], first["outputs"]) == ("canceled", [])
    assert first["ended_at"] is not None
    assert api.post(f"/v1/dreams/{dream_id}/cancel").body == first


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.FAILED])
def test_cancel_of_an_ended_dream(api: ApiClient, dream_id: str, status: Status) -> None:
    move(dream_id, status)
    before = api.get(f"/v1/dreams/{dream_id}").body
    answer = api.post(f"/v1/dreams/{dream_id}/cancel")
    assert (answer.status, answer.error["type"]) == (400, "invalid_request_error")
    assert api.get(f"/v1/dreams/{dream_id}").body == before


@pytest.mark.parametrize("status", [Status.COMPLETED, Status.FAILED, Status.CANCELED])
def test_archive(api: ApiClient, dream_id: str, status: Status) -> None:
    move(dream_id, status)
    first = api.post(f"/v1/dreams/{dream_id}/archive").body
    assert first["archived_at"] is not None
    assert api.post(f"/v1/dreams/{dream_id}/archive").body == first
    assert first["status"] == status


@pytest.mark.parametrize("status", [Status.PENDING, Status.RUNNING])
def test_archive_of_a_live_dream(api: ApiClient, dream_id: str, status: Status) -> None:
    if status == Status.RUNNING:
        move(dream_id, status)
    assert api.post(f"/v1/dreams/{dream_id}/archive").status == 400
    assert api.get(f"/v1/dreams/{dream_id}").body["archived_at"] is None


@pytest.mark.parametrize("action", ["cancel", "archive", "rollback"])
def test_actions_take_no_body(api: ApiClient, dream_id: str, action: str) -> None:
    path = f"/v1/dreams/{dream_id}/{action}"
    assert api.post(path, {"force": True}).status == 400
    assert api.request("POST", path, raw=b"", content_type="application/json").status in (200, 400)
    assert api.get(f"/v1/dreams/{dream_id}/{action}").status == 405


@pytest.mark.parametrize("action", ["cancel", "archive", "rollback"])
def test_actions_on_what_is_not_there(
    api: ApiClient, client: MakeClient, bob: Tenant, charlie: str, dream_id: str, action: str
) -> None:
    assert api.post(f"/v1/dreams/drm_0/{action}").status == 404
    assert client(bob.admin).post(f"/v1/dreams/{dream_id}/{action}").status == 404
    assert client(charlie).post(f"/v1/dreams/{dream_id}/{action}").status == 403
