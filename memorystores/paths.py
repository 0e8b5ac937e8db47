"""The rules of paths: what one may look like, and which ones exclude each other."""

from __future__ import annotations

import unicodedata

from dreamsvc.errors import InvalidRequest
from memorystores.models import PATH_BYTES

ROOT = "/"
SEGMENTS = 20
_FORBIDDEN = {
    "Cc": "a control character",
    "Cf": "a format character",
    "Cs": "a lone surrogate",
    "Zl": "U+2028",
    "Zp": "U+2029",
}


def normalized(path: str, param: str = "path") -> str:
    """The path as stored and shown, with its leading `/`; raises InvalidRequest naming `param`.

    Nothing else is mended: a path that is not NFC is refused, because whoever sent it would not find it again.
    """
    path = path if path.startswith(ROOT) else ROOT + path
    fault = _fault(path)
    if fault:
        raise InvalidRequest(f"{param}: {fault}", param=param)
    return path


def normalized_prefix(prefix: str, param: str = "path_prefix") -> str:
    """A folder as `/`, or `/…/`; raises InvalidRequest naming `param`."""
    if not prefix.endswith(ROOT):
        raise InvalidRequest(f"{param}: must end with `/`, since it matches whole segments", param=param)
    return ROOT if prefix == ROOT else normalized(prefix[:-1], param) + ROOT


def _fault(path: str) -> str:
    segments = path[1:].split("/")
    if "" in segments:
        return "has an empty segment"
    if "." in segments or ".." in segments:
        return "`.` and `..` are no segments"
    if len(segments) > SEGMENTS:
        return f"has {len(segments)} segments, at most {SEGMENTS} are allowed"
    return _character_fault(path)


def _character_fault(path: str) -> str:
    if len(path) > PATH_BYTES:  # before the slow look at every character
        return f"is longer than {PATH_BYTES} bytes"
    forbidden = next(filter(_FORBIDDEN.get, map(unicodedata.category, path)), None)
    if forbidden:
        return f"holds {_FORBIDDEN[forbidden]}"
    size = len(path.encode())
    if size > PATH_BYTES:
        return f"is {size} bytes long, at most {PATH_BYTES} are allowed"
    return "" if unicodedata.is_normalized("NFC", path) else "is not in Unicode Normalization Form C"


def ancestors(path: str) -> list[str]:
    """Every path above this one, nearest last: `/a/b/c` → `/a`, `/a/b`."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(2, len(parts))]


def past(prefix: str) -> str:
    """The least text that sorts after everything under the folder `/…/`, by bytes: `0` is what follows `/`."""
    return prefix[:-1] + "0"
