"""Keyset paging: a page starts after a key, never at an offset, so that nothing is skipped or repeated while rows come
and go; a cursor stays valid when its row is gone."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet

from dreamsvc.errors import InvalidRequest
from dreamsvc.ids import is_id
from dreamsvc.parsers import strict_json

DEFAULT_LIMIT: Final = 20
MAX_LIMIT: Final = 100
PARAMS: Final = ("limit", "page", "after_id", "before_id")
CURSOR_PARAMS: Final = ("limit", "page")
"""Of lists whose rows have no public ids."""

Key = str | int
_Row = TypeVar("_Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Order:
    """How a list is sorted: by one unique column.

    `list_name` ties cursors to their list; `resolve` gives the key of the row with an id, or None when that cannot be
    told; it must look only at rows that the caller may see. `id_prefix` is empty for rows without public ids.
    """

    list_name: str
    id_prefix: str
    column: str
    descending: bool
    resolve: Callable[[str], Key | None]
    key_type: type[Key] = str


def ById(prefix: str, *, list_name: str | None = None, descending: bool = True) -> Order:  # noqa: N802 - reads as the value it makes
    """Newest first: ids sort by time. The id is its own key, so its row need not exist any more."""
    return Order(list_name or prefix, prefix, "id", descending, resolve=lambda id: id)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Where a page starts and how long it is; `backward` reads towards the list's start from `key`."""

    limit: int
    key: Key | None = None
    backward: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Rows in the list's order; `next_page` goes on in the same direction, None when nothing is left there."""

    rows: Sequence[Any]
    next_page: str | None


def page_request(params: Mapping[str, str], order: Order, *, at_most: int = MAX_LIMIT) -> PageRequest:
    """Reads `limit` and one of `page`, `after_id`, `before_id`; `at_most` clamps a limit that is valid as such."""
    limit = min(_limit(params.get("limit")), at_most)
    given = [name for name in PARAMS[1:] if name in params]
    if len(given) > 1:
        raise InvalidRequest(f"{given[1]}: give only one of page, after_id and before_id", param=given[1])
    match given:
        case ["page"]:
            key, backward = _decode(params["page"], order)
            return PageRequest(limit, key, backward)
        case [name]:
            return PageRequest(limit, _resolved(name, params[name], order), backward=name == "before_id")
    return PageRequest(limit)


def page_of(queryset: QuerySet[_Row], order: Order, request: PageRequest) -> Page:
    """The page, in one query."""
    falling = order.descending != request.backward
    if request.key is not None:
        queryset = queryset.filter(**{f"{order.column}__{'lt' if falling else 'gt'}": request.key})
    rows = list(queryset.order_by(f"{'-' if falling else ''}{order.column}")[: request.limit + 1])
    has_more = len(rows) > request.limit
    rows = rows[: request.limit]
    next_page = encode(order, getattr(rows[-1], order.column), backward=request.backward) if has_more else None
    return Page(rows[::-1] if request.backward else rows, next_page)


def envelope(data: Sequence[Mapping[str, Any]], next_page: str | None) -> dict[str, Any]:
    """The list of the wire around printed rows.

    An id of the page's middle would be no place to go on from: where the first or last row has none there is null.
    """
    return {
        "data": data,
        "has_more": next_page is not None,
        "first_id": data[0].get("id") if data else None,
        "last_id": data[-1].get("id") if data else None,
        "next_page": next_page,
    }


def encode(order: Order, key: Key, *, backward: bool = False) -> str:
    """An opaque cursor: the list and its direction, the reading direction, the key."""
    text = json.dumps([_name(order), int(backward), key], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decode(cursor: str, order: Order) -> tuple[Key, bool]:
    try:
        name, backward, key = strict_json(base64.b64decode(_padded(cursor), altchars=b"-_", validate=True))
    except (binascii.Error, InvalidRequest, ValueError, TypeError):
        raise InvalidRequest("page: is not a cursor", param="page") from None
    if name != _name(order) or type(key) is not order.key_type or encode(order, key, backward=bool(backward)) != cursor:
        raise InvalidRequest("page: is not a cursor of this list", param="page")
    return key, bool(backward)


def _padded(cursor: str) -> bytes:
    return (cursor + "=" * (-len(cursor) % 4)).encode()


def _name(order: Order) -> str:
    return f"{order.list_name}{'-' if order.descending else '+'}"


def _limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdecimal() and len(text) <= 3 and 1 <= int(text) <= MAX_LIMIT):
        raise InvalidRequest(f"limit: must be an integer from 1 to {MAX_LIMIT}", param="limit")
    return int(text)


def _resolved(name: str, id: str, order: Order) -> Key:
    key = order.resolve(id) if is_id(order.id_prefix, id) else None
    if key is None:
        raise InvalidRequest(f"{name}: is not an id of this list", param=name)
    return key
