"""English closed lists that keep the foldings of canonical text honest: where a small word does change the meaning."""

from __future__ import annotations

from typing import Final

from workers.engine.words.english import ENGLISH, FUNCTION_WORDS
from workers.engine.words.table import split

ABBREVIATIONS: Final = frozenset(
    split(
        """mr mrs ms dr prof st jr sr vs etc approx nr fig eq inc ltd corp dept ca resp incl excl vol pp mt ft lt jan
        feb apr jun jul aug sep sept oct nov dec"""
    )
)
"""Words whose full stop ends no sentence. Not `no`: "No. Backups run" is no number."""

SHORTENED: Final = frozenset(
    split(
        """gen col sen rep gov capt cpt sgt maj lt rev hon pres supt fr mme mlle ing dipl sra srta sec ch art abs bzw
        ggf evtl inkl núm pág av ej"""
    )
)
"""More of them, whose full stop may end a sentence: before a name or number it mostly does not."""

HOMOGRAPHS: Final = frozenset(
    split(
        """polish turkey china march may august mark bill will rob art frank grace hope faith joy rose dawn jack pat
        sue guy drew miles max ruby jade amber iris violet lily penny chase chip cliff clay dale dean gene grant
        hunter lance mason nick norm peg ray reed rich rod skip stew sunny ward wade wren earl baker cook smith
        carter king bishop pope summer april june augusta jordan chad georgia cork phoenix lima essen apple windows
        word excel access outlook teams slack notion box square stripe zoom chrome edge opera safari signal discord
        go rust swift ruby dart crystal elm spark storm hive beam flink prefect flask bottle celery spring chef
        puppet salt vault packer helm flux harbor drone sentry segment snowflake shell oracle amazon visa mint arch
        alpine bun atom sublime sketch canvas blender steam epic fortune economist guardian sun mirror independent
        labour conservative mercury mars venus saturn pluto god lord senate congress crown church bible catholic
        orthodox liberal democrat republican"""
    )
)
"""Common words that with a capital may be a name: their capital is kept even where a sentence begins."""

_EXPANDED = {
    "not": ("n't", "is are was were do does did would should could must need have has had might"),
    "are": ("'re", "you we they who"),
    "have": ("'ve", "you we they would should could might must"),
    "will": ("'ll", "you he she it we they that there"),
}
CONTRACTIONS: Final[dict[str, tuple[str, ...]]] = {
    "I've": ("I", "have"),
    "I'll": ("I", "will"),
    "I'm": ("I", "am"),
    "can't": ("cannot",),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
}
"""Contractions with one long form. Not `'s` (is, has, of), not `'d` (had, would), not `let's` (who is let?)."""
for _long, (_ending, _words) in _EXPANDED.items():
    CONTRACTIONS.update({_word + _ending: (_word, _long) for _word in split(_words)})

IS_AFTER: Final = frozenset(split("it's that's there's what's here's he's she's"))
IS_BEFORE: Final = frozenset(
    split("a an the in on at for to by with from my your our their his her this that very too")
)
"""`'s` is "is" between a word of the one and a word of the other; else it may be "has" or an owner."""

ARTICLES: Final = frozenset(split("the a an"))
EXCLUSIVES: Final = frozenset(ENGLISH.conditions["only"])
DETERMINERS: Final = (
    ARTICLES
    | EXCLUSIVES
    | frozenset(
        split("my your his her its our their whose this that these those some any no each every which what such other")
    )
)
"""What tells which or how many of a kind are meant: the host, the hosts."""

ONE_OF_ITS_KIND: Final = frozenset(split("reason cause answer solution culprit winner difference"))
"""What "the" says there is no other of: a reason, the reason."""

KEEPS_AN_ARTICLE: Final = FUNCTION_WORDS | frozenset(
    split(
        """few little lot bit most more less least fewer other others one ones next last past previous following first
        second third fourth fifth latter former rest best worst majority minority number couple half whole double
        hundred thousand million dozen day week month year hour minute certain place part charge control possession
        office question turn way time course power case front hand stage advantage care shape effect interest leave
        heart root"""
    )
)
"""Words that an article before them turns into something else: a few, the only admin, the next week, taking (the)
place."""

LETTERED: Final = frozenset(
    split(
        """option vitamin plan group type class variant section appendix annex part item step case grade team point
        phase node list level category schedule exhibit article version column row key"""
    )
)
"""What is told apart by letters: behind them "a" is one."""

PREDICATES: Final = frozenset(
    split("is are was were be been being am as become becomes became becoming remain remains remained")
)
"""What stands before all that somebody is, one of many or the only one: is an owner, is the owner."""

NO_PLURALS: Final = frozenset(
    split(
        """news means goods customs glasses works always besides perhaps sometimes arms authorities basics contents
        damages economics ethics graphics grounds logistics manners mathematics odds others physics politics premises
        quarters remains sales savings seconds securities shorts spirits statistics thanks times utilities woods
        stocks terms looks classes ages airs bearings brains chips circumstances clothes colors dues effects fireworks
        forces funds greens heads honors humanities letters lines lots minutes morals notes numbers pains papers
        particulars parts powers proceeds proceedings provisions regards relations rights scales shades spectacles
        sports stairs surroundings tails tights tops tropics trunks valuables wages waters whereabouts wits words
        writings accounts charges codes experiences interests memories orders practices properties rooms services spaces
        states weights series species lens bias alias atlas canvas chaos pathos cosmos kudos whereas afterwards
        towards upwards downwards forwards backwards inwards outwards nowadays indoors outdoors overseas hers
        afternoons evenings mornings nights weekdays weekends https ftps imaps ldaps smtps mqtts amqps reads puts cuts
        sets hits lets costs shuts quits splits spreads bursts hurts beats casts bets resets upsets broadcasts"""
    )
)
"""Words in -s whose stem is another word (sale, second, http, len) or means something else (looks, terms, papers), once
where this is every time (morning), or past where this is present (cost)."""

BINDS_WITHOUT_COMMA: Final = frozenset(
    split("who whom whose which that where not no never but nor because as since while so only to than")
)
"""Words that without the comma before them belong to what stands there: users (,) who pay; left (,) because of Kim."""

OPENS_A_PHRASE: Final = frozenset(
    split(
        """a an the in on at by with from for into after before during until under over between through within via per
        if when unless whenever once then"""
    )
)
"""Words that begin a phrase of their own, with or without a comma between it and the rest of the sentence."""

SUBJECTLESS: Final = frozenset(
    split(
        """has had is was likes loves hates prefers enjoys dislikes wants needs lives works uses wears owns speaks
        teaches knows thinks believes goes comes keeps gets eats becomes became asked wanted liked loved preferred
        worked lived he she they it his her their its"""
    )
)
"""A text that begins with one of these does not say whom it is about: likes tea, his birthday is on the 5th. No verb
that is a plural as well: deploys, drives."""

SPEECH: Final = frozenset(
    split("said says say saying told tells asked asks wrote writes replied called named titled quoted spelled typed")
)
OWN_VOICE: Final = frozenset(split("i me my mine myself we us our ours ourselves you your yours"))
LITERALS: Final = frozenset(split("true false null none nil yes no on off undefined nan inf empty not never"))
"""Words whose quotes make a value of them: `"null"` is not null."""

OPENING_ADVERBS: Final = frozenset(
    split("additionally furthermore moreover therefore consequently meanwhile thus hence today yesterday tomorrow")
)
"""Adverbs at the start of a sentence that no following word can take for its own, with or without a comma."""
