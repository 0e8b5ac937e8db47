"""French and Spanish. French elisions are read as their long form: `n'est` as "ne est"."""

from __future__ import annotations

from workers.engine.words.table import Words, numbered, split

ELISIONS = {
    "n": "ne",
    "l": "le",
    "d": "de",
    "qu": "que",
    "j": "je",
    "c": "ce",
    "m": "me",
    "t": "te",
    "s": "se",
    "jusqu": "jusque",
    "lorsqu": "lorsque",
    "puisqu": "puisque",
}
"""What stands before the apostrophe, and its long form."""

FRENCH = Words(
    code="fr",
    function_words=frozenset(
        split(
            """à le la les un une des du de et ou mais donc ni ne pas plus est sont était étaient sera seront a ont
            avait avoir être je tu il elle nous vous ils elles me te se mon ton son ma ta sa mes tes ses notre votre
            leur leurs ce cet cette ces qui que quoi dont où dans sur sous avec sans pour par en au aux chez vers
            entre depuis pendant avant après comme si quand lorsque parce car aussi très trop tout tous toute toutes
            chaque y jamais peut doit faut jusque"""
        )
    ),
    negations=split("ne pas jamais rien personne aucun aucune sans ni nulle_part ne_plus non"),
    negative_words=split(
        """désactivé désactivée désactiver échoué échoue échec faux fausse cassé manque manquant absent impossible
        refusé rejeté interdit interdite bloqué annulé obsolète supprimé supprimée invalide éviter évite"""
    ),
    conditions={
        "if": split("si à_condition pourvu au_cas_où"),
        "when": split("quand lorsque pendant dès"),
        "only": split("seulement uniquement seul seule exclusivement"),
        "unless": split("à_moins"),
        "until": split("jusque"),
        "except": split("sauf excepté hormis"),
        "because": split("parce car puisque"),
    },
    modality={
        "must": split("doit doivent devra faut obligatoire requis nécessaire devez"),
        "should": split("devrait devraient recommandé"),
        "may": split("pourrait pourraient éventuellement facultatif"),
        "can": split("peut peuvent permis autorisé"),
        "forbidden": split("interdit interdite jamais"),
    },
    quantifiers={
        "all": split("tout tous toute toutes chaque toujours partout entier"),
        "some": split("quelques certains certaines plusieurs parfois"),
        "none": split("aucun aucune rien personne jamais"),
        "most": split("plupart généralement souvent"),
        "few": split("peu rarement"),
        "at least": split("au_moins"),
        "at most": split("au_plus au_maximum"),
        "about": split("environ presque"),
    },
    conjunctions={"and": split("et"), "or": split("ou")},
    contrast=split("mais cependant toutefois pourtant néanmoins bien_que malgré plutôt sinon"),
    directions={
        "before": split("avant"),
        "after": split("après"),
        "to": split("vers à"),
        "from": split("depuis"),
        "on": split("activé activée activer"),
        "off": split("désactivé désactivée désactiver"),
        "min": split("min minimum minimal minimale"),
        "max": split("max maximum maximal maximale"),
        "left": split("gauche"),
        "right": split("droite"),
        "more": split("supérieur supérieure"),
        "less": split("moins inférieur inférieure"),
        "with": split("avec"),
        "without": split("sans"),
        "first": split("premier première"),
        "last": split("dernier dernière"),
    },
    hedges=split("selon dit prétend probablement peut-être apparemment semble pense croit"),
    changes=split(
        """déplacé déplacée renommé renommée remplacé remplacée migré migrée changé modifié autrefois anciennement
        auparavant ne_plus désormais maintenant"""
    ),
    moves=split(
        """déplacé déplacée renommé renommée remplacé remplacée migré migrée changé changée passé passée modifié
        modifiée transféré transférée"""
    ),
    origin=split("de du des depuis remplace"),
    origin_after=split(
        """a_été_remplacé a_été_remplacée est_remplacé est_remplacée ont_été_remplacés a_été_renommé a_été_renommée"""
    ),
    ceased=split("plus"),
    former=split("autrefois anciennement auparavant précédemment"),
    past=split("était étaient"),
    future=split("sera seront va vont bientôt demain prévu prévue"),
    numbers=numbered("||deux|trois|quatre|cinq||sept|huit||dix|onze|douze|treize|quatorze|quinze|seize", start=0),
    months=numbered("janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"),
    weekdays=numbered("lundi lundis|mardi mardis|mercredi mercredis|jeudi jeudis|vendredi vendredis|samedi|dimanche"),
    relative={
        "today": split("aujourd'hui"),
        "yesterday": split("hier"),
        "tomorrow": split("demain"),
        "last": split("semaine_dernière mois_dernier année_dernière"),
        "next": split("semaine_prochaine mois_prochain année_prochaine"),
        "recently": split("récemment"),
        "soon": split("bientôt"),
        "now": split("maintenant actuellement"),
    },
    anchors={"next": split("prochain prochaine"), "last": split("dernier dernière"), "this": split("ce cette")},
    frequency={
        "daily": split("quotidien quotidienne quotidiennement chaque_jour"),
        "weekly": split("hebdomadaire chaque_semaine"),
        "monthly": split("mensuel mensuelle chaque_mois"),
        "yearly": split("annuel annuelle chaque_année"),
        "always": split("toujours"),
        "often": split("souvent"),
        "sometimes": split("parfois"),
        "rarely": split("rarement"),
    },
)

SPANISH = Words(
    code="es",
    function_words=frozenset(
        split(
            """el la los las un una unos unas de del al y o pero ni no se es son era eran está están fue ser estar ha
            han había yo tú él ella nosotros ellos ellas me te le lo les nos mi tu su sus este esta estos estas ese
            esa eso que quien cual donde cuando como porque si sin con por para en entre sobre desde hasta hacia
            durante antes después más muy también ya todo todos toda todas cada nunca puede debe hay"""
        )
    ),
    negations=split("no nunca jamás nadie nada ningún ninguno ninguna tampoco sin ni ya_no"),
    negative_words=split(
        """desactivado desactivada desactivar apagado fallido falló falla falso falsa roto falta imposible rechazado
        denegado prohibido prohibida bloqueado cancelado obsoleto eliminado eliminada inválido evitar evita"""
    ),
    conditions={
        "if": split("si siempre_que en_caso"),
        "when": split("cuando mientras durante"),
        "only": split("solo sólo solamente únicamente exclusivamente"),
        "unless": split("a_menos salvo_que"),
        "until": split("hasta"),
        "except": split("excepto salvo"),
        "because": split("porque debido"),
    },
    modality={
        "must": split("debe deben deberá obligatorio requerido necesario"),
        "should": split("debería deberían recomendado"),
        "may": split("podría podrían quizás tal_vez opcional"),
        "can": split("puede pueden permitido"),
        "forbidden": split("prohibido prohibida nunca jamás"),
    },
    quantifiers={
        "all": split("todo todos toda todas cada siempre ambos entero"),
        "some": split("algunos algunas varios varias a_veces"),
        "none": split("ningún ninguno ninguna nadie nada nunca"),
        "most": split("mayoría generalmente"),
        "few": split("pocos pocas raramente"),
        "at least": split("al_menos"),
        "at most": split("como_máximo"),
        "about": split("aproximadamente casi"),
    },
    conjunctions={"and": split("y e"), "or": split("o u")},
    contrast=split("pero sino aunque embargo obstante pese"),
    directions={
        "before": split("antes"),
        "after": split("después"),
        "to": split("hacia"),
        "from": split("desde"),
        "on": split("activado activada activar encendido"),
        "off": split("desactivado desactivada desactivar apagado"),
        "min": split("min mín mínimo mínima"),
        "max": split("max máx máximo máxima"),
        "left": split("izquierda izquierdo"),
        "right": split("derecha derecho"),
        "more": split("más mayor"),
        "less": split("menos menor"),
        "with": split("con"),
        "without": split("sin"),
        "first": split("primer primero primera"),
        "last": split("último última"),
    },
    hedges=split("según dijo dice afirma probablemente quizás aparentemente parece cree"),
    changes=split(
        """movido movida trasladado renombrado reemplazado reemplazada sustituido sustituida migrado cambiado
        anteriormente antiguamente ya_no ahora"""
    ),
    moves=split(
        """movido movida trasladado trasladada renombrado renombrada reemplazado reemplazada sustituido sustituida
        migrado migrada cambiado cambiada cambió pasó movió actualizado"""
    ),
    origin=split("de del desde reemplaza sustituye"),
    origin_after=split(
        """fue_reemplazado fue_reemplazada fue_sustituido fue_sustituida ha_sido_reemplazado ha_sido_sustituido
        fue_renombrado"""
    ),
    ceased=split("ya_no"),
    former=split("anteriormente antiguamente antes"),
    past=split("era eran fue"),
    future=split("será serán va van pronto mañana previsto planeado"),
    numbers=numbered("cero||dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez||doce|trece|catorce|quince", start=0),
    months=numbered(
        "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre setiembre|octubre|noviembre|diciembre"
    ),
    weekdays=numbered("lunes|martes|miércoles|jueves|viernes|sábado sábados|domingo domingos"),
    relative={
        "today": split("hoy"),
        "yesterday": split("ayer"),
        "tomorrow": split("mañana"),
        "last": split("semana_pasada mes_pasado año_pasado"),
        "next": split("próxima_semana próximo_mes próximo_año"),
        "recently": split("recientemente"),
        "soon": split("pronto"),
        "now": split("ahora actualmente"),
    },
    anchors={"next": split("próximo próxima"), "last": split("pasado último"), "this": split("este esta")},
    frequency={
        "daily": split("diario diaria diariamente cada_día"),
        "weekly": split("semanal semanalmente cada_semana"),
        "monthly": split("mensual mensualmente cada_mes"),
        "yearly": split("anual anualmente cada_año"),
        "always": split("siempre"),
        "often": split("frecuentemente"),
        "sometimes": split("a_veces"),
        "rarely": split("raramente"),
    },
)
