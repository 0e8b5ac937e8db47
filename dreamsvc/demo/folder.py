"""Reads a folder of memories; never writes to it."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

MAX_BYTES = 102_400


@dataclass(frozen=True, slots=True)
class Note:
    """One file: its path below the folder, its text, and when it was last changed."""

    path: str
    text: str
    observed_at: datetime


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds: notes to import, and files left out with the reason."""

    notes: tuple[Note, ...]
    skipped: tuple[tuple[str, str], ...]


def read(root: Path) -> Folder:
    """Every file below `root` that is UTF-8 text of at most 100 KB, hidden files and folders left out."""
    notes: list[Note] = []
    skipped: list[tuple[str, str]] = []
    for file in _files(root):
        path = _path(file.relative_to(root))
        note = _note(file, path)
        if isinstance(note, Note):
            notes.append(note)
        else:
            skipped.append((path, note))
    return Folder(tuple(notes), tuple(skipped))


def _path(file: Path) -> str:
    """As the API takes it: composed letters (macOS stores them apart); bytes that are no UTF-8 become U+FFFD."""
    return unicodedata.normalize("NFC", os.fsencode(file).decode(errors="replace"))


def _files(root: Path) -> Iterator[Path]:
    for directory, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(directory, name) for name in sorted(files) if not name.startswith("."))


def _note(file: Path, path: str) -> Note | str:
    """The note, or why the file is left out."""
    if not file.is_file():
        return "no regular file"
    if file.stat().st_size > MAX_BYTES:
        return "larger than 100 KB"
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        return "no UTF-8 text"
    except OSError as error:
        return error.strerror or "unreadable"
    if "\0" in text:
        return "no text: it holds NUL"
    return Note(path, text, datetime.fromtimestamp(file.stat().st_mtime, UTC))
