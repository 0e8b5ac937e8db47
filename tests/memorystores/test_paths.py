"""The path rules, without a database."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamsvc.errors import InvalidRequest
from memorystores.paths import ancestors, normalized, normalized_prefix, past

SEGMENT = (
    st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"), exclude_characters="/"), min_size=1)
    .map(lambda text: unicodedata.normalize("NFC", text)[:40])
    .filter(lambda text: text not in (".", "..") and "/" not in text and unicodedata.is_normalized("NFC", text))
)
PATH = st.lists(SEGMENT, min_size=1, max_size=6).map(lambda segments: "/" + "/".join(segments))


@pytest.mark.parametrize(
    ("given_path", "stored"),
    [
        ("a.md", "/a.md"),
        ("/a.md", "/a.md"),
        ("Notes/Ü/x", "/Notes/Ü/x"),
        ("/...", "/..."),
        ("/a b/ c", "/a b/ c"),
        ("/日记/二〇二六.md", "/日记/二〇二六.md"),
        ("/👍", "/👍"),
        ("/" + "/".join("abcdefghijklmnopqrst"), "/" + "/".join("abcdefghijklmnopqrst")),
        ("/" + "x" * 1023, "/" + "x" * 1023),
    ],
)
def test_accepts(given_path: str, stored: str) -> None:
    assert normalized(given_path) == stored


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "//",
        "//a",
        "a//b",
        "a/",
        "/a/",
        ".",
        "a/./b",
        "/../etc/passwd",
        "a/..",
        "a\x00b",
        "a\nb",
        "a\x7f",
        "a\x85b",
        "a\u200db",
        "a\u202eb",
        "\ufeffa",
        "a\u2028b",
        "a\u2029b",
        "e\u0301",
        "a\ud800",
        "/" + "/".join("abcdefghijklmnopqrstu"),
        "/" + "x" * 1024,
        "/" + "ü" * 512,
    ],
)
def test_refuses(path: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        normalized(path)
    assert refusal.value.param == "path"
    assert refusal.value.message.startswith("path: ")


@pytest.mark.parametrize(("prefix", "stored"), [("/", "/"), ("a/", "/a/"), ("/a/", "/a/"), ("/a/b/", "/a/b/")])
def test_accepts_prefixes(prefix: str, stored: str) -> None:
    assert normalized_prefix(prefix) == stored


@pytest.mark.parametrize("prefix", ["", "a", "/a", "//", "/a//", "../", "/a/../"])
def test_refuses_prefixes(prefix: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        normalized_prefix(prefix)
    assert refusal.value.param == "path_prefix"


def test_ancestors_are_nearest_last() -> None:
    assert ancestors("/a/b/c") == ["/a", "/a/b"]
    assert ancestors("/a") == []


@given(PATH)
def test_normalizing_twice_changes_nothing(path: str) -> None:
    assert normalized(normalized(path)) == normalized(path) == normalized(path[1:])


@given(PATH, PATH)
def test_a_folder_is_one_range_of_bytes(folder: str, path: str) -> None:
    """The queries rely on it: what lies under a folder, and nothing else, sorts between `/…/` and `past`."""
    low, high = f"{folder}/".encode(), past(f"{folder}/").encode()
    for candidate in (path, folder, folder + path, folder + "x"):
        assert (low <= candidate.encode() < high) == candidate.startswith(f"{folder}/")


@given(PATH)
def test_every_ancestor_is_a_folder_of_its_path(path: str) -> None:
    assert all(path.startswith(f"{above}/") for above in ancestors(path))
    assert len(ancestors(path)) == path.count("/") - 1


def test_length_is_judged_before_every_character_is_looked_at() -> None:
    with pytest.raises(InvalidRequest, match="longer than"):
        normalized("a\n" * 1024)
