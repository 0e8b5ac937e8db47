"""Settings: what they make (the folder, its secret), and what they refuse."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def secret_key(folder: Path, **environment: str) -> str:
    """SECRET_KEY as a new process sees it."""
    done = subprocess.run(
        [sys.executable, "-c", "from django.conf import settings; print(settings.SECRET_KEY)"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "dreamsvc.settings", "DREAMSVC_VAR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_processes_that_start_at_once_share_one_secret(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "var"
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: secret_key(folder), range(4)))
    (key,) = keys
    assert len(key) >= 64
    assert [file.name for file in folder.iterdir()] == ["secret_key"]
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert secret_key(folder) == key


def test_the_environments_secret_wins(tmp_path: Path) -> None:
    assert secret_key(tmp_path / "var", SECRET_KEY="mine") == "mine"
    assert not (tmp_path / "var" / "secret_key").exists()
    assert (tmp_path / "var").is_dir()


def check(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "foo"),
        ("DATABASE_URL", "mysql://a:secret@b/c"),
        ("DATABASE_URL", "postgres://u:secret@h:port/x"),
        ("DREAM_MAX_LIVE", "abc"),
        ("DREAM_MAX_LIVE", "4  # per workspace"),
        ("DREAM_DEADLINE_SECONDS", "30 minutes"),
        ("DREAM_LEASE_SECONDS", "1,000"),
        ("DREAM_LEASE_SECONDS", "nan"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
        ("DEBUG", "perhaps"),
    ],
)
def test_what_is_no_value_ends_the_start_by_name(name: str, value: str) -> None:
    done = check(**{name: value})
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"{name} must be .*\. See \.env\.example\.\n", done.stderr)
    assert "secret" not in done.stderr


def test_empty_is_as_good_as_absent_and_blanks_do_not_count(tmp_path: Path) -> None:
    empty = dict.fromkeys(("DATABASE_URL", "DREAM_MAX_LOST", "LOG_FORMAT", "DEBUG", "ALLOWED_HOSTS"), "")
    assert check(**empty, DREAMSVC_VAR=str(tmp_path), LOG_LEVEL=" info ").returncode == 0


def test_every_line_of_the_example_can_be_taken_as_it_stands(tmp_path: Path) -> None:
    lines = re.findall(r"^# ([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert len(lines) > 25
    assert not [name for name, value in lines if "#" in value or value != value.strip()]
    done = check(**{**dict(lines), "DREAMSVC_VAR": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")
