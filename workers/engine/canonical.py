"""Canonical tokens, the form in which texts are compared, and the words that facts are read from.

The words: NFC, width, decimal digits, blanks, curly quotes, bullets, emphasis, the first letter of a sentence or item,
contractions, number words, units after a number, British spelling and final stops are folded. The tokens: commas are
dropped as well, and in English articles and plural endings, all of them kept as marks. Two texts say the same where
their tokens are equal and the marks of one cover those of the other. All else is kept, order and function words too.
Stored text is never normalised.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from workers.engine import foldings
from workers.engine.characters import CJK, fold, is_cjk_letter
from workers.engine.language import UNKNOWN, of_words
from workers.engine.marks import NO_MARKS, Marks, covers, drop
from workers.engine.markup import CODE, Block, blocks, drop_emphasis, is_verbatim, lift_code
from workers.engine.remembered import remembered
from workers.engine.words import LANGUAGES
from workers.engine.words.english import ENGLISH
from workers.engine.words.idioms import ABBREVIATIONS, SHORTENED

_ENDING: Final = frozenset(".,:(—")
_FOREIGN: Final = (
    frozenset[str]().union(*(table.function_words for table in LANGUAGES.values())) - ENGLISH.function_words
)
"""Words that make no English text of one whose language nothing else tells."""
_DROPPED: Final = frozenset(".,")
_LEAD: Final = "(\"'¡¿"
_FULL_STOPS: Final = "।۔"
"""The full stops of Devanagari and Urdu, which stand right behind a word as "." does."""
_TRAIL: Final = ".,;:!?…)\"'" + _FULL_STOPS
_CJK_RUNS = re.compile(f"[{CJK}]|[^{CJK}]+")
_CJK = re.compile(f"[{CJK}]")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_MAYBE_SHORT = re.compile(r"[^\W\d_a-z][^\W\d_]{0,4}")
"""What may be an abbreviated name, so that its full stop may end no sentence: Colo. Avalanche, J. Smith."""
_GREEK = re.compile("[\u0370-\u03ff]$")
_DASHES: Final = frozenset(("-", "--", "---", "–", "—"))
_SENTENCE_ENDS: Final = frozenset(".?!")


@dataclass(frozen=True, slots=True)
class Canonical:
    """A text as it is compared.

    `words` are what was read, `tokens` what is left of them without `marks`. `ends` are the numbers of tokens after
    which the text had a clause end (`. , ; : ( —`); `counts[n]` is how many tokens stand before word n.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    marks: Marks = NO_MARKS
    ends: frozenset[int] = frozenset()
    counts: tuple[int, ...] = ()

    def words_after(self, length: int) -> tuple[str, ...]:
        """The words behind the first `length` tokens, beginning with what was dropped there."""
        return self.words[bisect_left(self.counts, length) :]


def tokens(text: str) -> tuple[str, ...]:
    """The canonical tokens of one passage (Markdown). Han, Kana and Hangul by character. Cached."""
    return read(text).tokens


def words(text: str) -> tuple[str, ...]:
    """The words and signs of one passage in order, articles, plural endings and commas among them. Cached."""
    return read(text).words


def key(text: str) -> str:
    """Hex SHA-256 of the canonical tokens: equal exactly when they are, whatever the marks."""
    return hashlib.sha256("\n".join(tokens(text)).encode("utf-8", "surrogatepass")).hexdigest()


def same(a: str, b: str) -> bool:
    """Whether two passages say the same by their words; their places are the caller's to compare. Symmetric."""
    left, right = read(a), read(b)
    if left.tokens != right.tokens:
        return False
    return covers(left.marks, right.marks) or covers(right.marks, left.marks)


@remembered(1 << 15)
def read(text: str) -> Canonical:
    """The canonical form of one passage. Cached."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if is_verbatim(text):
        lines = text.split("\n")
        return Canonical(tuple(lines), tuple(filter(None, lines)))
    plain, code = lift_code(text)
    if "\t" in plain:
        plain = plain.expandtabs(4)
    reader = _Reader(code)
    for block in blocks(fold(plain)):
        reader.read(block)
    language = of_words(reader.out)
    said = foldings.fold_words(reader.out, reader.starts, language)
    return _canonical(said, english=language == "en" or (language == UNKNOWN and _FOREIGN.isdisjoint(said)))


def _canonical(raw: list[str], *, english: bool) -> Canonical:
    said, ends = (raw, []) if _ENDING.isdisjoint(raw) else _without_idle_signs(raw)
    dropped, found, counts = drop(said, english=english)
    return Canonical(tuple(dropped), tuple(said), found, frozenset(counts[end] for end in ends), tuple(counts))


def _without_idle_signs(raw: list[str]) -> tuple[list[str], list[int]]:
    """The words without signs that add nothing, and the numbers of words after which clauses ended."""
    out: list[str] = []
    ends: list[int] = []
    for place, word in enumerate(raw):
        if word in _ENDING:
            if not (word == "." and out and _is_short(out[-1])):
                ends.append(len(out))
            if word in _DROPPED and foldings.adds_nothing(raw, place):
                continue
        out.append(word)
    return out, ends


def _is_short(word: str) -> bool:
    """Whether a full stop behind it may end no clause: an initial (or z. B.), a title before its name."""
    return (len(word) == 1 and word.lower() != word.upper()) or word.lower() in SHORTENED


class _Reader:
    """Turns blocks into raw tokens, marks of punctuation as tokens of their own; `starts` are sentence beginnings."""

    __slots__ = ("_code", "_double", "_next_code", "_single", "_starts", "out", "starts")

    def __init__(self, code: tuple[str, ...]) -> None:
        self.out: list[str] = []
        self.starts: list[int] = []
        self._code = code
        self._next_code = 0
        self._starts = True
        self._double = self._single = False

    def read(self, block: Block) -> None:
        self.out += block.marks
        self._starts = True
        text = drop_emphasis(block.text)
        if "—" in text:
            text = text.replace("—", " — ")
        read = self._read_chunk if text.isascii() or not _CJK.search(text) else self._read_cjk
        for chunk in text.split():
            if chunk.isalpha() and chunk.isascii() and not self._starts:  # most chunks, and nothing to find out
                self.out.append(chunk)
            else:
                read(chunk)

    def _read_cjk(self, chunk: str) -> None:
        if self.out and is_cjk_letter(chunk) and is_cjk_letter(self.out[-1]):
            self.out.append(" ")
        for run in _CJK_RUNS.findall(chunk):
            if _CJK.match(run):
                self.out.append("." if run == "。" else run)
                self._starts = run == "。"
            else:
                self._read_chunk(run)

    def _read_chunk(self, chunk: str) -> None:
        if chunk in _DASHES:
            self.out.append(chunk)
            return
        core = chunk.rstrip(_TRAIL)
        trail = chunk[len(core) :]
        bare = core.lstrip(_LEAD)
        for mark in core[: len(core) - len(bare)]:
            self._open(mark)
        if bare:
            bare, trail = self._reattach(bare, trail)
            self._word(bare)
        for mark in trail.replace("...", "…"):
            self._close(bare, mark)

    def _reattach(self, core: str, trail: str) -> tuple[str, str]:
        """Gives back what belongs to the word: `f(x)`, `users'`, `5"`, `e.g.`."""
        missing = core.count("(") - core.count(")")
        while missing > 0 and trail.startswith(")"):
            core, trail, missing = core + ")", trail[1:], missing - 1
        if trail.startswith("'") and not self._single:
            core, trail = core + "'", trail[1:]
        if trail.startswith('"') and not self._double:
            core, trail = core + '"', trail[1:]
        if trail.startswith(".") and (core.lower() in ABBREVIATIONS or _DOTTED.fullmatch(core)):
            core, trail = core + ".", trail[1:]
        return core, trail

    def _open(self, mark: str) -> None:
        if mark == "¡":  # goes as its ! does; ¿ tells where a question begins
            return
        if mark == '"':
            self._double, mark = True, foldings.OPEN_DOUBLE
        elif mark == "'":
            self._single, mark = True, foldings.OPEN_SINGLE
        self.out.append(mark)

    def _close(self, core: str, mark: str) -> None:
        if mark == '"' and self._double:
            self._double, mark = False, foldings.CLOSE_DOUBLE
        elif mark == "'" and self._single:
            self._single, mark = False, foldings.CLOSE_SINGLE
        elif mark == ";":
            mark = "?" if _GREEK.search(core) else "."
        elif mark in _FULL_STOPS or (mark == "!" and self._is_word(core)):
            mark = "."
        self.out.append(mark)
        if mark in _SENTENCE_ENDS and not (mark == "." and _MAYBE_SHORT.fullmatch(core)):
            self._starts = True

    def _is_word(self, core: str) -> bool:
        """Whether a `!` behind it is no operator: 5! is a number, n! too."""
        return (len(core) > 1 and core.isalpha()) or bool(not core and self.out and is_cjk_letter(self.out[-1]))

    def _word(self, core: str) -> None:
        if self._starts:
            self.starts.append(len(self.out))
            self._starts = False
        self.out.append(self._with_code(core) if CODE in core else core)

    def _with_code(self, core: str) -> str:
        parts = core.split(CODE)
        spans = self._code[self._next_code : self._next_code + len(parts) - 1]
        self._next_code += len(spans)
        return parts[0] + "".join(span + part for span, part in zip(spans, parts[1:], strict=True))
