"""Marks that say something by themselves: a text that lacks one is another, and no beginning of one that has it."""

from __future__ import annotations

import pytest

from tests.engine.stores import dreamt, store, texts
from tests.engine.test_marks import FORMS
from workers.engine import canonical
from workers.engine.contained import contained
from workers.engine.values import Policy

FIRM = [
    # plural endings of certain things, which are one or more
    ("Restart the hosts before noon.", "Restart the host before noon."),
    ("Kim owns the servers in Graz.", "Kim owns the server in Graz."),
    ("Use the keys per host.", "Use a key per host."),
    ("Ask my old hosts for it.", "Ask my old host for it."),
    ("Kim reads those logs at ten.", "Kim reads those log at ten."),
    ("Restart Kim's hosts before noon.", "Restart Kim's host before noon."),
    ("Only admins may delete it.", "Only admin may delete it."),
    ("Kim asks which hosts have it.", "Kim asks which host have it."),
    ("Kim has some keys for it.", "Kim has some key for it."),
    ("Kim owns the boxes and policies.", "Kim owns the box and policy."),
    # a name may have lost its capital
    ("Andreas is late for lunch.", "Andrea is late for lunch."),
    ("It broke again. Jens is broken.", "It broke again. Jen is broken."),
    ("- Williams owns it in Graz", "- William owns it in Graz"),
    # articles
    ("Ask the lead and the engineer about it.", "Ask the lead and engineer about it."),
    ("Meet a director and a producer in Graz.", "Meet a director and producer in Graz."),
    ("The owner and the admin signs it.", "The owner and admin signs it."),
    ("Ask our old lead or the engineer about it.", "Ask our old lead or engineer about it."),
    ("Ask the lead and engineer about it.", "Ask lead and engineer about it."),
    ("Only the admin may delete it.", "Only an admin may delete it."),
    ("Only the admin may delete it.", "Only admin may delete it."),
    ("Kim knows the reason for it.", "Kim knows a reason for it."),
    ("Ask neither the lead nor the engineer.", "Ask neither the lead nor engineer."),
    ("Ask the senior site lead and the engineer.", "Ask the senior site lead and engineer."),
    # commas
    ("In Berlin keys go to users, who pay for it.", "In Berlin keys go to users who pay for it."),
    ("In May Kim left the firm, because of Bo.", "In May Kim left the firm because of Bo."),
    ("In Berlin users, on the paid plan, win.", "In Berlin users on the paid plan win."),
    ("In Berlin users, on the paid plan, who ask win.", "In Berlin users on the paid plan, who ask win."),
    ("After lunch Kim saw Bo, walking home.", "After lunch Kim saw Bo walking home."),
    ("In the end we eat, Grandma.", "In the end we eat Grandma."),
    ("Let's eat, Grandma", "Let's eat Grandma"),
    ("Run lint, tests in CI.", "Run lint tests in CI."),
    ("No, backups run", "No backups run"),
    ("He left, because of Kim", "He left because of Kim"),
    ("Users, who pay, win", "Users who pay win"),
    ("The panda eats, shoots and leaves", "The panda eats shoots and leaves"),
    ("In 2024, 5 servers failed", "In 2024 5 servers failed"),
    ("Old men, and women", "Old men and women"),
    ("Run A or B, and C", "Run A or B and C"),
    ("Our tools, Celery, and Redis", "Our tools, Celery and Redis"),
    ("Invite Kim, a doctor, and Bob.", "Invite Kim, a doctor and Bob."),
    ("Invite a friend, my boss, and Bob.", "Invite a friend, my boss and Bob."),
    ("Usually, quiet servers fail", "Usually quiet servers fail"),
    # in other languages all of them
    ("Das Kind spielt, das Haus steht", "Das Kind spielt das Haus steht"),
    ("Er will, sie nicht", "Er will sie nicht"),
    ("Mangeons, les enfants", "Mangeons les enfants"),
    ("No, espere aquí mismo", "No espere aquí mismo"),
    ("他说，不用来了。", "他说不用来了。"),
]
"""Equal tokens, and the first text has a mark that says something by itself."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pair", FIRM, ids=lambda pair: pair[0])
def test_a_firm_mark_keeps_both(form: str, pair: tuple[str, str]) -> None:
    assert canonical.tokens(pair[0]) == canonical.tokens(pair[1])
    assert not canonical.same(*pair)
    files = FORMS[form](*pair)
    assert texts(dreamt(store(files))) == files


@pytest.mark.parametrize("pair", FIRM, ids=lambda pair: pair[0])
def test_a_firm_mark_counts_inside_a_longer_text(pair: tuple[str, str]) -> None:
    a, b = (f"They wrote this down: {text.rstrip('.。')} and left." for text in pair)
    assert not canonical.same(a, b)


@pytest.mark.parametrize(
    ("shorter", "longer", "expected"),
    [
        ("Deploys run from main.", "The deploys run from main, on Tuesdays.", True),
        ("The deploys run from main.", "Deploys run from main, on Tuesdays.", False),
        ("Deploy runs from main.", "Deploys run from main, on Tuesdays.", False),
        ("Kim has signed the contract.", "Kim has the signed contract, on paper.", False),
        ("Kim has signed contract.", "Kim has the signed contract, at ten.", True),
        ("Deploys run from main, on Tuesdays.", "Deploys run from main, on Tuesdays, at nine.", True),
        ("Deploys run from main on Tuesdays.", "Deploys run from main, on Tuesdays, at nine.", False),
        ("Use tests, lint and types.", "Use tests, lint, and types, at nine.", True),
        ("Restart the host now.", "Restart the hosts now, on Tuesdays.", False),
        ("Ask the lead and engineer.", "Ask the lead and the engineer, on Tuesdays.", False),
        ("Users who pay win here.", "Users, who pay, win here, on Tuesdays.", False),
        ("Kim kommt, Bo geht heute.", "Kim kommt, Bo geht heute, Jo bleibt da.", True),
        ("Wir essen Opa Karl heute.", "Wir essen, Opa Karl heute, um neun.", False),
    ],
)
def test_a_beginning_has_the_marks_of_the_longer_text(shorter: str, longer: str, expected: bool) -> None:
    assert contained(shorter, longer, Policy()) is expected
