from __future__ import annotations

from dataclasses import fields

import pytest

from workers.engine import canonical
from workers.engine.foldings import lower_first
from workers.engine.words import LANGUAGES, idioms
from workers.engine.words.spelling import AMERICAN
from workers.engine.words.table import OPPOSITES, Words, numbered, split
from workers.engine.words.units import GLUED, UNITS

SPACED = [words for words in LANGUAGES.values() if words.spaced]


def phrases(words: Words) -> set[str]:
    """All phrases of the tables that are compared with canonical tokens."""
    found: set[str] = set()
    for field in fields(words):
        table = getattr(words, field.name)
        if isinstance(table, tuple):
            found.update(table)
        elif isinstance(table, dict) and field.name not in ("numbers", "months", "weekdays"):
            found.update(phrase for each in table.values() for phrase in each)
    return found


def test_table_lines() -> None:
    assert split("no_longer not") == ("no longer", "not")
    assert numbered("monday mondays|tuesday") == {"monday": 1, "mondays": 1, "tuesday": 2}
    assert numbered("zero||two", start=0) == {"zero": 0, "two": 2}


@pytest.mark.parametrize("words", SPACED, ids=lambda words: words.code)
def test_phrases_are_in_canonical_form(words: Words) -> None:
    changed = {p for p in phrases(words) if "'" not in p and canonical.words(f"x {p} x")[1:-1] != tuple(p.split())}
    assert changed == set()


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=lambda words: words.code)
def test_tables_are_lower_case_and_share_their_classes(words: Words) -> None:
    assert all(phrase == phrase.lower() for phrase in phrases(words))
    english = LANGUAGES["en"]
    for name in ("conditions", "modality", "quantifiers", "conjunctions", "directions"):
        assert set(getattr(words, name)) <= set(getattr(english, name))


def test_every_direction_has_its_opposite() -> None:
    assert set(LANGUAGES["en"].directions) == set(OPPOSITES)
    assert all(OPPOSITES[other] == name for name, other in OPPOSITES.items())


def test_months_and_weekdays_are_whole() -> None:
    for words in LANGUAGES.values():
        assert set(words.weekdays.values()) == set(range(1, 8))
        assert set(words.months.values()) in (set(range(1, 13)), set())


def test_spellings_are_one_step() -> None:
    assert AMERICAN["colour"] == "color"
    assert AMERICAN["organisation"] == "organization"
    assert AMERICAN["cancelled"] == "canceled"
    assert not AMERICAN.keys() & set(AMERICAN.values())
    assert not AMERICAN.keys() & {"practise", "licence", "cheque", "storey", "metre", "programme", "tyre"}


def test_units_are_one_step() -> None:
    assert all(UNITS[name] == name for name in UNITS.values())
    assert UNITS.keys() >= GLUED
    assert not UNITS.keys() & {"m", "d", "M", "k", "G", "B", "an", "S"}


def test_homographs_keep_their_capital() -> None:
    assert lower_first("Deploys", "en") == "deploys"
    for word in ("Polish", "May", "Montag", "Turkey", "US", "C", "iPhone", "Next.js", "V2", "I"):
        assert lower_first(word, "en") == word
    assert lower_first("Sie", "de") == "Sie"
    assert lower_first("Kosten", "de") == "Kosten"
    assert lower_first("Die", "de") == "die"
    assert lower_first("Isı", "und") == "Isı"


def test_contractions_have_one_long_form() -> None:
    assert idioms.CONTRACTIONS["don't"] == ("do", "not")
    assert not idioms.CONTRACTIONS.keys() & {"it's", "he'd", "let's", "ain't"}
