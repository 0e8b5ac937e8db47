from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine.terms import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run the Tests!", ["run", "the", "test"]),
        ("queries, classes, status, analysis", ["query", "classe", "status", "analysis"]),
        ("École Straße", ["ecole", "strasse"]),
        ("l'école don't", ["l", "ecole", "don", "t"]),
        ("ёж й", ["ёж", "й"]),
        ("ＡＢＣ １２", ["abc", "12"]),
        ("db-migrate v1.2", ["db-migrate", "db", "migrate", "v1.2", "v1", "2"]),
        ("max_tokens", ["max_tokens", "max", "token"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("#260 (P3006).", ["260", "p3006"]),
        ("咖啡店", ["咖啡", "啡店"]),
        ("用Redis缓存", ["用", "redis", "缓存"]),
        ("カフェ", ["カフ", "フェ"]),
        ("커피를", ["커피", "피를"]),
        ("ไทย", ["ไท", "ทย"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("猫", ["猫"]),
        (" \n…!?", []),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_text_gives_its_characters_besides_their_pairs() -> None:
    assert terms("咖啡店 shop", characters=True) == ["咖", "啡", "店", "咖啡", "啡店", "shop"]


@given(st.text())
def test_case_and_normal_form_make_no_difference(text: str) -> None:
    assert terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text))


@given(st.text(alphabet="abcxyz ÀÉöñ._-", max_size=30))
def test_capitals_make_no_difference_where_no_word_has_a_hump(text: str) -> None:
    assert terms(text.upper()) == terms(text.lower())
