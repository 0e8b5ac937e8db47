"""JSON as strict as the contract wants it: what two readers could understand differently is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import IO, Any, Final, NoReturn

from rest_framework.parsers import BaseParser

from dreamsvc.errors import InvalidRequest

MAX_DEPTH: Final = 64
MAX_INTEGER: Final = 2**63 - 1
# Possessive, and without a need for the closing quote: linear in the text whatever it holds.
_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKET: Final = re.compile(r"[^\[\]{}]++")
_STEP: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
_SUSPECT: Final = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return strict_json(stream.read())


def strict_json(raw: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    Refuses (InvalidRequest): other encodings, a byte order mark, nesting deeper than 64, repeated keys, NUL, lone
    surrogates, NaN and infinities, integers beyond 64 bits.
    """
    text = _decoded(raw)
    if not text.strip(" \t\r\n"):
        return {}
    _check_depth(text)
    value = _loaded(text)
    if _SUSPECT.search(text):
        _check_strings(value)
    return value


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"the body is not UTF-8 (byte {error.start})") from None
    if text.startswith("\ufeff"):
        raise InvalidRequest("the body starts with a byte order mark")
    return text


def _check_depth(text: str) -> None:
    # Before the parser runs: it recurses, and a deep text must not reach its limit.
    brackets = _NO_BRACKET.sub("", _STRING.sub("", text))
    if any(depth > MAX_DEPTH for depth in accumulate(map(_STEP.__getitem__, brackets))):
        raise InvalidRequest(f"the body is nested deeper than {MAX_DEPTH}")


def _loaded(text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_number
        )
    except json.JSONDecodeError as error:
        message = f"the body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise InvalidRequest(message) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        # Counted in one pass: a body may hold millions of keys.
        counts = Counter(key for key, _ in pairs)
        repeated = next(key for key, count in counts.items() if count > 1)
        raise InvalidRequest(f"the key {json.dumps(repeated[:64])} is given twice")
    return result


def _constant(name: str) -> NoReturn:
    raise InvalidRequest(f"{name} is no JSON number")


def _integer(digits: str) -> int:
    # The length first: converting very many digits is slow, and Python refuses it.
    value = int(digits) if len(digits) <= 20 else MAX_INTEGER + 1
    if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
        raise InvalidRequest(f"the number {digits[:24]} does not fit into 64 bits")
    return value


def _number(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise InvalidRequest(f"the number {digits[:24]} is too large")
    return value


def _check_strings(value: Any) -> None:
    for text in _strings(value):
        if "\0" in text:
            raise InvalidRequest("the body holds a NUL character")
        if _SURROGATE.search(text):
            raise InvalidRequest("the body holds a lone surrogate")


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case list() as items:
                waiting.extend(items)
            case dict() as pairs:
                waiting.extend(pairs)
                waiting.extend(pairs.values())
