"""`Accept` never fails: what cannot be had in the wished form comes as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJSON(BaseContentNegotiation):
    """The first renderer, whatever is asked."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        return DefaultContentNegotiation().select_parser(request, parsers)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def accepts(request: Request, media_type: str) -> bool:
    """Whether the `Accept` header names this very type (wild cards mean JSON)."""
    header: Any = request.headers.get("accept", "")
    return media_type in {part.partition(";")[0].strip().lower() for part in header.split(",")}
