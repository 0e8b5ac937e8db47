"""`manage.py up`: the whole service in one process, with its files under `DREAMSVC_VAR`."""

from __future__ import annotations

import fcntl
import os
import signal
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from dreamsvc.models import ApiKey
from dreamsvc.serving import web_server
from workers import handover
from workers.embedded import Embedded, start_anew
from workers.sweep import dreams_nudge

CTRL_C = 130
NO_KEY = "No API key yet. Make one:  python manage.py create_key --workspace home --scope admin"


class Command(BaseCommand):
    """Migrates, then serves and dreams until Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once."""

    help = "Run web, worker and sweep in one process, on SQLite under DREAMSVC_VAR unless DATABASE_URL says otherwise."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=_port, default=8000, help="0 picks a free one")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        self._lock = _lock(settings.VAR / "up.lock")
        call_command("migrate", verbosity=0, interactive=False)
        server = _server(host, port)
        if _ours_alone():
            start_anew()
        embedded = Embedded()
        embedded.start()
        dreams_nudge()
        self._greet(host, port)
        _stop_on_signals()
        with suppress(SystemExit):  # raised by a signal; the server returns on it, but it may come before that
            server.run()
        embedded.stop()
        self.stdout.write("Stopped.")
        self.stdout.flush()
        os._exit(0)  # a plain exit would wait for the threads of hung dreams

    def _greet(self, host: str, port: int) -> None:
        self.stdout.write(f"dreamsvc is at http://{host}:{port}, its files in {settings.VAR}. Ctrl-C stops it.")
        if not ApiKey.objects.exists():
            self.stdout.write(NO_KEY)
        self.stdout.flush()
        connection.close()


def _port(text: str) -> int:
    # The resolver takes 99999 for 34463.
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 16):
        raise ArgumentTypeError(f"{text!r} is no port: 0 to 65535")
    return int(text)


def _lock(file: Path) -> IO[str]:
    """Holds the folder for this process: the lock goes with it, however it ends."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = file.open("a")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CommandError(
            f"another `up` is running in {file.parent}; stop it, or give this one a folder of its own by DREAMSVC_VAR"
        ) from error
    except OSError as error:
        raise CommandError(f"cannot write to {file.parent} (DREAMSVC_VAR): {error.strerror}") from error
    return handle


def _server(host: str, port: int) -> Any:
    try:
        return web_server(host=host, port=port)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot listen on {host}:{port}: {error}; try another --port") from error


def _ours_alone() -> bool:
    """Whether holding the lock proves that nobody else runs dreams of this database."""
    name = settings.DATABASES["default"]["NAME"]
    return connection.vendor == "sqlite" and settings.EMBEDDED_BROKER and Path(name).parent == settings.VAR


def _stop_on_signals() -> None:
    def stop(number: int, frame: object) -> None:
        handover.begin()
        signal.signal(signal.SIGINT, _at_once)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(0)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


def _at_once(number: int, frame: object) -> None:
    with suppress(OSError):
        os.write(2, b"Killed.\n")
    os._exit(CTRL_C)
