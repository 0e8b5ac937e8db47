"""The web server of embedded mode."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask

from dreamsvc import errors
from dreamsvc.exception_handler import body
from dreamsvc.ids import REQUEST, new_id
from dreamsvc.wsgi import application

# Waitress takes a body in before it asks us, and cuts the connection beyond its own limit: up to this many times our
# limit the client gets a proper 413.
TAKEN_IN = 4


class JsonErrorTask(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """What waitress itself refuses (a broken header, a far too large body) in the shape of the wire."""

    def execute(self) -> None:
        error = self.request.error
        request_id, text = refusal(error.code, error.reason)
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [
            ("Content-Type", "application/json"),
            ("request-id", request_id),
            ("x-request-id", request_id),
        ]
        self.set_close_on_finish()
        self.content_length = len(text)
        self.write(text)


class JsonErrorChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    error_task_class = JsonErrorTask


def web_server(*, host: str, port: int, threads: int = 8) -> Any:
    """A waitress server that already listens; `run()` it in the main thread. Port 0 picks a free one."""
    sockets: dict[int, Any] = {}
    server = create_server(
        application,
        map=sockets,
        host=host,
        port=port,
        threads=threads,
        ident=None,
        max_request_body_size=TAKEN_IN * settings.MAX_BODY_BYTES,
    )
    for listener in sockets.values():
        if isinstance(listener, BaseWSGIServer):
            listener.channel_class = JsonErrorChannel
    return server


def refusal(status: int, reason: str) -> tuple[str, bytes]:
    """A request id and the body of the answer for a request that a web server refuses before it asks us."""
    request_id = new_id(REQUEST)
    return request_id, json.dumps(body(_as_error(status, reason), request_id=request_id)).encode()


def _as_error(status: int, reason: str) -> errors.ServiceError:
    if status >= 500:
        return errors.ServiceError("an internal error")
    kind = errors.RequestTooLarge if status == errors.RequestTooLarge.status else errors.InvalidRequest
    return kind(f"the request was refused: {reason}")
