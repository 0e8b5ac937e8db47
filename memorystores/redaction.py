"""The door through which the apps above forget a text that was redacted.

Journals, plans and the engine's passages are theirs; each registers, in its AppConfig, what clears them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Redacted:
    """The version and what it held, for the last time. `gone`: nothing in the workspace holds this text any more."""

    workspace_id: str
    store_id: str
    memory_id: str
    version_id: str
    path: str
    text: str | None
    gone: bool


class Clearer(Protocol):
    """Removes what is derived from the redacted text, inside the caller's transaction."""

    def __call__(self, redacted: Redacted, /) -> None: ...


_clearers: list[Clearer] = []


def register(clearer: Clearer) -> None:
    """Adds a clearer; each runs in every redaction, in the order of registration."""
    if clearer not in _clearers:
        _clearers.append(clearer)


def clear(redacted: Redacted) -> None:
    """Runs every clearer; one that raises undoes the whole redaction, so that none is half done."""
    for clearer in _clearers:
        clearer(redacted)
