"""Units of measurement: every spelling that stands right after a number, and the one name it is folded to."""

from __future__ import annotations

UNITS: dict[str, str] = {
    spelling: name
    for name, spellings in {
        "ms": "ms msec msecs millisecond milliseconds",
        "s": "s sec secs second seconds",
        "min": "min mins minute minutes",
        "h": "h hr hrs hour hours",
        "day": "day days",
        "week": "week weeks",
        "month": "month months",
        "year": "year years",
        "B": "byte bytes",
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
        "%": "% percent",
        "°C": "°C",
        "°F": "°F",
        "EUR": "€ EUR euro euros",
    }.items()
    for spelling in spellings.split()
}
"""Case counts: `MB` is no `Mb`. No `m`, `d`, `M`, `k`, `G`: each of them names several things."""

GLUED: frozenset[str] = frozenset(
    "ms msec sec secs min mins kB KB MB GB TB KiB MiB GiB TiB mm cm km kg mg ml Hz kHz MHz GHz % °C °F €".split()
)
"""Units that may touch their number without doubt: `30ms`, not `30s` (the thirties) or `8h` (eight o'clock)."""
