"""Amounts, as notes tell them of what they name and as questions ask for them. Pure.

An amount of a length, a volume or a mass is kept in one unit; every other is kept as it is written, with its unit where
it has one. A question without a unit asks for numbers that have none, or one that is no length, volume or mass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LEAST_STEP = 1e-5
"""Numbers that differ by less are the same."""
MOST = 99_999_999_999.0
NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_LENGTH, _VOLUME, MASS, SHARE = "mm", "ml", "g", "%"
SIZES = frozenset((_LENGTH, _VOLUME, MASS, SHARE))
"""Units in which a number may tell something of any finding."""
_DIMENSIONS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("mm", "millimeter", "millimetre"), (_LENGTH, 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), (_LENGTH, 10.0)),
    **dict.fromkeys(("ml", "cc", "milliliter", "millilitre"), (_VOLUME, 1.0)),
    **dict.fromkeys(("l", "liter", "litre"), (_VOLUME, 1000.0)),
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
_OTHER = r"m?l/min(?:/1\.73\s?m[2²])?|mm\s?hg|bpm|kg/m(?:2|²)?|mosm/kg|thousand|k"
UNIT = "|".join(
    (
        _RATIO + r"(?!\w)",
        _OTHER + r"(?!\w)",
        _DEGREES + r"(?!\w)",
        *(rf"{re.escape(name)}s?(?!\w)" for name in sorted((*_DIMENSIONS, *_SHARES[1:]), key=len, reverse=True)),
        "%",
    )
)
"""A unit, for a regular expression that ignores case."""
_HEAT = re.compile(_DEGREES)
"""A number alone says whether it is of Celsius or Fahrenheit."""
_SPELLINGS = (("µ", "u"), ("μ", "u"), ("mcg", "ug"), ("²", "2"), ("/hour", "/h"), ("/hr", "/h"))


@dataclass(frozen=True, slots=True)
class Amount:
    """Numbers from ``least`` to ``most``; None where open, the same twice for one number."""

    least: float | None
    most: float | None
    unit: str = ""
    """As `unit_of` gives it: of a length mm, of a volume ml, of a mass g."""
    beyond: bool = False
    """Whether the one bound that it has is left out: "> 3"."""

    @classmethod
    def stored(cls, source: Mapping[str, Any]) -> Amount:
        """What the index holds of it."""
        return cls(**source)

    def includes(self, told: Amount) -> bool:
        """Whether what a note tells is of what this asks for: above or below whole, in a range by its middle.

        >>> over = Amount(3.0, None, beyond=True)
        >>> [over.includes(Amount(n, n)) for n in (3.0, 3.1)], over.includes(Amount(2.8, 3.3))
        ([False, True], False)
        """
        held = tuple(keys(told))
        return any(low <= key <= high for low, high in ranges(self) for key in held)


def unit_of(written: str) -> tuple[str, float]:
    """The unit that amounts are kept in, and by what a number in the written one is multiplied.

    >>> unit_of("Centimeters"), unit_of("mg / dL"), unit_of("percent"), unit_of("")
    (('mm', 10.0), ('mg/dl', 1.0), ('%', 1.0), ('', 1.0))
    """
    plain = " ".join(written.lower().split())
    if plain in _SHARES:
        return SHARE, 1.0
    if _HEAT.fullmatch(plain):
        return "", 1.0
    if known := _DIMENSIONS.get(plain) or _DIMENSIONS.get(plain.removesuffix("s")):
        return known
    plain = plain.replace(" ", "")
    for spelling, usual in _SPELLINGS:
        plain = plain.replace(spelling, usual)
    return plain, 1.0


def number_of(written: str) -> float:
    return float(written.replace(",", ""))


def keys(told: Amount) -> Iterator[str]:
    """What the index holds of an amount that a note tells: its bounds and its middle, each under the units by which it
    may be asked for. As strings they stand in the order of the numbers."""
    units = (told.unit,) if _is_dimension(told.unit) else ("#", told.unit)
    bounds = []
    if told.least is not None:
        bounds.append((">", told.least + (LEAST_STEP if told.beyond else 0.0)))
    if told.most is not None:
        bounds.append(("<", told.most - (LEAST_STEP if told.beyond else 0.0)))
    if told.least is not None and told.most is not None:
        bounds.append(("~", (told.least + told.most) / 2))
    return (_key(bound, unit, number) for bound, number in bounds for unit in units if 0.0 <= number <= MOST)


def ranges(asked: Amount) -> Iterator[tuple[str, str]]:
    """The first and the last of the keys that it includes."""
    units = ("#",) if not asked.unit else (asked.unit,) if _is_dimension(asked.unit) else (asked.unit, "")
    step = LEAST_STEP if asked.beyond else 0.0
    if asked.least is not None and asked.most is not None:
        bound, low, high = "~", asked.least, asked.most
    elif asked.least is not None:
        bound, low, high = ">", asked.least + step, MOST
    else:
        bound, low, high = "<", 0.0, (asked.most or 0.0) - step
    if high >= 0:
        yield from ((_key(bound, unit, low), _key(bound, unit, high)) for unit in units)


def _key(bound: str, unit: str, number: float) -> str:
    return f"{bound}{unit} {number:017.5f}"


def _is_dimension(unit: str) -> bool:
    return unit in (_LENGTH, _VOLUME, MASS)
