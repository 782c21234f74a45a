"""Numbers and units as they are written in notes and questions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from search_stack.core.amounts import LENGTH, MASS, SHARE, VOLUME

DIGIT = re.compile(r"\d")
NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_DIMENSIONS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("mm", "millimeter", "millimetre"), (LENGTH, 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), (LENGTH, 10.0)),
    **dict.fromkeys(("ml", "cc", "milliliter", "millilitre"), (VOLUME, 1.0)),
    **dict.fromkeys(("l", "liter", "litre"), (VOLUME, 1000.0)),
    **dict.fromkeys(("g", "gm", "gram"), (MASS, 1.0)),
    **dict.fromkeys(("kg", "kilo", "kilogram"), (MASS, 1000.0)),
    **dict.fromkeys(("lb", "pound"), (MASS, 453.592)),
    **dict.fromkeys(("oz", "ounce"), (MASS, 28.3495)),
}
_SHARES = ("%", "percent", "per cent")
_RATIO = (
    r"(?:m|mc|µ|μ|u|n|p|k)?(?:g|mol|eq|iu|u)\s?/\s?(?:d|m|µ|u)?l|x?\s?10[*^]?\d+\s?/\s?(?:u|µ|m)?l|k/[uµ]?l|/[uµ]l"
    r"|mm/h(?:r|our)?"
)
_DEGREES = r"(?:°|degrees?)(?:\s?(?:celsius|fahrenheit|[cf](?!\w)))?|[cf]"
PACK_YEARS = "pack-years"
_PACKS = r"(?:(?:pack|pk)[\s-]?(?:years?|yrs?)|py)"
_ALONE = r"mmol\s?/\s?mol|milliseconds?|msecs?|ms"
"""Their numbers tell by themselves what they are of."""
_OTHER = _PACKS + r"|m?l/min(?:/1\.73\s?m[2²])?|mm\s?hg|bpm|kg/m(?:2|²)?|mosm/kg|thousand|k"
UNIT = "|".join(
    (
        _RATIO + r"(?!\w)",
        _ALONE + r"(?!\w)",
        _OTHER + r"(?!\w)",
        _DEGREES + r"(?!\w)",
        *(rf"{re.escape(name)}s?(?!\w)" for name in sorted((*_DIMENSIONS, *_SHARES[1:]), key=len, reverse=True)),
        "%",
    )
)
"""A unit, for a regular expression that ignores case."""
_PACK_YEARS = re.compile(_PACKS)
_LONE = re.compile(_ALONE)
_HEAT = re.compile(_DEGREES)
"""A number alone says whether it is of Celsius or Fahrenheit."""
_SPELLINGS = (("µ", "u"), ("μ", "u"), ("mcg", "ug"), ("²", "2"), ("/hour", "/h"), ("/hr", "/h"))


def unit_of(written: str) -> tuple[str, float]:
    """The unit that amounts are kept in, and by what a number in the written one is multiplied.

    >>> unit_of("Centimeters"), unit_of("mg / dL"), unit_of("percent"), unit_of("")
    (('mm', 10.0), ('mg/dl', 1.0), ('%', 1.0), ('', 1.0))
    >>> unit_of("pack year")
    ('pack-years', 1.0)
    """
    plain = " ".join(written.lower().split())
    if plain in _SHARES:
        return SHARE, 1.0
    if _HEAT.fullmatch(plain) or _LONE.fullmatch(plain):
        return "", 1.0
    if _PACK_YEARS.fullmatch(plain):
        return PACK_YEARS, 1.0
    if known := _DIMENSIONS.get(plain) or _DIMENSIONS.get(plain.removesuffix("s")):
        return known
    plain = plain.replace(" ", "")
    for spelling, usual in _SPELLINGS:
        plain = plain.replace(spelling, usual)
    return plain, 1.0


def number_of(written: str) -> float:
    return float(written.replace(",", ""))


def number_text(number: float) -> str:
    """What `number_of` reads, without an exponent.

    >>> number_text(0.00001), number_text(20000.0)
    ('0.00001', '20000')
    """
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
