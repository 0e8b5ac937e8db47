"""Rows whose columns change while the object is in use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models


def row_update(row: models.Model, values: Mapping[str, Any]) -> None:
    """Writes these columns, and no others, in one UPDATE; the object says the same afterwards."""
    type(row)._default_manager.filter(pk=row.pk).update(**values)
    for name, value in values.items():
        setattr(row, name, value)
