"""`manage.py demo --from DIR`: any folder a person may have, which is only read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamsvc.demo.folder import read

ROOT = Path(__file__).parents[2]
FACT = "The lease of the harbour office ends in May of next year.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two notes that say the same, and names that trip programs."""
    root = tmp_path / "notes"
    root.mkdir()
    for name in ("a.md", "b.md", "cafe\u0301.md", "[draft] office.md", "bell\x07.md"):
        (root / name).write_text(FACT if len(name) == 4 else f"A note in a file called {len(name)}.\n")
    deep = root.joinpath(*["d"] * 21)
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("Far down.\n")
    (root / "c[").mkdir()
    (root / "c[" / "d].md").write_bytes(b"\xff\xfe no text")
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_text("A name of other bytes.\n")
    return root


def test_a_folder_is_read_with_the_names_that_the_api_takes(folder: Path) -> None:
    found = read(folder)
    paths = {note.path for note in found.notes}
    assert {"a.md", "b.md", "caf\u00e9.md", "[draft] office.md", "\ufffd.md"} <= paths
    assert found.skipped == (("c[/d].md", "no UTF-8 text"),)


def test_no_name_ends_the_demonstration(folder: Path, tmp_path: Path) -> None:
    alone = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    done = subprocess.run(
        [sys.executable, "manage.py", "demo", "--from", str(folder)],
        cwd=ROOT,
        env={**alone, "DREAMSVC_VAR": str(tmp_path / "var"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "left out c[/d].md: no UTF-8 text" in done.stdout
    assert "deep.md: path: " in done.stdout
    assert "bell" in done.stdout.partition("Dream of")[0]
    assert "The default memory moved" in done.stdout
    assert "/a.md" in done.stdout.partition("Diff")[2]
