"""The embedded service as a process of its own, for as long as the demonstration takes."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
from django.conf import settings

START_SECONDS = 60.0
STOP_SECONDS = 20.0


class ServiceFailed(Exception):
    """The service ended or did not answer in time; the message holds what it printed."""


@contextmanager
def running() -> Iterator[str]:
    """Starts `manage.py up` on a free port and yields its base URL; stops it as Ctrl-C would."""
    port = _free_port()
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up", "--host", "127.0.0.1", "--port", str(port)]
    log = settings.VAR / "demo.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)  # noqa: S603 - our own command
        try:
            url = f"http://127.0.0.1:{port}"
            if not _ready(process, url):
                raise ServiceFailed(log.read_text()[-2000:] or "the service did not start")
            yield url
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _ready(process: subprocess.Popen[bytes], url: str) -> bool:
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            if httpx2.get(f"{url}/readyz", timeout=5).status_code == httpx2.codes.OK:
                return True
        except httpx2.TransportError:
            pass  # not listening yet
        time.sleep(0.1)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
