"""`manage.py create_key`: the only way to make a key."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError

from dreamsvc.keys import api_key_create
from dreamsvc.models import Scope, Workspace


class Command(BaseCommand):
    """Prints the key and nothing else, so that a script can take it: `KEY=$(manage.py create_key)`."""

    help = "Make an API key, and its workspace when there is none of that name. Prints the key; it is shown only once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--workspace", default="default", help="name of the workspace (default: %(default)s)")
        parser.add_argument("--scope", default=Scope.ADMIN.value, choices=Scope.values, help="(default: %(default)s)")
        parser.add_argument("--name", default="", help="a note of what the key is for")

    def handle(self, *args: Any, workspace: str, scope: str, name: str, **options: Any) -> None:
        limit = Workspace._meta.get_field("name").max_length or 0
        if not 1 <= len(workspace) <= limit or len(name) > limit:
            raise CommandError(f"names have 1 to {limit} characters")
        try:
            _, secret = api_key_create(workspace_name=workspace, scope=scope, name=name)
        except (OperationalError, ProgrammingError) as error:
            raise CommandError(f"the database is not ready: {error}. Run `up` or `migrate` first.") from error
        self.stdout.write(secret)
