"""A text with some lines cut or replaced, and where the lines that stay have gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workers.engine.blocks import Span
from workers.engine.lines import is_blank, line_end, split_lines, text_line_end


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """Lines `start:end` of a text that go, or that `replacement` stands for ("" where nothing does)."""

    start: int
    end: int
    replacement: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """`lines` are the new text's, `positions[old line]` the line's new number or -1, `edges` each cut's new span."""

    lines: tuple[str, ...]
    positions: tuple[int, ...]
    edges: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The whole new text."""
        return "".join(self.lines)

    def moved(self, span: Span) -> Span:
        """The new span of old lines that all stay."""
        return self.positions[span[0]], self.positions[span[1] - 1] + 1


def draft(lines: Sequence[str], cuts: Sequence[Cut], seams: frozenset[Cut]) -> Draft:
    """`lines` after `cuts` (sorted, disjoint); those in `seams` leave a blank line between their neighbours.

    What is removed takes the blank lines before it along, unless text follows at once (the first item of a list), which
    then stands in its place. Where nothing is left before it, the blank lines after it go.
    """
    writer = _Writer(lines)
    for cut, follows in zip(cuts, _following(cuts), strict=True):
        if cut.replacement:
            writer.replace(cut, seam=cut in seams)
        else:
            writer.remove(cut, follows, seam=cut in seams)
    writer.keep(len(lines))
    return Draft(tuple(writer.out), tuple(writer.positions), tuple(writer.edges))


def _following(cuts: Sequence[Cut]) -> list[int]:
    """For each cut the first line after it that no removal right behind it takes."""
    found: list[int] = []
    behind: dict[int, int] = {}
    for cut in reversed(cuts):
        found.append(behind.get(cut.end, cut.end))
        if not cut.replacement:
            behind[cut.start] = found[-1]
    return found[::-1]


class _Writer:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.line_end = text_line_end(lines)
        self.at = 0
        self.seam = False
        self.out: list[str] = []
        self.positions = [-1] * len(lines)
        self.edges: list[Span] = []

    def keep(self, until: int) -> None:
        for number in range(self.at, until):
            self._part(self.lines[number])
            self.positions[number] = len(self.out)
            self.out.append(self.lines[number])
        self.at = max(self.at, until)

    def remove(self, cut: Cut, follows: int, *, seam: bool) -> None:
        start = cut.start
        followed_at_once = follows < len(self.lines) and not is_blank(self.lines[follows])
        while not followed_at_once and start > self.at and is_blank(self.lines[start - 1]):
            start -= 1
        self.keep(start)
        self.at = cut.end
        while not self.out and self.at < len(self.lines) and is_blank(self.lines[self.at]):
            self.at += 1
        self.seam = self.seam or seam
        self.edges.append((len(self.out), len(self.out)))

    def replace(self, cut: Cut, *, seam: bool) -> None:
        self.keep(cut.start)
        new = self._fitted(cut)
        self.seam = self.seam or seam
        self._part(new[0])
        self.edges.append((len(self.out), len(self.out) + len(new)))
        self.out += new
        self.at = cut.end
        self.seam = seam

    def _part(self, line: str) -> None:
        """Puts a blank line before `line` where a seam is open and the lines would touch."""
        if self.seam and self.out and not is_blank(self.out[-1]) and not is_blank(line):
            self.out.append(self.line_end)
        self.seam = False

    def _fitted(self, cut: Cut) -> list[str]:
        """The replacement's lines with the text's own line ends; the last ends as the last line it stands for."""
        bare = [line[: len(line) - len(line_end(line))] for line in split_lines(cut.replacement)]
        ends = [*[self.line_end] * (len(bare) - 1), line_end(self.lines[cut.end - 1])]
        return [text + end for text, end in zip(bare, ends, strict=True)]
