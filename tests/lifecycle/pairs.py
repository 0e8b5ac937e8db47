"""Identities with templates and their default memories."""

from __future__ import annotations

from django.db import transaction

from dreamsvc.actors import Actor, ActorType
from dreamsvc.models import Workspace
from identities.models import Identity, Mount, Template
from identities.pairs import Pair
from identities.services.defaults import default_memory_add, default_memory_set
from memorystores.models import MemoryStore

KEY = Actor(ActorType.API, "apikey_test")


def new_pair(workspace: Workspace, store: MemoryStore, name: str = "ana") -> Mount:
    """A pair whose default memory is the store."""
    identity = Identity.objects.create(workspace=workspace, external_id=name)
    template = Template.objects.create(workspace=workspace, name=name)
    pair = Pair(identity, template)
    with transaction.atomic():
        default_memory_add(pair=pair, store=store, actor=KEY)
    return pair.default().get()


def replace_default(mount: Mount, store: MemoryStore) -> None:
    """Somebody makes another store the pair's default, over the API."""
    default_memory_set(
        workspace_id=store.workspace_id,
        identity_id=mount.identity_id,
        template_id=mount.template_id,
        store_id=store.id,
        actor=KEY,
    )


def default_of(mount: Mount) -> str:
    return Mount.objects.get(pk=mount.pk).store_id
