"""The environment, read strictly: what is no value of its kind ends the start by name. Empty is as good as absent."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
FLAGS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
ENGINES = ("postgresql", "sqlite3")


class Environment(environ.Env):  # type: ignore[misc]  # django-environ has no types
    """Typed settings; each method raises ImproperlyConfigured that names the setting and what it takes."""

    def text(self, name: str, default: str) -> str:
        return str(self.str(name, "")).strip() or default

    def texts(self, name: str, default: Sequence[str]) -> list[str]:
        """Separated by commas, blanks around them ignored."""
        parts = [part.strip() for part in self.text(name, "").split(",")]
        return [part for part in parts if part] or list(default)

    def whole(self, name: str, default: int) -> int:
        return self._read(name, default, int, "a whole number")

    def number(self, name: str, default: float) -> float:
        return self._read(name, default, _finite, "a number")

    def flag(self, name: str, default: bool) -> bool:
        return self._read(name, default, lambda text: FLAGS[text.lower()], "true or false")

    def one_of(self, name: str, choices: Sequence[str], default: str) -> str:
        known = {choice.lower(): choice for choice in choices}
        return self._read(name, default, lambda text: known[text.lower()], f"one of {', '.join(choices)}")

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Django's settings of the database with this URL."""
        return self._read(name, _database(default), _database, "a URL like postgres://user:password@host:5432/name")

    def _read(self, name: str, default: T, kind: Callable[[str], T], what: str) -> T:
        text = self.text(name, "")
        if not text:
            return default
        try:
            return kind(text)
        except (ValueError, KeyError, ImproperlyConfigured):
            # Without the value: it may hold a password.
            raise ImproperlyConfigured(f"{name} must be {what}") from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _database(url: str) -> dict[str, Any]:
    if "://" not in url:
        raise ValueError(url)
    config: dict[str, Any] = environ.Env.db_url_config(url)
    if config["ENGINE"].rpartition(".")[2] not in ENGINES:
        raise ValueError(config["ENGINE"])
    return config
