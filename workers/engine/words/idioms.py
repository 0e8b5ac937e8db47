"""English closed lists that keep the foldings of canonical text honest: where a small word does change the meaning."""

from __future__ import annotations

from typing import Final

from workers.engine.words.english import FUNCTION_WORDS
from workers.engine.words.table import split

ABBREVIATIONS: Final = frozenset(
    split(
        """mr mrs ms dr prof st jr sr vs etc approx nr fig eq inc ltd corp dept ca resp incl excl vol pp mt ft lt jan
        feb apr jun jul aug sep sept oct nov dec"""
    )
)
"""Words whose full stop ends no sentence. Not `no`: "No. Backups run" is no number."""

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

KEEPS_AN_ARTICLE_BEFORE: Final = FUNCTION_WORDS | frozenset(
    split(
        """few little lot bit most more less least fewer other others one ones next last past previous following first
        second third fourth fifth latter former rest best worst better worse majority minority number couple half
        whole odd double two three four five six seven eight nine ten hundred thousand million dozen poor rich old
        young sick dead living above below present future back away together apart aside around along forward good
        great kind sort day week month year hour minute single certain place part charge control possession office
        question turn way time course power case front hand stage advantage care shape effect interest leave heart
        root"""
    )
)
"""What an article turns into something else: the few, the only admin, the next week, taking (the) place."""

KEEPS_AN_ARTICLE_AFTER: Final = frozenset(
    split(
        """to is are was were be been being am become becomes becoming became remain remains have has had having help
        helps helping let lets letting make makes making watch watches watching see sees seeing hear hears hearing
        get gets getting as such quite many what half rather twice once per times time not no only like than"""
    )
)
"""After these a noun without its article may be read as a verb or a role: to (the) run, has (the) signed."""

VERBS: Final = frozenset(
    split(
        """is are was were has have had does do did will would shall should can could may might must cannot takes took
        rotates expires contains lives listens requires goes went keeps kept needs wants gets becomes became remains
        holds begins began ends fails works depends consists belongs exists happens knows thinks says likes loves
        hates prefers believes sends sent receives writes wrote reads speaks spoke brings brought comes came gives
        gave sits stands stood lies lay eats ate grows grew provides includes creates allows enables deploys rejects
        accepts serves supports handles returns closes opens"""
    )
)
"""Finite verbs that are hardly ever a noun: what stands before one is its subject and no order."""

SUBJECTLESS: Final = frozenset(
    split(
        """has had is was likes loves hates prefers enjoys dislikes wants needs lives works uses wears owns speaks
        teaches knows thinks believes goes comes keeps gets eats becomes became asked wanted liked loved preferred
        worked lived he she they it his her their its"""
    )
)
"""A text that begins with one of these does not say whom it is about: likes tea, his birthday is on the 5th. No verb
that is a plural as well: deploys, drives."""

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

SOMEBODY: Final = frozenset(
    split(
        """man men woman women boy boys girl girls person people child children kid kids baby babies lady ladies guy
        guys someone somebody couple crowd group band dog dogs puppy cat cats kitten bird birds horse horses cow
        cows sheep goat goats monkey panda lion tiger elephant bear rabbit animal animals player players"""
    )
)
"""Who acts in a picture: none of them is known to the reader."""

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
