"""POST /v1/dreams/{id}/rollback."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from dreams.models import Dream
from dreamsvc.actors import Actor
from identities.models import Mount
from identities.services.defaults import default_memory_set
from memorystores.models import Memory, MemoryStore, MemoryVersion
from memorystores.services.versions import version_redact
from tests.conftest import Answer, ApiClient, Tenant
from tests.dreams.conftest import Pair
from tests.lifecycle.stores import KEY, at, delete, edit, ended, new_dream, new_store, texts, write

TEXTS = {"/a.md": "Deploys go out on Tuesday.\n", "/b.md": "deploys go out on Tuesday\n", "/c.md": "Else.\n"}


@pytest.fixture
def store(alice: Tenant) -> MemoryStore:
    return new_store(alice.workspace, TEXTS)


def rollback(api: ApiClient, dream: Dream, **query: str) -> Answer:
    return api.post(f"/v1/dreams/{dream.id}/rollback", query=query)


def mounted(pair: Pair) -> Mount:
    return Mount.objects.get(pk=pair.mount.pk)


def refused(answer: Answer, status: int, code: str | None = None) -> None:
    assert (answer.status, answer.error.get("code")) == (status, code), answer.body


class TestOfAPair:
    @pytest.fixture
    def dream(self, store: MemoryStore, pair: Pair) -> Dream:
        dream = ended(new_dream(store, mount=pair.mount))
        assert mounted(pair).store_id == dream.output_store_id != store.id
        return dream

    def test_mounts_the_previous_default_again(
        self, api: ApiClient, store: MemoryStore, pair: Pair, dream: Dream
    ) -> None:
        first = rollback(api, dream)
        assert (first.status, first.body["status"]) == (200, "completed")
        assert first.body["rolled_back_at"] is not None
        assert api.get(f"/v1/dreams/{dream.id}").body["rolled_back_at"] == first.body["rolled_back_at"]
        assert first.body["rollback"] == {"memory_store_id": store.id, "restored": [], "kept": []}
        assert mounted(pair).store_id == store.id
        revision = mounted(pair).revision
        assert rollback(api, dream).body == first.body
        assert mounted(pair).revision == revision
        assert api.get(f"/v1/memory_stores/{dream.output_store_id}").status == 200

    @pytest.mark.parametrize("change", ["create", "edit", "delete", "pin"])
    def test_later_writes(self, api: ApiClient, pair: Pair, dream: Dream, change: str) -> None:
        output = MemoryStore.objects.get(id=dream.output_store_id)
        memory = at(output.id, "/c.md")
        if change == "create":
            write(output, "/c.md2", "New.")
        elif change == "edit":
            edit(memory, text="Other.")
        elif change == "pin":
            edit(memory, pinned=True)
        else:
            delete(memory)
        answer = rollback(api, dream)
        refused(answer, 409, "memory_written_since")
        assert answer.error["paths"] == ["/c.md2" if change == "create" else "/c.md"]
        assert answer.headers["x-should-retry"] == "false"
        assert mounted(pair).store_id == output.id
        assert rollback(api, dream, discard_later_writes="true").status == 200
        assert mounted(pair).store_id == dream.mount_store_id

    def test_default_replaced_since(self, api: ApiClient, alice: Tenant, pair: Pair, dream: Dream) -> None:
        newer = new_store(alice.workspace, {})
        default_memory_set(
            workspace_id=alice.workspace.id,
            identity_id=pair.identity.id,
            template_id=pair.template.id,
            store_id=newer.id,
            actor=Actor.key(alice.keys["admin"]),
        )
        answer = rollback(api, dream, discard_later_writes="true")
        refused(answer, 409)
        assert answer.error["type"] == "conflict_error"
        assert mounted(pair).store_id == newer.id

    @pytest.mark.parametrize("column", ["deleted_at", "archived_at"])
    def test_previous_store_gone(
        self, api: ApiClient, store: MemoryStore, pair: Pair, dream: Dream, column: str
    ) -> None:
        MemoryStore.objects.filter(id=store.id).update(**{column: Now()})
        refused(rollback(api, dream), 409, "previous_memory_gone")
        assert mounted(pair).store_id == dream.output_store_id

    def test_bad_query(self, api: ApiClient, dream: Dream) -> None:
        assert rollback(api, dream, discard_later_writes="1").status == 400
        assert rollback(api, dream, force="true").status == 400


class TestInPlace:
    def columns(self, store: MemoryStore) -> dict[str, Any]:
        kept = ("id", "tags", "pinned", "trust", "reinforcement_count", "observed_at", "created_at")
        return {memory.path: [getattr(memory, name) for name in kept] for memory in store.memories.all()}

    def test_puts_everything_back(self, api: ApiClient, store: MemoryStore) -> None:
        Memory.objects.filter(store=store, path="/a.md").update(tags=["ops"], reinforcement_count=3)
        before = self.columns(store)
        dream = ended(new_dream(store, in_place=True))
        assert len(texts(store.id)) == 2
        answer = rollback(api, dream)
        assert answer.body["rollback"]["kept"] == []
        assert texts(store.id) == TEXTS
        assert self.columns(store) == before
        revision = MemoryStore.objects.get(pk=store.pk).revision
        assert rollback(api, dream).body == answer.body
        assert MemoryStore.objects.get(pk=store.pk).revision == revision

    def test_leaves_what_was_written_since(self, api: ApiClient, alice: Tenant) -> None:
        text = "# Rules\n\n- Run tests first\n- Keep commits small\n- Run tests first.\n"
        store = new_store(alice.workspace, {**TEXTS, "/rules.md": text})
        dream = ended(new_dream(store, in_place=True))
        edit(at(store.id, "/rules.md"), text="Mine.")
        undone = rollback(api, dream).body["rollback"]
        assert undone["kept"] == ["/rules.md"]
        assert texts(store.id) == {**TEXTS, "/rules.md": "Mine."}

    def test_leaves_a_memory_whose_path_is_taken(self, api: ApiClient, store: MemoryStore) -> None:
        dream = ended(new_dream(store, in_place=True))
        gone = next(path for path in TEXTS if path not in texts(store.id))
        write(store, gone, "Somebody else's.")
        assert rollback(api, dream).body["rollback"]["kept"] == [gone]
        assert texts(store.id)[gone] == "Somebody else's."

    def test_leaves_a_memory_that_a_full_store_has_no_room_for(
        self, api: ApiClient, store: MemoryStore, settings: Settings
    ) -> None:
        Memory.objects.filter(store=store).update(tags=["ops"])
        settings.STORE_MAX_MEMORIES = 3
        dream = ended(new_dream(store, in_place=True))
        gone = next(path for path in TEXTS if path not in texts(store.id))
        write(store, "/new.md", "New.\n")
        answer = rollback(api, dream)
        assert (answer.status, answer.body["rollback"]["kept"]) == (200, [gone])
        assert texts(store.id) == {**{path: TEXTS[path] for path in TEXTS if path != gone}, "/new.md": "New.\n"}

    def test_leaves_a_text_that_would_make_the_store_too_large(
        self, api: ApiClient, alice: Tenant, settings: Settings
    ) -> None:
        rules = "# Rules\n\n- Run tests first\n- Keep commits small\n- Run tests first.\n"
        store = new_store(alice.workspace, {**TEXTS, "/rules.md": rules})
        dream = ended(new_dream(store, in_place=True))
        settings.STORE_MAX_BYTES = MemoryStore.objects.get(pk=store.pk).total_size + len(TEXTS["/a.md"]) + 1
        undone = rollback(api, dream).body["rollback"]
        assert undone["kept"] == ["/rules.md"]
        assert len(texts(store.id)) == 4

    def test_leaves_a_redacted_text(self, api: ApiClient, store: MemoryStore, alice: Tenant) -> None:
        dream = ended(new_dream(store, in_place=True))
        gone = next(path for path in TEXTS if path not in texts(store.id))
        version = MemoryVersion.objects.get(store=store, path=gone, operation="created")
        version_redact(workspace_id=alice.workspace.id, store_id=store.id, version_id=version.id, actor=KEY)
        assert rollback(api, dream).body["rollback"]["kept"] == [version.memory_id]
        assert gone not in texts(store.id)

    def test_takes_few_statements_for_each_memory(self, api: ApiClient, alice: Tenant) -> None:
        taken = [self.statements(api, alice, pairs) for pairs in (2, 12)]
        assert taken[1] - taken[0] <= 3 * 10

    def statements(self, api: ApiClient, alice: Tenant, pairs: int) -> int:
        facts = [f"Invoices of office {number} go out on day {number}.\n" for number in range(pairs)]
        store = new_store(alice.workspace, {f"/{at}{side}.md": fact for at, fact in enumerate(facts) for side in "ab"})
        dream = ended(new_dream(store, in_place=True))
        assert MemoryStore.objects.get(pk=store.pk).entry_count == pairs
        with CaptureQueriesContext(connection) as queries:
            assert len(rollback(api, dream).body["rollback"]["restored"]) >= pairs
        assert MemoryStore.objects.get(pk=store.pk).entry_count == 2 * pairs
        return len(queries)

    @pytest.mark.parametrize(("column", "status"), [("deleted_at", 404), ("archived_at", 400)])
    def test_a_store_that_takes_no_writes(self, api: ApiClient, store: MemoryStore, column: str, status: int) -> None:
        dream = ended(new_dream(store, in_place=True))
        MemoryStore.objects.filter(id=store.id).update(**{column: Now()})
        answer = rollback(api, dream)
        refused(answer, status)
        assert answer.error["param"] == "memory_store_id"


def test_a_plain_dream_has_nothing_to_undo(api: ApiClient, store: MemoryStore) -> None:
    refused(rollback(api, ended(new_dream(store))), 400)


def test_a_dry_run_has_nothing_to_undo(api: ApiClient, store: MemoryStore, pair: Pair) -> None:
    refused(rollback(api, ended(new_dream(store, mount=pair.mount, dry_run=True))), 400)


def test_a_pending_dream_cannot_be_rolled_back(api: ApiClient, store: MemoryStore) -> None:
    refused(rollback(api, new_dream(store, in_place=True)), 400)
