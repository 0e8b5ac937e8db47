"""What a dream is asked to read: parsed inputs, and the rows that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dreamsvc.errors import InvalidRequest, NotFound
from identities.models import Identity, Mount, Session, Template
from memorystores.models import MemoryStore

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
    """The store or default memory that the entry names; raises NotFound or InvalidRequest."""
    if entry["type"] == "memory_store":
        return Primary(_store(workspace_id, entry["memory_store_id"], f"{param}.memory_store_id"))
    mount = _default_mount(workspace_id, entry["identity_id"], entry["template_id"], param)
    return Primary(_live(mount.store, param), mount)


def check_sessions(workspace_id: str, ids: Sequence[str]) -> None:
    """Raises NotFound for the first id that the workspace does not have."""
    known = set(Session.objects.for_workspace(workspace_id).filter(id__in=ids).values_list("id", flat=True))
    for one in ids:
        if one not in known:
            raise NotFound(f"inputs: no session {one}", param="inputs")


def _store(workspace_id: str, store_id: str, param: str) -> MemoryStore:
    store = MemoryStore.objects.for_workspace(workspace_id).filter(id=store_id).first()
    if store is None:
        raise NotFound(f"{param}: no memory store {store_id}", param=param)
    return _live(store, param)


def _live(store: MemoryStore, param: str) -> MemoryStore:
    if store.archived_at is not None:
        raise InvalidRequest(f"{param}: memory store {store.id} is archived", param=param)
    return store


def _default_mount(workspace_id: str, identity_id: str, template_id: str, param: str) -> Mount:
    _identity(workspace_id, identity_id, f"{param}.identity_id")
    _template(workspace_id, template_id, f"{param}.template_id")
    mount = Mount.objects.default(identity_id, template_id).select_related("store").first()
    if mount is None:
        raise NotFound(
            f"{param}: no default memory for {identity_id} and {template_id}",
            param=param,
            code="default_memory_not_found",
        )
    return mount


def _identity(workspace_id: str, identity_id: str, param: str) -> None:
    identity = Identity.objects.for_workspace(workspace_id).filter(id=identity_id).first()
    if identity is None:
        raise NotFound(f"{param}: no identity {identity_id}", param=param)
    if not identity.enabled:
        raise InvalidRequest(f"{param}: identity {identity_id} is disabled", param=param)


def _template(workspace_id: str, template_id: str, param: str) -> None:
    template = Template.objects.for_workspace(workspace_id).filter(id=template_id).first()
    if template is None:
        raise NotFound(f"{param}: no template {template_id}", param=param)
    if template.archived_at is not None:
        raise InvalidRequest(f"{param}: template {template_id} is archived", param=param)
