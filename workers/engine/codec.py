"""The engine's frozen values as JSON and back: dataclasses, tuples, sets, mappings and times, by their annotations.

What is encoded is shown as it is (plans, journals, reports), so times have the form of the API: UTC, six digits, Z.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Json = Any
"""Whatever `json.dumps` takes."""


def encode(value: object) -> Json:
    """JSON of a value; a set becomes a sorted list, so equal values give equal JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: encode(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted(encode(item) for item in value)
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): encode(value[key]) for key in sorted(value)}
    return _printed(value) if isinstance(value, datetime) else value


def _printed(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def decode(kind: type[T], data: Json) -> T:
    """The value of type `kind` that `encode` turned into `data`. Raises ValueError where the data has another shape."""
    try:
        value: T = _decode(kind, data)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a {kind.__name__}") from error
    return value


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _decode(kind: Any, data: Json) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _decode(next(a for a in get_args(kind) if a is not type(None)), data)
    if origin is tuple:
        return _tuple(get_args(kind), data)
    if origin is frozenset:
        return frozenset(_decode(get_args(kind)[0], item) for item in data)
    if origin is not None and origin is not Literal and issubclass(origin, Mapping):
        return {key: _decode(get_args(kind)[1], item) for key, item in data.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{name: _decode(_hints(kind)[name], item) for name, item in data.items()})
    return datetime.fromisoformat(data) if kind is datetime else data


def _tuple(kinds: tuple[Any, ...], data: Json) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_decode(kinds[0], item) for item in data)
    return tuple(_decode(kind, item) for kind, item in zip(kinds, data, strict=True))
