"""A structured fact as it is written: system:code, and a comparison with a number, in a unit or in any."""

from __future__ import annotations

import re

from search_stack.language.units import number_text
from search_stack.query.nodes import Fact

UNIT = r"""[^\s\d.,;<>="](?:[^\s,;<>="]*[^\s.,;<>="])?"""
"""A unit that follows its number at once."""
_FACT = re.compile(
    r"(?P<system>[A-Za-z][A-Za-z0-9_.-]*):(?P<code>[^<>=\s][^<>=]*?)\s*"
    rf"""(?:(?P<compare><=|>=|<|>|=)\s*(?P<value>-?\d+(?:\.\d+)?)(?:(?P<unit>{UNIT})|\s+(?P<apart>[^\s<>="]+))?)?"""
)


def fact_of(text: str, compare: str = "", value: float = 0.0, unit: str = "") -> Fact:
    """``icd10:I48``, ``loinc:718-7<8``, ``loinc:718-7<8g/dL``.

    >>> fact_of("loinc:718-7 < 8 g/dL")
    Fact(system='loinc', code='718-7', compare='<', value=8.0, unit='g/dL')

    Raises:
        ValueError: it names no system and code, or a unit that is none.
    """
    found = _FACT.fullmatch(text.strip().replace("≤", "<=").replace("≥", ">="))
    if not found:
        raise ValueError(f"{text[:40]} names no system and code.")
    if found["compare"]:
        compare, value, unit = found["compare"], float(found["value"]), found["unit"] or found["apart"] or ""
    if unit and not (compare and re.fullmatch(r"""[^\s<>="]+""", unit)):
        raise ValueError(f"{unit[:40]} is no unit of a compared value.")
    return Fact(found["system"].lower(), found["code"].strip(), compare, value if compare else 0.0, unit)


def fact_text(fact: Fact) -> str:
    """What `fact_of` reads.

    >>> fact_text(Fact("loinc", "718-7", "<", 8.0, "g/dL"))
    'loinc:718-7<8g/dL'
    """
    between = "" if re.fullmatch(UNIT, fact.unit) or not fact.unit else " "
    compared = f"{fact.compare}{number_text(fact.value)}{between}{fact.unit}" if fact.compare else ""
    return f"{fact.system}:{fact.code}{compared}"
