"""`Accept` never fails: what cannot be had in the wished form comes as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_REFUSED: Final = re.compile(r";\s*q\s*=\s*0(\.0*)?\s*(;|$)")


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
    """Whether the `Accept` header names this very type, and not with a quality of 0 (wild cards mean JSON)."""
    header: str = request.headers.get("accept", "").lower()
    parts = [part.partition(";") for part in header.split(",")]
    return any(name.strip() == media_type and not _REFUSED.search(";" + rest) for name, _, rest in parts)
