"""Request bodies at the border of WSGI, where their length and their end are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import IO, Any, Final

from django.conf import settings

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
CHUNK: Final = 65_536
# A body refused for its size is read away up to this many times the limit; beyond, the connection just ends.
LINGER: Final = 2


class MeasuredBodies:
    """Gives chunked bodies a length, tells a body that was cut short, and lets a client that still sends read its 413.

    Django reads nothing without a content length, so a chunked body (gunicorn marks that it ends by itself) is read
    here, at most one byte beyond the limit. Closing a socket with unread bytes resets the connection, and the client
    would lose the answer: after a 413 the rest of the body is read and dropped.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        source, declared = environ["wsgi.input"], _declared(environ)
        if declared is None:
            _measure(environ)
        elif declared:
            environ["wsgi.input"] = _Whole(source, declared)
        status = _Status(start_response)
        answer = self.application(environ, status)
        return _Lingering(answer, source, declared) if status.code == "413" else answer


class _Whole:
    """A body of a declared length; reading fails where it ends before: gunicorn would pass off a half as the whole."""

    def __init__(self, source: IO[bytes], length: int) -> None:
        self.source = source
        self.left = length

    def read(self, size: int = -1) -> bytes:
        wanted = self._at_most(size)
        piece = self.source.read(wanted)
        return self._counted(piece, cut=len(piece) < wanted)

    def readline(self, size: int = -1) -> bytes:
        wanted = self._at_most(size)
        piece = self.source.readline(wanted)
        return self._counted(piece, cut=wanted > 0 and not piece)

    def _at_most(self, size: int) -> int:
        return self.left if size < 0 else min(size, self.left)

    def _counted(self, piece: bytes, *, cut: bool) -> bytes:
        if cut:
            raise OSError("the body is shorter than its content-length")
        self.left -= len(piece)
        return piece


class _Status:
    """A `start_response` that remembers the status."""

    def __init__(self, start_response: Callable[..., Any]) -> None:
        self.start_response = start_response
        self.code = ""

    def __call__(self, status: str, *args: Any) -> Any:
        self.code = status[:3]
        return self.start_response(status, *args)


class _Lingering:
    """The answer; when the server is done with it, the rest of the request's body is read away."""

    def __init__(self, answer: Iterable[bytes], source: IO[bytes], declared: int | None) -> None:
        self.answer = answer
        self.source = source
        self.left = LINGER * settings.MAX_BODY_BYTES
        if declared is not None:
            self.left = min(declared, self.left)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.answer)

    def close(self) -> None:
        close = getattr(self.answer, "close", None)
        if close is not None:
            close()
        while self.left > 0 and (read := len(self.source.read(min(CHUNK, self.left)))):
            self.left -= read


def _declared(environ: Environ) -> int | None:
    """The body's length; None for a chunked body that ends by itself."""
    if environ.get("HTTP_TRANSFER_ENCODING") and environ.get("wsgi.input_terminated"):
        return None
    text = environ.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0


def _measure(environ: Environ) -> None:
    body = BytesIO()
    left = settings.MAX_BODY_BYTES + 1
    while left > 0 and (chunk := environ["wsgi.input"].read(min(CHUNK, left))):
        left -= body.write(chunk)
    environ["CONTENT_LENGTH"] = str(body.tell())
    environ["wsgi.input"] = body
    body.seek(0)
