"""An amount as it is written in a query: "> 3 mg/dl", "20-25 %"."""

from __future__ import annotations

import re
from dataclasses import replace

from search_stack.core.amounts import MASS, MOST, Amount
from search_stack.language.units import NUMBER, UNIT, number_of, number_text, unit_of

_AMOUNT = re.compile(
    rf"(?P<sign><=|>=|<|>|=)?\s*(?P<first>-?(?:{NUMBER}))(?:\s*[-–]\s*(?P<second>{NUMBER}))?\s*(?P<unit>{UNIT})?",
    re.IGNORECASE,
)


def amount_of(text: str) -> Amount:
    """What `amount_text` writes, or a person.

    >>> amount_of("> 3 cm"), amount_of("20-25%")
    (Amount(least=30.0, most=None, unit='mm', beyond=True), Amount(least=20.0, most=25.0, unit='%', beyond=False))

    Raises:
        ValueError: it is no amount.
    """
    found = _AMOUNT.fullmatch(text.strip().replace("≤", "<=").replace("≥", ">="))
    if not found or (found["sign"] and found["second"]):
        raise ValueError(f"{text[:40]} is no amount.")
    unit, factor = unit_of(found["unit"] or "")
    first, second = (round(number_of(n) * factor, 3) if n else None for n in (found["first"], found["second"]))
    if first is None or abs(first) > MOST or (second is not None and not first <= second <= MOST):
        raise ValueError(f"{text[:40]} holds no number.")
    return Amount.by_sign(found["sign"] or "=", first, first if second is None else second, unit)


def amount_text(amount: Amount) -> str:
    """What `amount_of` reads; a mass in kilograms from one on.

    >>> amount_text(Amount(30.0, None, "mm", True)), amount_text(Amount(7.5, 7.5))
    ('> 30 mm', '= 7.5')
    """
    if amount.unit == MASS and max(amount.least or 0.0, amount.most or 0.0) >= 1000:
        least, most = (None if n is None else round(n / 1000, 6) for n in (amount.least, amount.most))
        amount = replace(amount, least=least, most=most, unit="kg")
    unit = f" {amount.unit}" if amount.unit else ""
    strict = "" if amount.beyond else "="
    if amount.least is None or amount.most is None:
        sign, number = (">", amount.least) if amount.least is not None else ("<", amount.most)
        return f"{sign}{strict} {number_text(number or 0.0)}{unit}"
    if amount.least == amount.most:
        return f"= {number_text(amount.least)}{unit}"
    return f"{number_text(amount.least)}-{number_text(amount.most)}{unit}"
