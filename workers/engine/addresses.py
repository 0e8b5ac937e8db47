"""Addresses as links write them, and the store paths that they mean."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import relpath
from unicodedata import normalize
from urllib.parse import quote, unquote

from markdown_it.common.utils import unescapeAll

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SPECIAL = re.compile(r"[\s()<>%#?\\`|\"'&]")


def directory_of(path: str) -> str:
    """The directory of a store path; "" for the root."""
    return path.rpartition("/")[0]


@lru_cache(maxsize=8192)  # a memory may repeat one link ten thousand times, and is read again after every edit
def candidates(path: str, address: str, *, wiki: bool = False) -> tuple[str, ...]:
    """The store paths that `address`, as written in the memory at `path`, may mean: as it is, then with `.md`.

    Relative addresses start at the memory's directory; a wiki name is looked for there and then at the root. Empty for
    an address with a scheme or host, for a directory, and for one that leaves the store.
    """
    if not address.strip() or address.endswith("/") or _SCHEME.match(address):
        return ()
    plain = normalize("NFC", address.strip() if wiki else unquote(unescapeAll(address)))
    bases = [""] if plain.startswith("/") else [directory_of(path), ""] if wiki else [directory_of(path)]
    roots = dict.fromkeys(root for base in bases if (root := _normalised(f"{base}/{plain}")) is not None)
    return tuple(name for root in roots for name in ((root,) if root.endswith(".md") else (root, f"{root}.md")))


def _normalised(path: str) -> str | None:
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if not kept:
                return None
            kept.pop()
        elif segment not in {"", "."}:
            kept.append(segment)
    return "/" + "/".join(kept) if kept else None


def address_of(path: str, target: str, *, like: str, angled: bool = False) -> str:
    """The address of `target` for a Markdown link in the memory at `path`, in the manner of the address `like`: rooted,
    with `./`, without `.md`, percent-encoded."""
    written = target if like.startswith("/") else relpath(target, directory_of(path) or "/")
    if like.startswith("./") and not written.startswith("../"):
        written = f"./{written}"
    if not unquote(like).endswith(".md"):
        written = written.removesuffix(".md")
    if angled:
        return re.sub(r"[<>%#?\\]", _percent, written)
    return quote(written) if "%" in like else _SPECIAL.sub(_percent, written)


def _percent(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


def wiki_names(target: str, *, like: str) -> tuple[str, ...]:
    """Names for `target` in a wiki link, in the manner of `like` first. Empty where its path cannot stand in one."""
    if re.search(r"[\[\]|#\\]", target):
        return ()
    full = target.removeprefix("/") if like.endswith(".md") else target.removeprefix("/").removesuffix(".md")
    names = [f"/{full}"] if like.startswith("/") else [full, f"/{full}"]
    return tuple(names if "/" in like else [full.rpartition("/")[2], *names])
