"""The database's clock. Leases, deadlines and nudges are reckoned by it alone: the clocks of workers differ."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import DateTimeField, FloatField, Func, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.db.models.sql.compiler import SQLCompiler


class NowPlus(Func):
    """The start of the statement plus some seconds (a number or an expression, fractions and negatives too).

    To the microsecond on PostgreSQL, to the millisecond on SQLite, like Django's own `Now()`.
    """

    output_field = DateTimeField()

    def __init__(self, seconds: float | Combinable, **extra: Any) -> None:
        super().__init__(Cast(seconds if isinstance(seconds, Combinable) else Value(seconds), FloatField()), **extra)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        template = "(STATEMENT_TIMESTAMP() + %(expressions)s * INTERVAL '1 second')"
        return _tupled(self.as_sql(compiler, connection, template=template, **context))

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        template = "STRFTIME('%%%%Y-%%%%m-%%%%d %%%%H:%%%%M:%%%%f', 'NOW', PRINTF('%%%%.3f seconds', %(expressions)s))"
        return _tupled(self.as_sql(compiler, connection, template=template, **context))


def _tupled(sql: tuple[str, Any]) -> tuple[str, tuple[Any, ...]]:
    return sql[0], tuple(sql[1])
