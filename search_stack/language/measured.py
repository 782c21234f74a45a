"""Numbers that say a finding ("temp 39.2", "BP 180/110", "lost 18 pounds"), by the data table ``measured.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from search_stack.core.amounts import Amount
from search_stack.language.amounts import is_wished, scaled
from search_stack.language.lexicon.mention import Mention
from search_stack.language.units import DIGIT, number_of, unit_of

_JOINS = (
    r"(?:[\s:=,(~-]|\b(?:is|was|were|are|of|at|to|about|around|approximately|approx|estimated|only|currently|today|now"
    r"|level|reading|count|measured|found|be|on admission|came back|returned|dropped to|fell to|rose to|down to|up to"
    r"|decreased to|increased to|elevated|low|high)\b){1,8}?"
)
"""What may stand between a quantity and its number."""
NEAR = 80
"""Characters before a quantity in which a word may say that it is of something else."""
_GLUED = r"(?:(?<=[A-Za-z]{2})(?=\d)|(?=\d+\.\d))"
"""No blank at all, as wards write it: "Hb70", "K6.5"; "T12" is a vertebra, "K9" a dog."""
_WORD = re.compile(r"[a-z]+")
_NUMBER = r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?"
_UNIT = r"°\s?[CF]\b|degrees(?:\s+(?:celsius|fahrenheit|[CF])\b)?|%|[A-Za-zµ]+(?:\s?/\s?[A-Za-zµ]+[²2]?|%)?"
_ENDS = r"(?![\w.]*\d|\s*/\s*\d)"
_OTHER = frozenset(
    (
        "mg",
        "mcg",
        "ml",
        "cc",
        "g",
        "units",
        "unit",
        "tablets",
        "tablet",
        "iu",
        "cm",
        "mm",
        "minutes",
        "times",
        "hours",
        "days",
        "%",
        "percent",
        "mmol/l",
        "mmol",
        "umol/l",
        "µmol/l",
        "meq/l",
        "g/l",
        "mg/l",
        "ng/ml",
        "pg",
        "fl",
    )
)
"""Units of doses, sizes, spans and other scales: behind a number of a quantity that has none of them, it is not that
quantity's."""


@dataclass(frozen=True, slots=True)
class Scale:
    units: frozenset[str]
    least: float
    most: float
    low: float | None
    high: float | None
    high_second: float | None
    only_told: bool
    """Whether it holds only where one of its units stands."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A row of the table."""

    pattern: re.Pattern[str]
    scales: tuple[Scale, ...]
    above: str
    below: str
    needs_unit: bool
    not_behind: tuple[str, ...]
    not_before: tuple[str, ...]
    not_near: frozenset[str]
    examples: tuple[str, ...]


def measured(text: str, begin: int, end: int, table: Sequence[Quantity] | None = None) -> Iterator[Mention]:
    """What the numbers of ``text[begin:end]`` say, in the order of the table.

    >>> [(m.concept, m.begin, m.end) for m in measured("Afebrile; later temp 39.2.", 0, 26)]
    [('fever', 16, 25)]
    """
    if not DIGIT.search(text, begin, end):
        return
    for quantity in quantities() if table is None else table:
        for found in quantity.pattern.finditer(text, begin, end):
            concept = "" if is_wished(text, begin, found.start()) else _says(quantity, text, found)
            if concept:
                own = _is_own(quantity, found)
                last = found.end("unit") if own else _number_end(found)
                place = found.start(), last
                value, unit = number_of(found["first"]), _unit(found) if own else ""
                amount = scaled(concept, Amount(value, value, unit_of(unit)[0]))
                yield Mention(concept, *place, (place,), value=value, unit=unit, amounts=(amount,))


def _says(quantity: Quantity, text: str, found: re.Match[str]) -> str:
    unit = _unit(found)
    before = text[max(0, found.start() - NEAR) : found.start()].lower()
    behind = text[_number_end(found) : _number_end(found) + NEAR].lower()
    if before.rstrip().endswith(quantity.not_behind) or behind.lstrip().startswith(quantity.not_before):
        return ""
    if not quantity.not_near.isdisjoint(_WORD.findall(before)):
        return ""
    own = _is_own(quantity, found)
    if (quantity.needs_unit and not own) or (unit in _OTHER and not own):
        return ""
    first = number_of(found["first"])
    second = number_of(found["second"]) if found["second"] else None
    pair = "/" in (found["between"] or "")
    # Of a range the end that is less out of order.
    lower, upper = (first, first) if second is None or pair else (min(first, second), max(first, second))
    for scale in quantity.scales:
        if (own and unit not in scale.units) or (scale.only_told and not own):
            continue
        if not scale.least <= first <= scale.most:
            continue
        beside = pair and second is not None and scale.high_second is not None and second >= scale.high_second
        if quantity.above and scale.high is not None and (lower >= scale.high or beside):
            return quantity.above
        if quantity.below and scale.low is not None and upper < scale.low:
            return quantity.below
        return ""
    return ""


def _is_own(quantity: Quantity, found: re.Match[str]) -> bool:
    """Whether the word behind the number is a unit of the quantity."""
    return any(_unit(found) in scale.units for scale in quantity.scales)


def _unit(found: re.Match[str]) -> str:
    return " ".join((found["unit"] or "").lower().replace(" /", "/").replace("/ ", "/").replace("° ", "°").split())


def _number_end(found: re.Match[str]) -> int:
    return found.end("second") if found["second"] else found.end("first")


@cache
def quantities() -> tuple[Quantity, ...]:
    """The table, in its order."""
    raw = tomllib.loads((files("search_stack.language") / "measured.toml").read_text(encoding="utf-8"))
    return tuple(
        Quantity(
            _pattern(row["words"], row.get("exact", ()), row.get("pair", False)),
            tuple(
                Scale(
                    frozenset(scale["units"]),
                    scale["range"][0],
                    scale["range"][1],
                    scale.get("low"),
                    scale.get("high"),
                    scale.get("high_second"),
                    scale.get("only_told", False),
                )
                for scale in row["scales"]
            ),
            row.get("above", ""),
            row.get("below", ""),
            row.get("needs_unit", False),
            tuple(row.get("not_behind", ())),
            tuple(row.get("not_before", ())),
            frozenset(row.get("not_near", ())),
            tuple(row["examples"]),
        )
        for row in raw["quantities"]
    )


def _pattern(words: Sequence[str], exact: Sequence[str], pair: bool) -> re.Pattern[str]:
    named = "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in sorted(words, key=len, reverse=True))
    written = "|".join(re.escape(w) for w in sorted(exact, key=len, reverse=True))
    name = rf"(?i:{named})" + (rf"|{written}" if written else "")
    between = r"\s*/\s*" if pair else r"\s*(?:-|–|to)\s*"
    second = rf"(?P<between>{between})(?P<second>{_NUMBER})"
    second = second if pair else rf"(?:{second})?"
    return re.compile(
        rf"(?<![\w/+-])(?:{name})(?:(?![\w+])(?i:{_JOINS})|{_GLUED})(?P<first>{_NUMBER}){second}{_ENDS}(?:\s?(?P<unit>(?i:{_UNIT})))?"
    )
