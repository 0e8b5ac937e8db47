"""Equal keys merge text for good: the tables of twins are the contract, the duplicates only what makes it useful."""

from __future__ import annotations

import re
import time
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from workers.engine import canonical, facts
from workers.engine.canonical import key, read, tokens

TWINS = [
    # values
    ("PR #260 fixes it", "PR #480 fixes it"),
    ("Listens on port 80", "Listens on port 81"),
    ("Calls API v1", "Calls API v2"),
    ("Costs 1.5 EUR", "Costs 15 EUR"),
    ("Costs 1,000 EUR", "Costs 1.000 EUR"),
    ("Stored at -5 degrees", "Stored at 5 degrees"),
    ("The area is 10² m", "The area is 102 m"),
    ("Made of H₂O", "Made of H2O"),
    ("Half is ½", "Half is 12"),
    ("See ①", "See 1"),
    ("Wait 5 s", "Wait 5 S"),
    ("Holds 5 MB", "Holds 5 Mb"),
    ("Holds 5 kB", "Holds 5 KB"),
    ("It costs $5", "It costs 5"),
    ("It costs €5", "It costs $5"),
    ("Add 1/2 cup", "Add 12 cup"),
    ("From 5 - 3", "From 5 — 3"),
    ("Rows 10-20", "Rows 10–20"),
    ("In his 30s", "In his 30 s"),
    ("Open at 8h", "Open at 8 hours"),
    ("Replicas 3 min, 9 max", "Replicas 3 minutes, 9 max"),
    ("It earns $5 an hour", "It earns 5 year hour"),
    ("Runs on Tuesday", "Runs on Tuesdays"),
    ("Zwei Server sind es", "Drei Server sind es"),
    ("Un serveur neuf est là", "Un serveur 9 est là"),
    # words that turn a statement
    ("It is on", "It is off"),
    ("Retries: max 3", "Retries: min 3"),
    ("It may fail", "It must fail"),
    ("Before lunch we eat", "After lunch we eat"),
    ("Kim and Bo left", "Kim or Bo left"),
    ("All tests pass", "Any tests pass"),
    ("Is it done?", "Is it done"),
    ("Wait…", "Wait"),
    ("You cannot only read", "You can not only read"),
    ("It's been deployed", "It is been deployed"),
    ("I'd go", "I would go"),
    ("If !ready, stop", "If ready, stop"),
    ("Die Sicherung ist aktiviert", "Die Sicherung ist deaktiviert"),
    ("该接口支持分页。", "该接口不支持分页。"),
    ("用户喜欢喝咖啡。", "用户喜欢喝绿茶。"),
    # who and what
    ("Alice reviews Bob's code", "Bob reviews Alice's code"),
    ("Der Hund beißt den Mann", "Den Hund beißt der Mann"),
    ("Sie haben Zugriff", "sie haben Zugriff"),
    ("Kim's dog", "Kims dog"),
    ("the dogs' bowl", "the dog's bowl"),
    ("the dogs' bowl", "the dogs bowl"),
    ("It went to the US team", "It went to the us team"),
    ("We met the Polish team", "We met the polish team"),
    ("Polish it", "polish it"),
    ("It ends in May", "It ends in may"),
    ("Turkey is dry", "turkey is dry"),
    ("Use C for it", "Use C++ for it"),
    ("Use C", "Use c"),
    ("The Who toured", "Who toured"),
    # articles
    ("Kim is the only admin", "Kim is only admin"),
    ("Kim is in charge of Bo", "Kim is in the charge of Bo"),
    ("Ask in case of fire", "Ask in the case of fire"),
    ("A few tests fail", "Few tests fail"),
    ("Due next week", "Due the next week"),
    ("Choose option a", "Choose option"),
    ("Plan a is free", "Plan is free"),
    ("The show is taking place", "The show is taking the place"),
    ("One of the servers", "1 of the servers"),
    # plural endings that are none
    ("Good news for all", "Good new for all"),
    ("Use https here", "Use http here"),
    ("It costs 5 EUR", "It cost 5 EUR"),
    ("Kim reads the plan", "Kim read the plan"),
    ("Closed on tuesdays", "Closed on tuesday"),
    ("Retry in seconds", "Retry in second"),
    ("Kim wears glasses", "Kim wears glass"),
    # signs
    ("No. Backups run", "No backups run"),
    ("It failed. Twice it worked", "It failed twice. It worked"),
    ('Set it to "null"', "Set it to null"),
    ('Set it to "off"', "Set it to off"),
    ('Set it to ""', "Set it to"),
    ('Kim said "I quit"', "Kim said I quit"),
    ('Kim said "done" twice', "Kim said done twice"),
    ('A 5" disk', "A 5 disk"),
    ("The result is 5!", "The result is 5"),
    ("Έρχεται;", "Έρχεται."),
    ("Si vienes, ¿pagas?", "¿Si vienes, pagas?"),
    # markup
    ("Use _x_ here", "Use x here"),
    ("Use ~~old~~ keys", "Use old keys"),
    ("- [ ] ship it", "- [x] ship it"),
    ("1. Deploy now", "2. Deploy now"),
    ("Use `X`", "Use `x`"),
    ("Use `a  b`", "Use `a b`"),
    ("Use `x`", "Use x"),
    ("+ fast", "- fast"),
    ("- 5 points", "5 points"),
    ("> said so", "said so"),
    ("Lint *.md files", "Lint .md files"),
    ("Compute 2*3*4", "Compute 234"),
    ("Pass **kwargs", "Pass kwargs"),
    (r"\*bold\*", "bold"),
    ("- a\n  - b\n  - c", "- a\n  - b\n    - c"),
    ("- a\n  - b", "- a b"),
    ("Backups: no\nErrors: 5", "Backups: no Errors: 5"),
    # code, paths and addresses
    ("See https://a.eu/X", "See https://a.eu/x"),
    ("See /etc/prod.yaml", "See /etc/dev.yaml"),
    ("See /a/b", "See /a/B"),
    ("Call f(x)", "Call f x"),
    ("Name foo_bar", "Name foobar"),
    ("Name fooBar", "Name foobar"),
    ("Say x != 5", "Say x = 5"),
    # scripts without blanks
    ("张三 李四来了", "张三李四来了"),
    ("아버지가 방에 있다", "아버지 가방에 있다"),
]

DUPLICATES = [
    ("- **Use uv** for installs", "* Use uv for installs"),
    ("Deploys go out on Tuesday", "deploys go out on Tuesday."),
    ("Caf\u00e9 orders close at 17:00.", "Cafe\u0301 orders close at 17:00."),
    ("The  build   takes four minutes.", "The build takes 4 min"),
    ("ＡＰＩ１２３", "API123"),
    ("ｶﾞｲﾄﾞ", "ガイド"),
    ("Port ٨٠", "Port 80"),
    ("Don't push.", "Do not push"),
    ("We’re done!", "we are done"),
    ("It's a trap", "It is a trap"),
    ("I've seen it", "I have seen it"),
    ("You can't go", "You cannot go"),
    ("The colour is organised in the centre", "The color is organized in the center"),
    ("Use tests, lint, and types", "Use tests, lint and types."),
    ("On May 3, 2024 we left", "On May 3 2024 we left"),
    ("Today, we ship", "Today we ship"),
    ("Stop! Now", "Stop. Now"),
    ("The answer is no.", "The answer is no"),
    ("Deploys, tests, etc.", "Deploys, tests, etc"),
    ("必须跑回归测试！", "必须跑回归测试。"),
    ("¡Nunca empujar a main!", "¡nunca empujar a main!"),
    ("¡Nunca empujar a main!", "- Nunca empujar a main"),
    ("¿Quién paga el café?", "¿quién paga el café?"),
    ("Buenas tardes. ¿Quién paga?", "Buenas tardes. ¿quién paga?"),
    ("परीक्षण चलाओ।", "परीक्षण चलाओ"),
    ("Stop here; wait", "Stop here. Wait"),
    ("Wait for it...", "Wait for it…"),
    ("It takes 5 seconds", "It takes 5 s"),
    ("The timeout is 30s", "The timeout is 30 seconds"),
    ("Its 90min job", "Its 90 minutes job"),
    ("It holds 5GB", "It holds 5 gigabytes"),
    ("It costs €5", "It costs 5 euros"),
    ("At 95%", "At 95 percent"),
    ("Twenty-five users", "25 users"),
    ("twenty five users", "25 users"),
    ("Zwei Server sind nicht da", "2 Server sind nicht da"),
    ("The server is down", "Server is down"),
    ("The Mr. Smith file", "The Mr Smith file"),
    ("If the build fails, restart the worker", "If the build fails restart the worker"),
    ("Deploy on Tuesday, at ten sharp", "Deploy on Tuesday at ten sharp"),
    ("The API key rotates every 90 days", "API key rotates every 90 days."),
    ("A man is playing a guitar", "The man is playing the guitar."),
    ('Take the "fast" path', "Take the fast path"),
    ("“smart” I say", '"smart" I say'),
    ("Kim — the lead — left", "Kim -- the lead -- left"),
    ("必须跑回归测试。", "必须跑回归测试"),
    ("使用 uv 安装", "使用uv安装"),
    ("- [X] done", "* [x] done"),
    ("a wrapped\nline", "a wrapped line"),
    ("one\r\ntwo", "one\rtwo"),
    ("\ufeffmarked", "marked"),
    ("- a\n  - b", "* a\n  * b"),
]


@pytest.mark.parametrize(("a", "b"), TWINS)
def test_a_twin_keeps_its_own_key(a: str, b: str) -> None:
    assert tokens(a) != tokens(b)
    assert key(a) != key(b)
    assert not canonical.same(a, b)


@pytest.mark.parametrize(("a", "b"), DUPLICATES)
def test_a_duplicate_has_the_same_key(a: str, b: str) -> None:
    assert tokens(a) == tokens(b)
    assert key(a) == key(b)
    assert canonical.same(a, b)


@pytest.mark.parametrize(("a", "b"), [pair for pair in TWINS if "\n" not in pair[0]])
def test_twins_stay_apart_inside_a_longer_text(a: str, b: str) -> None:
    assert tokens(f"They wrote this down: {a} and left.") != tokens(f"They wrote this down: {b} and left.")


@pytest.mark.parametrize("text", ["", "   ", ".", "\n\n"])
def test_nothing_has_no_tokens(text: str) -> None:
    assert tokens(text) == ()


def test_fences_tables_and_html_count_byte_for_byte() -> None:
    for text in ("```\nrun  it.\n```", "| a | b |\n|---|---|", "a | b\n--|--\n1 | 2", "<b>Run  it.</b>"):
        assert tokens(text) == tuple(text.split("\n"))
        assert read(text).ends == frozenset()


WORDS = st.sampled_from(
    re.findall(
        r"\S+",
        """run the a tests deploy Kim Bo on off not never 5 80 v2 #7 user two colour min max 30s 5GB € "fast" (main) x_y
    `code` **bold** don't all and or , . : — - if main's users' 支持 不 API 2024-03-04 17:00 ? … ! ; ~~old~~ May may
    US us C C++ -5 1.5 is playing the office twenty one""",
    )
)
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@given(TEXTS, st.integers(2, 4))
def test_the_foldings_change_nothing(text: str, blanks: int) -> None:
    assert read(text.replace(" ", " " * blanks) if "`" not in text else text) == read(text)
    assert read(unicodedata.normalize("NFD", text)) == read(text)
    if "`" not in text:
        wide = "".join(chr(ord(character) + 0xFEE0) if character.isdigit() else character for character in text)
        assert read(wide) == read(text)
    if text[-1].isalpha():
        assert tokens(text + ".") == tokens(text)
    if text[0].isalpha():  # before a number a bullet may be a sign
        assert tokens(f"- {text}") == tokens(f"* {text}")


@given(TEXTS, st.data())
def test_another_digit_is_another_key(text: str, data: st.DataObject) -> None:
    places = [place for place, character in enumerate(text) if character.isdigit()]
    assume(places)
    place = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[place]]))
    assert key(text[:place] + other + text[place + 1 :]) != key(text)


@given(TEXTS, TEXTS, st.sampled_from(["not", "never", "no", "without", "off"]))
def test_a_negation_more_is_another_key(before: str, after: str, negation: str) -> None:
    assert key(f"{before} {negation} {after}") != key(f"{before} {after}")


@given(TEXTS, TEXTS, st.permutations(["Kim", "Bo", "Ann", "Lee"]))
def test_another_name_is_another_key(before: str, after: str, names: list[str]) -> None:
    assert key(f"{before} {names[0]} {after}") != key(f"{before} {names[1]} {after}")


@given(TEXTS)
def test_case_inside_a_text_counts(text: str) -> None:
    for match in re.finditer(r"(?<=\w )[a-z]{3,}(?= \w)", text):
        if match.group() not in ("the", "two"):
            changed = text[: match.start()] + match.group().capitalize() + text[match.end() :]
            assert tokens(changed) != tokens(text)


@given(st.text(max_size=80))
def test_any_text_has_tokens(text: str) -> None:
    found = tokens(text)
    assert all(found)
    assert all(0 <= end <= len(found) for end in read(text).ends)
    assert all(-1 <= mark.place < len(found) for mark in read(text).marks.every)
    assert key(text) == key(text)


HOSTILE = [
    *("a", "A", "`", "``a`", "*", "**a", "*a ", "a* ", "'", '"', "' ", "(", ")", "((a))", "\n", "- a\n", "\n- a", " "),
    *("\t", "> ", "[ ] ", "1. a\n", "--", "-a", "é", "e\u0301", "不", "不 ", "a不", "a.b.", "1,", "1 ", "5s", "\\`"),
    *("e.g. ", "don't ", "5 min ", "twenty ", "a, and ", "; ", "!", "?", "...", "\r\n", "\u3000", "|", "---|", "<a"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    start = time.process_time()
    canonical.tokens(text)
    assert time.process_time() - start < 20  # about 0.3 s; anything quadratic takes minutes


@given(st.text(alphabet=" \n`|-#<>/.,'\"()ab1A:", max_size=40))
@example("| a |\n|--|\n")
@example("```\n\n```")
def test_no_word_is_empty(text: str) -> None:
    assert all(canonical.words(text))
    facts.fact_values(text)
