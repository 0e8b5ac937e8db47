"""Query filters of lists, over django-filter: strict values, and our names for ranges and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Choices as ModelChoices
from django.db.models import QuerySet
from django.http import QueryDict
from django_filters.filterset import FilterSetMetaclass

from dreamsvc.choices import named
from dreamsvc.errors import InvalidRequest
from dreamsvc.timestamps import parse_time

BOUNDS = ("gt", "gte", "lt", "lte")


class _Strict(forms.Field):
    """A value as `QueryDict.getlist` gives it: absent is None, empty text is a value (and a bad one mostly)."""

    many = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, widget=_Raw(), **{k: v for k, v in kwargs.items() if k == "label"})

    def clean(self, value: list[str]) -> Any:
        if not value:
            return None
        if self.many:
            return [self.parse(text) for text in value]
        if len(value) > 1:
            raise ValidationError("is given twice")
        return self.parse(value[0])

    def parse(self, text: str) -> Any:
        return text


class _Raw(forms.Widget):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        values: list[str] = data.getlist(name)
        return values


class _FlagField(_Strict):
    def parse(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise ValidationError("must be true or false")
        return text == "true"


class _TimeField(_Strict):
    def parse(self, text: str) -> datetime:
        try:
            return parse_time(text, naive_is_utc=True)
        except ValueError as error:
            raise ValidationError(str(error)) from None


class _ManyField(_Strict):
    many = True

    def __init__(self, values: Iterable[str] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.values = values

    def parse(self, text: str) -> str:
        if self.values is not None and text not in self.values:
            raise ValidationError(f"must be one of {', '.join(self.values)}")
        return text


class _ChoiceField(_ManyField):
    many = False


class _Filter(django_filters.Filter):
    """`schema` is the value's OpenAPI schema; `many` says that the key may be repeated."""

    many = False
    schema: Mapping[str, Any] = {"type": "string"}


class Exact(_Filter):
    """Rows whose field equals the text."""

    field_class = _Strict

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(**{str(self.field_name): value})


class Flag(_Filter):
    """Rows whose boolean field equals the literal `true` or `false`."""

    field_class = _FlagField
    schema = {"type": "boolean"}

    def filter(self, qs: QuerySet[Any], value: bool | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(**{str(self.field_name): value})


class IncludeArchived(_Filter):
    """Archived rows are left out unless this is `true`; `field_name` is the time of archiving."""

    field_class = _FlagField
    schema = {"type": "boolean", "default": False}

    def __init__(self, field_name: str = "archived_at") -> None:
        super().__init__(field_name)

    def filter(self, qs: QuerySet[Any], value: bool | None) -> QuerySet[Any]:
        return qs if value else qs.filter(**{f"{self.field_name}__isnull": True})


class OneOf(_Filter):
    """Rows whose field equals the value, one of a named set."""

    field_class = _ChoiceField

    def __init__(self, field_name: str, choices: type[ModelChoices] | Iterable[str], *, name: str) -> None:
        self.choices = named(choices, name)
        super().__init__(field_name, values=self.choices.values)

    def filter(self, qs: QuerySet[Any], value: str | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(**{str(self.field_name): value})


class AnyOf(_Filter):
    """Rows whose field equals one of the given texts: `ids=a&ids=b`, or `ids[]=a`."""

    field_class = _ManyField
    many = True

    def filter(self, qs: QuerySet[Any], value: list[str] | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(**{f"{self.field_name}__in": value})


class Choices(AnyOf):
    """Rows whose field is one of the given values of a named set: `statuses=a&statuses=b`, or `statuses[]=a`."""

    def __init__(self, field_name: str, choices: type[ModelChoices] | Iterable[str], *, name: str) -> None:
        self.choices = named(choices, name)
        super().__init__(field_name, values=self.choices.values)


class _Bound(_Filter):
    field_class = _TimeField
    schema = {"type": "string", "format": "date-time"}

    def filter(self, qs: QuerySet[Any], value: datetime | None) -> QuerySet[Any]:
        return qs if value is None else qs.filter(**{f"{self.field_name}__{self.lookup_expr}": value})


class TimeRange:
    """Declares `<name>[gt]`, `[gte]`, `[lt]` and `[lte]` over a time field."""

    def __init__(self, field_name: str) -> None:
        self.field_name = field_name

    def bounds(self, name: str) -> dict[str, _Bound]:
        return {f"{name}[{bound}]": _Bound(self.field_name, lookup_expr=bound) for bound in BOUNDS}


class _WithRanges(FilterSetMetaclass):
    def __new__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> Any:
        for key, value in list(attrs.items()):
            if isinstance(value, TimeRange):
                del attrs[key]
                attrs |= value.bounds(key)
        return super().__new__(cls, name, bases, attrs)


class FilterSet(django_filters.FilterSet, metaclass=_WithRanges):
    """A list's filters. A view with a `filterset_class` is a list: its GET takes these keys and those of paging."""

    @classmethod
    def keys(cls) -> set[str]:
        """Every accepted query key, the bracketed forms of arrays included."""
        return {form for name, each in cls.base_filters.items() for form in _forms(name, each)}


class NoFilters(FilterSet):
    """For lists without filters."""


def filtered(filterset_class: type[FilterSet], query: QueryDict, queryset: QuerySet[Any], request: Any) -> Any:
    """The rows that the query asks for; raises InvalidRequest that names the bad key."""
    filterset = filterset_class(_merged(filterset_class, query), queryset=queryset, request=request)
    if not filterset.is_valid():
        param, messages = next(iter(filterset.form.errors.items()))
        raise InvalidRequest(f"{param}: {messages[0]}", param=param)
    return filterset.qs


def _merged(filterset_class: type[FilterSet], query: QueryDict) -> QueryDict:
    """The query with `key[]` folded into `key`."""
    merged = query.copy()
    for name, each in filterset_class.base_filters.items():
        if getattr(each, "many", False) and f"{name}[]" in merged:
            merged.setlist(name, merged.getlist(name) + merged.getlist(f"{name}[]"))
    return merged


def _forms(name: str, each: django_filters.Filter) -> list[str]:
    return [name, f"{name}[]"] if getattr(each, "many", False) else [name]
