"""Numbers right behind a name, and nothing that compares: a score is that number, "Gleason 8"; a test or vital sign is
that number or one farther from what is usual, "K 6.2", "Na 118"."""

from __future__ import annotations

import re
from dataclasses import replace

from search_stack.core.amounts import SHARE, SIZES, Amount
from search_stack.language.amounts import counts_else, is_score, may_be_below_zero, paired_with, scaled, test_of
from search_stack.language.lexicon.mention import Mention
from search_stack.language.units import NUMBER, UNIT, number_of, unit_of
from search_stack.query.items import Notice
from search_stack.query.nodes import Finding
from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.usual import usual_of
from search_stack.query.shadow import Shadow

_SCORE = re.compile(
    rf"[\s:=]+(?:(?:score|sum|grade|class|status|of|is|was)\s+)*(?P<first>-?(?:{NUMBER}))(?:\s?(?:or|/|to|-|–)\s?(?P<second>\d))?"
    r"(?:\s?/\s?(?:[1-9]0|15|42))?(?![\w+%/.]|\s?[-+–,/]\s?\d|\s+or\s)",
    re.IGNORECASE,
)
"""Not "Gleason 4+3"."""
_VALUE = re.compile(
    rf"[\s:=]+(?:(?:levels?|count|value|of|is|was|were|at|about|around)\s+)*(?P<first>-?(?:{NUMBER}))(?P<pair>/\d{{2,3}})?"
    rf"(?:\s?(?P<unit>{UNIT})(?!\s*[\d<>≤≥]))?(?:\s+systolic(?!\w))?(?![\w+%/]|\.\d|,\d|\s?[-–/]\s?\d|\s?x\b|\s+to\s+\d|\s+(?:or|and)\s+(?:\d|above|over|below|more|less|higher|lower))",
    re.IGNORECASE,
)
_ANY = re.compile(
    rf"[\s:=]+(?:(?:of|is|was)\s+)?(?P<first>{NUMBER})(?P<pair>/\d+)?(?:\s?(?P<unit>{UNIT})(?!\s*[\d<>≤≥]))?(?![\w/]|\.\d|,\d)"
    rf"(?:\s?[-–]\s?(?P<last>{NUMBER}))?",
    re.IGNORECASE,
)
"""Behind a short form, whether it is compared, one of a range or alone."""


def bare(s: Stretch) -> None:
    """Each number right behind a score, a test or a vital sign is taken for its amount."""
    if not any(c.isdigit() for c in s.shadow.text):
        return
    for mention in s.mentions():
        at = s.shadow.span(*mention.parts[-1])[1]
        if at in s.amounts or mention.denial:
            continue
        of_score = is_score(mention.concept, s.known.lexicon)
        found = (_SCORE if of_score else _VALUE).match(s.shadow.text, mention.end)
        if not found or counts_else(s.shadow.text, found.end()):
            continue
        if found["first"].startswith("-") and not may_be_below_zero(mention.concept):
            continue
        amount = _score(found) if of_score else _value(mention.concept, found)
        if amount is not None:
            if amount.least != amount.most and not of_score:
                _tell(s, mention, amount, found)
            s.amounts[at] = amount, s.shadow.span(mention.end, found.end())
            if pair := found.groupdict().get("pair"):
                s.seconds[at] = _second(s, mention, amount, pair)
                s.together.add(at)
            s.shadow = s.shadow.blank(mention.end, found.end())


def tests_before_numbers(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with short forms of tests written out before a number that can be theirs: "k 6.2", not "k 50"."""
    table = s.table

    def make(found: re.Match[str]) -> str:
        name = table.measured_of[found["what"].lower()]
        concept, number = s.known.lexicon.find(name), _ANY.match(shadow.text, found.end())
        if concept is None or number is None or counts_else(shadow.text, number.end()):
            return found[0]
        if number["last"] and number_of(number["last"]) <= number_of(number["first"]):
            return found[0]  # "CA 19-9"
        return name if is_score(concept.id, s.known.lexicon) or _value(concept.id, number) else found[0]

    return shadow.written(table.measured_bare, make)


def _score(found: re.Match[str]) -> Amount:
    low, high = sorted((number_of(found["first"]), number_of(found["second"] or found["first"])))
    return Amount.by_sign("=", low, high, "")


def _value(concept: str, found: re.Match[str]) -> Amount | None:
    """What is asked of ``concept``; None where the number can be none of its."""
    usual, (unit, factor) = usual_of(concept), unit_of(found["unit"] or "")
    if usual is None or (found["pair"] and not paired_with(concept)) or unit in SIZES - {SHARE}:
        return None
    number = number_of(found["first"]) * factor
    amount = scaled(concept, Amount(number, number, unit))
    told = amount.least or 0.0
    if not usual.may_be(told):
        return None
    sign = ">=" if told > usual.high else "<=" if told < usual.low else "="
    return Amount.by_sign(sign, told, told, amount.unit)


def _second(s: Stretch, mention: Mention, amount: Amount, pair: str) -> Finding:
    """What stands behind the stroke, counted from there on as the first number is: "180/110" is 110 or more, too."""
    number = float(pair[1:])
    least, most = (None if bound is None else number for bound in (amount.least, amount.most))
    return Finding(s.known.name_of(paired_with(mention.concept)), amount=replace(amount, least=least, most=most))


def _tell(s: Stretch, mention: Mention, amount: Amount, found: re.Match[str]) -> None:
    """That more than the number is asked for, and how the number alone is."""
    begin, end = s.shadow.span(mention.begin, found.end())
    name = s.known.name_of(test_of(mention.concept, s.known.lexicon))
    number = " ".join(filter(None, (found["first"], found["unit"])))
    more, exact = "more" if amount.most is None else "less", f'finding:"{name}; = {number}"'
    message = f'"{s.typed(begin, end)}" was read as {name} of {number} or {more}.'
    if pair := found.groupdict().get("pair"):
        other = s.known.name_of(paired_with(mention.concept))
        message = f"{message[:-1]}, and {other} of {pair[1:]} or {more}."
        exact += f' finding:"{other}; = {pair[1:]}"'
    line = s.instead(begin, end, exact)
    s.reading.notices.append(Notice("field", message, s.typed(begin, end), line))
