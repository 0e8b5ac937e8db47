"""Search over a store's memories: what is searched, and the door to what searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from django.conf import settings
from django.utils.module_loading import import_string

from dreamsvc.errors import InvalidRequest
from memorystores.models import Memory, MemoryStore, TrustTier

MODES = ("hybrid", "semantic", "lexical")


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A memory as it is searched; `sha256` is the hex digest of its text."""

    memory_id: str
    path: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A memory that was found, its score (higher is better), and the passage that matches best."""

    memory_id: str
    score: float
    passage: str


class SearchBackend(Protocol):
    """Finds at most `limit` rows, best first.

    `mode` is one of `MODES`; `allow_semantic` false means that no embedder may see the rows: `hybrid` is lexical then.
    `cache_key` names the rows: the store's id (with a suffix when its sources are among them) and its revision.
    """

    def __call__(
        self,
        *,
        rows: Sequence[SearchRow],
        query: str,
        mode: str,
        limit: int,
        cache_key: tuple[str, int],
        allow_semantic: bool,
    ) -> list[SearchHit]: ...


def store_search(
    *, store: MemoryStore, query: str, mode: str, limit: int, include_sources: bool = False
) -> list[SearchHit]:
    """The store's best memories; raises InvalidRequest for a semantic search of a store that no embedder may read.

    Memories that a dream merged elsewhere and kept as sources are left out unless `include_sources`.
    """
    allow_semantic = store.trust_tier != TrustTier.LEGAL
    if mode == "semantic" and not allow_semantic:
        raise InvalidRequest(
            "mode: a semantic search embeds texts, and no embedder may see those of a store in the legal trust tier; "
            "use lexical",
            param="mode",
        )
    key, rows = _rows(store, include_sources)
    if not rows:
        return []
    backend = cast(SearchBackend, import_string(settings.SEARCH_BACKEND))
    return backend(rows=rows, query=query, mode=mode, limit=limit, cache_key=key, allow_semantic=allow_semantic)


def _rows(store: MemoryStore, include_sources: bool) -> tuple[tuple[str, int], list[SearchRow]]:
    """The rows and their key, from one statement: of two, the second might see a later store."""
    memories = Memory.objects.filter(store=store).order_by("path")
    key = f"{store.id}+sources"
    if not include_sources:
        memories, key = memories.filter(dream_cluster_id__isnull=True), store.id
    found = list(memories.values_list("store__revision", "id", "path", "content__sha256", "content__text"))
    return (key, found[0][0] if found else store.revision), [SearchRow(*row) for _, *row in found]
