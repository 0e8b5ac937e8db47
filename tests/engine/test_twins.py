"""Near in words, different in fact: a dream keeps both, as whole memories, in one list and under equal headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.engine.stores import dreamt, store, texts
from workers.engine.contained import contained
from workers.engine.values import Policy

TWINS = [
    # numbers and units
    ("The cache holds 1,024 entries.", "The cache holds 1.024 entries."),
    ("The offset is −3 hours.", "The offset is 3 hours."),
    ("The area is 10² metres.", "The area is 102 metres."),
    ("The temperature is 10⁻² here.", "The temperature is 10-2 here."),
    ("Use 10–20 workers.", "Use 10-20 workers."),
    ("Use 10 to 20 workers.", "Use 10 or 20 workers."),
    ("Growth was 5 percent.", "Growth was 5 percentage points."),
    ("Growth was 5%.", "Growth was 5‰."),
    ("The price is 5 EUR.", "The price is 5 USD."),
    ("The disk has 5 GB free.", "The disk has 5 GiB free."),
    ("The wait is 5 µs.", "The wait is 5 ms."),
    ("The wait is 5 m long.", "The wait is 5 min long."),
    ("Half a dozen hosts run it.", "A dozen hosts run it."),
    ("Twenty, five and six won.", "25 and six won."),
    ("There are twenty five-person teams.", "There are 25-person teams."),
    ("The value is 0x1F here.", "The value is 0x1f here."),
    ("The temperature is 20°C inside.", "The temperature is 20°F inside."),
    # dates and times
    ("The release is on 03/04/2026.", "The release is on 04/03/2026."),
    ("The meeting is on Mondays.", "The meeting is on Monday."),
    ("The meeting is at 9 am.", "The meeting is at 9 pm."),
    ("The meeting is at 9:00 a.m.", "The meeting is at 9:00 p.m."),
    ("The meeting is at 09:00+01:00.", "The meeting is at 09:00-01:00."),
    ("The meeting is at 09:00 EST.", "The meeting is at 09:00 EDT."),
    ("The meeting is weekly now.", "The meeting is biweekly now."),
    # versions, references, addresses, code
    ("We use Python 3.11 here.", "We use Python 3.1.1 here."),
    ("We use ^1.2.3 here.", "We use ~1.2.3 here."),
    ("See issue #12 for details.", "See issue 12 for details."),
    ("Commit deadbee fixed it.", "Commit deadbef fixed it."),
    ("See https://a.example/x for it.", "See https://a.example/x/ for it."),
    ("See https://a.example/#a for it.", "See https://a.example/#b for it."),
    ("The docs are at [docs](https://a.example/x).", "The docs are at [docs](https://a.example/y)."),
    ("The host is 10.0.0.1 now.", "The host is 10.0.0.11 now."),
    ("The log is in /var/log/app.log now.", "The log is in /var/log/App.log now."),
    ("Set MAX_RETRY for it.", "Set MAX_RETRIES for it."),
    ("Set DB_HOST first please.", "Set db_host first please."),
    ("Run `foo` before release.", "Run foo before release."),
    ("Run `foo -v` before release.", "Run `foo -V` before release."),
    ("Use *.log in the pattern.", "Use .log in the pattern."),
    ("Use __init__ for the setup.", "Use init for the setup."),
    ("The key is аbc here.", "The key is abc here."),  # the first а is Cyrillic
    # status marks and emoji
    ("[ ] ship the new importer", "[x] ship the new importer"),
    ("~~Ship the new importer~~", "Ship the new importer"),
    ("✅ Ship the new importer", "❌ Ship the new importer"),
    ("👍 The team likes tabs", "👎 The team likes tabs"),
    ("The flag is 🇩🇪 here", "The flag is 🇫🇷 here"),
    ("Family 👨‍👩‍👧 is the icon", "Family 👨‍👩‍👦 is the icon"),
    # negation and its kin
    ("Der Server ist erreichbar.", "Der Server ist nicht erreichbar."),
    ("Es gibt einen Server.", "Es gibt keinen Server."),
    ("Le serveur est actif.", "Le serveur n'est pas actif."),
    ("El servidor está activo.", "El servidor no está activo."),
    ("用户有权限访问。", "用户没有权限访问。"),
    ("サーバーは動いている。", "サーバーは動いていない。"),
    ("서버를 사용한다.", "서버를 사용하지 않는다."),
    ("Сервер работает ночью.", "Сервер не работает ночью."),
    ("הגיבוי רץ כל לילה.", "הגיבוי לא רץ כל לילה."),
    ("The build is stable here.", "The build is unstable here."),
    ("Compress the files nightly.", "Decompress the files nightly."),
    ("You can deploy on Friday.", "You can't deploy on Friday."),
    ("It isn't on the list.", "It is on the list."),
    # who does what to whom, how many, when
    ("Copy from A to B nightly.", "Copy from B to A nightly."),
    ("The service must restart nightly.", "The service may restart nightly."),
    ("All hosts run the agent.", "Some hosts run the agent."),
    ("Few hosts run the agent.", "A few hosts run the agent."),
    ("Deploy if tests pass today.", "Deploy unless tests pass today."),
    ("Alice and Bob approve it.", "Alice or Bob approve it."),
    ("The user's files are gone.", "The users' files are gone."),
    ("The user prefers dark mode.", "The users prefer dark mode."),
    ("He only told Bob that.", "He told only Bob that."),
    ("He's done with it now.", "He has done with it now."),
    # names, articles, capitals
    ("The Who is his favourite.", "Who is his favourite."),
    ("He is the president of it.", "He is a president of it."),
    ("The deal closes in May.", "The deal closes in may."),
    ("Polish the report today.", "polish the report today."),
    ("We use Go for it.", "We use go for it."),
    ("IT is down this week.", "It is down this week."),
    ("Ich habe liebe Genossen hier.", "Ich habe Liebe genossen hier."),
    ("In Maßen trinken ist gut.", "In Massen trinken ist gut."),
    ("El papa vive aquí ahora.", "El papá vive aquí ahora."),
    # signs
    ("Is the job finished today?", "Is the job finished today"),
    ("Το σύστημα είναι έτοιμο;", "Το σύστημα είναι έτοιμο."),
    ("The panda eats shoots and leaves.", "The panda eats, shoots and leaves."),
    ('The value is "1" here.', "The value is 1 here."),
    ("A man eating shark was seen.", "A man-eating shark was seen."),
    ("Use x ≤ 5 for it.", "Use x ≥ 5 for it."),
]
FORMS: Mapping[str, Callable[[str, str], Mapping[str, str]]] = {
    "whole": lambda a, b: {"/a.md": f"{a}\n", "/b.md": f"{b}\n"},
    "bullets": lambda a, b: {"/n.md": f"# Notes\n\n- {a}\n- {b}\n"},
    "two files": lambda a, b: {"/x.md": f"# Notes\n\n- {a}\n- Of x\n", "/y.md": f"# Notes\n\n- {b}\n- Of y\n"},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pair", TWINS, ids=lambda pair: pair[0])
def test_twins_stay_two(form: str, pair: tuple[str, str]) -> None:
    files = FORMS[form](*pair)
    assert texts(dreamt(store(files))) == files


FACT = "The nightly backup of the billing database takes nine minutes"
LEANING = "likes green tea a lot"
PLACES: Mapping[str, Mapping[str, str]] = {
    "days": {"/l.md": f"## 2026-03-01\n\n- {FACT}\n\n## 2026-03-02\n\n- {FACT}\n"},
    "weekdays": {"/l.md": f"## monday\n\n- {FACT}\n\n## tuesday\n\n- {FACT}\n"},
    "stages": {"/l.md": f"# staging\n\n- {FACT}\n\n# production\n\n- {FACT}\n"},
    "pros and cons": {"/l.md": f"## Pros\n\n- {FACT}\n\n## Cons\n\n- {FACT}\n"},
    "rules and what is none": {"/l.md": f"## Rules\n\n- {FACT}\n\n## Rules not to follow\n\n- {FACT}\n"},
    "a line and what is over": {"/a.md": f"{FACT}.\n", "/b.md": f"# No longer true\n\n- {FACT}\n- More of it\n"},
    "an archive": {"/a.md": f"# N\n\n- {FACT}\n- Of a\n", "/archive/b.md": f"# N\n\n- {FACT}\n- Of b\n"},
    "do and don't": {"/do.md": f"# N\n\n- {FACT}\n- Of a\n", "/dont.md": f"# N\n\n- {FACT}\n- Of b\n"},
    "files of people": {"/alice.md": f"# N\n\n- {LEANING}\n- Of a\n", "/bob.md": f"# N\n\n- {LEANING}\n- Of b\n"},
    "notes on people": {"/p/alice.md": LEANING, "/p/bob.md": LEANING},
    "folders of people": {"/users/1/tea.md": LEANING, "/users/2/tea.md": LEANING},
    "named days": {
        "/2026-03-01-standup.md": "All checks are green.",
        "/2026-03-02-standup.md": "All checks are green.",
    },
    "folders of days": {"/2026/03/01.md": "All checks are green.", "/2026/03/02.md": "All checks are green."},
    "weeks": {"/2026-W09.md": "All checks are green.", "/2026-W10.md": "All checks are green."},
    "parents": {"/n.md": f"- Alice\n  - {LEANING}\n- Bob\n  - {LEANING}\n"},
    "titles of lists": {"/n.md": f"About Alice\n\n- {LEANING}\n\nAbout Bob\n\n- {LEANING}\n"},
    "underlined titles": {"/n.md": f"Alice\n=====\n\n- {LEANING}\n\nBob\n===\n\n- {LEANING}\n"},
    "questions": {"/n.md": "What does Alice like?\n\nGreen tea a lot.\n\nWhat does Bob like?\n\nGreen tea a lot.\n"},
    "folds": {
        "/n.md": "".join(
            f"<details>\n<summary>{name}</summary>\n\n- {LEANING}\n\n</details>\n\n" for name in ("Alice", "Bob")
        )
    },
}


@pytest.mark.parametrize("files", PLACES.values(), ids=PLACES)
def test_equal_words_in_places_that_make_two_facts_of_them_stay_two(files: Mapping[str, str]) -> None:
    assert texts(dreamt(store(files))) == files


SAID = "Deploys run from main"


@pytest.mark.parametrize(
    "rest",
    [
        *(": false", ": no", ": 0", ": null", ": done", " (WIP)", " (old)", " (outdated)", " (reverted)", " (TBC)"),
        *(" (to be confirmed)", " (rolled back)", " (in theory)", ". This is a lie", ". That was in 2023", " (draft)"),
        *(", except on Fridays", ", but only on Tuesdays", ", unless it is red", ", no longer", " (deprecated)"),
        *(", hotfixes excluded", ", minus the hotfixes", ", subject to approval", ", depending on load", ", mostly"),
        *(", given an approval", ", so long as tests pass", ". 🚫 for ever", " → to release", ". Fixed in v2", ", /s"),
        *(". Update: from release", ", usually at night", ", develop", ": per host"),
    ],
)
def test_a_text_that_takes_its_beginning_back_does_not_replace_it(rest: str) -> None:
    assert not contained(f"{SAID}.", f"{SAID}{rest}.", Policy())


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        ("发布流程从主分支开始。", "发布流程从主分支开始（已过期）。"),
        ("Die Bereitstellung läuft von main.", "Die Bereitstellung läuft von main (ist behoben)."),
        ("Il backup gira ogni notte.", "Il backup gira ogni notte, tranne la domenica."),
        ("O deploy sai da main.", "O deploy sai da main, exceto na sexta."),
        ("Деплой идёт из main.", "Деплой идёт из main, кроме пятницы."),
        ("The price is 5.", "The price is 5, 000 EUR."),
        ("No deploys on Friday.", "No deploys on Friday, says the team."),
        ("Never deploy on Friday.", "Never deploy on Friday, says the team."),
    ],
)
def test_nor_does_it_in_another_language_or_way(shorter: str, longer: str) -> None:
    assert not contained(shorter, longer, Policy())
