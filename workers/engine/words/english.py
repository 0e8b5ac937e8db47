"""English: words that turn a statement, times, and the closed lists behind the foldings of canonical text."""

from __future__ import annotations

from workers.engine.words.table import Words, split

FUNCTION_WORDS = frozenset(
    split(
        """a an the and or but nor so yet of in on at to from by with without into onto over under for about as than
        is are was were be been being am do does did done has have had having will would shall should can could may
        might must not no i you he she it we they me him her us them my your his its our their mine yours hers ours
        theirs this that these those who whom whose which what when where why how if unless until while because since
        there here then thus also too very just only all any some each every both either neither after before during
        between through against within upon per via up down out off again"""
    )
)

ENGLISH = Words(
    code="en",
    function_words=FUNCTION_WORDS,
    negations=split(
        """not no never none nobody nothing nowhere neither nor without cannot non hardly barely scarcely no_longer
        no_one not_yet anymore any_more isn't aren't wasn't weren't don't doesn't didn't won't wouldn't shouldn't
        couldn't can't mustn't needn't haven't hasn't hadn't ain't shan't"""
    ),
    negative_words=split(
        """off disabled disable disables failed fail fails failing failure false wrong broken missing lack lacks lacking
        absent unable refuse refuses refused deny denies denied reject rejects rejected forbidden prohibited banned
        avoid avoids stop stops stopped cancelled canceled cancel deprecated obsolete removed unsupported inactive
        invalid impossible blocked except"""
    ),
    conditions={
        "if": split("if whether provided providing assuming in_case as_long_as supposing given_that"),
        "when": split("when whenever while once during as_soon_as"),
        "only": split("only solely exclusively merely just"),
        "unless": split("unless"),
        "until": split("until till up_to through"),
        "except": split("except excepting excluding save_for apart_from other_than but_for barring"),
        "because": split("because since due_to so_that"),
    },
    modality={
        "must": split(
            "must shall required requires require mandatory need needs has_to have_to had_to needs_to obliged"
        ),
        "should": split("should ought recommended preferably"),
        "may": split("may might could perhaps maybe possibly optional optionally"),
        "can": split("can able allowed permitted"),
        "forbidden": split(
            "must_not mustn't may_not cannot can_not can't forbidden prohibited banned disallowed never"
        ),
        "would": split("would"),
    },
    quantifiers={
        "all": split("all every each always both everything everyone everybody everywhere entire entirely whole"),
        "any": split("any anyone anybody anything anywhere either"),
        "some": split("some several sometimes somebody someone something certain partly partially"),
        "none": split("none no nobody nothing never neither"),
        "most": split("most mostly usually typically generally often"),
        "few": split("few rarely seldom little hardly barely"),
        "least": split("at_least no_less_than minimum_of"),
        "most_of": split("at_most no_more_than up_to maximum_of"),
        "about": split("about approximately around roughly nearly almost approx circa"),
    },
    conjunctions={"and": split("and as_well_as"), "or": split("or")},
    contrast=split(
        """but however although though yet whereas instead rather despite nevertheless nonetheless otherwise
        notwithstanding conversely contrary unlike still actually even_though in_spite on_the_other_hand"""
    ),
    directions={
        "before": split("before prior earlier"),
        "after": split("after following later afterwards"),
        "to": split("to into onto"),
        "from": split("from"),
        "in": split("in inside inbound incoming"),
        "out": split("out outside outbound outgoing"),
        "on": split("on enabled enable enables active activated activate"),
        "off": split("off disabled disable disables inactive deactivated deactivate"),
        "min": split("min minimum minimal minimally least"),
        "max": split("max maximum maximal maximally most"),
        "left": split("left"),
        "right": split("right"),
        "up": split("up upward upwards upstream"),
        "down": split("down downward downwards downstream"),
        "increase": split(
            "increase increases increased increasing rise rises rose rising raise raises raised grow grows grew"
        ),
        "decrease": split(
            "decrease decreases decreased decreasing fall falls fell falling lower lowers lowered drop drops dropped"
        ),
        "more": split("more greater higher larger longer"),
        "less": split("less fewer lower smaller shorter"),
        "above": split("above over"),
        "below": split("below under beneath"),
        "with": split("with"),
        "without": split("without"),
        "allow": split("allow allows allowed accept accepts accepted permit permits permitted grant grants granted"),
        "deny": split(
            "deny denies denied reject rejects rejected forbid forbids forbidden refuse refuses refused revoke revoked"
        ),
        "start": split("start starts started begin begins began open opens opened launch launches launched"),
        "stop": split("stop stops stopped end ends ended close closes closed finish finishes finished"),
        "add": split("add adds added insert inserts inserted create creates created"),
        "remove": split("remove removes removed delete deletes deleted drop drops dropped"),
        "true": split("true yes"),
        "false": split("false no"),
        "pass": split("pass passes passed passing succeed succeeds succeeded success"),
        "fail": split("fail fails failed failing failure"),
        "first": split("first"),
        "last": split("last"),
        "north": split("north northern"),
        "south": split("south southern"),
        "east": split("east eastern"),
        "west": split("west western"),
        "buy": split("buy buys bought"),
        "sell": split("sell sells sold"),
        "win": split("win wins won"),
        "lose": split("lose loses lost"),
    },
    hedges=split(
        """said say says saying told tells according claims claimed claim alleged allegedly reportedly reported reports
        thinks thought think believes believed believe suspects suspected suspect hears heard apparently supposedly
        presumably probably perhaps maybe possibly likely seems seem appears unclear unsure doubtful guess guesses
        rumoured rumored suggests suggested suggest plans planned hopes wants proposed proposal"""
    ),
    changes=split(
        """moved renamed replaced superseded switched migrated changed deprecated obsolete retired formerly previously
        originally once historically used_to no_longer not_anymore anymore was were had_been correction update updated
        edit now currently instead"""
    ),
    numbers={
        word: number
        for number, word in enumerate(
            split(
                """zero _ two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
                seventeen eighteen nineteen twenty"""
            )
        )
        if word.strip()
    }
    | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
    months={
        word: number
        for number, forms in enumerate(
            (
                "january jan",
                "february feb",
                "march mar",
                "april apr",
                "may",
                "june jun",
                "july jul",
                "august aug",
                "september sep sept",
                "october oct",
                "november nov",
                "december dec",
            ),
            start=1,
        )
        for word in forms.split()
    },
    weekdays={
        word: number
        for number, forms in enumerate(
            (
                "monday mondays mon",
                "tuesday tuesdays tue tues",
                "wednesday wednesdays wed",
                "thursday thursdays thu thur thurs",
                "friday fridays fri",
                "saturday saturdays sat",
                "sunday sundays sun",
            ),
            start=1,
        )
        for word in forms.split()
    },
    relative={
        "today": split("today tonight this_morning this_afternoon this_evening"),
        "yesterday": split("yesterday last_night"),
        "tomorrow": split("tomorrow"),
        "last week": split("last_week"),
        "next week": split("next_week"),
        "this week": split("this_week"),
        "last month": split("last_month"),
        "next month": split("next_month"),
        "this month": split("this_month"),
        "last year": split("last_year"),
        "next year": split("next_year"),
        "this year": split("this_year"),
        "next monday": split("next_monday"),
        "next": split("next_tuesday next_wednesday next_thursday next_friday next_saturday next_sunday"),
        "ago": split("ago"),
        "recently": split("recently lately"),
        "soon": split("soon"),
        "now": split("now currently"),
    },
    frequency={
        "hourly": split("hourly every_hour each_hour"),
        "daily": split("daily nightly every_day each_day every_night each_night"),
        "weekly": split("weekly every_week each_week"),
        "fortnightly": split("fortnightly biweekly bi-weekly every_two_weeks every_other_week"),
        "monthly": split("monthly every_month each_month"),
        "quarterly": split("quarterly every_quarter"),
        "yearly": split("yearly annually annual every_year each_year"),
        "once": split("once"),
        "twice": split("twice"),
        "always": split("always"),
        "often": split("often frequently"),
        "sometimes": split("sometimes occasionally"),
        "rarely": split("rarely seldom"),
    },
)

ABBREVIATIONS = frozenset(
    split(
        """mr mrs ms dr prof st jr sr vs etc approx nr art fig eq sec inc ltd corp dept est cf ca resp incl excl ed vol
        pp mt ft lt col gen gov sen rep rev hon jan feb mar apr jun jul aug sep sept oct nov dec"""
    )
)
"""Words whose full stop ends no sentence."""

HOMOGRAPHS = frozenset(
    split(
        """polish turkey china march may august mark bill will rob art frank grace hope faith joy rose dawn jack pat sue
        guy drew miles max ruby jade amber iris violet lily penny chase chip cliff clay dale dean gene grant hunter lance
        mason nick norm peg ray reed rich rod skip stew sunny ward wade wren earl baker cook smith carter page young
        long short brown black white green gray grey king bishop pope major summer april june augusta jordan chad georgia
        reading bath cork nice mobile phoenix lima essen apple windows word excel access outlook teams slack notion
        linear box square stripe zoom meet chrome edge opera brave safari signal discord go rust swift python ruby java
        dart crystal elm spark storm hive beam flink prefect flask bottle celery express react angular spring chef puppet
        salt vault consul nomad packer helm flux harbor drone sentry segment snowflake shell oracle amazon target gap
        visa mint fedora arch alpine docker jenkins travis cypress jest mocha chai bun deno node atom sublime vim
        buffer hub sketch figma canvas blender unity unreal steam epic bing echo alexa cortana siri nest ring watch
        time life fortune people economist guardian sun mirror post times independent labour green conservative
        mercury mars venus saturn pluto earth god lord house senate congress state treasury crown church bible
        catholic orthodox liberal democrat republican internet web"""
    )
)
"""Words that are a common word in lower case and may be a name with a capital: their capital is kept everywhere."""

_SURE_CONTRACTIONS = {
    "n't": split("is are was were do does did would should could must need have has had might"),
    "'re": split("you we they there what who"),
    "'ve": split("i you we they would should could might must"),
    "'ll": split("i you he she it we they that there"),
}
_LONG_FORM = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will"}
CONTRACTIONS: dict[str, tuple[str, ...]] = {
    word + ending: ("I" if word == "i" else word, _LONG_FORM[ending])
    for ending, words in _SURE_CONTRACTIONS.items()
    for word in words
} | {
    "I've": ("I", "have"),
    "I'll": ("I", "will"),
    "I'm": ("I", "am"),
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
}
"""Contractions with one long form. Not `'s` (is, has, of) and not `'d` (had, would)."""

KEEPS_THE_BEFORE = frozenset(
    split(
        """few little lot bit most more less least fewer only same other others one ones next last past previous following
        first second third fourth fifth latter former rest best worst better worse majority minority number couple
        half whole very odd double two three four five six seven eight nine ten hundred thousand million dozen
        poor rich old young sick dead living above below"""
    )
)
"""What "the" turns into something else: "the few", "the only admin", "the next week", "the most access"."""

IDIOM_OPENERS = frozenset(
    split(
        """in on at out of by for to under with into from off behind take takes took taking taken have has had make makes
        made give gives gave keep keeps kept hold holds held go goes went lose loses lost"""
    )
)
IDIOM_NOUNS = frozenset(
    split(
        """charge possession control command custody care office question place places course power face case event front
        back way time turn part stage air hospital prison jail court church school college university bed sea work home
        town hour day week month year night morning minute second dozen favour favor sight hand hands mind fact
        particular general need position process interest view line order use touch stock print line effect action force
        name end first whole least most all present moment future main short long world book books table"""
    )
)
"""Nouns that mean something else without "the" after `IDIOM_OPENERS`: "in (the) charge of" swaps the roles."""

KEEPS_A_AFTER = frozenset(
    split(
        """is are was were be been being am become becomes became remain remains have has had having there of as such
        quite many what half rather twice once per times time not no only like than with without"""
    )
)
KEEPS_A_BEFORE = (
    KEEPS_THE_BEFORE
    | FUNCTION_WORDS
    | frozenset(split("day week month year hour minute second good great large small single certain"))
)
REFERENTS = frozenset(
    split(
        """user users customer client admin administrator owner lead leader manager boss director reviewer maintainer
        developer engineer designer operator tenant vendor supplier partner colleague employee member team company
        organisation organization department project product person patient doctor lawyer judge student teacher
        agent assistant bot model session account host server service cluster node database table column index branch
        commit release version build deploy deployment pipeline job task ticket issue bug test key token secret
        password certificate domain bucket queue topic file folder directory path repo repository package module class
        function method field record row order invoice payment contract meeting call report document page site app
        application system tool feature plan budget deadline address number name date limit timeout port flag setting"""
    )
)
"""Nouns that name one known thing with "the" and any such thing with "a": the user is not a user."""

SPEECH = frozenset(split("said says say saying told tells asked asks wrote writes replied called named titled quoted"))
OWN_VOICE = frozenset(split("i me my mine myself we us our ours ourselves you your yours"))
LITERALS = frozenset(split("true false null none nil yes no on off undefined nan inf empty not never"))
OPENING_ADVERBS = frozenset(
    split("additionally furthermore moreover therefore consequently meanwhile thus hence today yesterday tomorrow")
)
"""Adverbs at the start of a sentence that no following word can take for its own, with or without a comma."""

IS_AFTER = frozenset(split("it's that's there's what's here's he's she's"))
IS_BEFORE = frozenset(split("a an the in on at for to by with from my your our their his her this that very too"))
"""`'s` is "is" between these two; else it may be "has" or an owner."""
