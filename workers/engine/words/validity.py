"""Words that tell when or where a statement holds: "…, in 2019", "…, on staging", "…, from May"."""

from __future__ import annotations

from typing import Final

from workers.engine.words import LANGUAGES
from workers.engine.words.table import split

_EN: Final = split(
    """in on at from since starting beginning effective during for as within under inside outside before after between
    across near throughout next last this initially later eventually
    internally externally locally remotely"""
)
_DE: Final = split(
    """in im am an ab auf bei beim seit vom von für vor nach zwischen innerhalb außerhalb unter beginnend gültig ins
    nächste nächsten nächstes letzte letzten dieses diesen"""
)
_FR: Final = split(
    """en à au aux dans sur depuis dès pendant durant pour chez avant après entre sous hors jusqu'à jusqu'au jusqu'en
    l'an cette ce"""
)
_ES: Final = split("en desde durante para sobre antes después entre bajo dentro fuera hasta este esta")
_OTHERS: Final = split(
    """nel nella nei dal dalla da fino durante per su sul sulla a em no na nos nas desde até ao op vanaf sinds tot bij
    voor tijdens i på från fra til under w od do na we v ve od до с со на в во от по"""
)
OPENERS: Final = {
    "en": frozenset(_EN),
    "de": frozenset(_EN + _DE),
    "fr": frozenset(_EN + _FR),
    "es": frozenset(_EN + _ES),
    "und": frozenset(_EN + _DE + _FR + _ES + _OTHERS),
}
"""What a clause of time or place begins with, by language; texts of no known language are heard by all."""

EACH: Final = frozenset(split("every each"))
RECURRENCE: Final = frozenset(
    split("and also too the weekdays weekends mornings afternoons evenings nights holidays")
) | frozenset(day for day in LANGUAGES["en"].weekdays if day.endswith("days"))
"""What may follow "on" where it says how often, not since when: on Tuesdays, on the weekends too."""

CLOCK: Final = frozenset(
    split("noon midnight night dawn dusk am pm a.m p.m sharp o'clock utc gmt and also too h min uhr heures heure the")
)
"""What may follow "at", with numbers, where it is a time of day."""
CLOCKED: Final = frozenset(split("at à"))

PLACES: Final = frozenset(
    split(
        """staging production prod preprod dev qa uat sandbox canary preview demo localhost testing env environment
        environments region regions zone edition"""
    )
)
"""Environments: short clauses that name one say where a statement holds."""

SPACELESS_OPENERS: Final = split("在 从 從 自 于 於 截至 直到 限 自从 仅在")
SPACELESS_ENDINGS: Final = split(
    """起 止 期间 期間 环境 環境 时 時 年 月 から まで より で に 時点 現在 에서 부터 까지 에 엔 년 월 동안 현재"""
)
SPACELESS_RECURRENCE: Final = split("每 毎 매")
"""The same in Chinese, Japanese and Korean."""
