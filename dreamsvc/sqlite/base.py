"""Django's SQLite backend with a fair turn for writers.

In WAL mode with IMMEDIATE transactions SQLite polls for its one write lock, and the polling starves: under eight
writing threads some give up though the lock was free often enough. Here the writers of this process queue in the
order they came; SQLite's own time-out then only has other processes to wait for.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from dreamsvc.sqlite.turn import WriteTurn

TURN_SECONDS = 20.0
_turn = WriteTurn()


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes the write turn when a transaction starts and gives it back when that ends, however it ends.

    The overridden methods are private to Django and so missing from its type stubs.
    """

    _holds_turn = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """With deleted rows overwritten: not every build of SQLite does so by itself, and a redaction relies on it."""
        made = super().get_new_connection(conn_params)
        made.execute("PRAGMA secure_delete = ON")
        return made

    def _start_transaction_under_autocommit(self) -> None:
        if not _turn.take(TURN_SECONDS):
            raise OperationalError("database is locked: no write turn in time")
        self._holds_turn = True
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._give_back()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._give_back()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_back()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_back()

    def _give_back(self) -> None:
        if self._holds_turn:
            self._holds_turn = False
            _turn.give_back()
