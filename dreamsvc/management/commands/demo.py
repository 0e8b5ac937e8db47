"""`manage.py demo`: a folder of memories, one dream, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.db import connection
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.progress import Progress, track
from rich.table import Table

from dreamsvc.demo import folder, service
from dreamsvc.demo.client import Client, Refused

WORKSPACE = "demo"


class Command(BaseCommand):
    """Imports a folder through the API, dreams of it and shows the journal; the folder is only read."""

    help = "Show a first dream: of examples/memory, or of your own folder with --from DIR (which is only read)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--from", dest="source", type=Path, default=settings.BASE_DIR / "examples" / "memory")

    def handle(self, *args: Any, source: Path, **options: Any) -> None:
        if not source.is_dir():
            raise CommandError(f"{source} is no folder")
        found = folder.read(source)
        if not found.notes:
            raise CommandError(f"{source} holds no text files")
        console = Console()
        try:
            with service.running() as url:
                _show(console, source, found, url)
        except (service.ServiceFailed, Refused) as error:
            raise CommandError(str(error)) from error


def _show(console: Console, source: Path, found: folder.Folder, url: str) -> None:
    key = _key()
    client = Client(url, key)
    console.print(f"dreamsvc runs at [bold]{url}[/] and keeps its files in {escape(str(settings.VAR))}")
    database = connection.settings_dict
    if connection.vendor != "sqlite":
        console.print(f"It writes to the database of DATABASE_URL: {escape(database['NAME'])} at {database['HOST']}")
    pair = client.pair("demo")
    store = client.default_store(pair, f"memory of {source.resolve().name}")
    refused = _import(console, client, store, found.notes)
    for path, reason in (*found.skipped, *refused):
        console.print(f"[yellow]left out[/] {escape(path)}: {escape(reason)}", highlight=False)
    dream = _dream(console, client, pair)
    _print_outcome(console, client, dream, store, client.default_memory(pair))
    _print_further(console, key)


def _import(console: Console, client: Client, store: str, notes: Sequence[folder.Note]) -> list[tuple[str, str]]:
    """Adds the notes; those that the API refuses, a path with control characters say, with the reason."""
    refused: list[tuple[str, str]] = []
    for note in track(notes, f"Importing {len(notes)} memories", console=console):
        try:
            client.add(store, note)
        except Refused as error:
            refused.append((note.path, str(error).partition(": ")[2]))  # without the call
    return refused


def _key() -> str:
    out = StringIO()
    call_command("create_key", workspace=WORKSPACE, scope="admin", stdout=out)
    return out.getvalue().strip()


def _dream(console: Console, client: Client, pair: dict[str, str]) -> dict[str, Any]:
    with Progress(console=console) as bar:
        task = bar.add_task("Dreaming", total=None)

        def watch(dream: dict[str, Any]) -> None:
            now = dream["progress"]
            if now:
                bar.update(task, description=f"Dreaming: {now['phase']}", completed=now["done"], total=now["total"])

        dream = client.dream(pair, watch)
        bar.update(task, description="Dreaming: done", completed=1, total=1)
    if dream["status"] != "completed":
        raise CommandError(f"the dream {dream['status']}: {dream['error']}")
    return dream


def _print_outcome(console: Console, client: Client, dream: dict[str, Any], store: str, now: str) -> None:
    console.print(Markdown(client.journal(dream["id"])))
    table = Table("What changed", "Memory", "Lines", title="Diff")
    for diff in client.diffs(dream["id"]):
        table.add_row(_verb(diff), escape(diff["path"]), _lines(diff["unified"]))
    console.print(table)
    report = dream["report"]
    console.print(
        f"Tokens: {report['tokens_before']} before, {report['tokens_after']} after, "
        f"[bold]{report['tokens_saved']} saved[/], with {report['model_calls']} model calls."
    )
    if now != dream["outputs"][0]["memory_store_id"]:
        raise CommandError(f"the default memory is {now}, not the dream's output")
    console.print(f"The default memory moved: {store} → [bold]{now}[/]. The old store is as it was.", highlight=False)


def _verb(diff: dict[str, Any]) -> str:
    if diff["before"] is None:
        return "created"
    return "deleted" if diff["after"] is None else "changed"


def _lines(unified: str) -> str:
    lines = unified.splitlines()
    added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("---") for line in lines)
    return f"+{added} -{removed}"


def _print_further(console: Console, key: str) -> None:
    console.print("\n[bold]To go on[/]", highlight=False)
    for line in (
        "  .venv/bin/python manage.py demo --from DIR    # the same with a folder of yours, which is only read",
        "  .venv/bin/python manage.py up                 # the service at http://127.0.0.1:8000",
        f"  curl -H 'x-api-key: {key}' http://127.0.0.1:8000/v1/dreams",
        "  README.md                                     # a first dream with curl and with the anthropic SDK",
    ):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
