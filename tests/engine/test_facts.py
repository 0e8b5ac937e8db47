from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine import facts
from workers.engine.facts import FactKind


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("It takes 5 seconds", "number", "5 s"),
        ("It takes <5 ms", "number", "<5 ms"),
        ("At 20% of it", "number", "20 %"),
        ("Rows 10-20 of it", "number", "10-20"),
        ("It is 1,234,567 rows", "number", "1234567"),
        ("Es sind 1.234 Zeilen und nicht mehr", "number", "1234"),
        ("Twelve users came", "number", "12"),
        ("在端口 8080 上", "number", "8080"),
        ("重试 5 次", "number", "5 次"),
        ("On 2026-03-04 it ran", "date", "2026-03-04"),
        ("On 2026/3/4 it ran", "date", "2026-03-04"),
        ("On 3 May 2024 it ran", "date", "2024-05-03"),
        ("On May 3rd, 2024 it ran", "date", "2024-05-03"),
        ("On May 3 it ran", "date", "05-03"),
        ("In May 2024 it ran", "date", "2024-05"),
        ("It ran in May", "date", "month 5"),
        ("Am 3. Mai 2024 lief es nicht", "date", "2024-05-03"),
        ("Le 3 mai 2024 c'est fini", "date", "2024-05-03"),
        ("El 3 de mayo de 2024 fue", "date", "2024-05-03"),
        ("于2024年5月3日运行", "date", "2024-05-03"),
        ("2024년 5월 3일에 실행", "date", "2024-05-03"),
        ("It starts at 09:30", "time", "9:30"),
        ("It starts at 5pm", "time", "5pm"),
        ("It runs on Tuesdays", "weekday", "weekday 2"),
        ("Es läuft immer dienstags und Dienstags", "weekday", "weekday 2"),
        ("每周三部署", "weekday", "weekday 3"),
        ("毎週月曜日に実行", "weekday", "weekday 1"),
        ("It starts next Monday", "relative_time", "next weekday 1"),
        ("It ran 3 days ago", "relative_time", "3 day ago"),
        ("It ran yesterday", "relative_time", "yesterday"),
        ("下周一部署", "relative_time", "下周"),
        ("It runs every week", "frequency", "weekly"),
        ("每周部署", "frequency", "weekly"),
        ("It runs every two weeks", "frequency", "every 2 week"),
        ("Es läuft alle zwei Wochen", "frequency", "every 2 week"),
        ("It calls API v1.2", "version", "v1.2"),
        ("It needs 3.11.4 or so", "version", "3.11.4"),
        ("See #260 for it", "reference", "#260"),
        ("See ABC-12 for it", "reference", "ABC-12"),
        ("See P3006 for it", "reference", "P3006"),
        ("See https://a.example.com/x/ for it", "url", "https://a.example.com/x"),
        ("Ask Kim@Example.com for it", "email", "kim@example.com"),
        ("Read /etc/app/prod.yaml first", "path", "/etc/app/prod.yaml"),
        ("Read src/main.py first", "path", "src/main.py"),
        ("Run `rm -rf /` never", "code", "`rm -rf /`"),
        ("Set foo_bar first", "identifier", "foo_bar"),
        ("Set fooBar first", "identifier", "fooBar"),
        ("Ask db-1 first", "identifier", "db-1"),
        ("Ask host:port first", "identifier", "host:port"),
        ("The API is up", "identifier", "API"),
        ("It costs €40,000 a year", "money", "40000 EUR"),
        ("It costs $5 a year", "money", "$5"),
        ("- [ ] ship it", "status", "[ ]"),
        ("It is ✅ by now", "status", "✅"),
        ("Use ~~old~~ new", "status", "~~old~~"),
    ],
)
def test_a_hard_fact_has_a_kind_and_a_folded_value(text: str, kind: FactKind, value: str) -> None:
    assert (kind, value) in [(fact.kind, fact.value) for fact in facts.hard_facts(text)]


@pytest.mark.parametrize(
    "text", ["We met and may do it again", "NOT THAT, e.g. this one", "double-decker and/or tram", ""]
)
def test_plain_words_are_no_hard_facts(text: str) -> None:
    assert facts.fact_values(text) == frozenset()


def test_a_fact_knows_its_neighbours_and_polarity() -> None:
    port, timeout = facts.hard_facts("The proxy never listens on port 80, the timeout stays at 5 s.")
    assert (port.value, port.context, port.polarity) == ("80", ("port", "listen", "proxy"), "-")
    assert (timeout.value, timeout.context, timeout.polarity) == ("5 s", ("stay", "timeout"), "+")


def test_the_context_holds_no_other_value() -> None:
    [date, number] = facts.hard_facts("On May 3 we ship 5 GB")
    assert date.context == ("ship",)
    assert number.context == ("ship",)


@pytest.mark.parametrize(
    "text",
    [
        "It must not use port 80",
        "Nutze Port 80 nicht",
        "Le port 80 n'est pas ouvert",
        "El puerto 80 no está abierto",
        "端口 80 不开放",
        "ポート80は使わない",
        "포트 80은 사용하지 않는다",
    ],
)
def test_negation_is_seen_in_each_language(text: str) -> None:
    assert {fact.polarity for fact in facts.hard_facts(text)} == {"-"}


def test_fenced_text_has_facts_too() -> None:
    assert {"http://x:80/a", "5"} <= facts.fact_values("```\ncurl http://x:80/a -d 5\n```")


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text: str) -> None:
    assert all(fact.value for fact in facts.hard_facts(text))
    assert all(facts.content_stems(text))
    assert facts.path_marks(text) >= facts.fact_values(text)
    facts.names(text)
    facts.statement_words(text)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_two_numbers_are_two_values(a: int, b: int) -> None:
    same = facts.fact_values(f"The limit is {a} rows") == facts.fact_values(f"The limit is {b} rows")
    assert same == (a == b)


def test_names_are_capitals_inside_a_sentence() -> None:
    text = "Yesterday Kim met Bo's dog in Paris. Ann left: Maybe on Monday (with Eve) for the API of McDonald"
    assert facts.names(text) == ("Kim", "Bo", "Paris", "Eve")


def test_german_capitals_are_no_names() -> None:
    assert facts.names("Der Hund läuft mit der Katze und dem Ball") == ()
    assert facts.names("Der Hund und Kim", language="en") == ("Hund", "Kim")


@pytest.mark.parametrize(
    ("place", "marks"),
    [
        ("prod-2024", {"prod-2024", "2024"}),
        ("Kim on Tuesdays", {"kim", "tuesdays", "weekday 2"}),
        ("for v2:", {"v2"}),
        ("the rules", set()),
        ("The rules of it", set()),
        ("会议 2024年3月4日", {"2024-03-04", "2024年3月4日"}),
    ],
)
def test_a_place_is_marked_by_what_another_may_lack(place: str, marks: set[str]) -> None:
    assert facts.path_marks(place) == marks


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The build takes four minutes", "en"),
        ("Die Sicherung ist nicht aktiviert", "de"),
        ("La sauvegarde est activée pour nous", "fr"),
        ("La copia está activada para nosotros y por eso", "es"),
        ("该接口支持分页 API", "zh"),
        ("このAPIはページに対応", "ja"),
        ("이 API는 지원한다", "ko"),
        ("Сервер работает", "ru"),
        ("Retries: 3", "und"),
        ("One line with 中 in it and nothing else of the kind", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert facts.language(text) == language


def test_statement_words_by_class() -> None:
    words = facts.statement_words(
        "If all tests pass, Kim must not deploy before lunch; only Bo may, although it could be off and she said so."
    )
    assert words.conditions == ("if", "only")
    assert words.quantifiers == ("all",)
    assert words.modality == ("forbidden", "may", "may")
    assert words.directions == ("pass", "before", "off")
    assert words.negations == ()
    assert words.negative
    assert words.negative_words == ("off",)
    assert words.contrast == ("although",)
    assert words.conjunctions == ("and",)
    assert words.hedges == ("said",)


def test_the_longest_phrase_wins() -> None:
    assert facts.statement_words("It no longer runs").negations == ("no longer",)
    assert facts.statement_words("这非常好").negations == ()
    assert facts.statement_words("It ends in May").modality == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wenn es rot ist, darf nicht", {"if", "forbidden"}),
        ("S'il est rouge, on doit attendre jusqu'à midi", {"if", "must", "until"}),
        ("Si no hay luz, debe esperar hasta mañana", {"if", "must", "until"}),
        ("如果失败，必须重试，除非被禁止", {"if", "must", "unless", "forbidden"}),
        ("もし失敗した場合、必ず必要まで", {"if", "must", "until"}),
        ("만약 실패하면 반드시 기다린다", {"if", "must"}),
    ],
)
def test_guards_have_one_class_in_all_languages(text: str, found: set[str]) -> None:
    words = facts.statement_words(text)
    assert found <= {*words.conditions, *words.modality}


def test_content_stems_leave_out_what_says_nothing() -> None:
    assert facts.content_stems("The rotating keys rotate every 90 days.") == ("rotat", "key", "rotat", "90", "day")
    assert facts.content_stems("数据库使用 MySQL。") == ("数", "据", "库", "mysql")


@pytest.mark.parametrize(
    "forms",
    [
        ("deploy", "deploys", "deployed", "deploying"),
        ("use", "uses", "used", "using"),
        ("run", "runs", "running"),
        ("rotate", "rotates", "rotating", "Rotation's"),
        ("test", "tests", "tested", "tester's"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({facts.stem(form) for form in forms}) == 1


HOSTILE = [
    *("a", "`", "* ", "(", "\n- a", "不", "a不 ", "1 ", "1:", "x/", "a@", "a://", "~~", "#1", "AbC", "A a. ", "l'a "),
    *("May 3 ", "every 5 ", "5 min ", "a, ", "no longer ", "from a to ", "か", "각", "a:b ", "a\n\n  b\n"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    start = time.process_time()
    facts.hard_facts(text)
    facts.path_marks(text)
    facts.names(text)
    facts.statement_words(text)
    facts.content_stems(text)
    assert time.process_time() - start < 40  # about 2 s; anything quadratic takes minutes
