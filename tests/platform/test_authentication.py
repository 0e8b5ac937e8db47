"""Keys: how they are sent, what they may do, and what they must not tell."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from django.utils import timezone

from dreamsvc.keys import SECRET_BYTES, api_key_create, api_key_find
from dreamsvc.models import ApiKey, Scope, Workspace
from tests.conftest import ApiClient, Tenant
from tests.platform.probe import ITEMS

pytestmark = pytest.mark.urls("tests.platform.probe")
Connect = Callable[..., ApiClient]


def test_either_header_will_do(alice: Tenant, client: Connect) -> None:
    assert client(None).get(ITEMS, authorization=f"Bearer {alice.read}").status == 200
    assert client(None).get(ITEMS, authorization=f"bearer  {alice.read} ").status == 200
    assert client(None).get(ITEMS, x_api_key=alice.read).status == 200


def test_both_headers_must_name_one_key(alice: Tenant, bob: Tenant, client: Connect) -> None:
    assert client(alice.read).get(ITEMS, authorization=f"Bearer {alice.read}").status == 200
    assert client(alice.read).get(ITEMS, authorization=f"Bearer {bob.read}").status == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": "Basic YWxpY2U6c2VjcmV0"},
        {"x_api_key": "dsk_"},
        {"x_api_key": "dsk_" + "a" * 32},
        {"x_api_key": "dsk_" + "ü" * 32},
        {"x_api_key": "a" * 100_000},
        {"authorization": "Bearer dsk_\N{SNOWMAN}".encode().decode("latin-1")},
    ],
)
def test_without_a_good_key_nothing(alice: Tenant, client: Connect, headers: dict[str, str]) -> None:
    answer = client(None, **headers).get(ITEMS)
    assert (answer.status, answer.error["type"]) == (401, "authentication_error")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_in_the_wrong_case_is_another_key(alice: Tenant, client: Connect) -> None:
    assert client(alice.read.swapcase().replace("DSK_", "dsk_")).get(ITEMS).status == 401


def test_a_revoked_key_is_dead(alice: Tenant, client: Connect) -> None:
    ApiKey.objects.filter(id=alice.keys["read"].id).update(revoked_at=timezone.now())
    assert client(alice.read).get(ITEMS).status == 401
    assert client(alice.write).get(ITEMS).status == 200


@pytest.mark.parametrize(
    ("scope", "method", "status"),
    [
        ("read", "GET", 200),
        ("read", "HEAD", 200),
        ("read", "POST", 403),
        ("write", "GET", 200),
        ("write", "POST", 200),
        ("admin", "POST", 200),
    ],
)
def test_each_scope_includes_the_ones_before(
    alice: Tenant, client: Connect, scope: str, method: str, status: int
) -> None:
    answer = client(getattr(alice, scope)).request(method, ITEMS, body={"name": "new"} if method == "POST" else None)
    assert answer.status == status


def test_a_view_may_ask_for_more(alice: Tenant, client: Connect) -> None:
    path = f"{ITEMS}/{alice.keys['read'].id}"
    answer = client(alice.write).delete(path)
    assert (answer.status, answer.error["type"]) == (403, "permission_error")
    assert client(alice.admin).delete(path).status == 200


def test_a_method_that_is_not_there_is_405_for_every_scope(charlie: str, client: Connect) -> None:
    assert client(charlie).request("PUT", ITEMS, body={}).status == 405


@pytest.mark.parametrize("header", ["anthropic-workspace-id", "qoder-workspace-id"])
def test_naming_another_workspace_is_refused(alice: Tenant, bob: Tenant, client: Connect, header: str) -> None:
    for own in (alice.workspace.id, ""):
        assert client(alice.read, **{header: own}).get(ITEMS).status == 200
    answer = client(alice.read, **{header: bob.workspace.id}).get(ITEMS)
    assert (answer.status, answer.error["type"]) == (403, "permission_error")


def test_version_and_beta_headers_are_ignored(alice: Tenant, client: Connect) -> None:
    headers = {"anthropic-version": "1999-01-01", "anthropic-beta": "none-such", "openai-beta": "x"}
    assert client(alice.read, **headers).get(ITEMS).status == 200


def test_only_a_digest_is_stored(db: None) -> None:
    key, secret = api_key_create(workspace_name="w", scope=Scope.READ, name="for a test")
    row = ApiKey.objects.values().get(id=key.id)
    assert row["digest"] == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(row)
    assert secret.startswith(row["prefix"])
    assert key.id.startswith("apikey_")
    assert SECRET_BYTES * 8 >= 160


def test_keys_of_one_name_share_a_workspace(db: None) -> None:
    one, _ = api_key_create(workspace_name="shared", scope="read")
    two, secret = api_key_create(workspace_name="shared", scope="admin")
    assert one.workspace_id == two.workspace_id
    assert Workspace.objects.filter(name="shared").count() == 1
    assert api_key_find(secret) == two


def test_an_unknown_scope_makes_nothing(db: None) -> None:
    with pytest.raises(ValueError, match="not a valid Scope"):
        api_key_create(workspace_name="w", scope="root")
    assert not Workspace.objects.filter(name="w").exists()
