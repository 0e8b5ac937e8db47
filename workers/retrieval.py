"""The search backend: passages of a store's memories, ranked by `engine.retrieval`.

Parsed passages, their terms and their vectors are kept for the stores searched last, so that a search after a write
costs the memories that were written. Vectors come from what dreams have remembered; a search embeds a few more itself,
those first that its words point at.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dreamsvc.errors import Overloaded
from memorystores.search import SearchHit, SearchRow
from workers.engine.passages import Passage, parse
from workers.engine.retrieval import Index, Mode, Terms, prepare, rank
from workers.engine.values import Vectors
from workers.providers.embedders import EmbedderUnavailableError
from workers.vectors import CachedEmbedder, text_embedder, text_key

SHELF_BYTES = 200_000_000
"""About what all stores may hold in this process; the store searched last stays, however large it is."""
PASSAGE_BYTES = 2_000
"""A passage's vector, terms and key, besides its text."""
CANDIDATES = 256
"""Passages without a vector that one search looks up again, best words first: a dream may have embedded them since."""
EMBEDDED_AT_ONCE = 8
EMBED_SECONDS = 1.0
"""How long one search embeds passages, about 80 short ones; the next one goes on."""

Identity = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A memory's passages with the keys of their texts, and its terms."""

    passages: tuple[str, ...]
    keys: tuple[str, ...]
    terms: Terms


@dataclass(slots=True)
class Shelf:
    """A store as it was searched last; `texts` and `keys` follow the rows of the index.

    `vectors` do, too, once a search by meaning has asked for them: an array that is replaced, never changed. Until
    then `inherited` are those of an earlier shelf, by key.
    """

    sheets: Mapping[Identity, Sheet]
    index: Index
    texts: tuple[str, ...]
    keys: tuple[str, ...]
    inherited: Mapping[str, Vectors]
    vectors: Vectors | None = None
    filling: threading.Lock = field(default_factory=threading.Lock)

    @property
    def size(self) -> int:
        """About the bytes it takes."""
        return sum(map(len, self.texts)) + PASSAGE_BYTES * len(self.texts)


_shelves: OrderedDict[str, Shelf] = OrderedDict()
_arranging = threading.Lock()


def search(
    *, rows: Sequence[SearchRow], query: str, mode: str, limit: int, cache_key: tuple[str, int], allow_semantic: bool
) -> list[SearchHit]:
    """`memorystores.search.SearchBackend`: each memory by its best passage.

    Raises Overloaded for a semantic search where nothing can be embedded; hybrid goes by words alone then. A semantic
    search of a large store that no dream has read finds among what could be embedded so far.
    """
    shelf = _shelf(cache_key[0], rows)
    meaning = _meaning(shelf, query, mode) if mode != "lexical" and allow_semantic else Meaning()
    hits = rank(
        query,
        shelf.index,
        mode=cast(Mode, mode),
        limit=limit,
        vectors=meaning.vectors,
        query_vector=meaning.query,
        unrelated=meaning.unrelated,
    )
    return [SearchHit(hit.memory_id, round(hit.score, 6), shelf.texts[hit.row]) for hit in hits]


def _shelf(name: str, rows: Sequence[SearchRow]) -> Shelf:
    """The store's shelf if it holds these very rows, else a new one that takes over what has not changed."""
    with _arranging:
        held = _shelves.get(name)
        if held is not None:
            _shelves.move_to_end(name)
    wanted = {(row.memory_id, row.path, row.sha256): row for row in rows}
    if held is not None and held.sheets.keys() == wanted.keys():
        return held
    known = held.sheets if held is not None else {}
    sheets = {identity: known.get(identity) or _sheet(wanted[identity]) for identity in sorted(wanted)}
    shelf = Shelf(
        sheets,
        Index((memory_id, sheet.terms) for (memory_id, _, _), sheet in sheets.items()),
        tuple(text for sheet in sheets.values() for text in sheet.passages),
        tuple(key for sheet in sheets.values() for key in sheet.keys),
        _bequest(held),
    )
    _put(name, shelf)
    return shelf


def _put(name: str, shelf: Shelf) -> None:
    with _arranging:
        _shelves[name] = shelf
        _shelves.move_to_end(name)
        while len(_shelves) > 1 and sum(each.size for each in _shelves.values()) > SHELF_BYTES:
            _shelves.popitem(last=False)


def _bequest(held: Shelf | None) -> Mapping[str, Vectors]:
    """Vectors of an earlier shelf by key, without the empty rows."""
    if held is None:
        return {}
    vectors = held.vectors
    if vectors is None:
        return held.inherited
    return {held.keys[row]: vectors[row] for row in np.flatnonzero(vectors.any(axis=1))}


def _sheet(row: SearchRow) -> Sheet:
    passages = parse(row.path, row.text).passages
    # A memory of nothing but headings is found by them.
    texts = tuple(passage.text for passage in passages) or (row.text.strip(),)
    places = [_place(passage) for passage in passages] or [row.path]
    terms = prepare(list(zip(texts, places, strict=True)))
    return Sheet(texts, tuple(text_key(text) for text in texts), terms)


def _place(passage: Passage) -> str:
    return "\n".join((passage.place.path, *passage.place.headings, passage.place.intro))


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a ranking by meaning needs; nothing where words must do."""

    vectors: Vectors | None = None
    query: Vectors | None = None
    unrelated: float = 0.0


def _meaning(shelf: Shelf, query: str, mode: str) -> Meaning:
    try:
        embedder = text_embedder()
        asked = embedder.embed_query(query)
        return Meaning(_filled(shelf, CachedEmbedder(embedder), query), asked, embedder.query_baseline)
    except (ImportError, EmbedderUnavailableError) as error:
        if mode == "semantic":
            raise Overloaded("mode: nothing can be embedded here at present; use lexical", param="mode") from error
        return Meaning()


def _filled(shelf: Shelf, embedder: CachedEmbedder, query: str) -> Vectors:
    """The shelf's vectors after looking for, and making, some of those that it lacks; zeros where there is none."""
    with shelf.filling:
        vectors = _remembered(shelf, embedder) if shelf.vectors is None else shelf.vectors
        blank = np.flatnonzero(~vectors.any(axis=1))
        missing = blank[[bool(shelf.texts[row]) for row in blank]]
        if missing.size:
            vectors = _more(shelf, vectors, missing, embedder, query)
        shelf.vectors, shelf.inherited = vectors, {}
        return vectors


def _remembered(shelf: Shelf, embedder: CachedEmbedder) -> Vectors:
    """Vectors that an earlier shelf had or that are stored, in the rows of this one."""
    unknown = [key for key in dict.fromkeys(shelf.keys) if key not in shelf.inherited]
    stored = dict(zip(unknown, embedder.known(unknown), strict=True))
    return np.stack([shelf.inherited[key] if key in shelf.inherited else stored[key] for key in shelf.keys])


def _more(shelf: Shelf, vectors: Vectors, missing: NDArray[np.int64], embedder: CachedEmbedder, query: str) -> Vectors:
    """A copy with more of the missing rows: stored meanwhile, or embedded now while there is time."""
    best_first = missing[np.argsort(-shelf.index.lexical(query)[missing], kind="stable")][:CANDIDATES]
    vectors = vectors.copy()
    vectors[best_first] = embedder.known([shelf.keys[row] for row in best_first])
    lacking = [row for row in best_first if not vectors[row].any()]
    until = time.monotonic() + EMBED_SECONDS
    for start in range(0, len(lacking), EMBEDDED_AT_ONCE):
        some = lacking[start : start + EMBEDDED_AT_ONCE]
        vectors[some] = embedder.embed([shelf.texts[row] for row in some])
        if time.monotonic() >= until:
            break
    return vectors
