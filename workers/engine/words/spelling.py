"""British spellings and the American ones they are folded to. Pairs that differ in meaning are left out.

Left out on purpose: cheque / check, tyre / tire, storey / story, programme / program, dialogue / dialog, disc / disk,
kerb / curb, draught / draft, metre / meter (a meter is also a device), practise and licence (noun and verb).
"""

from __future__ import annotations

from collections.abc import Iterator

_OUR = (
    "arbour ardour armour behaviour candour clamour colour demeanour endeavour favour fervour flavour glamour harbour "
    "honour humour labour neighbour odour parlour rancour rigour rumour savour splendour tumour valour vapour vigour"
)
_OUR_ENDINGS = ["", "s", "ed", "ing", "able", "ite", "ites", "ful", "less", "hood", "hoods", "ly", "al", "ally"]
_ISE = (
    "analog apolog author capital categor central character civil computer containeri crystal critic custom digital "
    "emphas equal fertil final formal general global harmon hospital ideal initial item legal local material "
    "maxim memor minim mobil modern monopol moral neutral normal optim organ parallel parametr penal personal "
    "polar popular prioritis privat random rational real recogn revolution sanit scrutin serial social special "
    "stabil standard summar symbol sympath synchron synthes token util vandal visual victim vapor"
)
_ISE_ENDINGS = ["e", "es", "ed", "ing", "er", "ers", "ation", "ations", "able"]
_YSE = "anal paral catal"
_DOUBLED = (
    "cancel channel counsel dial fuel grovel jewel label level marshal model panel pencil quarrel refuel relabel "
    "remodel rival shovel signal spiral swivel total towel travel tunnel unravel"
)
_PAIRS = (
    "centre center|centres centers|centred centered|theatre theater|theatres theaters|fibre fiber|fibres fibers|"
    "calibre caliber|litre liter|litres liters|lustre luster|sombre somber|defence defense|defences defenses|"
    "offence offense|offences offenses|pretence pretense|grey gray|greys grays|greyer grayer|catalogue catalog|"
    "catalogues catalogs|catalogued cataloged|analogue analog|jewellery jewelry|aluminium aluminum|artefact artifact|"
    "artefacts artifacts|plough plow|ploughs plows|sceptic skeptic|sceptical skeptical|sceptics skeptics|"
    "fulfil fulfill|fulfils fulfills|enrol enroll|enrols enrolls|enrolment enrollment|instalment installment|"
    "instalments installments|skilful skillful|wilful willful|judgement judgment|judgements judgments|"
    "acknowledgement acknowledgment|ageing aging|manoeuvre maneuver|manoeuvres maneuvers|moustache mustache|"
    "mould mold|moult molt|smoulder smolder|paediatric pediatric|anaemia anemia|anaesthetic anesthetic|"
    "encyclopaedia encyclopedia|haemoglobin hemoglobin|oestrogen estrogen|leukaemia leukemia|diarrhoea diarrhea|"
    "orientated oriented|cosy cozy|pyjamas pajamas|sulphur sulfur|omelette omelet|yoghurt yogurt|towards toward|"
    "afterwards afterward|backwards backward|forwards forward|upwards upward|downwards downward"
)


def _pairs() -> Iterator[tuple[str, str]]:
    for stem in _OUR.split():
        for ending in _OUR_ENDINGS:
            yield stem + ending, stem[:-2] + "r" + ending
    for stem in _ISE.split():
        root = stem.removesuffix("is")
        for ending in _ISE_ENDINGS:
            yield f"{root}is{ending}", f"{root}iz{ending}"
    for stem in _YSE.split():
        for ending in ("e", "es", "ed", "ing", "er", "ers"):
            yield f"{stem}ys{ending}", f"{stem}yz{ending}"
    for stem in _DOUBLED.split():
        for ending in ("ed", "ing", "er", "ers"):
            yield f"{stem}l{ending}", stem + ending
    for pair in _PAIRS.split("|"):
        british, american = pair.split()
        yield british, american


AMERICAN: dict[str, str] = dict(_pairs())
"""British spelling (lower case) to American."""
