"""What a key may do to a memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from dreamsvc.actors import Actor
from dreamsvc.errors import PreconditionFailed
from dreamsvc.metadata import patched
from memorystores.models import Memory
from memorystores.paths import normalized
from memorystores.services.contents import sha256
from memorystores.services.writer import MemoryFields, writing


@dataclass(frozen=True, slots=True)
class Expected:
    """The digest that a memory's text must have, and the field that says so."""

    sha256: str
    param: str


def memory_create(
    *, workspace_id: str, store_id: str, actor: Actor, path: str, text: str, **fields: Unpack[MemoryFields]
) -> Memory:
    """A new memory with its first version; raises what `StoreWriter.create` and `writing` raise."""
    with writing(workspace_id=workspace_id, store_id=store_id, actor=actor) as writer:
        return writer.create(path=path, text=text, **fields).memory


def memory_update(
    *,
    workspace_id: str,
    store_id: str,
    memory_id: str,
    actor: Actor,
    text: str | None = None,
    path: str | None = None,
    metadata_patch: Mapping[str, str | None] | None = None,
    expected: Expected | None = None,
    **fields: Unpack[MemoryFields],
) -> Memory:
    """Changes what is given; raises what `StoreWriter.update` and `writing` raise.

    Raises PreconditionFailed when the memory's text has not the digest `expected`, except where text and path
    are as asked for already: then somebody repeats a request whose answer was lost.
    """
    with writing(workspace_id=workspace_id, store_id=store_id, actor=actor) as writer:
        memory = writer.get(memory_id)
        if not _is_as_asked(memory, text, path):
            _check_precondition(memory, expected)
        values: dict[str, Any] = {**fields}
        if metadata_patch is not None:
            values["metadata"] = patched(memory.metadata, metadata_patch)
        return writer.update(memory, text=text, path=path, **values).memory


def memory_delete(
    *, workspace_id: str, store_id: str, memory_id: str, actor: Actor, expected: Expected | None = None
) -> None:
    """Removes the memory, in an archived store too; raises NotFound and PreconditionFailed."""
    with writing(workspace_id=workspace_id, store_id=store_id, actor=actor, archived=True) as writer:
        memory = writer.get(memory_id)
        _check_precondition(memory, expected)
        writer.delete(memory)


def _is_as_asked(memory: Memory, text: str | None, path: str | None) -> bool:
    """Whether the request names a text or a path, and the memory has what it names."""
    asked = text is not None or path is not None
    same_text = text is None or sha256(text) == memory.content.sha256
    return asked and same_text and (path is None or normalized(path) == memory.path)


def _check_precondition(memory: Memory, expected: Expected | None) -> None:
    current = memory.content.sha256
    if expected is not None and expected.sha256 != current:
        raise PreconditionFailed(
            f"{expected.param}: the memory's text has the digest {current}, not the one expected", param=expected.param
        )
