"""German."""

from __future__ import annotations

from workers.engine.words.table import Words, numbered, split

CAPITAL_PRONOUNS = frozenset(split("sie ihr ihre ihren ihrem ihrer ihres ihnen"))
"""With a capital they address the reader, without it they mean somebody else."""

GERMAN = Words(
    code="de",
    capital_dates=True,
    function_words=frozenset(
        split(
            """der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind
            war waren wird werden wurde hat haben hatte ich du er sie es wir ihr mich mir uns euch sich mein meine
            sein seine unser unsere dieser diese dieses diesem diesen jeder jede jedes im am auf aus bei beim mit
            nach von vom zu zum zur für über unter vor hinter zwischen durch gegen ohne um bis seit wegen während
            als wie wenn falls ob dass weil damit auch noch nur schon immer sehr mehr hier dort dann wer wo wann
            warum kann können muss müssen soll sollen darf dürfen nie"""
        )
    ),
    negations=split(
        """nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends nirgendwo weder ohne
        nicht_mehr keinesfalls keineswegs kaum"""
    ),
    negative_words=split(
        """deaktiviert deaktivieren aus abgeschaltet ausgeschaltet fehlgeschlagen fehlgeschlagene scheitert gescheitert
        fehlt fehlen fehlend falsch kaputt verboten untersagt unmöglich ungültig veraltet abgelehnt verweigert
        gesperrt gestoppt abgebrochen entfernt vermeiden vermeide verhindern"""
    ),
    conditions={
        "if": split("wenn falls sofern ob vorausgesetzt im_falle"),
        "when": split("wann während sobald solange"),
        "only": split("nur ausschließlich lediglich bloß erst"),
        "unless": split("es_sei_denn"),
        "until": split("bis"),
        "except": split("außer ausgenommen abgesehen_von"),
        "because": split("weil denn wegen damit"),
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
        "at least": split("mindestens wenigstens"),
        "at most": split("höchstens maximal"),
        "about": split("etwa ungefähr circa rund fast beinahe ca ca."),
    },
    conjunctions={"and": split("und sowie"), "or": split("oder")},
    contrast=split(
        """aber jedoch sondern allerdings obwohl obgleich trotzdem dennoch hingegen dagegen stattdessen statt anstatt
        doch"""
    ),
    directions={
        "before": split("vor vorher bevor früher"),
        "after": split("nach nachher nachdem danach später"),
        "to": split("zu zum zur"),
        "from": split("von vom"),
        "in": split("hinein herein eingehend"),
        "out": split("hinaus heraus ausgehend"),
        "on": split("aktiviert aktivieren eingeschaltet aktiv"),
        "off": split("deaktiviert deaktivieren aus ausgeschaltet inaktiv abgeschaltet"),
        "min": split("minimum minimal min"),
        "max": split("maximum maximal max"),
        "left": split("links linke linken"),
        "right": split("rechts rechte rechten"),
        "up": split("hinauf aufwärts"),
        "down": split("hinab abwärts herunter"),
        "increase": split("erhöht erhöhen steigt steigen gestiegen"),
        "decrease": split("gesenkt senken sinkt sinken gesunken"),
        "more": split("mehr größer höher länger"),
        "less": split("weniger kleiner niedriger kürzer"),
        "above": split("über oberhalb"),
        "below": split("unter unterhalb"),
        "with": split("mit"),
        "without": split("ohne"),
        "allow": split("erlaubt erlauben erlaube akzeptiert genehmigt"),
        "deny": split("verboten verweigert verweigern abgelehnt"),
        "start": split("start startet gestartet beginnt begonnen öffnet geöffnet"),
        "stop": split("stopp stoppt gestoppt endet beendet schließt geschlossen"),
        "add": split("hinzugefügt hinzufügen"),
        "remove": split("entfernt entfernen gelöscht löschen"),
        "first": split("erste erster erstes ersten"),
        "last": split("letzte letzter letztes letzten"),
    },
    hedges=split(
        """sagt sagte laut zufolge angeblich vermutlich wahrscheinlich vielleicht glaubt meint scheint offenbar
        anscheinend geplant"""
    ),
    changes=split(
        """umgezogen verschoben umbenannt ersetzt abgelöst gewechselt geändert ehemals früher vormals bisher nicht_mehr
        jetzt nun stattdessen"""
    ),
    moves=split(
        """umgezogen verschoben umbenannt ersetzt abgelöst gewechselt wechselt geändert umgestellt verlegt migriert
        erhöht gesenkt verlängert verkürzt aktualisiert"""
    ),
    origin=split("von vom ersetzt"),
    origin_after=split("wurde_durch wurden_durch wird_durch ist_durch wurde_in wurde_von wurde_ersetzt wurde_abgelöst"),
    ceased=split("nicht_mehr"),
    former=split("ehemals früher vormals bisher zuvor"),
    past=split("war waren"),
    future=split("wird werden soll sollen bald demnächst geplant morgen"),
    numbers=numbered(
        """||zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|
        achtzehn|neunzehn|zwanzig""",
        start=0,
    )
    | {"dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90},
    months=numbered(
        """januar jänner|februar feber|märz|april|mai|juni|juli|august|september|oktober|november|dezember"""
    ),
    weekdays=numbered(
        """montag montags|dienstag dienstags|mittwoch mittwochs|donnerstag donnerstags|freitag freitags| samstag
        samstags sonnabend|sonntag sonntags"""
    ),
    relative={
        "today": split("heute"),
        "yesterday": split("gestern vorgestern"),
        "tomorrow": split("morgen übermorgen"),
        "last": split("letzte_woche vorige_woche letzten_monat letztes_jahr"),
        "next": split("nächste_woche kommende_woche nächsten_monat nächstes_jahr"),
        "this": split("diese_woche diesen_monat dieses_jahr"),
        "recently": split("kürzlich neulich"),
        "soon": split("bald demnächst"),
        "now": split("jetzt derzeit aktuell"),
    },
    anchors={
        "next": split("nächsten nächster kommenden"),
        "last": split("letzten letzter vorigen vergangenen"),
        "this": split("diesen dieser"),
    },
    frequency={
        "hourly": split("stündlich jede_stunde"),
        "daily": split("täglich jeden_tag nächtlich jede_nacht"),
        "weekly": split("wöchentlich jede_woche"),
        "fortnightly": split("zweiwöchentlich vierzehntägig alle_2_week"),
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
