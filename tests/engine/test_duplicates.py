"""The same said twice in another spelling: one dream leaves one, and the next nights find nothing more."""

from __future__ import annotations

import unicodedata

import pytest

from tests.engine.stores import dangling, dreamt, memory, run, snapshot, store, texts
from workers.engine.contained import contained
from workers.engine.values import Policy, Snapshot

LINE = "Deploys go out on Tuesday"
DUPLICATES = [
    # marks, blanks, widths
    *((LINE, other) for other in (f"{LINE}.", f"{LINE}!", f"{LINE};", f"\n\n{LINE}\n\n", f"  {LINE}", f"{LINE}   ")),
    *((LINE, LINE.replace(" ", blank)) for blank in ("  ", "\t", "\n", "\r\n", "  \n", "\u00a0", "\u2009")),
    *((LINE, f"{bullet}{LINE}") for bullet in ("- ", "* ", "• ", "-   ", "\ufeff")),
    *((LINE, other) for other in (f"**{LINE}**", f"**{LINE}.**", "**Deploys** go out on *Tuesday*")),
    *((LINE, other) for other in ("deploys go out on Tuesday", "***Deploys*** go out on Tuesday")),
    ("**Note:** deploys go out", "Note: deploys go out"),
    ("- 3 replicas run in production", "* 3 replicas run in production"),
    ("- [X] ship the importer", "* [x] ship the importer"),
    ("> Deploys go out on Tuesday", "> Deploys go out on Tuesday."),
    ("Run `make test` before pushing.", "- Run `make test` before pushing"),
    ("ＡＰＩ ｋｅｙ rotates daily.", "API key rotates daily."),
    ("ﾃﾞｰﾀを毎日保存する。", "データを毎日保存する。"),
    ("الميناء رقم ٨٠ مفتوح.", "الميناء رقم 80 مفتوح."),
    *((text, unicodedata.normalize("NFD", text)) for text in ("Café closes at 17:00.", "한국어 문서를 먼저 읽는다.")),
    # sentences without Latin script
    ("发布前，必须跑回归测试。", "发布前,必须跑回归测试"),
    ("发布前必须跑回归测试！", "- **发布前必须跑回归测试**"),
    ("使用 uv 安装依赖包。", "使用uv安装依赖包。"),
    ("백업은 매일 밤 실행된다.", "백업은 매일 밤 실행된다"),
    ("Резервная копия каждую ночь.", "резервная копия каждую ночь"),
    ("הגיבוי רץ כל לילה.", "הגיבוי רץ כל לילה"),
    ("सर्वर रोज चलता है।", "सर्वर रोज चलता है"),
    # words
    ("Don't push to main.", "Do not push to main."),
    ("Don’t push to main.", "Don't push to main."),
    ("It's running on the host.", "It is running on the host."),
    ("They've moved to Paris.", "They have moved to Paris."),
    ("We won't deploy on Friday.", "We will not deploy on Friday."),
    ("L'équipe déploie le mardi.", "L’équipe déploie le mardi."),
    ("The build takes four minutes.", "The build takes 4 min."),
    ("The timeout is 30s.", "The timeout is 30 sec."),
    ("Growth was 5 %.", "Growth was 5 percent."),
    ("The cluster has twenty-one nodes.", "The cluster has 21 nodes."),
    ("Der Cluster hat drei Knoten.", "Der Cluster hat 3 Knoten."),
    ("Le cluster a trois serveurs.", "Le cluster a 3 serveurs."),
    ("We organise the data centre.", "We organize the data center."),
    ("The “fast” path is used.", "The fast path is used."),
    ("We use tests, lint, and types.", "We use tests, lint and types."),
    ("The API key rotates daily.", "API key rotates daily."),
    ("Wait for it...", "Wait for it…"),
    ("Additionally, we ship the importer.", "Additionally we ship the importer."),
    ("Kim -- the lead -- left in May.", "Kim — the lead — left in May."),
    ("Deploys run nightly; Kim watches them.", "Deploys run nightly. Kim watches them."),
]


@pytest.mark.parametrize(("a", "b"), DUPLICATES)
def test_one_of_two_copies_is_left(a: str, b: str) -> None:
    assert len(dreamt(store({"/a.md": a, "/b.md": b})).memories) == 1


@pytest.mark.parametrize("rest", [", on Tuesdays", "; Kim watches them", " (at two)", ": see the runbook for it"])
def test_a_text_that_only_adds_replaces_its_beginning(rest: str) -> None:
    said = "The API key rotates every 90 days"
    assert contained(f"{said}.", f"{said}{rest}.", Policy())


def test_copies_in_one_file_go_in_its_own_line_ends() -> None:
    taken = store({"/r.md": "# R\r\n\r\n- Run tests first\r\n- Keep it small\r\n- run tests first.\r\n"})
    assert texts(dreamt(taken)) == {"/r.md": "# R\r\n\r\n- Run tests first\r\n- Keep it small\r\n"}


def test_whole_files_with_equal_front_matter_are_one() -> None:
    text = "---\nname: x\n---\n\n# T\n\n- one two three four\n- five six seven\n"
    assert texts(dreamt(store({"/a.md": text, "/b.md": text}))) == {"/b.md": text}


def nights(taken: Snapshot) -> None:
    """The first dream's output is that of the next four, with no link more that leads nowhere."""
    once = dreamt(taken)
    assert dangling(once) <= dangling(taken)
    for _ in range(4):
        assert run(once).operations == ()
        assert texts(dreamt(once)) == texts(once)


NOTE = "Rules of the deploys are in [[a]].\n"


def test_a_wiki_name_that_becomes_the_only_one_merges_nothing_later() -> None:
    other = "Rules of something else.\n"
    nights(store({"/x/a.md": f"See {NOTE}", "/n.md": f"See {NOTE}", "/y/a.md": other, "/z.md": other}))


def test_copies_whose_links_meet_after_a_merge_go_in_the_same_dream() -> None:
    """Until the copies of `a` are one, the two notes link to different files in the same words."""
    rule = "Deploys run from main.\n"
    pinned = memory("/k/a.md", rule, pinned=True)
    notes = [memory("/n.md", NOTE), memory("/o/b.md", NOTE, number=1)]
    taken = snapshot([memory("/a.md", rule), pinned, *notes, memory("/o/a.md", rule)])
    nights(taken)
    assert texts(dreamt(taken)) == {"/k/a.md": rule, "/o/b.md": NOTE}
