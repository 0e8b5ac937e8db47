from __future__ import annotations

import time

import pytest

from workers.engine.facts import Replacement, differing_token, is_time_token, replacement


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Retries: max 3.", "Retries: min 3", ("max", "min")),
        ("The rotation is weekly.", "The rotation is fortnightly.", ("weekly", "fortnightly")),
        ("The limit is 5 s", "The limit is 30 seconds", ("5", "30")),
        ("用户喜欢喝咖啡。", "用户喜欢喝绿茶。", ("咖啡", "绿茶")),
        ("purple is liked", "cyan is liked", ("purple", "cyan")),
        ("It is liked", "It is liked.", None),
        ("It is liked", "It is not liked", None),
        ("Alice reviews Bob", "Bob reviews Alice", None),
        ("one", "other", None),
        ("", "other", None),
        ("用户喜欢喝热咖啡牛奶。", "用户喜欢喝冷绿茶柠檬水。", None),
    ],
)
def test_differing_token(a: str, b: str, expected: tuple[str, str] | None) -> None:
    assert differing_token(a, b) == expected
    assert differing_token(b, a) == (expected and expected[::-1])


@pytest.mark.parametrize(
    "token", ["2024-03-04", "17:00", "2024", "May", "März", "#260", "ABC-12", "D1:3", "3f2a9bc1d", "msg_01", "20240304"]
)
def test_occasions(token: str) -> None:
    assert is_time_token(token)


@pytest.mark.parametrize("token", ["weekly", "Tuesday", "5", "40000", "4096", "purple", "deadbeef", "host_1", "咖啡"])
def test_values(token: str) -> None:
    assert not is_time_token(token)


REPLACED = [
    (
        "The orders API is at /v1/orders.",
        "The orders API moved from /v1/orders to /v2/orders on 2026-02-01.",
        "/v1/orders",
    ),
    ("The limit is 5 s.", "The limit was changed from 5 s to 30 s.", "5 s"),
    ("The office is in New York.", "The office moved from New York to Boston.", "New York"),
    ("Kim works at Acme.", "Kim no longer works at Acme.", "Acme"),
    ("The build uses Jenkins.", "The build uses GitHub Actions; it replaced Jenkins.", "Jenkins"),
    ("The build uses Jenkins.", "Jenkins was replaced by GitHub Actions, which the build uses.", "Jenkins"),
    ("The limit is 100.", "The limit was 100 until March.", "100"),
    ("The service is foo.", "The service, formerly foo, is called bar.", "foo"),
    ("Das Büro ist in Köln.", "Das Büro ist von Köln nach Bonn umgezogen.", "Köln"),
    ("Der Dienst läuft auf Port 80.", "Der Dienst läuft nicht mehr auf Port 80.", "Port 80"),
    ("Le bureau est à Lyon.", "Le bureau a été déplacé de Lyon à Paris.", "Lyon"),
    ("Le bureau est à Lyon.", "Le bureau n'est plus à Lyon.", "Lyon"),
    ("La oficina está en Madrid.", "La oficina se ha trasladado de Madrid a Sevilla.", "Madrid"),
    ("该接口位于 /v1/orders。", "该接口已从 /v1/orders 迁移到 /v2/orders。", "/v1/orders"),
    ("用户在北京。", "用户从北京搬到上海。", "北京"),
    ("数据库使用 MySQL。", "数据库不再使用 MySQL。", "MySQL"),
    ("データベースはMySQLです。", "データベースはMySQLからPostgreSQLに移行しました。", "MySQL"),
    ("데이터베이스는 MySQL입니다.", "데이터베이스는 MySQL에서 PostgreSQL로 변경했습니다.", "MySQL"),
]


@pytest.mark.parametrize(("older", "newer", "value"), REPLACED)
def test_a_statement_of_change_supersedes(older: str, newer: str, value: str) -> None:
    assert replacement(older, newer) == Replacement("a", value)
    assert replacement(newer, older) == Replacement("b", value)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        # not yet, not really, not for sure
        ("The API is at /v1.", "The API will be moved from /v1 to /v2."),
        ("The API is at /v1.", "The API has not moved from /v1 to /v2."),
        ("The API is at /v1.", "The API may have moved from /v1 to /v2."),
        ("The API is at /v1.", "If the API moved from /v1 to /v2, tell Kim."),
        ("The API is at /v1.", "Bo said that the API moved from /v1 to /v2."),
        # not the value that the text holds
        ("The API is at /v2.", "The API moved from /v1 to /v2."),
        ("The limit is 30 s.", "The limit was changed from 5 s to 30 s."),
        ("The limit is 30 s.", "Formerly the limit was 5 s."),
        ("The service is called bar.", "The service was renamed from foo to bar."),
        ("Bar is the service.", "The service was renamed from foo to bar."),
        ("The office is in Rome and in Paris.", "The office moved from Paris to Rome."),
        # not its subject, or not all that it says
        ("The users API is at /v1.", "The orders API moved from /v1 to /v2."),
        ("Kim works at Acme.", "Bo no longer works at Acme."),
        ("Bo left Paris.", "Kim moved from Paris to Rome."),
        ("The API needs a token and is at /v1.", "The API moved from /v1 to /v2."),
        ("/v1", "The API moved from /v1 to /v2."),
        # out of date themselves
        ("The API was formerly at /v1.", "The API moved from /v1 to /v2."),
        ("The API is not at /v1.", "The API moved from /v1 to /v2."),
        ("Is the API at /v1?", "The API moved from /v1 to /v2."),
        # too long to be out of date for one clause, or to say so of another
        ("The API is at /v1.", f"The API moved from /v1 to /v2. {'Much else is said. ' * 200}"),
        # nothing said
        ("The rotation is weekly.", "The rotation is fortnightly."),
        ("", "The API moved from /v1 to /v2."),
    ],
)
def test_nothing_is_superseded_without_a_plain_word(older: str, newer: str) -> None:
    assert replacement(older, newer) is None
    assert replacement(newer, older) is None


def test_texts_that_contradict_each_other_supersede_neither() -> None:
    assert replacement("The API moved from /v1 to /v2.", "The API moved from /v2 to /v1.") is None


@pytest.mark.parametrize("piece", ["5 min ", "moved from x to ", "no longer ", "a, ", "1 "])
def test_long_texts_are_asked_in_linear_time(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    start = time.process_time()
    assert replacement(text, f"{text} moved from x to y") is None
    differing_token(text, f"{text} more")
    assert time.process_time() - start < 40  # about 1 s; anything quadratic takes minutes
