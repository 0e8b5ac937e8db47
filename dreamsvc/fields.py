"""Model fields that the apps share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from dreamsvc.ids import ID_LENGTH

_Set = TypeVar("_Set", contravariant=True)
_Get = TypeVar("_Get", covariant=True)

if TYPE_CHECKING:

    class _CharField(models.CharField[_Set, _Get]):
        """Generic for the type checker only: at run time Django's fields take no type arguments."""

else:

    class _CharField(models.CharField):
        def __class_getitem__(cls, _: Any) -> type:
            return cls


class ByteOrderCharField(_CharField[_Set, _Get]):
    """Text that sorts and compares by its UTF-8 bytes on every database.

    SQLite does so by default; PostgreSQL needs its `C` collation, which SQLite does not know.
    """

    def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, Any]:
        parameters: dict[str, Any] = dict(super().db_parameters(connection))
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters


class IdReference(ByteOrderCharField[_Set, _Get]):
    """Another row's public id without a foreign key: deleting that row neither cascades here nor locks this row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", ID_LENGTH)
        super().__init__(*args, **kwargs)
