"""Settings that make something: the folder, its secret."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
