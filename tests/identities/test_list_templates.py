from __future__ import annotations

from tests.conftest import ApiClient
from tests.identities.conftest import Made


def test_newest_first_by_status(api: ApiClient, bobs: ApiClient, made: Made) -> None:
    old, gone, new = (made("templates", name=name)["id"] for name in ("old", "gone", "new"))
    api.post(f"/v1/templates/{gone}/archive")

    def listed(**query: str) -> list[str]:
        return [each["id"] for each in api.get("/v1/templates", query).body["data"]]

    assert listed() == [new, gone, old]
    assert listed(status="active") == [new, old]
    assert listed(status="archived") == [gone]
    assert listed(limit="1") == [new]
    assert bobs.get("/v1/templates").body["data"] == []


def test_a_bad_status_is_refused(api: ApiClient) -> None:
    answer = api.get("/v1/templates", {"status": "old"})
    assert (answer.status, answer.error["param"]) == (400, "status")
