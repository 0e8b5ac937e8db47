"""What the rules merge without a model, on sentence pairs that people scored.

    python -m benchmarks.merging DIRECTORY

DIRECTORY holds tab-separated files with rows `score, sentence, sentence`, score 0–5, as the STS tasks of SemEval have
them (https://ixa2.si.ehu.eus/stswiki); rows without a score are left out, each pair counts once. At least 4.8 is the
same statement, at most 3 another one; precision is of these two, merges in between are counted but not held against
the rule. Prints a table, the merged pairs scored 3 or less, and how the twins and duplicates of `tests/cases` fare.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from workers.engine import canonical
from workers.engine.contained import contained
from workers.engine.passages import parse
from workers.engine.values import Policy

SAME = 4.8
DIFFERENT = 3.0
CASES = Path(__file__).parent.parent / "tests" / "cases" / "cases.jsonl"

Rule = Callable[[str, str], bool]


class Pair(NamedTuple):
    """Two sentences and how alike people found them, 0 to 5."""

    score: float
    a: str
    b: str


def either_contained(a: str, b: str) -> bool:
    policy = Policy()
    return contained(a, b, policy) or contained(b, a, policy)


RULES: dict[str, Rule] = {"Same": canonical.same, "Contained": either_contained}


def pairs(directory: Path) -> list[Pair]:
    """The scored pairs of all files, each pair of sentences once."""
    found: dict[tuple[str, str], Pair] = {}
    for path in sorted(directory.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as rows:
            for row in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
                if len(row) > 2 and row[0].strip():
                    found.setdefault((row[1], row[2]), Pair(float(row[0]), row[1], row[2]))
    return list(found.values())


def measure(name: str, rule: Rule, scored: Sequence[Pair]) -> list[Pair]:
    """Prints the rule's row and gives the merged pairs that people found different."""
    merged = [pair for pair in scored if rule(pair.a, pair.b)]
    alike = sum(pair.score >= SAME for pair in merged)
    wrong = [pair for pair in merged if pair.score <= DIFFERENT]
    recall = alike / max(1, sum(pair.score >= SAME for pair in scored))
    precision = f"{alike / (alike + len(wrong)):.3f}" if alike + len(wrong) else "–"
    between = len(merged) - alike - len(wrong)
    print(f"| {name} | {len(merged)} | {recall:.3f} | {precision} | {between} | {len(wrong)} |")
    return wrong


def speed(scored: Sequence[Pair]) -> str:
    """Sentences a second whose canonical tokens were read, none of them before."""
    texts = list(dict.fromkeys(f"{text} {number}" for number, pair in enumerate(scored) for text in pair[1:]))
    start = time.process_time()
    for text in texts:
        canonical.tokens(text)
    rate = len(texts) / (time.process_time() - start)
    return f"{rate:,.0f} sentences/s of processor time, {sum(map(len, texts)) / len(texts):.0f} characters on average"


def merges(texts: Sequence[str]) -> Iterator[str]:
    """The name of each rule that merges two of the passages."""
    for a, b in combinations(texts, 2):
        yield from (name for name, rule in RULES.items() if rule(a, b))


def cases(path: Path) -> None:
    """Prints each twin and duplicate that fares otherwise than it should, and how many there are."""
    wrong, count = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] in ("twin", "duplicate"):
            count += 1
            texts = [p.text for memory in case["store"] for p in parse(memory["path"], memory["content"]).passages]
            if (case["kind"] == "duplicate") != bool(list(merges(texts[:4]))):
                wrong.append(case["id"])
    print(f"\n{count} twins and duplicates of tests/cases, {len(wrong)} wrong{': ' if wrong else ''}{', '.join(wrong)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    scored = pairs(parser.parse_args().directory)
    print(f"{len(scored)} pairs, {sum(p.score >= SAME for p in scored)} ≥ {SAME}, canonical tokens: {speed(scored)}\n")
    print(f"| rule | merged | recall of ≥ {SAME} | precision (≥ {SAME} against ≤ {DIFFERENT:g}) | between | wrong |")
    print("|---|---|---|---|---|---|")
    wrong = {name: measure(name, rule, scored) for name, rule in RULES.items()}
    for name, different in wrong.items():
        for pair in different:
            print(f"\n{name}, {pair.score:g}:\n  {pair.a}\n  {pair.b}")
    if CASES.exists():
        cases(CASES)


if __name__ == "__main__":
    main()
