"""Alternatives that no name holds, as words: "Gustilo 2 or 3", "moderate to severe", "left or right"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from search_stack.language.alternation import any_of as one_of
from search_stack.language.lexicon.english import english
from search_stack.language.sites import PAIR
from search_stack.query.items import Part
from search_stack.query.nodes import Phrase, Words
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.grading import as_grades_are_written
from search_stack.query.plain.stretch import Stretch
from search_stack.query.spelling import COMMON
from search_stack.query.tree import any_of, not_
from search_stack.query.wording import wording

SHORT = r"(?:\d{1,2}[a-d]?|[ivx]{1,4}[a-d]?|[a-es])"
"""A grade, stage or type as it is written."""
_LIST = rf"(?P<one>{SHORT})(?P<more>(?:\s*,\s*{SHORT})*)\s*(?:,\s*)?(?:or|and/or|/)\s*(?P<last>{SHORT})"
GRADES = re.compile(rf"(?<![\w/.-])(?P<head>[^\W\d_][\w'-]*)\s+{_LIST}(?![\w/%]|\.\w|-\d)", re.IGNORECASE)
_EITHER = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,})\s+(?:or|and/or)\s+(?P<last>[^\W\d_]{3,})(?![\w-])", re.IGNORECASE
)
_ORDINAL = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"
_ORDINALS = re.compile(
    rf"(?<![\w-])(?P<one>{_ORDINAL})\s+(?:or|and/or)\s+(?P<last>{_ORDINAL})\s+(?P<of>[^\W\d_]{{3,}})", re.IGNORECASE
)
_SUM = re.compile(r"(?<=\s)[1-5]\+[1-5](?![\w+.])")
"""A score by its two parts: "Gleason 4+3"."""
_LETTERS = re.compile(
    r"(?<![\w-])(?P<head>[^\W\d_][\w'-]*)(?P<all>\s+(?P<one>[a-e])(?:\s*(?:or|and/or|/)\s*(?P<last>[a-e]))?)"
    r"(?=\s*(?:$|[,;.?)]|(?:and|or|with|without|in|positive|negative|infection|virus)\b))",
    re.IGNORECASE,
)
"""Behind a name, which of its types: "influenza A"."""
_UNIT = re.compile(
    r"\s*(?:times?|days?|weeks?|months?|years?|hours?|hrs?|yrs?|mm|cm|mg|ml|kg|percent|or\b|more\b|ago\b|visits?|episodes?)",
    re.IGNORECASE,
)
_DENIED_AT_ONCE = re.compile(r"(?<!\w)(?:no|not|without)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_LEVELS = re.compile(
    r"(?<![\w-])(?P<one>[a-z]\d{1,2})\s+(?:or|and/or)\s+(?P<last>[a-z]\d{1,2})(?![\w-])", re.IGNORECASE
)
"""Of the spine, or of anything that is numbered so."""
_SEVERITY = ["mild", "moderate", "severe"]
_SEVERITIES = re.compile(
    r"(?<![\w-])(?P<one>mild|moderate)(?:[\s-]+(?:to|or)[\s-]+|\s?[-–/]\s?)(?P<last>moderate|severe)(?![\w-])",
    re.IGNORECASE,
)
"""From one on to another, of which notes tell one: "moderate to severe eczema"; and one or another."""
_FRACTION = re.compile(r"\d\d\s*/\s*\d\d")
"""No grades: "VA 20/40"."""


@cache
def _scale() -> re.Pattern[str]:
    """A scale before the word for its grade: "ASA class II or III"."""
    return re.compile(rf"(?<![\w-])(?P<scale>{one_of(wording().scales)})\s+$", re.IGNORECASE)


def grades(s: Stretch) -> None:
    """Those that are left: words, each with the word that says what is graded."""
    for found in list(_SUM.finditer(s.shadow.text)):
        s.parts.append(Part(Phrase(found[0]), *s.shadow.span(*found.span())))
        s.shadow = s.shadow.blank(*found.span())
    for found in list(GRADES.finditer(s.shadow.text)):
        if not _is_graded(s, found) or _UNIT.match(s.shadow.text, found.end()) or _FRACTION.search(found[0]):
            continue
        scale = _scale().search(s.shadow.text, 0, found.start())
        head = f"{scale['scale'] if scale else ''} {found['head']}".strip()
        _either(s, found, [f"{head} {grade}" for grade in listed(found)], scale.start() if scale else None)
    for found in list(_ORDINALS.finditer(s.shadow.text)):
        _either(s, found, [f"{found[n]} {found['of']}" for n in ("one", "last")])
    for found in reversed(list(_SEVERITIES.finditer(s.shadow.text))):
        _severities(s, found)
    for found in [*_LEVELS.finditer(s.shadow.text), *_EITHER.finditer(s.shadow.text)]:
        both = [found["one"], found["last"]]
        if PAIR.issuperset(map(str.lower, both)) or _is_of_name(s, found):
            continue  # `siting` reads them.
        if found.re is _LEVELS or s.table.sides.issuperset(map(str.lower, both)) or _are_places(s, found, both):
            _either(s, found, both)
    _lettered(s)


def _is_graded(s: Stretch, found: re.Match[str]) -> bool:
    """Whether a grade stands behind the word: one that says so, or a rare one that names nothing by itself, "Gartland 2
    or 3"."""
    head = found["head"].lower()
    if head in s.table.graded:
        return True
    inside = any(b < found.end("head") and found.start("head") < e for m in s.mentions() for b, e in m.parts)
    return not inside and head.isalpha() and english().get(head, COMMON) >= COMMON and head not in s.table.frames


def _lettered(s: Stretch) -> None:
    """The type of a disease that no name holds is a phrase beside it, since a search leaves a single "a" out."""
    for found in list(_LETTERS.finditer(s.shadow.text)):
        ends = [m for m in s.mentions() if m.end == found.end("head")]
        kinds = {s.known.lexicon.concepts[m.concept].kind for m in ends}
        if "disorder" not in kinds or any(
            found.start("one") < m.end and m.begin <= found.start("one") for m in s.mentions()
        ):
            continue
        letters = [letter.lower() for letter in (found["one"], found["last"]) if letter]
        before = s.shadow.text[: found.start()]
        node = any_of(Phrase(f"{found['head'].lower()} {letter}") for letter in letters)
        if not is_denied(before, len(before)):
            s.parts.append(Part(node, *s.shadow.span(*found.span())))
        else:
            s.reading.aside.append(s.shadow.span(*found.span("all")))
        s.shadow = s.shadow.blank(*found.span("all"))


def _are_places(s: Stretch, found: re.Match[str], both: Sequence[str]) -> bool:
    """Whether they are parts of the body that no name has: "periprosthetic fracture hip or knee"."""
    if not all(map(s.known.is_anatomy, both)):
        return False
    named = [p for m in s.mentions() for p in m.parts if not s.known.is_of(m, "anatomy")]
    return not any(b < found.end() and found.start() < e for b, e in named)


def _is_of_name(s: Stretch, found: re.Match[str]) -> bool:
    """Whether it says how severe must be what is named beside it."""
    return any(one and one.begin <= found.start() and found.end() <= one.end for one in s.severities())


def _severities(s: Stretch, found: re.Match[str]) -> None:
    """Either of both severities, and what lies between; behind a denial the last alone, as in "no severe stenosis"."""
    if _is_of_name(s, found) or any(b < found.end() and found.start() < e for m in s.mentions() for b, e in m.parts):
        return
    first, last = (_SEVERITY.index(found[n].lower()) for n in ("one", "last"))
    if is_denied(s.shadow.text, found.start()):
        s.shadow = s.shadow.rewritten(*found.span(), _SEVERITY[last])
    elif first < last:
        _either(s, found, _SEVERITY[first : last + 1])


def _either(s: Stretch, found: re.Match[str], words: Sequence[str], first: int | None = None) -> None:
    """Any of ``words``, or none where they are denied; a denial of more than them is left to decide; ``first``: where
    what they stand for begins, if before ``found``."""
    first = found.start() if first is None else first
    before = s.shadow.text[:first]
    at_once = _DENIED_AT_ONCE.search(before)
    if not at_once and is_denied(before, len(before)):
        return
    node = any_of(as_grades_are_written(w.lower()) or Words(w.lower()) for w in words)
    begin = at_once.start() if at_once else first
    s.parts.append(Part(not_(node) if at_once else node, *s.shadow.span(begin, found.end())))
    s.shadow = s.shadow.blank(begin, found.end())


def listed(found: re.Match[str]) -> list[str]:
    return [found["one"], *(g.strip() for g in found["more"].split(",") if g.strip()), found["last"]]
