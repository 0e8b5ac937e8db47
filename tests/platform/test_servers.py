"""What only a real web server shows: lengths, chunks, and what it refuses before it asks us."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.platform.probe import EVERYTHING

# One worker of a parallel run starts each server once.
pytestmark = pytest.mark.xdist_group("servers")
LIMIT = 32 * 1024 * 1024
PIECE = b" " * 65_536
READY_SECONDS = 30
COMMANDS = {
    "waitress": [sys.executable, "-m", "tests.platform.served", "{port}"],
    "gunicorn": [
        *[sys.executable, "-m", "gunicorn", "-c", "python:dreamsvc.gunicorn", "tests.platform.served"],
        *["--bind", "127.0.0.1:{port}", "--workers", "1", "--threads", "4"],
    ],
}


@dataclass(frozen=True)
class Server:
    port: int
    key: str

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def raw(self, request: bytes) -> tuple[int, dict[str, str], Any]:
        """Sends these very bytes; the status, headers and body of what comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as sock:
            sock.sendall(request)
            response = http.client.HTTPResponse(sock)
            response.begin()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, json.loads(response.read())


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables of a service of its own: a folder with a migrated SQLite file, and a key in `KEY`."""
    environment = {**os.environ, "DREAMSVC_VAR": str(tmp_path_factory.mktemp("var")), "LOG_LEVEL": "WARNING"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    manage = [sys.executable, str(Path(__file__).parents[2] / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    made = subprocess.run([*manage, "create_key"], env=environment, check=True, capture_output=True, text=True)
    return {**environment, "KEY": made.stdout.strip()}


@pytest.fixture(scope="module", params=COMMANDS)
def server(request: pytest.FixtureRequest, environment: dict[str, str]) -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [part.format(port=port) for part in COMMANDS[request.param]]
    process = subprocess.Popen(command, env=environment, cwd=Path(__file__).parents[2])
    try:
        _wait_until_ready(port, process)
        yield Server(port, environment["KEY"])
    finally:
        process.terminate()
        process.wait(30)


def _wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended at once"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server does not listen")


def post(server: Server, body: Any, **headers: str) -> tuple[int, dict[str, str], Any]:
    """An iterable body is sent in chunks, bytes with their length."""
    connection = server.connection()
    try:
        connection.request(
            "POST",
            EVERYTHING,
            body,
            {"x-api-key": server.key, "content-type": "application/json", **headers},
            encode_chunked=not isinstance(body, bytes),
        )
        response = connection.getresponse()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, json.loads(response.read())
    finally:
        connection.close()


def assert_refused(answer: tuple[int, dict[str, str], Any], status: int, type: str) -> None:
    assert answer[0] == status
    assert answer[1]["content-type"] == "application/json"
    assert answer[2]["error"]["type"] == type
    assert answer[2]["request_id"] == answer[1]["request-id"] == answer[1]["x-request-id"]


def test_a_body_with_a_length(server: Server) -> None:
    assert post(server, b'{"text": "a"}')[::2] == (200, {"text": "a"})


def test_a_body_in_chunks(server: Server) -> None:
    pieces = (bytes([byte]) for byte in b'{"text": "a"}')
    assert post(server, pieces, **{"transfer-encoding": "chunked"})[::2] == (200, {"text": "a"})


def test_a_bad_body_in_chunks(server: Server) -> None:
    assert_refused(post(server, iter([b"{", b"'"])), 400, "invalid_request_error")


def test_no_body_in_chunks(server: Server) -> None:
    assert post(server, iter([]))[::2] == (200, {})


def test_the_largest_good_body(server: Server) -> None:
    body = b'{"text": "a"}'
    assert post(server, body + b" " * (LIMIT - len(body)))[::2] == (200, {"text": "a"})


def test_33_mb_with_a_length(server: Server) -> None:
    assert_refused(post(server, b" " * (33 * 1024 * 1024)), 413, "request_too_large")


def test_33_mb_in_chunks(server: Server) -> None:
    assert_refused(post(server, (PIECE for _ in range(528))), 413, "request_too_large")


def test_one_byte_too_many_in_chunks(server: Server) -> None:
    pieces = [PIECE] * (LIMIT // len(PIECE)) + [b" "]
    assert_refused(post(server, iter(pieces)), 413, "request_too_large")


def test_a_huge_length_is_refused_before_anything_is_read(server: Server) -> None:
    request = f"POST {EVERYTHING} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {10**12}\r\n\r\n"
    assert_refused(server.raw(request.encode()), 413, "request_too_large")


def test_a_body_cut_short_is_no_body(server: Server) -> None:
    head = f"POST {EVERYTHING} HTTP/1.1\r\nHost: localhost\r\nx-api-key: {server.key}\r\nContent-Length: 90\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as sock:
        sock.sendall(f'{head}Content-Type: application/json\r\n\r\n{{"text": "a"}}'.encode())
        sock.shutdown(socket.SHUT_WR)
        answer = sock.makefile("rb").read()
    assert not answer or answer.startswith(b"HTTP/1.1 400 ")


def test_the_server_goes_on_after_refusals(server: Server) -> None:
    connection = server.connection()
    for _ in range(3):
        connection.request("POST", EVERYTHING, b"{", {"x-api-key": server.key, "content-type": "application/json"})
        response = connection.getresponse()
        assert response.status == 400
        response.read()
    connection.close()


@pytest.mark.parametrize(
    "request_text",
    [
        "GET /v1/\N{SNOWMAN} HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/dreams HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
        "POST /v1/dreams HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /v1/dreams HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST /v1/everything HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n\r\n",
        "GET /v1/dreams?" + "a" * 300_000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/dreams HTTP/1.1\r\nHost: localhost\r\nX: " + "a" * 300_000 + "\r\n\r\n",
        "GET /v1/dreams HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=lambda text: text[:60],
)
def test_what_the_server_refuses_is_json_too(server: Server, request_text: str) -> None:
    status, headers, body = server.raw(request_text.encode())
    assert 400 <= status < 600
    assert headers["content-type"] == "application/json"
    assert body["type"] == "error"
    assert body["request_id"] == headers["request-id"]
