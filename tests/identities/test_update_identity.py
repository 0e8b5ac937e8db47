from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import Made


def test_changes_only_what_is_given(api: ApiClient, made: Made) -> None:
    before = made("identities", external_id="ana", name="Ana", metadata={"a": "1", "b": "2"})
    answer = api.post(f"/v1/identities/{before['id']}", {"name": "Anna", "metadata": {"a": None, "c": "3"}})
    assert answer.status == 200
    assert answer.body["updated_at"] > before["updated_at"]
    expected = {"name": "Anna", "metadata": {"b": "2", "c": "3"}, "updated_at": answer.body["updated_at"]}
    assert answer.body == before | expected
    assert api.get(f"/v1/identities/{before['id']}").body == answer.body


def test_what_is_so_already_stays(api: ApiClient, made: Made) -> None:
    before = made("identities", external_id="ana", name="Ana")
    for body in ({}, {"name": "Ana"}, {"external_id": "ana", "enabled": True}, {"metadata": {"gone": None}}):
        assert api.post(f"/v1/identities/{before['id']}", body).body == before


def test_a_taken_external_id_is_a_conflict(api: ApiClient, made: Made) -> None:
    made("identities", external_id="ana")
    bo = made("identities", external_id="bo")
    answer = api.post(f"/v1/identities/{bo['id']}", {"external_id": "ana"})
    assert (answer.status, answer.error["param"]) == (409, "external_id")
    assert api.get(f"/v1/identities/{bo['id']}").body == bo


def test_metadata_stays_within_its_limit(api: ApiClient, made: Made) -> None:
    ana = made("identities", external_id="ana", metadata={f"k{n}": "v" for n in range(16)})
    assert api.post(f"/v1/identities/{ana['id']}", {"metadata": {"one": "more"}}).status == 400
    swapped = api.post(f"/v1/identities/{ana['id']}", {"metadata": {"one": "more", "k0": None}})
    assert (swapped.status, len(swapped.body["metadata"])) == (200, 16)


def test_only_writers_of_the_workspace(made: Made, bobs: ApiClient, reader: ApiClient) -> None:
    ana = made("identities", external_id="ana")
    assert bobs.post(f"/v1/identities/{ana['id']}", {"name": "x"}).status == 404
    assert reader.post(f"/v1/identities/{ana['id']}", {"name": "x"}).status == 403
