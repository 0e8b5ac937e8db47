"""Equal words that mean something else by what stands around them: front matter, definitions, days, antecedents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.stores import dreamt, memory, run, snapshot, store, texts
from workers.engine.passages import parse
from workers.engine.pointing import leans_back
from workers.engine.values import Snapshot

LINE = "The deploy of the importer runs from main every night"


def same_day(files: dict[str, str]) -> Snapshot:
    """A store all of which was learned on one day."""
    return snapshot([memory(path, text) for path, text in files.items()])


def kept(files: dict[str, str]) -> bool:
    """Whether a dream leaves a store as it is."""
    return texts(dreamt(same_day(files))) == files


def count(files: dict[str, str], line: str) -> int:
    """How often a line stands in the store that a dream leaves."""
    return "\n".join(texts(dreamt(same_day(files))).values()).count(line)


HEADS = [
    ("---\nproject: a\n---", "---\nproject: b\n---"),
    ("---\ndate: 2026-03-01\n---", "---\ndate: 2026-03-02\n---"),
    ("---\ntitle: Windows\n---", "---\ntitle: Linux\n---"),
    ("---\nstatus: outdated\n---", "---\nstatus: current\n---"),
    ("---\nuser: ana\nid: 1\n---", "---\nuser: bob\nid: 1\n---"),
    ("---\nenv:\n  - staging\n---", "---\nenv:\n  - production\n---"),
    ("---\nbeschreibung: alt\n---", "---\nbeschreibung: neu\n---"),
    ("---\n状态: 过期\n---", "---\n状态: 当前\n---"),
    ("---\nproject: a\n...", "---\nproject: b\n..."),
    ("+++\nproject = 'a'\n\n[x]\ny = 1\n+++", "+++\nproject = 'b'\n\n[x]\ny = 1\n+++"),
    ('{\n"project": "a"\n}', '{\n"project": "b"\n}'),
    ("<!-- project: a -->", "<!-- project: b -->"),
    ("<!-- of the old hosts -->", "<!-- of the new hosts -->"),
    ("project: a", "project: b"),
    ("project:: a\nstatus:: on", "project:: b\nstatus:: on"),
    ("---\nname: x\n---\n\nUser: Ana Berg", "---\nname: x\n---\n\nUser: Bob Berg"),
    ("---\nname: a\n---", ""),
    ("---\nproject:\n  name: a\n---", "---\nproject:\n  name: b\n---"),
    ("项目：甲", "项目：乙"),
]


@pytest.mark.parametrize(("head", "other"), HEADS)
@pytest.mark.parametrize("body", [f"{LINE}.", f"# Rules\n\n- {LINE}", f"# Rules\n\n- {LINE}\n- of {{}}"])
def test_files_with_different_heads_say_different_things(body: str, head: str, other: str) -> None:
    assert kept({"/x.md": f"{head}\n\n{body.format('x')}\n", "/y.md": f"{other}\n\n{body.format('y')}\n"})


@pytest.mark.parametrize(
    ("head", "other"),
    [
        ("---\nname: a\nupdated: 2026-03-01\n---", "---\nname: a\nupdated: 2026-03-02\n---"),
        ("---\nid: 1\ntags:\n  - x\n  - y\n---", "---\ntags: [z]\n---"),
        ("---\nLast Modified: 2026-03-01\nname: a\n---", "---\nname: a\nuuid: 7\n---"),
        ("+++\nname = 'a'\ncreated = 1\n+++", "+++\nname = 'a'\ncreated = 2\n+++"),
        ("<!-- updated: 2026-03-01 -->", "<!-- updated: 2026-03-02 -->"),
        ("created: 2026-03-01", "created: 2026-03-02"),
        ("---\ntags:\n- x\n- y\n---", "---\ntags:\n- z\n---"),
        ("---\nname: a\naliases: x\n---", "---\nname: a\n---"),
    ],
)
def test_keys_that_say_nothing_of_the_content_do_not_tell_files_apart(head: str, other: str) -> None:
    files = {"/x.md": f"{head}\n\n# R\n\n- {LINE}\n- of x\n", "/y.md": f"{other}\n\n# R\n\n- {LINE}\n- of y\n"}
    assert count(files, LINE) == 1


def test_parts_of_one_file_share_its_head() -> None:
    text = f"---\nname: a\n---\n\n- {LINE}\n- of x\n- {LINE}\n"
    assert count({"/x.md": text}, LINE) == 1


REFERENCES = [
    ("See [the docs][1]", "[1]: https://a.example/x", "[1]: https://b.example/y"),
    ("See [docs][]", "[docs]: https://a.example/x", "[docs]: https://b.example/y"),
    ("See [docs]", "[docs]: https://a.example/x", "[docs]: https://b.example/y"),
    ("See ![g][1]", "[1]: https://a.example/a.png", "[1]: https://a.example/b.png"),
    ("See ![g][1]", "[1]: a.png", "[1]: b.png"),
    ("See [the docs][1]", "[1]: rules.md#old", "[1]: rules.md#new"),
    ("See [the docs][1]", "[1]: https://a.example 'of gold'", "[1]: https://a.example 'of free'"),
    ("The limit is 100[^1]", "[^1]: for gold hosts", "[^1]: for free hosts"),
    ("The limit is 100[^1]", "[^1]: gold", "[^1]: free"),
    ("The limit is 100[^a]", "[^b]: one more\n[^a]: for gold hosts", "[^b]: one more\n[^a]: for free hosts"),
    ("The limit is 100[^1]", "[^1]: see:\n\n    - gold", "[^1]: see:\n\n    - free"),
    ("The limit is 100[^1]", "[^1]: for hosts\n\n        of gold", "[^1]: for hosts\n\n        of free"),
    ("Die Grenze ist 100[^1]", "[^1]: nur für Gold", "[^1]: nur für Silber"),
    ("上限是一百次请求[^1]", "[^1]: 仅限 金牌", "[^1]: 仅限 银牌"),
]


@pytest.mark.parametrize(("said", "one", "other"), REFERENCES)
@pytest.mark.parametrize("own", ["", "Something of {} only.\n\n"])
@pytest.mark.parametrize("heading", ["", "# D\n\n"])
def test_references_count_with_what_they_refer_to(heading: str, own: str, said: str, one: str, other: str) -> None:
    line = f"{said} for the deploy of the billing importer at night."
    text = f"{heading}{line}\n\n{own}{{}}\n"
    files = {"/x.md": text.format("x", one) if own else text.format(one)}
    files["/y.md"] = text.format("y", other) if own else text.format(other)
    assert kept(files)
    if own:
        left = texts(dreamt(same_day({"/x.md": text.format("x", one), "/y.md": text.format("y", one)})))
        assert "\n".join(left.values()).count(line) == 1
        assert "\n".join(left.values()).count(one) == 2


def test_a_definition_that_others_need_does_not_go_with_its_item() -> None:
    item = "- The runbook of the importer is here\n\n  [1]: https://a.example/x\n"
    assert kept({"/x.md": f"{item}- See [it][1]\n", "/y.md": f"{item}- Of y alone\n"})


RELATIVE = [
    "The vendor call is tomorrow at nine.",
    "I will be in Graz this week.",
    "Ana leaves in two weeks.",
    "Ana left three days ago.",
    "The freeze starts tonight.",
    "The import broke last night again.",
    "Currently the build is red.",
    "The deadline is the end of the month.",
    "The vendor call is next Monday.",
    "Der Anruf ist morgen um neun.",
    "Ana geht in zwei Wochen.",
    "L'appel est demain à neuf heures.",
    "Ana est partie il y a trois jours.",
    "La llamada es mañana a las nueve.",
    "Ana se fue hace tres días.",
    "La chiamata è domani alle nove.",
    "A chamada é amanhã às nove.",
    "Завтра в девять звонок поставщику.",
    "供应商电话会议在明天九点。",
    "供应商三天前已经确认了合同。",
    "明日の九時に会議がある。",
    "昨日バックアップがまた失敗した。",
    "내일 아홉 시에 회의가 있다.",
]
FORMS = {
    "memories": ("{}\n", "{}\n"),
    "wholes": ("# Notes\n\n{}\n\nOf all.\n", "# Notes\n\n{}\n\nOf all.\n"),
    "parts": ("# Notes\n\n{}\n\nOf x.\n", "# Notes\n\n{}\n\nOf y.\n"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("said", RELATIVE)
def test_a_relative_time_counts_from_the_day_it_was_learned(said: str, form: str) -> None:
    files = {path: text.format(said) for path, text in zip(("/x.md", "/y.md"), FORMS[form], strict=True)}
    assert texts(dreamt(store(files))) == files
    assert count(files, said.strip(".。")) == 1


def test_a_day_is_one_of_universal_time() -> None:
    said = "The vendor call is tomorrow at nine."
    first, second = memory("/a.md", said), memory("/b.md", said)
    late = memory("/b.md", said, observed_at=first.observed_at + timedelta(hours=14))
    assert len(dreamt(snapshot([first, late])).memories) == 1
    later = memory("/b.md", said, observed_at=second.observed_at + timedelta(hours=15))
    assert len(dreamt(snapshot([first, later])).memories) == 2


@pytest.mark.parametrize(
    "longer", ["The vendor call is tomorrow, with Kim.", "The vendor call is tomorrow; Kim joins."]
)
def test_a_beginning_with_a_relative_time_is_contained_on_its_day_only(longer: str) -> None:
    files = {"/x.md": "The vendor call is tomorrow.\n", "/y.md": f"{longer}\n"}
    assert texts(dreamt(store(files))) == files
    assert texts(dreamt(same_day(files))) == {"/y.md": files["/y.md"]}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/{}.md", "| who | when |\n|---|---|\n| Kim | tomorrow |\n"),
        ("/{}.json", '{"who": "Kim", "when": "tomorrow"}'),
        ("/{}.md", f"---\nwhen: tomorrow\n---\n\n{LINE}.\n"),
    ],
)
def test_tables_data_and_heads_have_their_day_too(path: str, text: str) -> None:
    files = {path.replace("{}", name): text for name in ("x", "y")}
    assert texts(dreamt(store(files))) == files
    assert len(dreamt(same_day(files)).memories) == 1


def test_a_heading_gives_its_day_to_what_stands_under_it() -> None:
    files = {"/x.md": f"# Today\n\n- {LINE}\n", "/y.md": f"# Today\n\n- {LINE}\n"}
    assert texts(dreamt(store(files))) == files
    assert len(dreamt(same_day(files)).memories) == 1


LEANING = [
    ("The billing backup was moved in May.", "The CRM backup was moved in June.", said)
    for opening in (
        *("It", "This", "That one", "She", "They", "Its owner", "However, it", "And it", "Then it", "There it"),
        *("Here it", "Both", "Also", "The same", "Same thing: it", "The latter", "Otherwise it", "Instead it"),
    )
    for said in (f"{opening} runs every night at two and takes nine minutes to finish.",)
] + [
    ("Die Sicherung A zog um.", "Die Sicherung B zog um.", "Sie läuft jede Nacht um zwei und braucht neun Minuten."),
    ("Die Sicherung A zog um.", "Die Sicherung B zog um.", "Das ist jede Nacht um zwei und braucht neun Minuten."),
    ("La copie A a changé.", "La copie B a changé.", "Elle tourne chaque nuit à deux heures et dure neuf minutes."),
    ("La copia A se movió.", "La copia B se movió.", "Esta corre cada noche a las dos y tarda nueve minutos."),
    ("La copia A si sposta.", "La copia B si sposta.", "Questa parte ogni notte alle due e dura nove minuti."),
    ("A cópia A mudou.", "A cópia B mudou.", "Ela roda toda noite às duas e leva nove minutos até o fim."),
    ("Копия А переехала.", "Копия Б переехала.", "Она идёт каждую ночь в два часа и длится девять минут."),
    ("账单备份在五月迁移了。", "客户备份在六月迁移了。", "它每天夜里两点运行,大约需要九分钟才能完成。"),
    ("請求の控えは五月に移した。", "顧客の控えは六月に移した。", "それは毎晩二時に走り、終わるまで九分かかる。"),
    ("청구 백업은 옮겼다.", "고객 백업은 옮겼다.", "그것은 매일 밤 두 시에 돌고 끝날 때까지 구 분쯤 걸린다."),
]


@pytest.mark.parametrize(("one", "other", "said"), LEANING)
def test_a_text_that_goes_on_from_another_is_not_merged_apart_from_it(one: str, other: str, said: str) -> None:
    assert kept({"/x.md": f"{one}\n\n{said}\n", "/y.md": f"{other}\n\n{said}\n"})
    assert kept({"/x.md": f"# N\n\n{one}\n\n{said}\n", "/y.md": f"# N\n\n{other}\n\n{said}\n"})
    assert kept({"/x.md": f"- {one}\n- {said}\n", "/y.md": f"- {other}\n- {said}\n"})
    assert kept({"/x.md": f"{one}\n\n{said}\n\n{other}\n\n{said}\n"})
    assert count({"/x.md": f"{said}\n", "/y.md": f"{said}\n"}, said) == 1
    assert count({"/x.md": f"# N\n\n{one}\n\n{said}\n\n{one}\n\n{said}\n"}, said) == 1
    equal = {"/x.md": f"# N\n\n{one}\n\n{said}\n\nOf x.\n", "/y.md": f"# N\n\n{one}\n\n{said}\n\nOf y.\n"}
    assert count(equal, said) == count(equal, one) == 1


def test_a_chain_of_texts_leans_on_its_first() -> None:
    chain = "It moved.\n\nIt runs every night at two and takes nine minutes to finish.\n"
    assert kept(
        {"/x.md": f"# N\n\nThe billing backup is old.\n\n{chain}", "/y.md": f"# N\n\nThe CRM is old.\n\n{chain}"}
    )


def test_a_text_on_which_another_leans_stays_with_it() -> None:
    leaning = "It takes nine minutes to finish."
    files = {"/x.md": f"# N\n\nOf x.\n\n{LINE}.\n\n{leaning}\n", "/a.md": f"# N\n\n{LINE}.\n\nOf a.\n"}
    left = texts(dreamt(same_day(files)))
    assert left["/x.md"] == files["/x.md"]
    assert left["/a.md"] == "# N\n\nOf a.\n"


TITLES = [
    ("*Before the migration of all hosts to Graz*", "*After the migration of all hosts to Graz*"),
    ("_Windows_", "_Linux_"),
    ("`windows`", "`linux`"),
    ("~~Windows~~", "~~Linux~~"),
    ("Windows", "Linux"),
    ("WINDOWS", "LINUX"),
    ("<b>Windows</b>", "<b>Linux</b>"),
    ("Windows —", "Linux —"),
    ("Windows;", "Linux;"),
    ("— Windows —", "— Linux —"),
    ("The old way", "The new way"),
    ("Vor dem Umzug", "Nach dem Umzug"),
    ("Avant la migration", "Après la migration"),
    ("Antes del cambio", "Después del cambio"),
    ("До переезда", "После переезда"),
    ("迁移之前", "迁移之后"),
    ("移行の前", "移行の後"),
    ("이전 방식", "새로운 방식"),
    ("<!-- windows -->", "<!-- linux -->"),
]


@pytest.mark.parametrize(("one", "other"), TITLES)
@pytest.mark.parametrize("body", [f"{LINE}.", f"- {LINE}"])
def test_a_title_line_is_part_of_the_place(body: str, one: str, other: str) -> None:
    assert kept({"/x.md": f"Of all.\n\n{one}\n\n{body}\n\n{other}\n\n{body}\n"})
    assert kept({"/x.md": f"{one}\n\n{body}\n", "/y.md": f"{other}\n\n{body}\n"})
    assert kept(
        {"/x.md": f"For Graz:\n\n{one}\n\nOne.\n\n{other}\n\n{body}\n", "/y.md": f"For Bonn:\n\n{other}\n\n{body}\n"}
    )


def test_a_title_line_is_not_merged_alone() -> None:
    title = "The hosts in Graz"
    assert count({"/x.md": f"# D\n\n{title}\n\nOf x alone.\n", "/y.md": f"# D\n\n{title}\n\nOf y alone.\n"}, title) == 2


def test_a_text_under_equal_titles_is_merged() -> None:
    files = {"/x.md": f"Windows\n\n- {LINE}\n- of x\n", "/y.md": f"Windows\n\n- {LINE}\n- of y\n"}
    assert count(files, LINE) == 1


@pytest.mark.parametrize("said", ["fast startup on hosts", "caching of all results in the proxy", "快速启动服务器"])
def test_bullets_for_and_against_are_part_of_what_they_say(said: str) -> None:
    assert kept({"/x.md": f"+ {said}\n", "/y.md": f"- {said}\n"})
    assert kept({"/x.md": f"+ {said}\n+ low price of it\n", "/y.md": f"- {said}\n- low price of it\n"})
    assert kept({"/x.md": f"# Cache\n\n+ {said}\n\n- {said}\n"})
    assert kept({"/x.md": f"+ {said}\n", "/y.md": f"- {said}, on Tuesdays\n"})
    assert kept({"/x.md": f"- Cache\n  + {said}\n  - price\n", "/y.md": f"- Cache\n  - {said}\n  + price\n"})
    assert count({"/x.md": f"+ {said}\n", "/y.md": f"+ {said}\n"}, said) == 1
    assert count({"/x.md": f"* {said}\n", "/y.md": f"- {said}\n"}, said) == 1


BLOCKS = (
    "# Rules",
    "## Hosts",
    "Windows",
    "*Before the migration*",
    "For Graz:",
    f"{LINE}.",
    f"- {LINE}.",
    f"+ {LINE}.",
    "The billing backup was moved to the new hosts in May.",
    "The CRM backup was moved to the new hosts in June.",
    "It takes nine minutes to finish and needs no lock at all.",
    "- It takes nine minutes to finish and needs no lock at all.",
    "This was hard for all of us and took the whole of May.",
    "The vendor call with Acme is tomorrow at nine with Kim.",
    "The limit of all of our hosts is 100 requests a minute.[^1]",
    "[^1]: for gold hosts",
    "[^1]: for free hosts",
    "The rules of all of the deploys are in b.md for now.",
)
TEXTS = st.builds(
    lambda head, blocks: "\n\n".join((*head, *blocks)) + "\n",
    st.sampled_from(((), (), (), ("---\nname: a\n---",), ("---\nname: a\ntags: x\n---",), ("user: ana",))),
    st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6),
)
STORES = st.dictionaries(st.sampled_from(("/a.md", "/b.md", "/c.md", "/x/a.md")), TEXTS, min_size=1)


def leaning(files: Mapping[str, str]) -> set[tuple[str, str]]:
    """Each text that goes on from another, with that one."""
    found = (passage for path, text in files.items() for passage in parse(path, text).passages)
    return {(each.before.text, each.text.removeprefix("- ")) for each in found if each.before and leans_back(each.text)}


@given(STORES)
def test_what_goes_on_from_another_text_still_stands_behind_it(files: dict[str, str]) -> None:
    assert leaning(files) <= leaning(texts(dreamt(store(files))))


@given(STORES)
def test_every_block_is_still_there_and_the_next_dream_finds_nothing(files: dict[str, str]) -> None:
    once = dreamt(store(files))
    left = "\n\n".join(texts(once).values())
    blocks = (block.removeprefix("- ") for text in files.values() for block in text.strip().split("\n\n"))
    assert all(block in left for block in blocks if not block.startswith("#"))
    assert run(once).operations == ()
