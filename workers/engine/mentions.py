"""Paths of memories that a text names other than by a link, in HTML, front matter, code or prose. Nobody rewrites
them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from workers.engine.addresses import candidates
from workers.engine.blocks import Span
from workers.engine.passages import Document

_NAMES = (
    re.compile(r"[^\s\"'`<>()\[\]{}|=,;*，。、；（）「」《》]+"),
    re.compile(r"(?<=\")[^\"\r\n]{1,1024}(?=\")|(?<=')[^'\r\n]{1,1024}(?=')|(?<=`)[^`\r\n]{1,1024}(?=`)"),
    re.compile(r"(?<=: )\S[^\r\n]{0,1023}(?=\r|\n|\Z)"),
)
"""What may be a path: a word, and where blanks may stand in it, what is quoted or the value of a key. Without a dot or
slash it is just a word."""
_EDGES = ".:!?…：！？_~ "
_MARKS = "_~"
_TAIL = re.compile(r"[#?]|:(?=\d)")
"""Where a fragment, a query or the number of a line begins."""
_NESTING = 4
"""Links in links are images; no more of them stand around a place."""


class Mention(NamedTuple):
    """The character of the document at which the name starts, and the live path that it names."""

    start: int
    path: str


def mentions(document: Document, paths: frozenset[str]) -> tuple[Mention, ...]:
    """Where a text names one of `paths` exactly, relative to its own or from the root, in order."""
    return tuple(sorted(set(_mentions(document, paths))))


def _mentions(document: Document, paths: frozenset[str]) -> Iterator[Mention]:
    last_parts = _last_parts(paths)
    links = [link.whole for link in document.links]
    for pattern in _NAMES:
        for found in pattern.finditer(document.text):
            inner = found[0].rstrip(_EDGES).lstrip(_MARKS)
            for name in (found[0], inner) if "." in inner or "/" in inner else ():
                address = _TAIL.split(name, maxsplit=1)[0]
                last = address.rpartition("/")[2]
                if last in last_parts or ("%" in last and unquote(last) in last_parts):
                    path = _named(document.path, address, paths)
                    if path is not None and not _within(found.start(), links):
                        yield Mention(found.start(), path)


@lru_cache(maxsize=4)
def _last_parts(paths: frozenset[str]) -> frozenset[str]:
    return frozenset(path.rpartition("/")[2] for path in paths)


def _named(path: str, address: str, paths: frozenset[str]) -> str | None:
    """The path that the address is, not what it might mean."""
    exact = candidates(path, address)[:1]
    return exact[0] if exact and exact[0] in paths else None


def _within(place: int, links: Sequence[Span]) -> bool:
    """Whether a link, whose address is rewritten, stands around the place."""
    before = bisect_right(links, place, key=lambda link: link[0])
    return any(end > place for _, end in links[max(0, before - _NESTING) : before])
