"""English."""

from __future__ import annotations

from workers.engine.words.table import Words, numbered, split

FUNCTION_WORDS = frozenset(
    split(
        """a an the and or but nor so yet of in on at to from by with without into onto over under for about as than is
        are was were be been being am do does did done has have had having will would shall should can could may
        might must not no i you he she it we they me him her us them my your his its our their mine yours hers ours
        theirs this that these those who whom whose which what when where why how if unless until while because
        since there here then thus also too very just only all any some each every both either neither after before
        during between through against within upon per via up down out off again cannot never"""
    )
)

ENGLISH = Words(
    code="en",
    capital_dates=True,
    function_words=FUNCTION_WORDS,
    negations=split(
        """not no never none nobody nothing nowhere neither nor without cannot non hardly barely scarcely no_longer
        no_one not_yet anymore any_more any_longer ain't"""
    ),
    negative_words=split(
        """off disabled disable disables failed fail fails failing failure false wrong broken missing lack lacks
        lacking absent unable refuse refuses refused deny denies denied reject rejects rejected forbidden prohibited
        banned avoid avoids stop stops stopped canceled cancel deprecated obsolete removed unsupported
        inactive invalid impossible blocked"""
    ),
    conditions={
        "if": split("if whether provided providing assuming supposing in_case as_long_as given_that"),
        "when": split("when whenever while once during as_soon_as"),
        "only": split("only solely exclusively merely just"),
        "unless": split("unless"),
        "until": split("until till"),
        "except": split("except excepting excluding save_for apart_from other_than but_for barring"),
        "because": split("because since due_to so_that"),
    },
    modality={
        "must": split("must shall required requires require mandatory need needs has_to have_to had_to obliged"),
        "should": split("should ought recommended preferably"),
        "may": split("may might could perhaps maybe possibly optional optionally"),
        "can": split("can able allowed permitted"),
        "forbidden": split("must_not may_not cannot can_not shall_not forbidden prohibited banned disallowed never"),
        "would": split("would"),
    },
    quantifiers={
        "all": split("all every each always both everything everyone everybody everywhere entire entirely whole"),
        "any": split("any anyone anybody anything anywhere either"),
        "some": split("some several sometimes somebody someone something certain partly partially"),
        "none": split("none no nobody nothing never neither no_one"),
        "most": split("most mostly usually typically generally often"),
        "few": split("few rarely seldom little hardly barely"),
        "at least": split("at_least no_less_than or_more"),
        "at most": split("at_most no_more_than up_to or_less"),
        "about": split("about approximately around roughly nearly almost approx approx. circa"),
    },
    conjunctions={"and": split("and as_well_as"), "or": split("or")},
    contrast=split(
        """but however although though yet whereas instead rather despite nevertheless nonetheless otherwise
        notwithstanding conversely contrary unlike still actually even_though in_spite on_the_other_hand"""
    ),
    directions={
        "before": split("before prior earlier"),
        "after": split("after following later afterward"),
        "to": split("to into onto"),
        "from": split("from"),
        "in": split("in inside inbound incoming"),
        "out": split("out outside outbound outgoing"),
        "on": split("on enabled enable enables active activated activate"),
        "off": split("off disabled disable disables inactive deactivated deactivate"),
        "min": split("min minimum minimal minimally"),
        "max": split("max maximum maximal maximally"),
        "left": split("left"),
        "right": split("right"),
        "up": split("up upward upstream"),
        "down": split("down downward downstream"),
        "increase": split(
            "increase increases increased increasing rise rises rose rising raise raises raised grow grows grew"
        ),
        "decrease": split(
            "decrease decreases decreased decreasing fall falls fell falling lowers lowered drop drops dropped"
        ),
        "more": split("more greater higher larger longer"),
        "less": split("less fewer lower smaller shorter"),
        "above": split("above over"),
        "below": split("below under beneath"),
        "with": split("with"),
        "without": split("without"),
        "allow": split("allow allows allowed accept accepts accepted permit permits permitted grant grants granted"),
        "deny": split("deny denies denied reject rejects rejected forbid forbids forbidden refuse refuses refused"),
        "start": split("start starts started begin begins began open opens opened launch launches launched"),
        "stop": split("stop stops stopped end ends ended close closes closed finish finishes finished"),
        "add": split("add adds added insert inserts inserted create creates created"),
        "remove": split("remove removes removed delete deletes deleted"),
        "true": split("true yes"),
        "false": split("false"),
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
        "send": split("send sends sent"),
        "receive": split("receive receives received"),
        "read": split("read reads"),
        "write": split("write writes wrote written"),
        "push": split("push pushes pushed"),
        "pull": split("pull pulls pulled"),
        "lock": split("lock locks locked"),
        "unlock": split("unlock unlocks unlocked"),
        "import": split("import imports imported"),
        "export": split("export exports exported"),
    },
    hedges=split(
        """said say says saying told tells according claims claimed claim alleged allegedly reportedly thinks thought
        think believes believed believe suspects suspected suspect apparently supposedly presumably probably perhaps
        maybe possibly likely seems seem appears unclear unsure doubtful guess guesses rumored suggests suggested
        suggest planned hopes wants proposed"""
    ),
    changes=split(
        """moved renamed replaced superseded switched migrated changed deprecated obsolete retired formerly previously
        originally historically used_to no_longer anymore correction update updated edit now currently instead"""
    ),
    moves=split(
        """moved moves renamed replaced replaces superseded supersedes switched switches migrated migrates changed
        changes upgraded downgraded transferred relocated raised lowered increased reduced extended shortened
        converted"""
    ),
    origin=split("from replaced replaces supersedes renamed"),
    origin_after=split(
        """was_replaced were_replaced is_replaced are_replaced been_replaced has_been_replaced have_been_replaced
        was_superseded is_superseded has_been_superseded was_renamed were_renamed has_been_renamed got_replaced"""
    ),
    ceased=split("no_longer not_anymore"),
    former=split("formerly previously originally historically used_to"),
    past=split("was were"),
    future=split("will shall going_to about_to soon tomorrow planned plan plans planning proposal proposed next"),
    numbers=numbered(
        """zero||two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|
        eighteen|nineteen|twenty""",
        start=0,
    )
    | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
    months=numbered(
        """january jan jan.|february feb feb.|march mar mar.|april apr apr.|may|june jun jun.|july jul jul.| august aug
        aug.|september sep sept sep. sept.|october oct oct.|november nov nov.|december dec dec."""
    ),
    weekdays=numbered(
        """monday mondays mon|tuesday tuesdays tue tues|wednesday wednesdays wed|thursday thursdays thu thur thurs|
        friday fridays fri|saturday saturdays sat|sunday sundays sun"""
    ),
    relative={
        "today": split("today tonight this_morning this_afternoon this_evening"),
        "yesterday": split("yesterday last_night"),
        "tomorrow": split("tomorrow"),
        "last": split("last_week last_month last_quarter last_year last_weekend"),
        "next": split("next_week next_month next_quarter next_year next_weekend"),
        "this": split("this_week this_month this_quarter this_year this_weekend"),
        "ago": split("ago"),
        "recently": split("recently lately"),
        "soon": split("soon"),
        "now": split("now currently"),
    },
    anchors={"next": split("next upcoming coming"), "last": split("last past previous"), "this": split("this")},
    frequency={
        "hourly": split("hourly every_hour each_hour"),
        "daily": split("daily nightly every_day each_day every_night each_night"),
        "weekly": split("weekly every_week each_week"),
        "fortnightly": split("fortnightly biweekly bi-weekly every_2_week every_other_week"),
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
