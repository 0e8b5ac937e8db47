"""`manage.py list_keys`: which keys there are, so that one can be revoked."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand

from dreamsvc.models import ApiKey

COLUMNS = "{id}  {prefix}…  {scope:6}  {state:24}  {workspace}  {name}"


class Command(BaseCommand):
    """A line a key, oldest first. A secret cannot be shown: only its SHA-256 is stored."""

    help = "List the API keys: id, first characters, scope, since when they are live or revoked, workspace and name."

    def handle(self, *args: Any, **options: Any) -> None:
        for key in ApiKey.objects.select_related("workspace").order_by("id"):
            self.stdout.write(_line(key))


def _line(key: ApiKey) -> str:
    state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else f"since {key.created_at:%Y-%m-%d %H:%M}"
    given = {"id": key.id, "prefix": key.prefix, "scope": key.scope, "state": state}
    return COLUMNS.format(**given, workspace=key.workspace.name, name=key.name).rstrip()
