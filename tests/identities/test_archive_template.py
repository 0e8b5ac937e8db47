from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import PairIds


def test_archived_once(api: ApiClient, pair: PairIds) -> None:
    url = f"/v1/templates/{pair.template_id}"
    answer = api.post(f"{url}/archive")
    assert (answer.status, answer.body["status"]) == (200, "archived")
    assert answer.body["archived_at"] is not None
    assert api.post(f"{url}/archive").body == answer.body == api.get(url).body


def test_nothing_new_begins_with_it(api: ApiClient, pair: PairIds) -> None:
    before = api.post("/v1/sessions", pair.key)
    api.post(f"/v1/templates/{pair.template_id}/archive")
    answer = api.post("/v1/sessions", pair.key)
    assert (answer.status, answer.error["param"]) == (400, "template_id")
    assert api.get(f"{pair.url}/default_memory").status == 200, "what there is stays"
    assert api.get(f"/v1/sessions/{before.body['id']}").status == 200


def test_only_writers_of_the_workspace(pair: PairIds, bobs: ApiClient, reader: ApiClient) -> None:
    assert bobs.post(f"/v1/templates/{pair.template_id}/archive").status == 404
    assert reader.post(f"/v1/templates/{pair.template_id}/archive").status == 403
