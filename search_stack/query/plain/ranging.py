"""Grades of a range, or from one on, written out: "CKD 3-5", "grade 2 or above", "Child-Pugh B-C"."""

from __future__ import annotations

import re

from search_stack.language.amounts import is_score, is_valued
from search_stack.query.plain.known import LONGEST
from search_stack.query.plain.stretch import Stretch

_KIDNEY = re.compile(r"\b(?:ckd|kidney|renal)\b", re.IGNORECASE)
_RANGE = re.compile(
    r"(?<![\w/.-])(?P<head>[^\W\d_][\w'-]*)\s+(?P<first>\d)(?P<letter>[a-d]?)(?:\s?[-–]\s?|\s+to\s+)(?P<last>\d)(?![\w/%-]|\.\w)",
    re.IGNORECASE,
)
_LETTER_RANGE = re.compile(
    r"(?<![\w/.-])(?P<head>[^\W\d_][\w'-]*)\s+(?P<one>[a-e])\s?[-–]\s?(?P<last>[a-e])(?![\w/%-]|\.\w)", re.IGNORECASE
)
_ROMAN_RANGE = re.compile(
    r"(?<![\w/.-])(?P<head>[^\W\d_][\w'-]*)\s+(?P<first>i{1,3}|iv)(?:\s?[-–]\s?|\s+to\s+)(?P<last>i{1,3}|iv|v)(?![\w/%-]|\.\w)",
    re.IGNORECASE,
)
_ROMAN = ("i", "ii", "iii", "iv", "v")
_RADS = r"(?:bi|lung|pi|ti|li)-?rads"
_SCALE = (
    rf"(?:asa|kdigo|gold|killip|ccs|mallampati|hurley|{_RADS}|bosniak|hinchey|deauville|rutherford|fontaine|gustilo"
    r"|clavien(?:-dindo)?)"
)
_UPWARDS = re.compile(
    rf"(?<![\w/.-])(?P<head>(?:{_SCALE}\s+)?[^\W\d_][\w'-]*)\s+(?P<first>[1-5])[ab]?"
    r"(?:\s?\+(?!\w)|\s+(?:or|and)\s+(?:above|higher|worse|more|greater|over|up|beyond)(?!\w))",
    re.IGNORECASE,
)
_FROM_ON = re.compile(
    rf"(?<![\w/.-])(?P<head>(?:{_SCALE}\s+)?(?:stages?|grades?|class)|{_SCALE}|nyha(?:\s+class)?|ckd)\s*(?P<sign>>=|≥|>|at\s+least|(?:greater|higher|more|worse)\s+than)\s*(?P<first>[1-4]|i{{1,3}})(?![\w.])",
    re.IGNORECASE,
)
_ROMAN_UPWARDS = re.compile(
    rf"(?<![\w/.-])(?P<head>(?:{_SCALE}\s+)?(?:stages?|grades?|class)|{_SCALE}|nyha)\s+(?P<first>i{{1,3}})(?:\s?\+(?!\w)|\s+(?:or|and)\s+(?:above|higher|worse|more|greater|over|up|beyond)(?!\w))",
    re.IGNORECASE,
)
_OF_SCALE = re.compile(_SCALE)
_LAST_GRADE = {
    "asa": 5,
    "kdigo": 3,
    "gold": 4,
    "killip": 4,
    "ccs": 4,
    "mallampati": 4,
    "hurley": 3,
    "birads": 6,
    "lungrads": 4,
    "pirads": 5,
    "tirads": 5,
    "lirads": 5,
    "bosniak": 4,
    "hinchey": 4,
    "deauville": 5,
    "rutherford": 6,
    "fontaine": 4,
    "gustilo": 3,
    "clavien": 5,
    "claviendindo": 5,
    "stage": 4,
    "stages": 4,
    "grade": 4,
    "grades": 4,
    "nyha": 4,
    "class": 4,
    "ckd": 5,
}
"""The highest of what is graded from one on by so many."""
_SUM_UPWARDS = re.compile(
    r"(?<=\s)(?P<one>[1-5])\+(?P<other>[1-5])(?=\s+(?:or|and)\s+(?:higher|above|more|greater|worse|over|up)(?!\w))",
    re.IGNORECASE,
)
_DENIED_EVER = re.compile(r"\b(?:no|not|without|denie[sd]|denying|never|negative|exclud\w+)\b", re.IGNORECASE)


def ranges(s: Stretch) -> None:
    """Each grade of them, as alternatives."""
    s.shadow = s.shadow.written(_SUM_UPWARDS, lambda m: str(int(m["one"]) + int(m["other"])))
    for pattern in (_UPWARDS, _FROM_ON, _ROMAN_UPWARDS):
        s.shadow = s.shadow.written(pattern, lambda m: _to_the_last(s, m))
    _apart(s)
    s.shadow = s.shadow.written(_RANGE, lambda m: _each_grade(s, m))
    s.shadow = s.shadow.written(_ROMAN_RANGE, lambda m: _each_roman(s, m))
    s.shadow = s.shadow.written(_LETTER_RANGE, lambda m: _each_letter(s, m))


def _apart(s: Stretch) -> None:
    """The commas around a range written out as alternatives, which are one item of their list: "fever, CKD 3-5"."""
    text = s.shadow.text
    for pattern, make in ((_RANGE, _each_grade), (_ROMAN_RANGE, _each_roman)):
        for found in pattern.finditer(text):
            if make(s, found) == found[0] or _DENIED_EVER.search(text, 0, found.start()):
                continue
            before = len(text[: found.start()].rstrip()) - 1
            for at in (before, found.end()):
                if text[at : at + 1] == ",":
                    s.shadow = s.shadow.with_mark(at, ";")
                    s.loose.add(s.shadow.begins[at])


def _to_the_last(s: Stretch, found: re.Match[str]) -> str:
    """ "Stage 2 or above", "grade >= 3" as each of the grades from there on."""
    head, *_ = found["head"].lower().split()
    last = _LAST_GRADE.get(head.replace("-", ""))
    if last is None:
        return found[0]
    if head == "stage" and _KIDNEY.search(s.line):
        last = _LAST_GRADE["ckd"]
    typed = found["first"].lower()
    first = int(typed) if typed.isdigit() else _ROMAN.index(typed) + 1
    sign = found.groupdict().get("sign") or ">="
    first += not (sign in (">=", "≥") or sign.lower().startswith("at"))
    name = head if _OF_SCALE.fullmatch(head) else found["head"]
    if first >= last:
        return f"{name} {last}" if first == last else found[0]
    return f"{name} {', '.join(str(n) for n in range(first, last))} or {last}"


def _each_grade(s: Stretch, found: re.Match[str]) -> str:
    """ "CKD 3-5", "grade 3-4" with each grade; a range of anything else is left as it is."""
    head, first, last = found["head"], int(found["first"]), int(found["last"])
    grades = [f"{first}{found['letter']}", *(str(n) for n in range(first + 1, last + 1))]
    named = s.known.abbreviations.folded.get(head.casefold(), head)
    if _tells_value(s, found):
        return found[0]
    if last <= first or not (
        head.lower() in s.table.graded or all(s.known.lexicon.find(f"{named} {grade}") for grade in grades)
    ):
        return found[0]
    return f"{head} {', '.join(grades[:-1])} or {grades[-1]}"


def _tells_value(s: Stretch, found: re.Match[str]) -> bool:
    """Whether what is ranged is the value of a test or a score: "CURB-65 score 3-5", "lactate level 2-4"."""
    place = found.start("head")
    near = (m for m in s.mentions() if place <= m.end <= found.end("head") or m.end == place - 1)
    return any(is_valued(m.concept, s.known.lexicon) or is_score(m.concept, s.known.lexicon) for m in near)


def _each_roman(s: Stretch, found: re.Match[str]) -> str:
    first, last = (_ROMAN.index(found[n].lower()) for n in ("first", "last"))
    if first >= last or found["head"].lower() not in s.table.graded:
        return found[0]
    grades = [g.upper() for g in _ROMAN[first : last + 1]]
    return f"{found['head']} {', '.join(grades[:-1])} or {grades[-1]}"


def _each_letter(s: Stretch, found: re.Match[str]) -> str:
    """ "Child-Pugh B-C" as either, where both are names."""
    first, last = found["one"], found["last"]
    head = " ".join(found.string[: found.start("one")].split()[-LONGEST:])
    known = first.lower() < last.lower() and all(_ends_name(s, f"{head} {one}") for one in (first, last))
    return f"{found['head']} {first} or {last}" if known else found[0]


def _ends_name(s: Stretch, text: str) -> bool:
    """Whether a name of several words ends there."""
    return bool(s.known.ending(text, len(text)))
