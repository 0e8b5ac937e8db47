"""The dream's journal: one record, printed as Markdown for people and as JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from workers.engine.report import Report

Section = Literal["merged", "superseded", "suggested", "left_alone", "skipped", "carried_over", "note", "error"]
Mode = Literal["create_new", "update_existing", "identity_template"]

TITLES: Mapping[Section, str] = {
    "merged": "Merged",
    "superseded": "Replaced by newer facts",
    "suggested": "For you to decide",
    "left_alone": "Left alone",
    "skipped": "Not touched, as you asked",
    "carried_over": "Written while I dreamt, and kept",
    "note": "Good to know",
    "error": "What went wrong",
}
ENTRIES_SHOWN = 200
"""Entries of one section in the Markdown; the JSON and the plan hold them all."""
PATHS_SHOWN = 5
QUOTE_CHARACTERS = 160
MARKUP = frozenset("\\`*_[]<>#|~!&")
_MARKER = re.compile(r"\A(?:[-+*]|#{1,6}) ")
_FULL_STOPS = tuple(".!?…。！？")
COUNTS: tuple[tuple[str, str], ...] = (
    ("exact_merged", "copies merged"),
    ("contained_merged", "shorter notes merged into fuller ones"),
    ("superseded", "replaced by newer facts"),
    ("suggestions", "suggestions"),
    ("carried_over", "writes carried over"),
    ("dropped_operations", "operations dropped"),
    ("protected_skipped", "protected memories"),
    ("clusters_found", "clusters found"),
    ("clusters_left", "clusters left for the next dream"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing the dream did, left or asks. `to` stays, `sources` went into it (paths); `why` is a sentence or two.

    `quote` is the raw text that stays, absent where pinned or protected text is concerned; `details` are plain lines.
    """

    section: Section
    why: str
    to: str | None = None
    sources: tuple[str, ...] = ()
    quote: str | None = None
    details: tuple[str, ...] = ()
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """What the first look at the store found: counts, means, languages and protected parts. Times are aware UTC."""

    memories: int = 0
    passages: int = 0
    size_bytes: int = 0
    tokens: int = 0
    mean_relevance: float = 0.0
    mean_stability_days: float = 0.0
    oldest: datetime | None = None
    newest: datetime | None = None
    languages: Mapping[str, int] = field(default_factory=dict)
    protected: Mapping[str, int] = field(default_factory=dict)
    vectors: int = 0
    vectors_wanted: int = 0


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """All the journal says. `skipped` is the reason why nothing was read; the caller adds what only it knows."""

    store_id: str
    revision: int
    started_at: datetime
    report: Report
    entries: tuple[Entry, ...] = ()
    survey: Survey = Survey()
    skipped: str | None = None
    dry_run: bool = False
    dream_id: str | None = None
    mode: Mode | None = None
    output_store_id: str | None = None
    model: str | None = None


def render(record: JournalRecord) -> str:
    """The record as Markdown that a person likes to read."""
    blocks = [_title(record), *_opening(record)]
    for section in TITLES:
        blocks.extend(_section(section, [entry for entry in record.entries if entry.section == section]))
    if record.skipped is None:
        blocks.extend(_numbers(record))
    blocks.extend(("## How to undo", _undo(record)))
    return "\n\n".join(blocks) + "\n"


def day(time: datetime) -> str:
    """A date as people write it: 5 March 2026."""
    return f"{time.day} {time:%B %Y}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 memory`, `2 memories`, `1,204 passages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def quoted(text: str) -> str:
    """A text in quotation marks on one line, shortened, without its list marker, its Markdown made harmless."""
    line = _MARKER.sub("", " ".join(text.split()))
    short = line if len(line) <= QUOTE_CHARACTERS else line[: QUOTE_CHARACTERS - 1].rstrip() + "…"
    return "“" + "".join(f"\\{sign}" if sign in MARKUP else sign for sign in short) + "”"


def code(text: str) -> str:
    """A path or value as a code span, whatever it holds."""
    line = " ".join(text.split())
    if "`" not in line:
        return f"`{line}`"
    longest = max(len(run) for run in line.replace("`", "\0`\0").split("\0") if run) if line else 1
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"


def listed(paths: tuple[str, ...]) -> str:
    """Some paths in a sentence: the first few, and how many more."""
    shown = [code(path) for path in dict.fromkeys(paths)]
    rest = len(shown) - PATHS_SHOWN
    if rest > 1:
        return ", ".join(shown[:PATHS_SHOWN]) + f" and {rest:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else ""


def _title(record: JournalRecord) -> str:
    return f"# {'[DRY RUN] ' if record.dry_run else ''}Dream of {day(record.started_at)}"


def _opening(record: JournalRecord) -> Iterator[str]:
    if record.skipped is not None:
        yield record.skipped
        return
    report = record.report
    yield (
        f"I read {plural(report.scanned, 'memory', 'memories')} with {plural(report.passages, 'passage')}, "
        f"about {plural(report.tokens_before, 'token')} in all. {_result(report)}"
    )
    if record.dry_run:
        yield "This was a dry run: nothing was written. What follows is what the dream would do."


def _result(report: Report) -> str:
    done = [
        (report.exact_merged, "merged {} into notes that say the same", "copy", "copies"),
        (report.contained_merged, "folded {} into fuller ones", "shorter note", "shorter notes"),
        (report.superseded, "let {} go", "outdated statement", "outdated statements"),
    ]
    deeds = [text.format(plural(count, one, many)) for count, text, one, many in done if count]
    asked = f"There {'is' if report.suggestions == 1 else 'are'} {plural(report.suggestions, 'suggestion')} for you."
    told = f"I {_sentence(deeds)}." if deeds else "Nothing had to change."
    saved = f"That makes the store about {plural(report.tokens_saved, 'token')} lighter." if report.tokens_saved else ""
    return " ".join(filter(None, (told, saved, asked if report.suggestions else "")))


def _sentence(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _section(section: Section, entries: list[Entry]) -> Iterator[str]:
    if not entries:
        return
    yield f"## {TITLES[section]}"
    lines = [line for entry in entries[:ENTRIES_SHOWN] for line in _entry(entry)]
    if len(entries) > ENTRIES_SHOWN:
        lines.append(f"- … and {len(entries) - ENTRIES_SHOWN:,} more, all in the plan.")
    yield "\n".join(lines)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"- {_headline(entry)}"
    for detail in entry.details:
        yield f"  - {detail}"


def _headline(entry: Entry) -> str:
    quote = f" {quoted(entry.quote)}" if entry.quote else ""
    if entry.to is None:
        return f"{entry.why}{quote}"
    stop = "" if quote.rstrip("”").endswith(_FULL_STOPS) else "."
    return f"{code(entry.to)} keeps{quote or ' its text'}{stop} {entry.why}"


def _numbers(record: JournalRecord) -> Iterator[str]:
    report, survey = record.report, record.survey
    rows = [(label, f"{getattr(report, name):,}") for name, label in COUNTS if getattr(report, name)]
    rows.append(("tokens before → after", f"{report.tokens_before:,} → {report.tokens_after:,}"))
    if survey.languages:
        rows.append(("languages", ", ".join(f"{name} {count:,}" for name, count in survey.languages.items())))
    if survey.vectors_wanted:
        rows.append(("passages compared by meaning", f"{survey.vectors:,} of {survey.vectors_wanted:,}"))
    if report.duration_ms is not None:
        rows.append(("duration", f"{report.duration_ms / 1000:.1f} s"))
    yield "## Numbers"
    yield "\n".join(["| | |", "|---|---|", *(f"| {label} | {value} |" for label, value in rows)])


def _undo(record: JournalRecord) -> str:
    if record.dry_run:
        return "There is nothing to undo."
    dream = record.dream_id or "{dream_id}"
    call = code(f"POST /v1/dreams/{dream}/rollback")
    if record.mode == "update_existing":
        return (
            f"{call} restores each memory this dream touched, unless somebody has changed it since; those it lists. "
            "Every text that went is still among the versions of its memory."
        )
    if record.mode == "identity_template":
        return f"{call} mounts the previous default memory again. It was not changed and nothing in it was deleted."
    output = f" and leave the output {code(record.output_store_id)} unused" if record.output_store_id else ""
    return f"The store this dream read ({code(record.store_id)}) was not changed: go on with it{output}."
