"""A rollback while a redaction is about to be committed: the text must not come back."""

from __future__ import annotations

import pytest
from django.db import transaction

from dreams.rollback import dream_rollback
from memorystores.models import Content, MemoryVersion
from memorystores.services.versions import version_redact
from tests.conftest import Tenant
from tests.lifecycle.stores import KEY, ended, new_dream, new_store, texts
from tests.memorystores.test_races import Crowd, blocked, crowd

__all__ = ["crowd"]
pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
SECRET = "The vault code of the Lisbon office is 4711.\n"


@pytest.mark.parametrize(
    "copy", [SECRET, SECRET.replace(".", "")], ids=["text held elsewhere", "text held nowhere else"]
)
def test_a_text_that_is_being_redacted_stays_away(alice: Tenant, crowd: Crowd, copy: str) -> None:
    store = new_store(alice.workspace, {"/a.md": SECRET, "/b.md": copy})
    dream = ended(new_dream(store, in_place=True))
    (gone,) = {"/a.md", "/b.md"} - set(texts(store.id))
    version = MemoryVersion.objects.select_related("content").get(store=store, path=gone, operation="created")
    with transaction.atomic():
        version_redact(workspace_id=store.workspace_id, store_id=store.id, version_id=version.id, actor=KEY)
        undoing = crowd.start(
            lambda: dream_rollback(
                workspace_id=store.workspace_id, dream_id=dream.id, actor=KEY, discard_later_writes=False
            )
        )
        blocked()
    undone = undoing.result()
    assert undone.rollback == {"memory_store_id": store.id, "restored": [*texts(store.id)], "kept": [version.memory_id]}
    assert gone not in texts(store.id)
    assert version.content is not None
    assert Content.objects.filter(pk=version.content.pk).exists() == (copy == SECRET)
