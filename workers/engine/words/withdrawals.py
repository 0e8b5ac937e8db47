"""Words by which the rest of a text may take back what its beginning says: "… (outdated)", "… was in 2023"."""

from __future__ import annotations

from typing import Final

from workers.engine.words.table import split

WITHDRAWALS: Final = frozenset(
    split(
        """outdated stale old older legacy expired archived reverted rolled undone wip tbc tbd todo draft example sample
        joke joking kidding myth rumor rumour lie incorrect inaccurate untrue unconfirmed unverified unproven disputed
        contested questionable theory theoretically ideally hypothetically confirmed past was were had ago ex excepted
        excluded excludes exception exceptions minus save bar less subject pending depending depends long given fixed
        resolved solved closed done finished completed quit left beta experimental tentative tentatively provisional
        provisionally temporary temporarily supposed intended expected aborted dropped abandoned discontinued sunset
        withdrawn revoked void null nil nope nah
        nein erledigt behoben gelöst abgelaufen entwurf unbestätigt archiviert vorläufig früher ehemals war waren
        périmé résolu corrigé brouillon expiré archivé provisoire ancien ancienne était étaient
        caducado resuelto corregido borrador expirado archivado antiguo era eran estaba anticuado
        tranne eccetto escluso esclusa esclusi exceto menos não nem behalve tenzij uitgezonderd niet geen zonder utom
        förutom inte unntatt undtagen ikke oprócz nie bez kromě není kivéve paitsi hariç değil không"""
    )
)
"""Lower case. The last line are the exceptions and negations of languages that have no table of their own."""

SPACELESS_WITHDRAWALS: Final = split(
    """过期 過期 已废 已廢 已停 已关 已關 修复 修復 解决 解決 草案 草稿 待定 暂定 暫定 传闻 傳聞 谣言 謠言 旧 舊 假的
    下書き 未定 済み 期限切れ 만료 초안 미정 해결 예전"""
)
"""The same in Chinese, Japanese and Korean, anywhere in the text."""
