"""All benchmarks that need no data of their own, one after the other, as `make bench` runs them.

    python -m benchmarks [NAME …]

NAME: one of the modules of this package. `merging` and `baselines` take files and are run by themselves.
"""

from __future__ import annotations

import subprocess
import sys

NAMES = ("api", "neighbours", "dream", "apply")


def main(names: list[str]) -> int:
    """Runs them in turn; the exit code is the first that is not 0."""
    unknown = set(names) - set(NAMES)
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    codes = [_run(name) for name in names or NAMES]
    return next((code for code in codes if code), 0)


def _run(name: str) -> int:
    print(f"\n== {name} ==\n", flush=True)
    return subprocess.run([sys.executable, "-m", f"benchmarks.{name}"]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
