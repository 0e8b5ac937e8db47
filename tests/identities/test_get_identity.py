from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import Made


def test_readers_see_their_workspace_only(made: Made, reader: ApiClient, bobs: ApiClient) -> None:
    identity = made("identities", external_id="ana")
    assert reader.get(f"/v1/identities/{identity['id']}").body == identity
    assert bobs.get(f"/v1/identities/{identity['id']}").status == 404


def test_an_unknown_id_is_not_found(api: ApiClient) -> None:
    answer = api.get("/v1/identities/idn_none")
    assert (answer.status, answer.error["type"], answer.error["param"]) == (404, "not_found_error", "identity_id")
