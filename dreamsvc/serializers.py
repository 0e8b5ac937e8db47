"""Parsing and printing: strict fields, and the bases of input, output and query serializers.

Nothing is coerced: 5 is no string and "true" no boolean. In a query string everything is text, so a `QuerySerializer`
turns text into the field's JSON type first, and the same fields judge it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Final, cast

from django.db.models import Choices
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from dreamsvc.choices import named
from dreamsvc.metadata import MAX_KEY, MAX_PAIRS, MAX_VALUE
from dreamsvc.timestamps import parse_time, print_time

MODEL_ID_LENGTH: Final = 256
Field = serializers.Field[Any, Any, Any, Any]


class Text(serializers.CharField):
    """A string of `min` to `max` characters, kept as sent; `control=True` allows newlines and the like."""

    def __init__(self, *, min: int = 0, max: int | None = None, control: bool = False, **kwargs: Any) -> None:
        super().__init__(allow_blank=min == 0, trim_whitespace=False, min_length=min or None, max_length=max, **kwargs)
        self.control = control

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise ValidationError("must be a string")
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)  # before the slow look at every character
        if not self.control and any(unicodedata.category(character) == "Cc" for character in data):
            raise ValidationError("must not hold control characters")
        return data


class ModelId(Text):
    """A model's id: 1 to 256 printable characters, not all of them blank."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min=1, max=MODEL_ID_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if text and not (text.isprintable() and text.strip()):
            raise ValidationError("must be printable characters")
        return text


class Bool(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise ValidationError("must be true or false")
        return data


class Int(serializers.IntegerField):
    """An integer, `min` and `max` included; 1.0 and true are none. The parsers keep all within 64 bits."""

    def __init__(self, *, min: int | None = None, max: int | None = None, **kwargs: Any) -> None:
        super().__init__(min_value=min, max_value=max, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            raise ValidationError("must be an integer")
        return data


class Number(serializers.FloatField):
    """A finite number from `min` to `max`."""

    def __init__(self, *, min: float | None = None, max: float | None = None, **kwargs: Any) -> None:
        super().__init__(min_value=min, max_value=max, **kwargs)

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool):
            raise ValidationError("must be a number")
        return float(data)


class Timestamp(serializers.DateTimeField):
    """An RFC 3339 time with an offset; comes out in UTC. In a query string a missing offset means UTC."""

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            raise ValidationError("must be an RFC 3339 time")
        try:
            return parse_time(value, naive_is_utc=isinstance(self.parent, QuerySerializer))
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def to_representation(self, value: datetime) -> str:
        return print_time(value)


class Enum(serializers.ChoiceField):
    """One of a set of strings. `name` is the schema's name of the set and must be given by whoever defines the set.

    The docstring of a class of choices is the schema's description of the set.
    """

    def __init__(self, choices: type[Choices] | Iterable[str], *, name: str, **kwargs: Any) -> None:
        self.named = named(choices, name)
        super().__init__(choices=list(self.named.values), **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            raise ValidationError(f"must be one of {', '.join(map(str, self.choices))}")
        return data


class StringMap(serializers.DictField):
    """Metadata. In a partial serializer null values stay, for `patched` to remove; else they mean absent."""

    child = Text(max=MAX_VALUE, control=True, allow_null=True)

    def to_internal_value(self, data: Any) -> dict[str, str | None]:
        if not isinstance(data, Mapping):
            raise ValidationError("must be an object of strings")
        if not all(1 <= len(key) <= MAX_KEY for key in data):
            raise ValidationError(f"keys must have 1 to {MAX_KEY} characters")
        if sum(value is not None for value in data.values()) > MAX_PAIRS:
            raise ValidationError(f"must not have more than {MAX_PAIRS} pairs")
        pairs: dict[str, str | None] = self.run_child_validation(dict(data))
        return pairs if self.root.partial else {key: value for key, value in pairs.items() if value is not None}

    def to_representation(self, value: Mapping[str, str]) -> dict[str, str]:
        return dict(value)


class List(serializers.ListField):
    """A list of a body, which may hold millions of items.

    Its length is judged before its items, and the first bad item ends it: DRF would gather the errors of all.
    """

    def __init__(self, *, allow_empty: bool = True, **kwargs: Any) -> None:
        if not allow_empty:
            kwargs.setdefault("min_length", 1)  # the schema does not know of `allow_empty`
        super().__init__(allow_empty=allow_empty, **kwargs)

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        values: list[Any] = super().to_internal_value(data)
        return values

    def run_child_validation(self, data: Iterable[Any]) -> list[Any]:
        return [self._item(index, item) for index, item in enumerate(data)]

    def _item(self, index: int, item: Any) -> Any:
        try:
            return self.child.run_validation(item)
        except ValidationError as error:
            raise ValidationError({str(index): error.detail}) from None


class Json(serializers.JSONField):
    """Any JSON value, as the parser let it through."""


class Const(serializers.Field[str, Any, str, Any]):
    """An output field that always says the same, as `type` does."""

    def __init__(self, value: str | bool) -> None:
        super().__init__(read_only=True)
        self.value = value

    def get_attribute(self, instance: Any) -> Any:
        return self.value

    def to_representation(self, value: Any) -> Any:
        return value


class InputSerializer(serializers.Serializer[Any]):
    """Parses a request body. Unknown keys are refused, unless `extra` names the key to gather them under.

    null means absent for every optional field.
    """

    extra: ClassVar[str | None] = None

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise ValidationError({"non_field_errors": ["must be an object"]})
        unknown = {key: data[key] for key in data if key not in self.fields}
        if unknown and self.extra is None:
            raise ValidationError({next(iter(unknown)): "is not a known field"})
        present = {key: value for key, value in data.items() if key not in unknown and not self._absent(key, value)}
        values: dict[str, Any] = super().to_internal_value(present)
        return values if self.extra is None else {**values, self.extra: unknown}

    def _absent(self, key: str, value: Any) -> bool:
        field = self.fields[key]
        optional = not field.required or self.root.partial
        return value is None and optional


class QuerySerializer(InputSerializer):
    """Parses a query given as key → texts: `true` / `false`, integers, times, and repeated keys for lists."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        return super().to_internal_value({key: self._typed(key, values) for key, values in data.items()})

    def _typed(self, key: str, values: list[str]) -> Any:
        field = self.fields.get(key)
        if isinstance(field, serializers.ListField):
            return [from_text(field.child, value) for value in values]
        if len(values) > 1:
            raise ValidationError({key: "is given twice"})
        return values[0] if field is None else from_text(field, values[0])


_LITERALS: Final = {"true": True, "false": False}
_INTEGER: Final = re.compile(r"-?\d{1,18}", re.ASCII)


def from_text(field: Field, text: str) -> Any:
    """The JSON value that a query string's text stands for; where it stands for none the field refuses the text."""
    if isinstance(field, serializers.BooleanField):
        return _LITERALS.get(text, text)
    if isinstance(field, serializers.IntegerField):
        return int(text) if _INTEGER.fullmatch(text) else text
    return text


class OutputSerializer(serializers.Serializer[Any]):
    """Prints an object: every declared key, null where unset; one with `required=False` is left out when missing."""


def component_name(kind: type[serializers.BaseSerializer[Any]]) -> str:
    """What the schema calls the objects of a serializer: `XOutput` prints an X. Requests get `Request` behind it."""
    return kind.__name__.removesuffix("Serializer").removesuffix("Output")


def deleted_serializer(name: str, *, typed: bool = True, flag: bool = True) -> type[OutputSerializer]:
    """The answer to a DELETE, `{id, type, deleted}`; print it with `deleted_serializer(...)({"id": id}).data`.

    `name` is its type on the wire; `typed=False` leaves `type` out, `flag=False` leaves `deleted` out. Call it once, in
    the module of the app's serializers.
    """
    fields: dict[str, Field] = {"id": Text(help_text="The id of what was deleted.")}
    if typed:
        fields["type"] = Const(name)
    if flag:
        fields["deleted"] = Const(True)
    return output_class("".join(part.capitalize() for part in name.split("_")), fields, "What was deleted.")


@cache
def listed(each: type[OutputSerializer]) -> type[OutputSerializer]:
    """The list envelope around these objects, for `responses=` in the schema."""
    fields: dict[str, Field] = {
        "data": each(many=True),
        "has_more": Bool(help_text="Whether more follows in the direction that was read."),
        "first_id": Text(allow_null=True, help_text="The id of the first object; null where it has none."),
        "last_id": Text(allow_null=True, help_text="The id of the last object; null where it has none."),
        "next_page": Text(
            allow_null=True, help_text="The `page` of the next request; null exactly when nothing is left."
        ),
    }
    return output_class(f"{component_name(each)}List", fields, "One page of a list.")


def output_class(name: str, fields: Mapping[str, Field], description: str = "") -> type[OutputSerializer]:
    """An output serializer made from fields; the description is for the schema."""
    return cast(type[OutputSerializer], type(name, (OutputSerializer,), {**fields, "__doc__": description}))
