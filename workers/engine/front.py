"""What the head of a file says of all that stands in it: front matter, a comment, lines of `key: value`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from workers.engine.blocks import Block

IDLE_KEYS: Final = frozenset(
    ("created", "updated", "modified", "last_modified", "last_updated", "id", "uuid", "tags", "aliases")
)
"""Keys that say nothing of the content. All others do: date, title, status, user, name …"""

_KEY = re.compile(
    r"\s*+[\"']?(?:#\+)?(?P<key>[^\W_][\w.-]{0,40}(?: [\w.-]{1,40}){0,2})[\"']?"
    r"\s*+(?:::?(?=\s|$)|=(?!=)|：)(?P<value>\s*+\S)?"
)
_FENCES: Final = frozenset(("---", "+++", "...", "{", "}", "<!--", "-->"))


def front_length(blocks: Sequence[Block], texts: Sequence[str]) -> int:
    """How many blocks at the head of a text are such a head; 0 where nothing stands below it."""
    if len(blocks) < 2:  # most memories
        return 0
    count = next((n for n, pair in enumerate(zip(blocks, texts, strict=True)) if not _is_front(*pair)), len(blocks))
    return count if count < len(blocks) else 0


def statements(texts: Sequence[str]) -> tuple[str, ...]:
    """What heads of files say, one entry a key with its lines, sorted; without `IDLE_KEYS`."""
    return tuple(sorted(said for text in texts for said in _statements(text)))


def _is_front(block: Block, text: str) -> bool:
    if block.kind == "front_matter":
        return True
    if block.kind == "html":
        return text.startswith("<!--") and text.rstrip().endswith("-->")
    if block.kind != "paragraph":
        return False
    return (text.startswith("{") and text.rstrip().endswith("}")) or all(map(_has_value, text.splitlines()))


def _has_value(line: str) -> bool:
    """Whether a line of prose gives a key its value; one that ends in a colon introduces what follows."""
    found = _KEY.match(line)
    return found is not None and found["value"] is not None


def _statements(text: str) -> Iterator[str]:
    lines = [line for line in re.split(r"\r\n|\n|\r", text) if line.strip() and line.strip() not in _FENCES]
    starts = [n for n, line in enumerate(lines) if n == 0 or _begins(line)]
    for start, end in pairwise((*starts, len(lines))):
        key = _KEY.match(lines[start].removeprefix("<!--"))
        if key is None or key["key"].lower().replace("-", "_").replace(" ", "_") not in IDLE_KEYS:
            yield "\n".join(line.strip().removeprefix("<!--").removesuffix("-->").strip() for line in lines[start:end])


def _begins(line: str) -> bool:
    """Whether a line starts a key of its own; indented lines and entries of lists belong to the key before them."""
    return line[0] not in " \t-" and _KEY.match(line) is not None
