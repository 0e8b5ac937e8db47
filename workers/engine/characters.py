"""Folding of single characters and the scripts that are written without blanks."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

HAN: Final = r"\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA: Final = r"\u3040-\u30ff\u31f0-\u31ff"
HANGUL: Final = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
CJK_LETTER: Final = HAN + KANA + HANGUL
CJK: Final = r"\u3001-\u3004\u3008-\u303f" + CJK_LETTER
"""Letters and punctuation marks of Chinese, Japanese and Korean, as the inside of a character class."""

DOUBLE_QUOTES: Final = "“”„‟«»"
SINGLE_QUOTES: Final = "‘’‚‛"
_BREAKS: Final = "\n\r"

is_cjk_letter = re.compile(f"[{CJK_LETTER}]").match
is_han = re.compile(f"[{HAN}]").match


class _Fold(dict[int, str]):
    """What `str.translate` replaces a character by; filled as characters are met, one entry a character."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = fold_character(chr(code))
        return folded


def fold_character(character: str) -> str:
    """Full and half width to the usual form, decimal digits to ASCII, curly quotes to straight, odd blanks to one.

    No other compatibility folding: `²`, `①`, `ﬁ` and `½` stay what they are.
    """
    if character in DOUBLE_QUOTES:
        return '"'
    if character in SINGLE_QUOTES:
        return "'"
    if character.isspace():
        return character if character in _BREAKS else " "
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.decimal(character))
    kind, _, code = unicodedata.decomposition(character).partition(" ")
    return chr(int(code, 16)) if kind in ("<wide>", "<narrow>") else character


_FOLD = _Fold()


def fold(text: str) -> str:
    """NFC with widths, digits, quotes and blanks folded; line breaks are kept. Linear, idempotent."""
    if text.isascii():
        return text.replace("\t", " ").replace("\x0b", " ").replace("\x0c", " ")
    folded = unicodedata.normalize("NFC", text).translate(_FOLD)
    return unicodedata.normalize("NFC", folded)
