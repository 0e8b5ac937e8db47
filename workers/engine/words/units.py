"""Units of measurement: every spelling that stands right after a number, and the one name it is folded to."""

from __future__ import annotations

from workers.engine.words.table import split

UNITS: dict[str, str] = {
    spelling: name
    for name, spellings in {
        "ms": "ms msec msecs millisecond milliseconds Millisekunde Millisekunden",
        "s": "s sec secs second seconds Sekunde Sekunden seconde secondes segundo segundos",
        "min": "min mins minute minutes Minute Minuten minuto minutos",
        "h": "h hr hrs hour hours Stunde Stunden heure heures hora horas",
        "day": "day days Tag Tage Tagen jour jours día días",
        "week": "week weeks Woche Wochen semaine semaines semana semanas",
        "month": "month months Monat Monate Monaten mois mes meses",
        "year": "year years Jahr Jahre Jahren ans año años",
        "byte": "byte bytes",
        "kB": "kB kilobyte kilobytes",
        "KB": "KB",
        "MB": "MB megabyte megabytes",
        "GB": "GB gigabyte gigabytes",
        "TB": "TB terabyte terabytes",
        "KiB": "KiB kibibyte kibibytes",
        "MiB": "MiB mebibyte mebibytes",
        "GiB": "GiB gibibyte gibibytes",
        "TiB": "TiB tebibyte tebibytes",
        "mm": "mm millimetre millimetres millimeter millimeters",
        "cm": "cm centimetre centimetres centimeter centimeters",
        "km": "km kilometre kilometres kilometer kilometers",
        "mile": "mile miles",
        "metre": "metre metres meter meters",
        "kg": "kg kilogram kilograms kilogramme kilogrammes",
        "mg": "mg milligram milligrams",
        "ml": "ml millilitre millilitres milliliter milliliters",
        "Hz": "Hz hertz",
        "kHz": "kHz kilohertz",
        "MHz": "MHz megahertz",
        "GHz": "GHz gigahertz",
        "%": "% percent Prozent",
        "°C": "°C",
        "°F": "°F",
        "EUR": "€ EUR euro euros",
    }.items()
    for spelling in spellings.split()
}
"""Case counts: `MB` is no `Mb`. No `m`, `d`, `M`, `k`, `G`: each of them names several things."""

GLUED: frozenset[str] = frozenset(
    split("ms msec sec secs min mins kB KB MB GB TB KiB MiB GiB TiB mm cm km kg mg ml Hz kHz MHz GHz % °C °F €")
)
"""Units that may touch their number without doubt: `30ms`, not `30s` (the thirties) or `8h` (eight o'clock)."""

CURRENCIES: frozenset[str] = frozenset(split("EUR USD GBP CHF JPY CNY KRW INR 元 円 원 块"))
CJK_UNITS: frozenset[str] = CURRENCIES | frozenset(
    "个個次人天年月周週日号號時时点點分秒倍台条條件名岁歲回本枚歳度년월일시분초번개명"
)
"""What counts in Chinese, Japanese and Korean right behind a number; dates are read before."""
