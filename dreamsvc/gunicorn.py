"""gunicorn's configuration: `gunicorn -c python:dreamsvc.gunicorn dreamsvc.wsgi`."""

from __future__ import annotations

import socket
from http import HTTPStatus

from gunicorn import util

from dreamsvc.serving import refusal

worker_class = "gthread"
threads = 8
timeout = 60
graceful_timeout = 30
# Metadata filters and cursors make long URLs.
limit_request_line = 8190


def _write_error(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:
    """What gunicorn refuses before it asks us (a broken header, an endless URL), in the shape of the wire.

    gunicorn would send HTML and has no setting for it.
    """
    request_id, text = refusal(status_int, mesg or reason)
    head = (
        f"HTTP/1.1 {status_int} {HTTPStatus(status_int).phrase}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/json\r\n"
        f"Content-Length: {len(text)}\r\n"
        f"request-id: {request_id}\r\nx-request-id: {request_id}\r\n\r\n"
    )
    util.write_nonblock(sock, head.encode("latin-1") + text)


util.write_error = _write_error
