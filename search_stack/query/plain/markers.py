"""Results as they are written short: "ER+ HER2-", "HIV+", "ER positive HER2 negative"."""

from __future__ import annotations

import re

from search_stack.language.assertion.clauses import MARKERS
from search_stack.query.plain.denied import is_denied, is_shut
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

SIGNED_MARKER = re.compile(
    r"(?<![\w-])(?P<marker>[a-z][a-z0-9]{0,5}(?:-\d)?)(?P<sign>\+|-(?!\w))(?=[\s,;/)]|$)", re.IGNORECASE
)
"""As markers are written short: "ER+ HER2-"."""
_NEXT_RESULT = re.compile(
    r"(?P<one>(?<![\w-])[\w-]+\s+(?:positive|negative))\s+(?=(?!for\b)[\w-]+\s+(?:positive|negative)(?!\w))",
    re.IGNORECASE,
)
"""A result, before the next one: "ER positive HER2 negative"."""
_RESULT_FIRST = re.compile(
    r"(?<=\w)\s+(?P<first>(?:positive|negative)\s+(?!for\b)[\w-]+)\s+(?=(?:positive|negative)\s+[\w-]+\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
"""Results before what they are of, behind another name: "SAH negative CT positive LP"."""
_HYPHENED = re.compile(r"-(?P<result>negative|positive|neg|pos)(?P<gap>\s+)(?=[^\W\d_])", re.IGNORECASE)
"""A result that belongs to the name before it, and to nothing behind: "MRI-negative epilepsy"."""
_SIGN = re.compile(
    r"(?P<closed>\+{1,3}|-)(?=[\s,;/)]|$)|\s*\((?P<bracketed>[+-])\)|\s+(?P<apart>[+-]|yes|no)(?=\s|[,;/.]|$)",
    re.IGNORECASE,
)
"""Behind a name, whether it is there: "cough+ fever-", "fever (+)", "fever yes cough no"."""
_DENIED_ITSELF = re.compile(
    r"(?<!\w)(?:no|not|non|without|w/o|never|exclud\w+|except|unless|and|or|nor|for|to|is|are|was|known|any|an?)[\s-]+$|[/,]\s*$",
    re.IGNORECASE,
)
"""Before a marker that is denied or left out itself, or goes on a list: "no HIV+", "not ER+ or HER2+"."""
_HAD, _TESTED = ("disorder", "finding", "symptom"), "procedure"
_NAD = re.compile(r"(?<=\w)\s+(?P<result>nad)(?![\w-])", re.IGNORECASE)
"""Behind a test, nothing abnormal detected, and behind whatever else no acute distress."""
SHORTEST = 3
"""Characters of a marker that no table has."""


def results(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with signs in words, and a comma between two results, which each have a name of their own."""
    for nad in reversed(list(_NAD.finditer(shadow.text))):
        if any(s.known.is_of(m, _TESTED) for m in s.known.ending(shadow.text, nad.start())):
            shadow = shadow.rewritten(*nad.span("result"), "normal")
    shadow = _own_results(s, shadow.written(SIGNED_MARKER, lambda m: _apart(m, result(s.known, m))))
    if (found := _RESULT_FIRST.search(shadow.text)) and s.known.ending(shadow.text, found.start()):
        return shadow.written(_RESULT_FIRST, lambda m: f"; {m['first']}; ")
    return shadow.written(_NEXT_RESULT, lambda m: f"{m['one']}, ")


def _apart(found: re.Match[str], written: str) -> str:
    """What is ``written`` of a marker, behind a mark where it is there and something else is denied: "no tPA LVO+"."""
    own = found["sign"] == "+" and written != found[0] and is_denied(found.string, found.start())
    return f"; {written}" if own and not _DENIED_ITSELF.search(found.string, 0, found.start()) else written


def _own_results(s: Stretch, shadow: Shadow) -> Shadow:
    """ "MRI-negative epilepsy" with its result apart; "culture-negative endocarditis" is one name."""
    for found in reversed(list(_HYPHENED.finditer(shadow.text))):
        text = shadow.text
        whole = any(m.begin < found.start() and m.end > found.end() for m in s.known.named(text))
        if not whole and s.known.ending(text, found.start()):
            shadow = shadow.rewritten(*found.span("gap"), "; ").with_mark(found.start(), " ")
    return shadow


def signs(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with signs behind what somebody has in words. A sign that stands apart may link, or part: it tells of
    the name before it where the last name has one too."""
    text = shadow.text
    if not _SIGN.search(text):
        return shadow
    named = s.known.named(text)
    ends = {m.end: s.known.lexicon.concepts[m.concept].kind for m in named if not m.denial}
    found = [m for m in _SIGN.finditer(text) if ends.get(m.start()) in (*_HAD, _TESTED)]
    if not found:
        return shadow
    last = not text[found[-1].end() :].strip(" .?,;")
    told = {m.start(): m for m in found if _tells(m, len(found), last)}
    for m in named:
        there = m.end in told and ends[m.end] in _HAD and "+" in told[m.end][0]
        if there and text[m.begin - 1 : m.begin] == " " and is_shut(text, m.begin):
            shadow = shadow.with_mark(m.begin - 1, ";")  # "no tPA LVO+", "no fever, cough+"
    return shadow.written(_SIGN, lambda m: _in_words(m, ends[m.start()]) if m.start() in told else m[0])


def _tells(found: re.Match[str], many: int, last: bool) -> bool:
    if found["apart"]:
        return many > 1 and last
    ends = not found.string[found.end() :].lstrip()[:1].isalnum()
    return many > 1 or ends or not (found["closed"] or "").startswith("-")  # "headache- causes"


def _in_words(found: re.Match[str], kind: str) -> str:
    sign = (found["closed"] or found["bracketed"] or found["apart"]).lower()
    if sign in ("-", "no"):
        return " negative; "
    return " positive; " if kind == _TESTED else "; "


def result(known: Known, found: re.Match[str]) -> str:
    """A marker, or what somebody may carry, with its sign in words: "HER2-", "HIV+"."""
    marker, sign = found["marker"], "positive" if found["sign"] == "+" else "negative"
    concept = known.lexicon.find(known.abbreviations.folded.get(marker.casefold(), marker))
    written = marker.isupper() and len(marker) >= SHORTEST and found["sign"] == "+"  # "HLA B27+", not "T2+"
    carried = marker.casefold() in MARKERS or (concept is not None and concept.kind == "disorder")
    return f"{marker} {sign}" if carried or written else found[0]
