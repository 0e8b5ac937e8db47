"""SQLite's write-ahead log."""

from __future__ import annotations

from django.db import connection


def log_empty() -> None:
    """Moves the log into the database and cuts it to nothing: pages stand in it as they were before later writes.

    Outside of transactions only. Does nothing on other databases, nor when somebody reads for longer than SQLite waits.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
