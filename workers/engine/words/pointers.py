"""Words that point out of their text: at the day it was learned, at what stood before it. English, German, French,
Spanish, Italian, Portuguese, Russian, Chinese, Japanese and Korean."""

from __future__ import annotations

from typing import Final

from workers.engine.words.table import split

RELATIVE: Final = (
    r"tonight|later this \w++|the day (?:before|after)|end of (?:the|this) (?:day|week|month|quarter|year)"
    r"|in (?:about |a few |a couple of |the next )?\S{1,12}+ (?:minutes?|hours?|days?|weeks?|weekends?|months?|years?)"
    r"|(?:last|next|this|coming|past) (?:night|evening|spring|summer|autumn|fall|winter|sprint|release|time)"
    r"|heut\w++|gestrig\w++|morgig\w++|(?:diese|letzte|nächste)[nrs]? (?:nacht|woche|tage?|monats?|jahr\w*+)"
    r"|(?:in|vor) \S{1,12}+ (?:minuten?|stunden?|tag\w*+|wochen?|monat\w*+|jahr\w*+)|ende (?:des|der) (?:monats|woche)"
    r"|avant-hier|après-demain|ce (?:soir|matin|mois|week-end)|cette (?:nuit|semaine|année)|la (?:nuit|veille) dernière"
    r"|(?:dans|il y a) \S{1,12}+ (?:minutes?|heures?|jours?|semaines?|mois|ans?|années?)|fin du mois"
    r"|anoche|anteayer|pasado mañana|esta (?:noche|tarde|semana|mañana)|este (?:mes|año)|fin de mes"
    r"|(?:en|dentro de|hace) \S{1,12}+ (?:minutos?|horas?|días?|semanas?|mes|meses|años?)"
    r"|oggi|domani|ieri|dopodomani|stasera|stanotte|adesso|(?:fra|tra) \S{1,12}+"
    r" (?:or[ae]|giorn[oi]|settiman[ae]|mes[ei])"
    r"|(?:questa|prossima|scorsa) settimana|(?:questo|prossimo|scorso) (?:mese|anno)|settimana (?:prossima|scorsa)"
    r"|hoje|amanhã|ontem|anteontem|agora|(?:daqui a|há) \S{1,12}+ (?:horas?|dias?|semanas?|mês|meses|anos?)"
    r"|(?:esta|próxima) semana|semana (?:que vem|passada)|este mês|mês (?:que vem|passado)"
    r"|сегодня\w*+|завтра\w*+|вчера\w*+|послезавтра|позавчера|сейчас|недавно|скоро|теперь|пока"
    r"|на (?:этой|прошлой|следующей|будущей) неделе|в (?:этом|прошлом|следующем|будущем) (?:месяце|году)"
    r"|через (?:\S{1,12}+ )?(?:минут\w*+|час\w*+|день|дня|дней|недел\w*+|месяц\w*+|год\w*+)"
    r"|\S{1,12}+ (?:минут\w*+|час\w*+|день|дня|дней|недел\w*+|месяц\w*+|год\w*+|лет) назад|назад"
)
"""Alternatives of a regular expression for lower-case text: relative times that the tables of languages lack."""

RELATIVE_SPACELESS: Final = (
    r"[\d一二两三四五六七八九十几]{1,3}(?:分钟|小时|天|日|周|星期|个月|年)(?:前|后|之前|之后|以后|以前|内)|刚才|刚刚|今晨|今早|大后天|这几天|月底"
    r"|[\d一二三四五六七八九十数]{1,3}(?:分|時間|日|週間|か月|ヶ月|年)(?:前|後)|今朝|今晩|明後日|明晩|一昨日|さっき|再来週|先々週|月末"
    r"|[\d일이삼사오육칠팔구십한두세네몇]{1,3} ?(?:분|시간|일|주|주일|달|개월|년) ?(?:전|후|뒤)"
    r"|모레|글피|그저께|엊그제|방금|아까|곧|오늘밤|이번|다음 ?주|지난"
)
"""The same for Chinese, Japanese and Korean, anywhere in the text."""

BACK: Final = frozenset(
    split(
        """it its this that these those he him his she her hers they them their theirs there then also too such both
        either neither otherwise instead however here same latter former another so therefore thus hence moreover
        furthermore additionally besides meanwhile afterwards afterward later consequently similarly likewise
        nevertheless nonetheless still yet and but or nor because again else
        er sie es ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner dies diese dieser dieses diesen diesem
        jene jener jenes dort da dann danach dabei dafür dagegen damit darauf daran darin davon dazu dadurch darum
        deshalb daher deswegen auch ebenso ebenfalls beide beides sonst andernfalls stattdessen außerdem zudem jedoch
        aber und oder denn trotzdem dennoch solche solcher solches letztere letzterer erstere dasselbe derselbe dieselbe
        il elle ils elles ce cet cette ces cela ça ceci c celui celle ceux celles son sa ses leur leurs lui y alors
        ensuite puis aussi également sinon donc ainsi cependant toutefois pourtant néanmoins et mais ou or car
        él ella ello ellos ellas esto eso este esta estos estas ese esa esos esas aquel aquella su sus también además
        entonces luego después allí ahí aquí ambos ambas mismo misma así pero y o sino tampoco
        lui lei esso essa loro questo questa questi queste quello quella suo sua suoi sue anche inoltre poi allora
        quindi però ma entrambi entrambe altrimenti invece lì là qui
        ele ela eles elas isto isso esse essa esses essas aquele aquela seu sua seus suas também então ali lá depois
        mas e ambos ambas além caso
        corre tiene tenía vive trabaja prefiere quiere necesita funciona está estaba fue tarda dura empieza termina se
        è aveva lavora preferisce vuole funziona inizia finisce si gli
        é foi tem tinha trabalha prefere quer precisa começa
        он она оно они его её ее их ему ей им это этот эта эти этого этой этих тот та то те там тут здесь тогда потом
        затем также тоже оба обе иначе вместо поэтому однако но и а или такой такая такое такие"""
    )
)
"""Pronouns and connectives: a text that begins with one goes on where the text before it stopped. English, German,
French, Spanish, Italian, Portuguese, Russian; of languages that leave the pronoun out, verbs that often begin so."""

BACK_PHRASES: Final = split(
    """the_same the_latter the_former the_other the_others in_this in_that in_these in_such in_addition in_contrast
    on_the_other for_this for_that for_these at_that after_that after_this before_that because_of_this as_a_result
    as_such of_these of_those all_of_these all_of_them all_of_this none_of_them one_of_them some_of_them to_this
    to_that with_this with_that like_this like_that by_then since_then until_then if_so if_not
    das_ist das_sind das_war das_gilt das_heißt das_hat das_wird das_kann das_muss die_beiden das_gleiche die_gleiche
    le_même la_même les_mêmes les_deux de_plus à_la_place en_outre par_contre par_conséquent
    lo_mismo la_misma el_mismo los_dos las_dos en_cambio sin_embargo por_eso por_lo_tanto de_lo_contrario
    lo_stesso la_stessa o_mesmo a_mesma os_dois no_entanto por_isso то_же кроме_того в_этом при_этом после_этого"""
)
"""The same in two words and more."""

BACK_SPACELESS: Final = split(
    """它 牠 他 她 这 這 那 此 该 該 其 也 还 還 另外 然后 然後 随后 隨後 同样 同樣 同上 两者 兩者 二者 否则 否則
    因此 因而 所以 于是
    於是 但 不过 不過 然而 而且 并且 並且 接着 接著 相反 上述 前者 后者 後者
    それ これ あれ その この あの そこ ここ そう こう そして また さらに しかし だが ただし 彼 彼女 両方 両者
    同じ 同様 前者 後者 当該 従って
    したがって よって 次に 他に なお
    그것 이것 저것 그는 그가 그의 그녀 그들 이는 이를 그_ 이_ 또한 또_ 그리고 그러나 하지만 그래서 그러면 그러므로
    따라서 역시 둘_다 같은_ 마찬가지
    거기 여기 이후 그때 그다음 대신"""
)
"""The same in Chinese, Japanese and Korean, as the beginning of a text; `_` is a blank."""

TAKEN_BACK: Final = frozenset(
    split(
        """back again reverted reverts revert undone rolled returned restored zurück wieder rückgängig zurückgesetzt
        retour nouveau annulé rétabli vuelta nuevo revertido deshecho restaurado"""
    )
)
"""Words that may take a change back: moved to B and back."""

TAKEN_BACK_SPACELESS: Final = split(
    "又改 又迁 撤回 回滚 回滾 恢复 恢復 还原 還原 改回 迁回 搬回 戻 再び 取り消 다시 되돌 취소 복원"
)
"""The same in Chinese, Japanese and Korean, anywhere in the text."""
