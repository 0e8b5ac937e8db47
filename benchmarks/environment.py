"""Django for a benchmark: a database of its own, in a folder that goes when it ends."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django


def use_django() -> None:
    """Sets Django up on a folder of its own, so that a benchmark touches nobody's `var`."""
    os.environ.setdefault("DREAMSVC_VAR", tempfile.mkdtemp(prefix="dreamsvc-benchmark-"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dreamsvc.settings")
    django.setup()


@contextmanager
def temporary_database(urlconf: str | None = None) -> Iterator[None]:
    """A migrated test database as Django's tests have one; `urlconf` replaces the URL map meanwhile."""
    from django.db import connection
    from django.test.utils import override_settings, setup_test_environment, teardown_test_environment

    folder = tempfile.TemporaryDirectory(prefix="dreamsvc-benchmark-")
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(Path(folder.name) / "test.sqlite3")
    setup_test_environment()
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with override_settings(**({"ROOT_URLCONF": urlconf} if urlconf else {})):
            yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        teardown_test_environment()
        folder.cleanup()
