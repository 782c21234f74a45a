"""Amounts, as notes tell them of what they name and as questions ask for them. Pure.

An amount of a length, a volume or a mass is kept in one unit; every other is kept as it is written, with its unit where
it has one. A question without a unit asks for numbers that have none, or one that is no length, volume or mass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

LEAST_STEP = 1e-5
"""Numbers that differ by less are the same."""
MOST = 99_999_999_999.0
LENGTH, VOLUME, MASS, SHARE = "mm", "ml", "g", "%"
SIZES = frozenset((LENGTH, VOLUME, MASS, SHARE))
"""Units in which a number may tell something of any finding."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Numbers from ``least`` to ``most``; None where open, the same twice for one number."""

    least: float | None
    most: float | None
    unit: str = ""
    """As `search_stack.language.units.unit_of` gives it: of a length mm, of a volume ml, of a mass g."""
    beyond: bool = False
    """Whether the one bound that it has is left out: "> 3"."""

    @classmethod
    def by_sign(cls, sign: str, first: float, second: float, unit: str) -> Amount:
        """
        Args:
            sign: how a number compares with ``first``: <, <=, >, >=; or =, where it lies between the two.
        """
        return cls(None if sign[0] == "<" else first, None if sign[0] == ">" else second, unit, sign in ("<", ">"))

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
    return (_key(bound, unit, number) for bound, number in bounds for unit in units if abs(number) <= MOST)


def ranges(asked: Amount) -> Iterator[tuple[str, str]]:
    """The first and the last of the keys that it includes."""
    units = ("#",) if not asked.unit else (asked.unit,) if _is_dimension(asked.unit) else (asked.unit, "")
    step = LEAST_STEP if asked.beyond else 0.0
    if asked.least is not None and asked.most is not None:
        bound, low, high = "~", asked.least, asked.most
    elif asked.least is not None:
        bound, low, high = ">", asked.least + step, MOST
    else:
        bound, low, high = "<", -MOST, (asked.most or 0.0) - step
    yield from ((_key(bound, unit, low), _key(bound, unit, high)) for unit in units)


def _key(bound: str, unit: str, number: float) -> str:
    """
    >>> _key("<", "", -2.7) < _key("<", "", -2.5) < _key("<", "", 0.0)
    True
    """
    if number < 0:  # A minus stands before every digit; what is farther below comes first.
        return f"{bound}{unit} -{MOST + number:017.5f}"
    return f"{bound}{unit} {number:017.5f}"


def _is_dimension(unit: str) -> bool:
    return unit in (LENGTH, VOLUME, MASS)
