from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine import canonical
from workers.engine.contained import contained
from workers.engine.values import Policy

POLICY = Policy()


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        ("Deploys run from main.", "Deploys run from main, on Tuesdays."),
        ("Deploys run from main", "- deploys run from main: see the wiki"),
        ("Deploys run from main.", "Deploys run from main (at ten)."),
        ("Deploys run from main.", "Deploys run from main — at ten."),
        ("Deploys run from main.", "Deploys run from main. Kim watches them."),
        ("Kim likes tea", "Kim likes tea; Bo likes milk"),
        ("We use Django", "We use Django, Celery and Redis"),
        ("用户每天早上喝一杯咖啡。", "用户每天早上喝一杯咖啡，下午喝一杯茶。"),
    ],
)
def test_what_only_adds_is_contained(shorter: str, longer: str) -> None:
    assert contained(shorter, longer, POLICY)
    assert not contained(longer, shorter, POLICY)


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        # no prefix, or none up to a clause end
        ("Deploys run from main", "All deploys run from main, on Tuesdays"),
        ("Deploys run from main", "Deploys run from main branch, on Tuesdays"),
        ("Deploys run from main", "Deploys run from main on Tuesdays"),
        ("Some results", "Some results are remarkable"),
        # too short
        ("It runs", "It runs, on Tuesdays"),
        ("用户喝咖啡。", "用户喝咖啡，下午喝茶。"),
        # the rest takes something back
        ("Deploys run from main", "Deploys run from main, not from develop"),
        ("Deploys run from main", "Deploys run from main, unless it is red"),
        ("Deploys run from main", "Deploys run from main: only on Tuesdays"),
        ("Deploys run from main", "Deploys run from main, but Kim may stop them"),
        ("Deploys run from main", "Deploys run from main, which must be green"),
        ("Deploys run from main", "Deploys run from main, until May"),
        ("Deploys run from main", "Deploys run from main. No longer so"),
        ("Deploys run from main", "Deploys run from main (deprecated)"),
        ("Deploys run from main", "Deploys run from main (formerly master)"),
        ("Deploys run from main", "Deploys run from main, Kim said"),
        ("Deploys run from main", "Deploys run from main, right?"),
        ("Deploys run from main", "Deploys run from main: ❌"),
        ("Deploys run from main", "Deploys run from main, or from release"),
        ("It retries 3 times", "It retries 3 times (at most)"),
        ("It retries 3 times", "It retries 3 times (max)"),
        ("用户每天早上喝一杯咖啡。", "用户每天早上喝一杯咖啡，但现在不喝了。"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts, aber nicht sonntags"),
        ("La copia se hace cada noche", "La copia se hace cada noche, salvo los domingos"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit, sauf le dimanche"),
        ("バックアップは毎晩実行する。", "バックアップは毎晩実行する。ただし日曜は実行しない。"),
        # a name or number more makes another thing
        ("They met in Paris", "They met in Paris, Texas"),
        ("It listens on port 80", "It listens on port 80, 443"),
        # the shorter one forbids or speaks of all
        ("Never push to main", "Never push to main, on Tuesdays"),
        ("All tests run nightly", "All tests run nightly, at ten"),
        ("Only Kim may deploy", "Only Kim may deploy, on Tuesdays"),
        ("The build failed again", "The build failed again, on Tuesday"),
        # verbatim
        ("```\nrun a b\n```", "```\nrun a b\n```\n, c"),
    ],
)
def test_what_may_mean_something_else_is_not(shorter: str, longer: str) -> None:
    assert not contained(shorter, longer, POLICY)


def test_the_policy_sets_how_much_must_be_said() -> None:
    texts = ("Deploys run from main", "Deploys run from main, on Tuesdays")
    assert not contained(*texts, Policy(contained_min_tokens=5))
    assert contained("用户喝咖啡。", "用户喝咖啡，下午喝茶。", Policy(contained_min_han=4))


WORDS = st.lists(
    st.sampled_from(["run", "tests", "Kim", "on", "main", *",.()—:", "not", "if", "tea", "5", "or", "用户"]), max_size=9
)


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_contained_is_a_proper_prefix(shorter: str, longer: str) -> None:
    if contained(shorter, longer, POLICY):
        head, whole = canonical.tokens(shorter), canonical.tokens(longer)
        assert whole[: len(head)] == head != whole
        assert "not" not in whole
    assert not contained(shorter, shorter, POLICY)
