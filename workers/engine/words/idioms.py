"""English closed lists that keep the foldings of canonical text honest: where a small word does change the meaning."""

from __future__ import annotations

from typing import Final

from workers.engine.words.english import FUNCTION_WORDS
from workers.engine.words.table import split

ABBREVIATIONS: Final = frozenset(
    split(
        """mr mrs ms dr prof st jr sr vs etc approx nr no art fig eq sec inc ltd corp dept est ca resp incl excl ed vol
        pp mt ft lt col gen gov sen rep rev hon jan feb mar apr jun jul aug sep sept oct nov dec"""
    )
)
"""Words whose full stop ends no sentence."""

HOMOGRAPHS: Final = frozenset(
    split(
        """polish turkey china march may august mark bill will rob art frank grace hope faith joy rose dawn jack pat
        sue guy drew miles max ruby jade amber iris violet lily penny chase chip cliff clay dale dean gene grant
        hunter lance mason nick norm peg ray reed rich rod skip stew sunny ward wade wren earl baker cook smith
        carter page young long brown black white green gray grey king bishop pope major summer april june augusta
        jordan chad georgia bath cork nice mobile phoenix lima essen apple windows word excel access outlook teams
        slack notion linear box square stripe zoom meet chrome edge opera brave safari signal discord go rust swift
        python ruby java dart crystal elm spark storm hive beam flink prefect flask bottle celery express react
        angular spring chef puppet salt vault consul nomad packer helm flux harbor drone sentry segment snowflake
        shell oracle amazon target gap visa mint fedora arch alpine docker jenkins travis cypress jest mocha bun
        node atom sublime sketch figma canvas blender unity unreal steam epic bing alexa cortana siri nest fortune
        economist guardian sun mirror independent labour conservative mercury mars venus saturn pluto god lord house
        senate congress crown church bible catholic orthodox liberal democrat republican"""
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

KEEPS_THE_BEFORE: Final = FUNCTION_WORDS | frozenset(
    split(
        """few little lot bit most more less least fewer other others one ones next last past previous following first
        second third fourth fifth latter former rest best worst better worse majority minority number couple half
        whole odd double two three four five six seven eight nine ten hundred thousand million dozen poor rich old
        young sick dead living above below present future"""
    )
)
"""What "the" turns into something else: the few, the only admin, the next week, the most access."""

IDIOM_OPENERS: Final = frozenset(
    split(
        """in on at out of by for to under with into from off behind take takes took taking taken have has had make
        makes made give gives gave keep keeps kept hold holds held go goes went lose loses lost be is are was were"""
    )
)
IDIOM_NOUNS: Final = frozenset(
    split(
        """action air authority balance beta board bed behalf book books business case charge church class college
        command competition concert condition conflict contact control cooperation course court custody care danger
        date debt deed demand depth detail development difference display doubt draft due duty effect end error
        event face fact favor favour fashion fire flight flow focus force form front full fun gear general good
        ground grounds hand hands harmony head heart heat hell home hospital hour interest jail keeping key law
        league light limits line love luck mail mass mind mode moment motion name need night noon office operation
        order page pain paper parallel part particular parts passing peace pieces place places play plain point
        position possession power practice press pressure principle print prison private process production progress
        proportion public purpose question range reach reality record reserve response retirement retrospect return
        review rule rush sale sales school scope sea season secret sequence service session shape shock short sight
        silence space stage state step stock strike style suspense sync table tears term terms test testing theory
        time top touch tow town track trade training transit trial trouble trust truth tune turn turns university
        use vain view voice war way week weather work world writing year month day minute dozen back"""
    )
)
"""Nouns that mean something else without "the" after `IDIOM_OPENERS`: "in (the) charge of" swaps the roles."""

KEEPS_A_AFTER: Final = frozenset(
    split(
        """is are was were be been being am become becomes became remain remains have has had having there of as such
        quite many what half rather twice once per times time not no only like than with without in at by for to
        into"""
    )
)
KEEPS_A_BEFORE: Final = KEEPS_THE_BEFORE | frozenset(
    split("day week month year hour minute good great large small single certain")
)
REFERENTS: Final = frozenset(
    split(
        """user users customer client admin administrator owner lead leader manager boss director reviewer maintainer
        developer engineer designer operator tenant vendor supplier partner colleague employee member team company
        organisation organization department project product patient doctor lawyer judge student teacher agent
        assistant bot model session account host server service cluster node database table column index branch
        commit release version deployment pipeline job task ticket issue bug test key token secret password
        certificate domain bucket queue topic file folder directory path repo repository package module class
        function method field record row order invoice payment contract meeting call report document page site app
        application system tool feature plan budget deadline address number name date limit timeout port flag
        setting"""
    )
)
"""Nouns that name one known thing with "the" and any such thing with "a": the user is not a user."""

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
