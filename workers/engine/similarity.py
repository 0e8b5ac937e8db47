"""What a cosine means, and which passages lie near each other.

Cosines of unrelated texts differ by model, script and store. `scale` turns them into one similarity on which 0.75 is
the same matter, 0.85 near and 0.95 as good as the same. Vectors are float32 rows of length 1; a row of zeros
(an empty text) is similar to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workers.engine.values import Baseline, Calibration, Embedder, Vectors

Script = Literal["latin", "han", "kana", "hangul", "other"]
Indices = NDArray[np.int64]

EVERY = "every"
"""Stands for all scripts of an embedder that treats them alike."""
BASELINE_MIN = 20
"""Fewer distinct passages than this say too little about a store: the embedder's table by script stands in."""
UNEVEN = 0.02
"""Baselines further apart than this make one baseline wrong for some script. Measured on STS in seven languages with
multilingual-e5-small: with one baseline 12 % of the unrelated Chinese pairs pass 0.75, with one per script 2–3 %."""
FLOOR = 0.375
"""Similarity of unrelated passages. With the slope 0.625, 0.75 / 0.85 / 0.95 lie at 60 / 76 / 92 % of the way from
unrelated to equal."""
TILE_ROWS, TILE_COLUMNS = 512, 4096
"""One tile of products is 8 MiB of float32: small enough for the last cache while it is compared with the threshold,
large enough that BLAS threads seldom wait for each other. At 10,000 x 256, median of 8 on 2 busy cores: 256 x 2048
.95 s, 512 x 4096 .35 s, 1024 x 4096 .34 s; idle they are equal."""
EDGE_LIMIT = 2_000_000
"""Edges kept before they are ranked, so that a store of look-alikes cannot fill the memory."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff\uff66-\uff9d]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_LETTER = re.compile(r"[^\W\d_]")


def script(text: str) -> Script:
    """The script that most of the letters are of; a tenth of kana makes Han Japanese. `other` if there is no letter."""
    if text.isascii():
        return "latin" if _LATIN.search(text) else "other"
    han, kana, hangul, latin = (len(letters.findall(text)) for letters in (_HAN, _KANA, _HANGUL, _LATIN))
    # A Han character says about as much as three Latin letters: a Chinese sentence with a product name stays Chinese.
    east_asian, weighed = han + kana + hangul, 3 * (han + kana + hangul)
    others = len(_LETTER.findall(text)) - east_asian - latin
    if weighed > max(latin, others):
        if hangul >= max(han, kana):
            return "hangul"
        return "kana" if 10 * kana >= han + kana else "han"
    return "latin" if latin >= others and latin else "other"


def scale(cosine: NDArray[np.floating], b: float) -> NDArray[np.float64]:
    """Similarity `0.375 + 0.625·s`, `s = (cos − b)/(1 − b)`, of any shape; b < 1 is the cosine of unrelated text."""
    similarity: NDArray[np.float64] = FLOOR + (1 - FLOOR) * (np.asarray(cosine, dtype=np.float64) - b) / (1 - b)
    return np.minimum(similarity, 1.0)  # a product of two unit rows may round to a little more than 1


def similarity_of(cosine: float, b: float) -> float:
    """`scale` of one cosine."""
    return float(scale(np.array(cosine), b))


def cosine_at(similarity: float, b: float) -> float:
    """The cosine whose similarity this is: the inverse of `scale`."""
    return b + (1 - b) * (similarity - FLOOR) / (1 - FLOOR)


def calibrated(
    vectors: Vectors, scripts: Sequence[Script], embedder: Embedder, known: Calibration | None, *, seed: int
) -> Calibration:
    """The store's baselines: `known` ones while they hold, else measured anew.

    `scripts` names the script of each row. A baseline holds until its passages have doubled: measured in every dream
    it would drift, and with it each suggestion.
    """
    held = dict(known.baselines) if known is not None and known.embedder == embedder.id else {}
    for name, rows in _groups(vectors, scripts, embedder.baselines).items():
        distinct = _distinct(rows)
        before = held.get(name)
        if len(distinct) >= (BASELINE_MIN if before is None else 2 * before.passages):
            held[name] = Baseline(baseline(distinct, seed=seed), len(distinct))
    return Calibration(embedder.id, held)


def baselines(calibration: Calibration, scripts: Iterable[Script], table: Mapping[str, float]) -> dict[Script, float]:
    """The baseline of each script: the store's own, else the one of `table`, the embedder's, which has `other`."""
    own = calibration.baselines
    return {
        name: own[key].cosine if (key := _group(name, table)) in own else table.get(name, table["other"])
        for name in sorted(set(scripts))
    }


def baseline(distinct: Vectors, *, seed: int, pairs: int = 4000) -> float:
    """Median cosine of up to `pairs` random pairs of at least two distinct rows, all pairs where there are no more."""
    left, right = _pairs(len(distinct), seed=seed, pairs=pairs)
    return float(np.median(np.einsum("ij,ij->i", distinct[left], distinct[right])))


def _groups(vectors: Vectors, scripts: Sequence[Script], table: Mapping[str, float]) -> dict[str, Vectors]:
    """Rows that are measured together."""
    names = np.asarray([_group(name, table) for name in scripts])
    return {str(name): vectors[names == name] for name in np.unique(names)}


def _group(name: Script, table: Mapping[str, float]) -> str:
    """An embedder that treats all scripts alike is measured once over all of them."""
    return EVERY if max(table.values()) - min(table.values()) <= UNEVEN else name


def _distinct(vectors: Vectors) -> Vectors:
    """The distinct rows that are not zero, sorted by their bytes, so that the order of passages does not matter."""
    rows = np.ascontiguousarray(vectors[np.any(vectors != 0, axis=1)])
    whole_row = np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))
    _, first = np.unique(rows.view(whole_row).ravel(), return_index=True)
    return rows[first]


def _pairs(n: int, *, seed: int, pairs: int) -> tuple[Indices, Indices]:
    if n * (n - 1) // 2 <= pairs:
        return np.triu_indices(n, 1)
    random = np.random.default_rng(seed)
    left = random.integers(n, size=pairs)
    return left, (left + random.integers(1, n, size=pairs)) % n


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Edges `rows[e] < cols[e]` with their cosine, sorted by (row, column)."""

    rows: Indices
    cols: Indices
    cos: Vectors

    def __len__(self) -> int:
        return len(self.rows)


def neighbours(vectors: Vectors, *, threshold_cos: float, top_k: int) -> Neighbours:
    """All pairs at or above the cosine threshold of which one is among the other's `top_k`; exact.

    Blocked products over one triangle, threshold first, then rank: memory is one tile and the edges found. Equal
    cosines rank by position, so callers sort the rows by something that lasts.
    """
    kept: list[Neighbours] = []
    limit = max(EDGE_LIMIT, 4 * top_k * len(vectors))
    for edges in _tiles(vectors, threshold_cos):
        kept.append(edges)
        if sum(map(len, kept)) > limit:
            # Sound at any time: an edge outside both ends' top k among some edges is outside it among all.
            kept = [_ranked(_joined(kept), top_k)]
    return _ranked(_joined(kept), top_k)


def _tiles(vectors: Vectors, threshold: float) -> Iterator[Neighbours]:
    n = len(vectors)
    buffer = np.empty(TILE_ROWS * TILE_COLUMNS, dtype=np.float32)
    for top in range(0, n, TILE_ROWS):
        rows = vectors[top : top + TILE_ROWS]
        for left in range(top, n, TILE_COLUMNS):
            columns = vectors[left : left + TILE_COLUMNS]
            products = buffer[: len(rows) * len(columns)]
            np.matmul(rows, columns.T, out=products.reshape(len(rows), len(columns)))
            found = np.flatnonzero(products >= threshold)
            if found.size:
                row, column = np.divmod(found, len(columns))
                above = row + top < column + left
                yield Neighbours(row[above] + top, column[above] + left, products[found[above]])


def _joined(parts: Sequence[Neighbours]) -> Neighbours:
    if not parts:
        none = np.empty(0, dtype=np.int64)
        return Neighbours(none, none, np.empty(0, dtype=np.float32))
    return Neighbours(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.cols for part in parts]),
        np.concatenate([part.cos for part in parts]),
    )


def _ranked(edges: Neighbours, top_k: int) -> Neighbours:
    """The edges among the first `top_k` of either end, by cosine, then by position of the other end."""
    source = np.concatenate([edges.rows, edges.cols])
    target = np.concatenate([edges.cols, edges.rows])
    order = np.lexsort((target, -np.concatenate([edges.cos, edges.cos]), source))
    ranked_source = source[order]
    starts = np.flatnonzero(np.diff(ranked_source, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    among = order[rank < top_k] % max(len(edges), 1)
    kept = np.unique(among)
    by_position = kept[np.lexsort((edges.cols[kept], edges.rows[kept]))]
    return Neighbours(edges.rows[by_position], edges.cols[by_position], edges.cos[by_position])
