"""The test run of `make test`: everything on SQLite, then everything on PostgreSQL and Redis.

python -m tests.run [pytest arguments]
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

from tests import services

PARALLEL = ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "loadgroup"]


def main(arguments: list[str]) -> int:
    """Runs both passes; the exit code is the first one that failed, or 1 in CI when a service is missing."""
    embedded = _pytest("SQLite, in-memory broker", {"DATABASE_URL": None, "REDIS_URL": None}, arguments)
    found = services.find()
    if found is None:
        print("!! PostgreSQL or Redis neither running nor installed: the service tests were NOT run !!", flush=True)
        return embedded or (1 if os.environ.get("CI") == "true" else 0)
    urls = {"DATABASE_URL": found.database_url, "REDIS_URL": found.redis_url}
    return embedded or _pytest("PostgreSQL and Redis", urls, arguments)


def _pytest(title: str, settings: Mapping[str, str | None], arguments: list[str]) -> int:
    environment = {**os.environ, **{key: value for key, value in settings.items() if value is not None}}
    for key, value in settings.items():
        if value is None:
            environment.pop(key, None)
    print(f"== {title} ==", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", *PARALLEL, *arguments], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
