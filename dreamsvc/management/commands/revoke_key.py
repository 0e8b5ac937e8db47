"""`manage.py revoke_key`: ends a key."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from dreamsvc.keys import api_key_revoke


class Command(BaseCommand):
    """From the next request on the key is refused with 401; what was made with it stays. Twice is as good as once."""

    help = "Revoke an API key by its id, which list_keys shows. It cannot be taken back: make a new key instead."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", help="apikey_…")

    def handle(self, *args: Any, id: str, **options: Any) -> None:
        if not api_key_revoke(id):
            raise CommandError(f"there is no key {id}; list_keys shows those there are")
        self.stdout.write(f"{id} is revoked.")
