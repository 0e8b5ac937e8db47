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
        # one addition more, and another behind it
        ("Deploys run from main, on Tuesdays.", "Deploys run from main, on Tuesdays, at nine."),
        ("Deploys run from main, on Tuesdays.", "Deploys run from main, on Tuesdays (at nine)."),
        ("Deploys run from main, on Tuesdays.", "Deploys run from main, on Tuesdays. Kim watches them."),
        ("Talk to J. Smith about it.", "Talk to J. Smith about it, with Kim."),
        ("He moved to Washington.", "He moved to Washington, D.C. and stayed."),
        # how often and at what hour
        ("Deploys run from main", "Deploys run from main, on Tuesdays and Thursdays too"),
        ("Deploys run from main", "Deploys run from main, on the weekends"),
        ("Deploys run from main", "Deploys run from main, on every Tuesday"),
        ("Deploys run from main", "Deploys run from main, at 17:00 UTC"),
        ("Le déploiement part de main", "Le déploiement part de main, à 9 heures"),
        ("Le déploiement part de main", "Le déploiement part de main, le mardi"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts, jeden Dienstag"),
        ("La copia se hace de noche", "La copia se hace de noche, los martes"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行，每年检查一次。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある。毎週月曜に。"),
        # a sentence of its own may begin with its own time or place
        ("Deploys run from main", "Deploys run from main. In Graz Kim watches the dashboards."),
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
        # an initial or a title ends no clause
        ("Talk to J.", "Talk to J. Smith of sales."),
        ("The plan is by Q.", "The plan is by Q. Miller of sales."),
        ("We talked to Gen.", "We talked to Gen. Miller of sales."),
        ("The office is in St.", "The office is in St. Paul these days."),
        ("Звоните сюда, И.", "Звоните сюда, И. Петров на месте."),
        ("Wir nutzen Kafka, z.", "Wir nutzen Kafka, z. B. für Logs der Kunden."),
        ("The rule is in sec.", "The rule is in sec. 3 of the contract."),
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
        # doubt
        ("Deploys run from main", "Deploys run from main (Bob disagrees)"),
        ("Deploys run from main", "Deploys run from main (Kim doubts it)"),
        ("Deploys run from main", "Deploys run from main — the lead objects"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts (Kim bezweifelt das)"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit (Kim conteste cela)"),
        ("La copia se hace de noche", "La copia se hace de noche (Kim lo duda mucho)"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行（小王反对）。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある（田中は反対）。"),
        ("서버는 서울 데이터센터에 있다.", "서버는 서울 데이터센터에 있다 (민수가의심함)."),
        ("Deploys run from main", "Deploys run from main (Bob's opinion)"),
        ("Deploys run from main", "Deploys run from main (citation needed)"),
        ("Deploys run from main", "Deploys run from main, Bob begs to differ"),
        # an error
        ("Deploys run from main", "Deploys run from main. Ignore that"),
        ("Deploys run from main", "Deploys run from main. Scratch that"),
        ("Deploys run from main", "Deploys run from main. Opposite of the truth"),
        ("Deploys run from main", "Deploys run from main. Error: from release"),
        ("Deploys run from main", "Deploys run from main. Erratum: from release"),
        ("Deploys run from main", "Deploys run from main: wrong branch here"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts. Fehler: es ist mittags"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit. Erreur : elle tourne le matin"),
        ("La copia se hace de noche", "La copia se hace de noche. Error: se hace de día"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行（作废）。"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行。更正：上海的机房。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある。訂正：大阪。"),
        ("서버는 서울 데이터센터에 있다.", "서버는 서울 데이터센터에 있다. 정정: 부산."),
        ("Deploys run from main", "Deploys run from main. Sorry, from release"),
        ("Deploys run from main", "Deploys run from main (meant release)"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit, plutôt le matin"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行（应为上海机房）。"),
        # one word
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行（上海）。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある（大阪）。"),
        # another time or place of validity
        *(
            ("Deploys run from main", f"Deploys run from main, {rest}")
            for rest in (
                *("in 2019", "on staging", "starting next year", "until further notice", "from next week", "since May"),
                *("at the lab", "on Tuesday", "on 5 May", "as of May", "for hotfixes", "during the freeze", "May 2019"),
                *("with Kim, on staging", "staging and prod", "by 2019-05-01", "on the blue cluster", "before lunch"),
                *("initially, with Kim", "later with release", "internally at Acme", "EU region"),
            )
        ),
        ("Deploys run from main", "Deploys run from main. In 2019"),
        ("Deploys run from main", "Deploys run from main (staging env)"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts, ab nächster Woche"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts, im Jahr 2019"),
        ("Die Sicherung läuft nachts", "Die Sicherung läuft nachts, auf dem Testsystem"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit, depuis mai"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit, à Lyon"),
        ("La sauvegarde tourne la nuit", "La sauvegarde tourne la nuit, en 2019"),
        ("La copia se hace de noche", "La copia se hace de noche, en 2019"),
        ("La copia se hace de noche", "La copia se hace de noche, desde mayo"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行，从下周起。"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行（2019年）。"),
        ("服务器在北京的机房里运行。", "服务器在北京的机房里运行，在测试环境。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある（来週から）。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある（2019年）。"),
        ("サーバーは東京のデータセンターにある。", "サーバーは東京のデータセンターにある（検証環境で）。"),
        ("서버는 서울 데이터센터에 있다.", "서버는 서울 데이터센터에 있다 (오월부터)."),
        ("서버는 서울 데이터센터에 있다.", "서버는 서울 데이터센터에 있다, 검증환경에서."),
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
