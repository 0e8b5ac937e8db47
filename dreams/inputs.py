"""What a dream is asked to read: parsed inputs, and the rows that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dreamsvc.errors import InvalidRequest, NotFound, errors_inside
from identities.models import Mount, Session
from identities.pairs import pair_open
from identities.selectors import default_memory
from memorystores.models import MemoryStore
from memorystores.services.stores import store_open

MAX_SESSIONS = 100
PRIMARY = ("memory_store", "identity_template")


@dataclass(frozen=True, slots=True)
class Primary:
    """The store that a dream reads and, for a pair, the mount that it will move."""

    store: MemoryStore
    mount: Mount | None = None


def primary_index(inputs: Sequence[Mapping[str, Any]]) -> int:
    """Where the one primary input stands; raises InvalidRequest unless there is exactly one."""
    found = [index for index, entry in enumerate(inputs) if entry["type"] in PRIMARY]
    if len(found) != 1:
        raise InvalidRequest(
            f"inputs: exactly one memory_store or identity_template input is required, got {len(found)}",
            param="inputs",
        )
    return found[0]


def session_ids(inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """All session ids in the order given; raises InvalidRequest on a repeated id or more than 100."""
    ids = [(index, one) for index, entry in enumerate(inputs) for one in entry.get("session_ids", ())]
    seen: set[str] = set()
    for index, one in ids:
        if one in seen:
            param = f"inputs.{index}.session_ids"
            raise InvalidRequest(f"{param}: {one} is listed twice", param=param)
        seen.add(one)
    if len(ids) > MAX_SESSIONS:
        raise InvalidRequest(f"inputs: at most {MAX_SESSIONS} sessions in all, got {len(ids)}", param="inputs")
    return [one for _, one in ids]


def resolve_primary(workspace_id: str, entry: Mapping[str, Any], param: str) -> Primary:
    """The store or default memory that the entry names; raises NotFound or InvalidRequest, naming fields in `param`.

    Nothing is locked: a dream that holds its row may want the store's, and this one is to be inserted yet.
    """
    with errors_inside(param):
        if entry["type"] == "memory_store":
            return Primary(store_open(MemoryStore.objects.found(workspace_id, entry["memory_store_id"])))
        mount = default_memory(pair_open(workspace_id, entry["identity_id"], entry["template_id"]))
        return Primary(mount.store, mount)


def check_sessions(workspace_id: str, inputs: Sequence[Mapping[str, Any]]) -> None:
    """Raises NotFound for the first session that the workspace does not have."""
    ids = session_ids(inputs)
    known = set(Session.objects.for_workspace(workspace_id).filter(id__in=ids).values_list("id", flat=True))
    for index, entry in enumerate(inputs):
        for one in entry.get("session_ids", ()):
            if one not in known:
                raise NotFound.no("session", one, param=f"inputs.{index}.session_ids")
