"""Sex and age in words: "women over 60", "aged 40 to 60", "a 62yo M"."""

from __future__ import annotations

import re

from search_stack.query.fields import checked_value
from search_stack.query.nodes import FieldIs

_FEMALE = re.compile(
    r"\b(?:mothers|wom[ae]n|females?|girls?|lad(?:y|ies)|child[\s-]?bearing|wocbp)\b|(?:\d|yo|y/o|y\.o\.?|y\so|olds?|/)\s?f$|^\s*f\s?[<>≤≥/\d]|=\s*f$|^f$",
    re.IGNORECASE,
)
_MALE = re.compile(
    r"\b(?:m[ae]n|males?|boys?|gentlem[ae]n)\b|(?:\d|yo|y/o|y\.o\.?|y\so|olds?|/)\s?m$|^\s*m\s?[<>≤≥/\d]|=\s*m$|^m$",
    re.IGNORECASE,
)
_YOUNG = re.compile(r"\b(?:child|children|kids?|minors?|pa?e(?:diatric|ds))\b", re.IGNORECASE)
_GROWN = re.compile(r"\badults?\b", re.IGNORECASE)
_UNCLEAR = re.compile(
    r"\b(?:infants?|newborns?|neonates?|toddlers?|pre-?schoolers?|babies|baby|elderly|geriatric|older|younger|middle[\s-]aged"
    r"|teen(?:age(?:rs?)?)?s?|adolescents?|child[\s-]?bearing|reproductive|wocbp|hours?|hrs?|days?|weeks?|mos?|wks?|months?)\b|^(?:old|young)\b",
    re.IGNORECASE,
)
_USUAL = (
    (re.compile(r"\b(?:child[\s-]?bearing|wocbp)\b|\breproductive\s+age\b", re.IGNORECASE), "15-49"),
    (re.compile(r"\b(?:newborns?|neonates?|babies|baby)\b", re.IGNORECASE), "<1"),
    (re.compile(r"\binfants?\b", re.IGNORECASE), "<2"),
    (re.compile(r"\btoddlers?\b", re.IGNORECASE), "1-3"),
    (re.compile(r"\bpre-?schoolers?\b", re.IGNORECASE), "2-5"),
    (re.compile(r"\bteen(?:age(?:rs?)?)?s?\b", re.IGNORECASE), "13-19"),
    (re.compile(r"\badolescents?\b", re.IGNORECASE), "13-18"),
    (re.compile(r"^young\s", re.IGNORECASE), "18-44"),
    (re.compile(r"\bmiddle[\s-]aged\b", re.IGNORECASE), "45-64"),
    (re.compile(r"\b(?:elderly|geriatric)\b|^old\b|^older\s+(?!m[ae]n|wom)", re.IGNORECASE), ">=65"),
)
"""What MeSH's age groups are in years, the young up to the middle-aged; toddlers commonly, teenagers by their name, who
may bear children by WHO's bounds."""
_DECADES = {"sexa": 60, "septua": 70, "octo": 80, "nona": 90}
_DECADE = re.compile(
    r"\b(?P<of>sexa|septua|octo|nona)genarians?\b|\b(?:their|his|her|early|mid|late)[\s-]+(?:\w+[\s-]+)?(?P<in>[1-9]0)'?s\b",
    re.IGNORECASE,
)
_HUNDRED = re.compile(r"\bcentenarians?\b", re.IGNORECASE)
_OLD = re.compile(r"(?P<many>\d{1,2})\s*-?\s*(?P<unit>days?|weeks?|wks?|months?|mos?)\s*-?\s*olds?", re.IGNORECASE)
_IN_YEAR = {"h": 365 * 24, "d": 365, "w": 52, "m": 12, "y": 1}
_UNIT = r"(?P<{}>days?|weeks?|wks?|months?|mos?|years?|yrs?|y)"
_SPAN = re.compile(
    rf"(?P<first>\d{{1,3}})\s*-?\s*(?:{_UNIT.format('of')})?\s*(?:-|–|to|and)\s*(?P<last>\d{{1,3}})\s*-?\s*{_UNIT.format('unit')}(?!\w)",
    re.IGNORECASE,
)
_YOUNGER = re.compile(
    r"(?:\b(?:under|below|(?:less|younger)\s+than|up\s+to)|<=?|≤)\s*(?P<many>\d{1,3})\s*-?\s*"
    r"(?P<unit>hours?|hrs?|h|days?|weeks?|wks?|months?|mos?)(?!\w)",
    re.IGNORECASE,
)
_THAN = re.compile(
    r"\b(?:older|younger)\s+than\b|\bor\s+(?:older|younger)\b|\band\s+(?:older|younger)\b", re.IGNORECASE
)
_AGED = re.compile(r"\b(?:elderly|geriatric|adolescents?|teen(?:age(?:rs?)?)?s?)\b|^young\s", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,3}")
_ABOVE = re.compile(r"\b(?:over|above|(?:older|more|greater|higher)\s+than)\b|>(?!=)", re.IGNORECASE)
_BELOW = re.compile(r"\b(?:under|below|(?:younger|less|lower)\s+than)\b|<(?!=)", re.IGNORECASE)
_LEAST = re.compile(
    r"\bat\s+least\b|>=|≥|\b(?:or|and)\s+(?:over|older|above|up|more|greater)\b|\d\s*(?:yo|y/o|y\.o\.?)?\s*\+",
    re.IGNORECASE,
)
_MOST = re.compile(r"\bat\s+most\b|<=|≤|\bup\s+to\b|\b(?:or|and)\s+(?:under|younger|below)\b", re.IGNORECASE)


def people_of(text: str) -> tuple[list[FieldIs], bool]:
    """The fields that ``text`` says of a person, the usual age with them, and whether they say all of it.

    >>> people_of("women over 60")
    ([FieldIs(field='sex', value='female'), FieldIs(field='age', value='>60')], True)
    >>> people_of("elderly men")
    ([FieldIs(field='sex', value='male'), FieldIs(field='age', value='>=65')], False)
    """
    out = []
    female, male = bool(_FEMALE.search(text)), bool(_MALE.search(text))
    if female != male:
        out.append(FieldIs("sex", "female" if female else "male"))
    bare = _THAN.sub(" ", text)
    bare = _AGED.sub(" ", bare) if _NUMBERS.search(bare) else bare  # "elderly over 70"
    clear = not _UNCLEAR.search(bare)
    if age := _age(text) if clear else usual_age(text):
        try:
            out.append(FieldIs("age", checked_value("age", age)))
        except ValueError:
            clear = False
    return out, clear and bool(out)


def usual_age(text: str) -> str:
    """The age, as the field takes it, that words without a number usually mean; empty where they have none.

    >>> usual_age("elderly men"), usual_age("older men"), usual_age("infants of 3 months")
    ('>=65', '', '')
    >>> usual_age("infants under 3 months"), usual_age("children < 18 months")
    ('<1', '<2')
    >>> usual_age("children aged 6 months to 5 years"), usual_age("babies 2-8 weeks")
    ('0-5', '<1')
    >>> usual_age("6 week old"), usual_age("18 month old boy"), usual_age("over 6 months old")
    ('<1', '1', '')
    """
    old = _OLD.match(text)
    if old:
        years = int(old["many"]) // _IN_YEAR[old["unit"][0].lower()]
        return str(years) if years else "<1"
    if (span := _SPAN.search(text)) and not (span["of"] or span["unit"]).lower().startswith("y"):
        first, last = (
            int(span[number]) // _IN_YEAR[(span[unit] or span["unit"])[0].lower()]
            for number, unit in (("first", "of"), ("last", "unit"))
        )
        return f"{first}-{last}" if last else "<1"
    if young := _YOUNGER.search(text):
        years = -(-int(young["many"]) // _IN_YEAR[young["unit"][0].lower()])
        return f"<{max(years, 1)}"
    if _NUMBERS.search(text):
        return ""
    return next((age for words, age in _USUAL if words.search(text)), "")


def _age(text: str) -> str:
    if decade := _DECADE.search(text):
        first = int(decade["in"] or _DECADES[decade["of"].lower()])
        return f"{first}-{first + 9}"
    if _HUNDRED.search(text):
        return ">=100"
    return _bounded(text)


def _bounded(text: str) -> str:
    numbers = _NUMBERS.findall(text)
    if not numbers:
        return "<18" if _YOUNG.search(text) else ">=18" if _GROWN.search(text) else ""
    if len(numbers) > 1:
        return f"{numbers[0]}-{numbers[1]}"
    signs = ((_LEAST, ">="), (_MOST, "<="), (_ABOVE, ">"), (_BELOW, "<"))
    sign = next((s for pattern, s in signs if pattern.search(text)), "")
    return f"{sign}{numbers[0]}"
