"""An identity with a template: the pair that has a default memory."""

from __future__ import annotations

from dataclasses import dataclass

from dreamsvc.errors import InvalidRequest
from identities.models import Identity, Mount, MountQuerySet, Template


@dataclass(frozen=True, slots=True)
class Pair:
    """Both rows of a pair; they exist and are of one workspace."""

    identity: Identity
    template: Template

    @property
    def workspace_id(self) -> str:
        return self.identity.workspace_id

    def mounts(self) -> MountQuerySet:
        """Every store that the pair has."""
        return Mount.objects.filter(identity=self.identity, template=self.template)

    def default(self) -> MountQuerySet:
        """Its default memory, if it has one."""
        return Mount.objects.default(self.identity.id, self.template.id)


def pair_get(workspace_id: str, identity_id: str, template_id: str) -> Pair:
    """The pair, to read; raises NotFound."""
    identity = Identity.objects.found(workspace_id, identity_id)
    return Pair(identity, Template.objects.found(workspace_id, template_id))


def pair_open(workspace_id: str, identity_id: str, template_id: str) -> Pair:
    """The pair, to begin something with it; raises NotFound, or InvalidRequest when it is disabled or archived."""
    return _open(pair_get(workspace_id, identity_id, template_id))


def pair_lock(workspace_id: str, identity_id: str, template_id: str) -> Pair:
    """The pair, to give it something new; raises NotFound, or InvalidRequest when it is disabled or archived.

    Locks the identity until the end of the transaction, before mounts and stores: what a pair has is counted and
    changed in one step, and an identity being deleted gets nothing any more.
    """
    identity = Identity.objects.locked(workspace_id, identity_id)
    return _open(Pair(identity, Template.objects.found(workspace_id, template_id)))


def _open(pair: Pair) -> Pair:
    if not pair.identity.enabled:
        raise InvalidRequest(f"identity_id: identity {pair.identity.id} is disabled", param="identity_id")
    if pair.template.archived_at is not None:
        raise InvalidRequest(f"template_id: template {pair.template.id} is archived", param="template_id")
    return pair
