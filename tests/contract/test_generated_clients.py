"""Clients that generators make of the OpenAPI document create a store, fill it, dream it and read the journal."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from tests.processes import ROOT, Service

pytestmark = [pytest.mark.xdist_group("contract"), pytest.mark.slow]
DOCUMENT = ROOT / "docs" / "openapi.json"
TYPESCRIPT = Path(__file__).parent / "typescript"
SECONDS = 120.0


def run(*command: str | Path, cwd: Path) -> str:
    """The standard output of a command that ends well."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class PythonClient:
    """The generated package, its operations called by their ids."""

    def __init__(self, package: str, service: Service) -> None:
        self._package = package
        root = importlib.import_module(package)
        self._client = root.AuthenticatedClient(
            base_url=service.url, token=service.key, raise_on_unexpected_status=True, timeout=30
        )

    def call(self, group: str, operation: str, *, body: Any = None, **path: str) -> Any:
        """The parsed answer; `body` goes through the model that the operation takes."""
        sync = importlib.import_module(f"{self._package}.api.{group}.{operation}").sync
        if body is not None:
            body = {"body": get_type_hints(sync)["body"].from_dict(body)}
        return sync(client=self._client, **path, **(body or {}))

    def close(self) -> None:
        self._client.get_httpx_client().close()


@pytest.fixture
def python(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PythonClient]:
    package = f"generated_{tmp_path.name}"
    command = (sys.executable, "-m", "openapi_python_client", "generate", "--path", DOCUMENT, "--meta", "none")
    run(*command, "--output-path", tmp_path / package, cwd=tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    client = PythonClient(package, service)
    yield client
    client.close()


def test_python(python: PythonClient) -> None:
    store = python.call("memory_stores", "create_memory_store", body={"name": "python"})
    for path in ("/a.md", "/b.md"):
        body = {"path": path, "content": "The invoices of March are in the archive.\n"}
        memory = python.call("memory_stores", "create_memory", memory_store_id=store.id, body=body)
        assert (memory.path, memory.type_) == (path, "memory")
    inputs = [{"type": "memory_store", "memory_store_id": store.id}]
    dream = ended(python, python.call("dreams", "create_dream", body={"inputs": inputs}).id)
    assert (dream.status, len(dream.outputs), dream.report.exact_merged) == ("completed", 1, 1), dream.error
    journal = python.call("dreams", "get_dream_journal", dream_id=dream.id)
    (merged,) = (entry for entry in journal.record.entries if entry.section == "merged")
    assert sorted([merged.to, *merged.sources]) == ["/a.md", "/b.md"]
    assert journal.markdown.startswith("#")
    assert python.call("dreams", "get_dream", dream_id="drm_none").error.type_ == "not_found_error"


def ended(python: PythonClient, dream_id: str) -> Any:
    end = time.monotonic() + SECONDS
    while (dream := python.call("dreams", "get_dream", dream_id=dream_id)).status in ("pending", "running"):
        assert time.monotonic() < end, dream
        time.sleep(0.1)
    return dream


@pytest.fixture
def typescript(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A folder with the compiled program in it; needs npm, and in CI it has to be there."""
    if shutil.which("npm") is None:
        with capfd.disabled():
            print("!! npm is not installed: the generated TypeScript client was NOT tested !!", file=sys.stderr)
        assert os.environ.get("CI") != "true", "npm is not installed"
        pytest.skip("npm is not installed")
    install()
    for name in ("package.json", "tsconfig.json", "dream.ts"):
        shutil.copy(TYPESCRIPT / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(TYPESCRIPT / "node_modules")
    run("node_modules/.bin/openapi-typescript", DOCUMENT, "-o", "api.d.ts", cwd=tmp_path)
    run("node_modules/.bin/tsc", "--project", ".", cwd=tmp_path)
    return tmp_path


def install() -> None:
    """Installs what the lock file names, unless that is there already."""
    lock, installed = TYPESCRIPT / "package-lock.json", TYPESCRIPT / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", cwd=TYPESCRIPT)


def test_typescript(typescript: Path, service: Service) -> None:
    printed = json.loads(run("node", "dream.js", service.url, service.key, cwd=typescript))
    assert printed == {
        "status": "completed",
        "outputs": 1,
        "exact_merged": 1,
        "merged": ["/a.md", "/b.md"],
        "markdown": True,
        "missing": "not_found_error",
    }
