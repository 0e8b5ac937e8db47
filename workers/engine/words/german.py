"""German: words that turn a statement, and times."""

from __future__ import annotations

from workers.engine.words.table import Words, split

CAPITAL_PRONOUNS = frozenset(split("sie ihr ihre ihren ihrem ihrer ihres ihnen"))
"""With a capital they address the reader, without it they mean somebody else."""

GERMAN = Words(
    code="de",
    function_words=frozenset(
        split(
            """der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind war
            waren wird werden wurde hat haben hatte ich du er sie es wir ihr mich mir uns euch sich mein meine sein seine
            unser unsere dieser diese dieses diesem diesen jeder jede jedes in im an am auf aus bei beim mit nach von vom
            zu zum zur für über unter vor hinter zwischen durch gegen ohne um bis seit wegen während als wie wenn falls ob
            dass weil damit so auch noch nur schon immer sehr mehr hier dort dann wer was wo wann warum kann können muss
            müssen soll sollen darf dürfen nie"""
        )
    ),
    negations=split(
        """nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends nirgendwo weder ohne
        nicht_mehr keinesfalls keineswegs kaum"""
    ),
    negative_words=split(
        """deaktiviert deaktivieren aus abgeschaltet ausgeschaltet fehlgeschlagen fehlgeschlagene scheitert gescheitert
        fehlt fehlen fehlend falsch kaputt verboten untersagt unmöglich ungültig veraltet abgelehnt verweigert gesperrt
        gestoppt abgebrochen entfernt vermeiden vermeide verhindern"""
    ),
    conditions={
        "if": split("wenn falls sofern ob vorausgesetzt im_falle"),
        "when": split("wann während sobald solange immer_wenn"),
        "only": split("nur ausschließlich lediglich bloß erst"),
        "unless": split("es_sei_denn außer_wenn"),
        "until": split("bis"),
        "except": split("außer ausgenommen abgesehen_von"),
        "because": split("weil da denn wegen damit"),
    },
    modality={
        "must": split("muss müssen musst müsst musste mussten erforderlich verpflichtend zwingend notwendig nötig"),
        "should": split("soll sollen sollte sollten empfohlen"),
        "may": split("darf dürfen dürfte vielleicht möglicherweise eventuell optional"),
        "can": split("kann können konnte konnten könnte könnten erlaubt"),
        "forbidden": split("darf_nicht dürfen_nicht verboten untersagt niemals nie"),
        "would": split("würde würden"),
    },
    quantifiers={
        "all": split("alle alles allen aller jeder jede jedes jeden jedem immer beide überall ganz ganze gesamt"),
        "any": split("irgendein irgendeine irgendwelche beliebig"),
        "some": split("einige manche mehrere etwas teilweise manchmal"),
        "none": split("kein keine keinen keiner niemand nichts nie"),
        "most": split("meiste meisten meist meistens üblicherweise gewöhnlich"),
        "few": split("wenige wenig selten kaum"),
        "least": split("mindestens wenigstens"),
        "most_of": split("höchstens maximal"),
        "about": split("etwa ungefähr circa rund fast beinahe ca"),
    },
    conjunctions={"and": split("und sowie"), "or": split("oder")},
    contrast=split(
        "aber jedoch sondern allerdings obwohl obgleich trotzdem dennoch hingegen dagegen stattdessen statt anstatt doch"
    ),
    directions={
        "before": split("vor vorher bevor früher"),
        "after": split("nach nachher nachdem danach später"),
        "to": split("zu zum zur"),
        "from": split("von vom"),
        "on": split("aktiviert aktivieren an eingeschaltet aktiv"),
        "off": split("deaktiviert deaktivieren aus ausgeschaltet inaktiv abgeschaltet"),
        "min": split("minimum minimal mindestens min"),
        "max": split("maximum maximal höchstens max"),
        "left": split("links linke linken"),
        "right": split("rechts rechte rechten"),
        "up": split("hinauf aufwärts hoch"),
        "down": split("hinab abwärts herunter"),
        "increase": split("erhöht erhöhen steigt steigen gestiegen"),
        "decrease": split("gesenkt senken sinkt sinken gesunken"),
        "more": split("mehr größer höher länger"),
        "less": split("weniger kleiner niedriger kürzer"),
        "above": split("über oberhalb"),
        "below": split("unter unterhalb"),
        "with": split("mit"),
        "without": split("ohne"),
        "start": split("start startet gestartet beginnt begonnen öffnet geöffnet"),
        "stop": split("stopp stoppt gestoppt endet beendet schließt geschlossen"),
        "first": split("erste erster erstes ersten"),
        "last": split("letzte letzter letztes letzten"),
        "add": split("hinzugefügt hinzufügen"),
        "remove": split("entfernt entfernen gelöscht löschen"),
    },
    hedges=split(
        "sagt sagte laut zufolge angeblich vermutlich wahrscheinlich vielleicht glaubt meint scheint offenbar anscheinend geplant"
    ),
    changes=split(
        "umgezogen verschoben umbenannt ersetzt abgelöst gewechselt geändert ehemals früher vormals bisher nicht_mehr jetzt nun stattdessen"
    ),
    numbers={
        word: number
        for number, word in enumerate(
            split(
                """null _ zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
                siebzehn achtzehn neunzehn zwanzig"""
            )
        )
        if word.strip() and word != "null"
    },
    months={
        word: number
        for number, forms in enumerate(
            (
                "januar jänner",
                "februar",
                "märz",
                "april",
                "mai",
                "juni",
                "juli",
                "august",
                "september",
                "oktober",
                "november",
                "dezember",
            ),
            start=1,
        )
        for word in forms.split()
    },
    weekdays={
        word: number
        for number, forms in enumerate(
            (
                "montag montags",
                "dienstag dienstags",
                "mittwoch mittwochs",
                "donnerstag donnerstags",
                "freitag freitags",
                "samstag samstags sonnabend",
                "sonntag sonntags",
            ),
            start=1,
        )
        for word in forms.split()
    },
    relative={
        "today": split("heute"),
        "yesterday": split("gestern"),
        "tomorrow": split("morgen übermorgen"),
        "last week": split("letzte_woche vorige_woche"),
        "next week": split("nächste_woche kommende_woche"),
        "last month": split("letzten_monat"),
        "next month": split("nächsten_monat"),
        "recently": split("kürzlich neulich"),
        "soon": split("bald demnächst"),
        "now": split("jetzt derzeit aktuell"),
    },
    frequency={
        "hourly": split("stündlich jede_stunde"),
        "daily": split("täglich jeden_tag nächtlich jede_nacht"),
        "weekly": split("wöchentlich jede_woche"),
        "fortnightly": split("zweiwöchentlich vierzehntägig alle_zwei_wochen"),
        "monthly": split("monatlich jeden_monat"),
        "quarterly": split("vierteljährlich quartalsweise"),
        "yearly": split("jährlich jedes_jahr"),
        "once": split("einmal"),
        "twice": split("zweimal"),
        "always": split("immer"),
        "often": split("oft häufig"),
        "sometimes": split("manchmal gelegentlich"),
        "rarely": split("selten"),
    },
)
