"""What a dream must leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.stores import memory, snapshot, store
from workers.engine.protection import protected, sealed


@pytest.mark.parametrize(
    ("patterns", "closed"),
    [
        ((), set()),
        (("/private/",), {"/private/a.md", "/private/keys/b.md"}),
        (("private",), {"/private/a.md", "/private/keys/b.md", "/x/private.md/c.md"} - {"/x/private.md/c.md"}),
        (("*.key",), {"/x/a.key"}),
        (("**/keys/*",), {"/private/keys/b.md"}),
        (("/private/*", "!/private/a.md"), {"/private/keys/b.md"}),
        (("# a comment", ""), set()),
    ],
)
def test_paths_are_closed_as_gitignore_would(patterns: tuple[str, ...], closed: set[str]) -> None:
    paths = ("/private/a.md", "/private/keys/b.md", "/x/a.key", "/x/private.md/c.md", "/b.md")
    taken = store(dict.fromkeys(paths, "text"), protected_paths=patterns)
    assert {each.removeprefix("mem_") for each in protected(taken)} == closed


@pytest.mark.parametrize("pattern", ["!", "\\", "[z-a]"])
def test_a_pattern_that_cannot_be_read_closes_the_whole_store(pattern: str) -> None:
    assert len(protected(store({"/a.md": "x", "/b.md": "y"}, protected_paths=(pattern,)))) == 2


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"pinned": True, "ring": "shocks"}, "shocks"),
        ({"pinned": True, "trust": "untrusted"}, "pinned"),
        ({"trust": "untrusted"}, "untrusted"),
        ({"decay_stage": "forgotten"}, "forgotten"),
    ],
)
def test_the_strongest_reason_is_named(changes: dict[str, Any], reason: str) -> None:
    taken = snapshot([memory("/a.md", "x", **changes), memory("/b.md", "x", trust="external")])
    assert protected(taken) == {"mem_/a.md": reason}


def test_only_the_legal_tier_is_sealed() -> None:
    assert sealed(store({}, trust_tier="legal"))
    assert not sealed(store({}, trust_tier="personal"))
