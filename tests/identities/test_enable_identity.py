from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import PairIds


def test_disabled_and_enabled_again(api: ApiClient, pair: PairIds) -> None:
    url = f"/v1/identities/{pair.identity_id}"
    off = api.post(f"{url}/disable")
    assert (off.status, off.body["enabled"]) == (200, False)
    assert api.post(f"{url}/disable", {}).body == off.body, "again: unchanged, updated_at too"
    assert api.post(f"{url}/enable").body["enabled"] is True


def test_nothing_new_begins_for_a_disabled_identity(api: ApiClient, pair: PairIds) -> None:
    api.post(f"/v1/identities/{pair.identity_id}/disable")
    answer = api.post("/v1/sessions", pair.key)
    assert (answer.status, answer.error["param"]) == (400, "identity_id")
    assert api.get(f"{pair.url}/memory_stores").body["data"] == []
    api.post(f"/v1/identities/{pair.identity_id}/enable")
    assert api.post("/v1/sessions", pair.key).status == 200


def test_takes_no_body(api: ApiClient, pair: PairIds) -> None:
    assert api.post(f"/v1/identities/{pair.identity_id}/disable", {"enabled": True}).status == 400


def test_only_writers_of_the_workspace(pair: PairIds, bobs: ApiClient, reader: ApiClient) -> None:
    for verb in ("enable", "disable"):
        assert bobs.post(f"/v1/identities/{pair.identity_id}/{verb}").status == 404
        assert reader.post(f"/v1/identities/{pair.identity_id}/{verb}").status == 403
