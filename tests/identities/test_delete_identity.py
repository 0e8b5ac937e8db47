from __future__ import annotations

from identities.models import Mount, MountChange
from memorystores.models import MemoryStore
from tests.conftest import ApiClient
from tests.identities.conftest import Made, PairIds


def test_mounts_go_and_stores_and_sessions_stay(api: ApiClient, made: Made, pair: PairIds) -> None:
    session = made("sessions", **pair.key, initial_events=[{"type": "user.message", "content": "hi"}])
    store_id = Mount.objects.get().store_id
    answer = api.delete(f"/v1/identities/{pair.identity_id}")
    assert (answer.status, answer.body) == (200, {"id": pair.identity_id, "deleted": True})
    assert api.get(f"/v1/identities/{pair.identity_id}").status == 404
    assert not Mount.objects.exists()
    assert not MountChange.objects.exists()
    assert MemoryStore.objects.filter(id=store_id, archived_at=None, deleted_at=None).exists()
    assert api.get(f"/v1/sessions/{session['id']}").body == session, "it still says whose it was"
    assert len(api.get(f"/v1/sessions/{session['id']}/events").body["data"]) == 1


def test_its_external_id_is_free_again(api: ApiClient, made: Made) -> None:
    ana = made("identities", external_id="ana")
    api.delete(f"/v1/identities/{ana['id']}")
    assert made("identities", external_id="ana")["id"] != ana["id"]
    assert api.delete(f"/v1/identities/{ana['id']}").status == 404


def test_only_writers_of_the_workspace(pair: PairIds, bobs: ApiClient, reader: ApiClient) -> None:
    assert bobs.delete(f"/v1/identities/{pair.identity_id}").status == 404
    assert reader.delete(f"/v1/identities/{pair.identity_id}").status == 403
