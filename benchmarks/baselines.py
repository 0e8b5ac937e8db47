"""Cosine of unrelated passages by language: where the embedder's table of baselines comes from.

    python -m benchmarks.baselines [pairs.tsv ...]

Embeds the statements of `benchmarks/statements.py` (24 unrelated ones in eight languages) and, for each file given,
its sentences: tab-separated rows `score, sentence, sentence`, as the STS tasks of SemEval have them. Pairs of a row
are left out; at most 150 sentences a file are taken, evenly. Prints medians and spread of passages against passages
and the median of queries against other passages.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.statements import STATEMENTS
from workers.engine.similarity import script
from workers.providers.embedders import LocalEmbedder

MOST = 150


def sentences(path: Path) -> list[str]:
    """Distinct first sentences of a file of scored pairs, so that no two belong to one row."""
    with path.open(encoding="utf-8", newline="") as rows:
        found = dict.fromkeys(
            row[1] for row in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE) if len(row) > 2
        )
    every = max(1, len(found) // MOST)
    return list(found)[::every][:MOST]


def report(name: str, texts: Sequence[str], embedder: LocalEmbedder) -> None:
    passages = embedder.embed(texts)
    cosines = (passages @ passages.T)[np.triu_indices(len(texts), 1)]
    queries = np.stack([embedder.embed_query(text) for text in texts[:24]])
    asked = (queries @ passages.T)[~np.eye(len(queries), len(texts), dtype=bool)]
    low, high = np.percentile(cosines, (5, 95))
    print(
        f"| {name} | {script(' '.join(texts[:24]))} | {len(texts)} | {np.median(cosines):.3f} | {cosines.std():.3f} "
        f"| {low:.3f}–{high:.3f} | {np.median(asked):.3f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path, nargs="*")
    asked = parser.parse_args()
    embedder = LocalEmbedder()
    print(f"{embedder.id}\n")
    print("| texts | script | n | median | sd | 5–95 % | query against others |")
    print("|---|---|---|---|---|---|---|")
    for language, texts in STATEMENTS.items():
        report(f"statements {language}", texts, embedder)
    for path in asked.pairs:
        report(path.name, sentences(path), embedder)


if __name__ == "__main__":
    main()
