"""GET /v1/dreams/{id}/plan, /diff, /lineage and /journal."""

from __future__ import annotations

import pytest
from django.db.models.functions import Now

from dreams.models import Dream
from dreamsvc.pagination import Order, encode
from dreamsvc.timestamps import parse_time, print_time
from memorystores.models import MemoryStore, MemoryVersion
from memorystores.services.versions import version_redact
from tests.conftest import ApiClient, Tenant
from tests.dreams.conftest import MakeClient
from tests.lifecycle.stores import KEY, at, edit, ended, new_dream, new_store

TEXTS = {
    "/MEMORY.md": "# Index\n\n- [A](a.md)\n- [B](b.md)\n",
    "/a.md": "Deploys go out on Tuesday.\n",
    "/b.md": "deploys go out on Tuesday\n",
    "/c.md": "Invoices go out on the 5th.\n",
}
RESULTS = ("plan", "diff", "lineage", "journal")


@pytest.fixture
def notes(alice: Tenant) -> MemoryStore:
    return new_store(alice.workspace, TEXTS)


@pytest.fixture
def dream(notes: MemoryStore) -> Dream:
    return ended(new_dream(notes))


def test_plan(api: ApiClient, dream: Dream) -> None:
    page = api.get(f"/v1/dreams/{dream.id}/plan").body
    assert (page["has_more"], page["next_page"], page["first_id"]) == (False, None, None)
    (operation,) = page["data"]
    assert (operation["kind"], operation["outcome"]) == ("merge_same", "applied")
    assert operation["body"]["reason"]
    assert {source["path"] for source in operation["body"]["sources"]} | {operation["body"]["survivor"]["path"]} == {
        "/a.md",
        "/b.md",
    }


def test_diff(api: ApiClient, dream: Dream) -> None:
    diffs = {diff["path"]: diff for diff in api.get(f"/v1/dreams/{dream.id}/diff").body["data"]}
    assert sorted(diffs) == dream.files_touched
    gone = next(path for path in ("/a.md", "/b.md") if path in diffs)
    assert (diffs[gone]["before"], diffs[gone]["after"]) == (TEXTS[gone], None)
    index = diffs["/MEMORY.md"]
    assert index["before"] == TEXTS["/MEMORY.md"]
    assert f"({gone[1:]})" not in index["after"]
    assert [line for line in index["unified"].splitlines() if line.startswith("-- ")] == [
        f"-- [{gone[1].upper()}]({gone[1:]})"
    ]


def test_diff_in_pages(api: ApiClient, dream: Dream) -> None:
    seen: list[str] = []
    query: dict[str, str] = {"limit": "1"}
    while True:
        page = api.get(f"/v1/dreams/{dream.id}/diff", query).body
        seen += [diff["path"] for diff in page["data"]]
        if not page["has_more"]:
            break
        query["page"] = page["next_page"]
    assert seen == dream.files_touched


def test_diff_in_place_shows_the_input_as_it_was(api: ApiClient, notes: MemoryStore) -> None:
    dream = ended(new_dream(notes, in_place=True))
    diffs = {diff["path"]: diff for diff in api.get(f"/v1/dreams/{dream.id}/diff").body["data"]}
    gone = next(path for path in ("/a.md", "/b.md") if path in diffs)
    assert (diffs[gone]["before"], diffs[gone]["after"]) == (TEXTS[gone], None)


def test_lineage(api: ApiClient, dream: Dream) -> None:
    survivor = next(path for path in ("/a.md", "/b.md") if path not in (dream.files_touched or []))
    rows = api.get(f"/v1/dreams/{dream.id}/lineage", {"path": survivor}).body["data"]
    assert {row["source_path"] for row in rows} == {"/a.md", "/b.md"}
    assert {row["path"] for row in rows} == {survivor}
    everything = api.get(f"/v1/dreams/{dream.id}/lineage", {"limit": 100}).body["data"]
    assert {row["source_path"] for row in everything} == set(TEXTS)
    assert api.get(f"/v1/dreams/{dream.id}/lineage", {"path": "a//b"}).status == 400


def test_journal(api: ApiClient, dream: Dream) -> None:
    journal = api.get(f"/v1/dreams/{dream.id}/journal")
    assert journal.headers["content-type"] == "application/json"
    assert (journal.body["type"], journal.body["dream_id"]) == ("dream_journal", dream.id)
    assert journal.body["record"]["entries"]
    markdown = api.get(f"/v1/dreams/{dream.id}/journal", accept="text/markdown")
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.raw.decode() == journal.body["markdown"]
    assert "eploys go out on Tuesday" in journal.body["markdown"]
    assert str(dream.output_store_id) in journal.body["markdown"]


def test_the_times_of_a_journal_are_in_utc(api: ApiClient, dream: Dream) -> None:
    record = api.get(f"/v1/dreams/{dream.id}/journal").body["record"]
    assert dream.started_at is not None
    assert record["started_at"] == print_time(dream.started_at)
    for moment in (record["survey"]["oldest"], record["survey"]["newest"]):
        assert print_time(parse_time(moment)) == moment


def test_a_dry_run_says_so_and_writes_no_store(api: ApiClient, notes: MemoryStore) -> None:
    dream = ended(new_dream(notes, dry_run=True))
    assert api.get(f"/v1/dreams/{dream.id}").body["outputs"] == []
    assert "[DRY RUN]" in api.get(f"/v1/dreams/{dream.id}/journal").body["markdown"]
    assert [one["outcome"] for one in api.get(f"/v1/dreams/{dream.id}/plan").body["data"]] == ["planned"]
    assert api.get(f"/v1/dreams/{dream.id}/diff").body["data"] == []
    assert MemoryStore.objects.count() == 1


def test_before_the_end(api: ApiClient, notes: MemoryStore) -> None:
    dream = new_dream(notes)
    for result in ("plan", "diff", "lineage"):
        assert api.get(f"/v1/dreams/{dream.id}/{result}").body["data"] == []
    assert api.get(f"/v1/dreams/{dream.id}/journal").status == 404


@pytest.mark.parametrize("result", ["plan", "diff"])
def test_gone_inputs(api: ApiClient, dream: Dream, notes: MemoryStore, result: str) -> None:
    MemoryStore.objects.filter(id=notes.id).update(deleted_at=Now())
    answer = api.get(f"/v1/dreams/{dream.id}/{result}")
    assert (answer.status, answer.error["type"]) == (404, "not_found_error")
    assert api.get(f"/v1/dreams/{dream.id}/journal").status == 200


def test_a_gone_output_has_no_diff(api: ApiClient, dream: Dream) -> None:
    MemoryStore.objects.filter(id=dream.output_store_id).update(deleted_at=Now())
    answer = api.get(f"/v1/dreams/{dream.id}/diff")
    assert (answer.status, answer.error["param"]) == (404, "outputs")
    assert api.get(f"/v1/dreams/{dream.id}/plan").status == 200


def redact(store_id: str, workspace_id: str, path: str) -> None:
    version = MemoryVersion.objects.get(store_id=store_id, path=path, operation="created")
    version_redact(workspace_id=workspace_id, store_id=store_id, version_id=version.id, actor=KEY)


def test_diff_tells_a_redacted_text_from_a_missing_one(api: ApiClient, dream: Dream, notes: MemoryStore) -> None:
    edit(at(notes.id, "/MEMORY.md"), text="Mine.")
    redact(notes.id, notes.workspace_id, "/MEMORY.md")
    edit(at(str(dream.output_store_id), "/MEMORY.md"), text="Mine too.")
    diffs = {diff["path"]: diff for diff in api.get(f"/v1/dreams/{dream.id}/diff").body["data"]}
    index = diffs["/MEMORY.md"]
    assert (index["before"], index["before_redacted"], index["after_redacted"]) == (None, True, False)
    redact(str(dream.output_store_id), notes.workspace_id, "/MEMORY.md")
    diffs = {diff["path"]: diff for diff in api.get(f"/v1/dreams/{dream.id}/diff").body["data"]}
    index = diffs.pop("/MEMORY.md")
    assert (index["after"], index["after_redacted"], index["unified"]) == (None, True, "")
    (gone,) = diffs.values()
    assert (gone["after"], gone["before_redacted"], gone["after_redacted"]) == (None, False, False)


@pytest.mark.parametrize("result", RESULTS)
def test_another_workspaces(client: MakeClient, bob: Tenant, dream: Dream, result: str) -> None:
    assert client(bob.admin).get(f"/v1/dreams/{dream.id}/{result}").status == 404


@pytest.mark.parametrize(("result", "column"), [("plan", "seq"), ("diff", "path"), ("lineage", "pk")])
def test_a_cursor_is_of_one_dream(api: ApiClient, dream: Dream, notes: MemoryStore, result: str, column: str) -> None:
    key = "/a.md" if column == "path" else 0
    order = Order(f"{result}/{dream.id}", "", column, descending=False, resolve=lambda _: None)
    query = {"page": encode(order, key), **({"path": "/a.md"} if result == "lineage" else {})}
    assert api.get(f"/v1/dreams/{dream.id}/{result}", query).status == 200
    other = ended(new_dream(notes))
    assert api.get(f"/v1/dreams/{other.id}/{result}", query).error["param"] == "page"
