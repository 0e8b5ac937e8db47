"""Words by which the rest of a text may take back what its beginning says: "… (outdated)", "… was in 2023"."""

from __future__ import annotations

from typing import Final

from workers.engine.words.table import split

WITHDRAWALS: Final = frozenset(
    split(
        """outdated stale old older legacy expired archived reverted rolled undone wip tbc tbd todo draft example sample
        joke joking kidding myth rumor rumour lie incorrect inaccurate untrue unconfirmed unverified unproven
        disputed contested questionable theory theoretically ideally hypothetically confirmed past was were had ago
        ex excepted excluded excludes exception exceptions minus save bar less subject pending depending depends long
        given fixed resolved solved closed done finished completed quit left beta experimental tentative tentatively
        provisional provisionally temporary temporarily supposed intended expected aborted dropped abandoned
        discontinued sunset withdrawn revoked void null nil nope nah ignore ignored ignoring disregard disregarded
        scratch strike struck opposite error erratum errata corrigendum mistake mistaken mistakenly typo oops whoops
        wrongly misheard misread misunderstood nonsense bogus hoax fake sorry meant rather opinion opinions hunch
        speculation assumption assumed imo imho afaik iirc sarcasm sarcastic irony ironic satire lied lying joked
        disagree disagrees disagreed disagreement dissent dissents objects objected objection objections doubt doubts
        doubted dispute disputes contest contests question questions questioned challenges challenged contradicts
        contradicted refutes refuted debunked disproved disproven skeptical sceptical unconvinced retract retracted
        retraction rescinded overruled overturned reversed undo cancels postponed delayed deferred paused suspended
        halted defunct voided citation differ differs differed
        nein erledigt behoben gelöst abgelaufen entwurf unbestätigt archiviert vorläufig früher ehemals war waren
        ignoriere ignorieren ignoriert irrtum irrtümlich fehler korrektur korrigiert berichtigung berichtigt
        gegenteil widerspricht widersprach widersprochen bezweifelt bezweifeln zweifelt zweifel unsinn quatsch
        gestrichen hinfällig vielmehr gemeint meinung annahme vermutung widerrufen zurückgezogen zurückgenommen
        storniert überholt ausgesetzt vertagt stimmt
        périmé résolu corrigé brouillon expiré archivé provisoire ancien ancienne était étaient erreur erreurs
        rectificatif rectification rectifié ignorer ignorez contraire doute doutent doutes conteste contestent
        contesté désaccord retiré retirée abrogé caduc caduque suspendu reporté erroné erronée plutôt désolé avis
        supposition
        caducado resuelto corregido borrador expirado archivado antiguo era eran estaba anticuado corrección
        rectificación rectificado ignora ignorar ignoren ignorad contrario duda dudan dudas discrepa discrepan
        desacuerdo retirado retirada suspendido aplazado erróneo errónea equivocado mentira perdón opinión suposición
        tranne eccetto escluso esclusa esclusi exceto menos não nem behalve tenzij uitgezonderd niet geen zonder utom
        förutom inte unntatt undtagen ikke oprócz nie bez kromě není kivéve paitsi hariç değil không errore errato
        sbagliato dubita erro errado duvida fout vergissing fel fejl feil błąd chyba hiba virhe hata"""
    )
)
"""Lower case. The last lines are the exceptions, negations and errors of languages that have no table of their own."""

SPACELESS_WITHDRAWALS: Final = split(
    """过期 過期 已废 已廢 已停 已关 已關 修复 修復 解决 解決 草案 草稿 待定 暂定 暫定 传闻 傳聞 谣言 謠言 旧 舊 假的
    作废 作廢 更正 纠正 糾正 改正 勘误 勘誤 有误 有誤 错 錯 忽略 无视 無視 相反
    反对 反對 异议 異議 怀疑 懷疑 质疑 質疑 存疑 撤回 撤销 撤銷 收回 暂停 暫停 推迟 推遲 延期 搁置 擱置 应为 應為
    应是 應是 实为 實為 其实 其實 猜测 猜測
    下書き 未定 済み 期限切れ 訂正 修正 誤 間違 取り消 取消 撤回 反対 疑 逆 保留 中断 無効 嘘 正しくは 意見 推測
    만료 초안 미정 해결 예전 정정 수정 무시 반대 의심 이의 철회 취소 틀렸 틀린 잘못 착오 보류 연기 거짓 실은 사실은
    의견 추측"""
)
"""The same in Chinese, Japanese and Korean, anywhere in the text."""
