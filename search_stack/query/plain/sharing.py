"""Words that alternatives share: "hepatitis b or c", "pressure ulcer stage 3 or 4", "stroke, not hemorrhagic"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_stack.language.amounts import is_score, is_valued
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.forms import american
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites import PAIR
from search_stack.query.items import Part
from search_stack.query.nodes import Phrase, Words
from search_stack.query.plain.grading import as_grades_are_written
from search_stack.query.plain.other_names import called_otherwise
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.spelling import COMMON
from search_stack.query.tree import any_of, not_

_SHORT = r"(?:\d{1,2}[a-d]?|[ivx]{1,4}[a-d]?|[a-es])"
"""A grade, stage or type as it is written."""
_LIST = rf"(?P<one>{_SHORT})(?P<more>(?:\s*,\s*{_SHORT})*)\s*(?:,\s*)?(?:or|and/or|/)\s*(?P<last>{_SHORT})"
_GRADES = re.compile(rf"(?<![\w/.-])(?P<head>[^\W\d_][\w'-]*)\s+{_LIST}(?![\w/%]|\.\w|-\d)", re.IGNORECASE)
_EXCLUSIVE = re.compile(
    rf"(?<![\w/.-])(?P<of>(?:(?:stages?|grades?|nyha|class|type|ckd|asa|killip|ccs|gold)\s+)+)(?P<list>{_SHORT}(?:\s*,\s*{_SHORT})*)"
    rf"\s*(?:,\s*)?(?:and|&)\s+(?P<last>{_SHORT})(?![\w/%]|\.\w|-\d)",
    re.IGNORECASE,
)
"""Of which nobody has two at once: "CKD 4 and 5" are those with either."""
_CONTRASTED = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,})(?:\s*,)?\s+(?:but\s+)?not\s+(?P<last>[^\W\d_]{3,})(?=\s+[^\W\d_])", re.IGNORECASE
)
_KINDS = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,})\s+(?:or|and/or)\s+(?P<last>[^\W\d_]{3,})(?=\s+[^\W\d_])", re.IGNORECASE
)
_EITHER = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,})\s+(?:or|and/or)\s+(?P<last>[^\W\d_]{3,})(?![\w-])", re.IGNORECASE
)
_ORDINAL = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"
_ORDINALS = re.compile(
    rf"(?<![\w-])(?P<one>{_ORDINAL})\s+(?:or|and/or)\s+(?P<last>{_ORDINAL})\s+(?P<of>[^\W\d_]{{3,}})", re.IGNORECASE
)
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
_SUM = re.compile(r"(?<=\s)[1-5]\+[1-5](?![\w+.])")
"""A score by its two parts: "Gleason 4+3"."""
_SUM_UPWARDS = re.compile(
    r"(?<=\s)(?P<one>[1-5])\+(?P<other>[1-5])(?=\s+(?:or|and)\s+(?:higher|above|more|greater|worse|over|up)(?!\w))",
    re.IGNORECASE,
)
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
_DENIED = re.compile(r"(?<!\w)(?:no|not|without|denie[sd]|denying|never|negative)\b[^,;.]*$", re.IGNORECASE)
_DENIED_EVER = re.compile(r"\b(?:no|not|without|denie[sd]|denying|never|negative|exclud\w+)\b", re.IGNORECASE)
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
_LONGEST = 4
"""Words of a name, behind or before those that differ."""
_REPEATED = re.compile(
    r"(?P<many>(?:(?:[<>]=?|[≥≤]|at\s+(?:least|most)|(?:no\s+)?(?:more|fewer|less)\s+than|minimum\s+of|exactly|only)\s*(?:\d{1,2}|one|two|three|four|five)"
    r"|(?P<bare>(?<![\w.-])(?:[2-9]|1\d|two|three|four|five))(?=\s+\w+s\b)|(?:\d{1,2}|two|three|four|five)(?:\s*\+|\s+or\s+more))\s+)"
    r"(?P<noun>exacerbations?|flares?|relapses?|attacks?|crises|recurrences?)(?!\w)",
    re.IGNORECASE,
)
"""What comes again, of the disease before it: "COPD with at least 2 exacerbations", "COPD, 2 exacerbations"."""
_FLARED = re.compile(
    r"(?:(?<=with\s)|(?<=for\s)|(?<=has\s)|(?<=have\s)|(?<=had\s)|(?<=having\s)|(?<=and\s)|(?<=,\s)|(?<=no\s))"
    r"(?P<how>(?:(?:frequent|multiple|repeated|several)\s+)*)(?:an?\s+)?(?P<noun>(?:acute\s+)?(?:exacerbations?|flares?(?:[\s-]ups?)?|relapses?|crisis|crises))(?!\w)",
    re.IGNORECASE,
)
"""The same without a number: "severe COPD with frequent exacerbations"."""
_AT_MOST = re.compile(r"[<≤]|at\s+most|no\s|fewer|less|exactly|only", re.IGNORECASE)
_DENIED_LIST = re.compile(
    r"(?P<sign>(?<!\w)(?:den(?:ies|ied|ying)|no|without|but\s+no)\s+(?:an?\s+|any\s+|active\s+)?)"
    r"(?P<first>[^\W\d_]{3,})(?P<more>(?:(?:\s*[,/]\s*|\s+n?or\s+)[^\W\d_]{3,})*)\s*[.?!]?\s*$",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    r"(?<![\w'-])(?P<head>[^\W\d_][\w'-]*)(?:\s*,\s*|\s+)(?P<one>[^\W\d_]{3,})\s+or\s+(?P<last>[^\W\d_]{3,})\s*(?=[.?!]?\s*$)"
)
"""Kinds behind a name: "encephalopathy, metabolic or toxic"."""
_ONE_OR = re.compile(r"\s+(?P<one>[^\W\d_][\w\s-]*?)\s+(?P<or>or)\s+", re.IGNORECASE)
_OR_AT = re.compile(r"(?<!\w)or(?!\w)", re.IGNORECASE)
_FRACTION = re.compile(r"\d\d\s*/\s*\d\d")
"""No grades: "VA 20/40"."""
_LONG_WORD = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
_LINKING = re.compile(r"\b(?:but|and|with|without|now|currently|who|patients?|he|she|they)\b", re.IGNORECASE)
_ADJECTIVE = re.compile(r"(?:ic|al|ar|ous|ive|ed|ary|oid|ile)$", re.IGNORECASE)
_BARE = re.compile(
    r"(?P<sign>(?:(?:but|and)\s+)?(?:not|without|excluding|except)\s+(?:an?\s+|the\s+)?)?(?P<word>[^\W\d_][\w-]{2,})\s*[.?!]?\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"(?:\s+(?:on|of|in|the|left|right|both|bilateral|sided?|upper|lower))*")
"""Words about a name that may stand behind it."""
_ENDS_IN_SIGN = re.compile(r"(?:\b(?:not|without|excluding|except|but)|-)\s*$", re.IGNORECASE)
_PLACED = re.compile(r"(?P<head>.+\s(?:in|on|around|of|to)\s+(?:(?:the|his|her|their)\s+)?)[^\W\d_]+$", re.IGNORECASE)
_OTHER_PLACE = re.compile(
    r"\s*(?:,\s*)?(?:or|and|and/or|/)\s+(?:(?:in|on|around|of|to)\s+)?(?:(?:the|his|her|their)\s+)?(?P<place>[^\W\d_]{3,})(?!\w)",
    re.IGNORECASE,
)


_SIGN = re.compile(r"(?<!\w)(?:and|or|with|but|without|plus)(?!\w)|[,;.:&+]", re.IGNORECASE)
"""Behind it stands what is graded: "gout and CKD stage 3 or 4"."""
_LAST_WORD = re.compile(r"(?<![\w-])[^\W\d_]+\s+$")
_SAID_OF_ALL = frozenset(("recent", "new", "suspected", "symptomatic"))
"""Beside `Wording.sides`: before alternatives they are said of each."""
_VS = re.compile(r"(?<!\w)(?:vs\.?|versus|v)(?!\w)", re.IGNORECASE)
_VERSUS = re.compile(r"\s+(?P<sign>(?:vs\.?|versus|v))\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?P<comma>,)?\s*(?P<or>or)?\s*", re.IGNORECASE)


def share(s: Stretch) -> None:
    """Alternatives given all of their words where the lexicon names each, and an adjective its head."""
    s.shadow = s.shadow.written(_SUM_UPWARDS, lambda m: str(int(m["one"]) + int(m["other"])))
    for pattern in (_UPWARDS, _FROM_ON, _ROMAN_UPWARDS):
        s.shadow = s.shadow.written(pattern, lambda m: _to_the_last(s, m))
    _apart(s)
    s.shadow = s.shadow.written(_RANGE, lambda m: _each_grade(s, m))
    s.shadow = s.shadow.written(_ROMAN_RANGE, lambda m: _each_roman(s, m))
    s.shadow = s.shadow.written(_LETTER_RANGE, lambda m: _each_letter(s, m))
    s.shadow = s.shadow.written(_EXCLUSIVE, lambda m: f"{m['of']}{m['list']} or {m['last']}")
    s.shadow = s.shadow.written(_CONTRASTED, lambda m: _contrasted(s, m))
    s.shadow = s.shadow.written(_KINDS, lambda m: _together(s, m, _each_kind(s, m)))
    s.shadow = s.shadow.written(_GRADES, lambda m: _together(s, m, _each_named(s, m)))
    _of_diseases(s)
    _said_of_both(s)
    _other_places(s)
    called_otherwise(s)
    _compared_treatments(s)
    _described_alike(s)
    s.shadow = s.shadow.written(_APPOSED, lambda m: _either_kind(s, m))
    s.shadow = _headed(s, _kinds_denied(s, s.shadow))


def _compared_treatments(s: Stretch) -> None:
    """ "Apixaban vs warfarin in AF": who has either; of diseases it is a doubt."""
    kinds, text = s.known.lexicon.concepts, s.shadow.text
    done = sorted(
        (m for m in s.mentions() if kinds[m.concept].kind in ("drug", "procedure", "device")), key=lambda m: m.begin
    )
    signs = [sign for one, other in pairwise(done) if (sign := _VERSUS.fullmatch(text, one.end, other.begin))]
    places = {sign.start("sign") for sign in signs}
    s.shadow = s.shadow.written(_VS, lambda m: "or" if m.start() in places else m[0])


def _described_alike(s: Stretch) -> None:
    """Signs between names that one adjective before the first is said of: "recent MI, stroke or TIA"."""
    text = s.shadow.text
    named = sorted((m for m in s.mentions() if len(m.parts) == 1), key=lambda m: m.begin)
    for n, first in enumerate(named):
        before = _LAST_WORD.search(text, 0, first.begin)
        if before is None or before[0].strip().lower() not in _SAID_OF_ALL | s.table.sides:
            continue
        signs = []
        for one, other in pairwise(named[n:]):
            sign = _BETWEEN.fullmatch(text, one.end, other.begin)
            if sign is None:
                break
            signs += [s.shadow.span(*sign.span(g)) for g in ("comma", "or") if sign[g]]
            if sign["or"]:
                s.alike.update(signs)
                break


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


def grades(s: Stretch) -> None:
    """Those that are left: words, each with the word that says what is graded."""
    for found in list(_SUM.finditer(s.shadow.text)):
        s.parts.append(Part(Phrase(found[0]), *s.shadow.span(*found.span())))
        s.shadow = s.shadow.blank(*found.span())
    for found in list(_GRADES.finditer(s.shadow.text)):
        if not _is_graded(s, found) or _UNIT.match(s.shadow.text, found.end()) or _FRACTION.search(found[0]):
            continue
        _either(s, found, [f"{found['head']} {grade}" for grade in _listed(found)])
    for found in list(_ORDINALS.finditer(s.shadow.text)):
        _either(s, found, [f"{found[n]} {found['of']}" for n in ("one", "last")])
    for found in reversed(list(_SEVERITIES.finditer(s.shadow.text))):
        _severities(s, found)
    for found in [*_LEVELS.finditer(s.shadow.text), *_EITHER.finditer(s.shadow.text)]:
        both = [found["one"], found["last"]]
        if PAIR.issuperset(map(str.lower, both)):
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
        if not _DENIED.search(before):
            s.parts.append(Part(node, *s.shadow.span(*found.span())))
        else:
            s.reading.aside.append(s.shadow.span(*found.span("all")))
        s.shadow = s.shadow.blank(*found.span("all"))


def _are_places(s: Stretch, found: re.Match[str], both: Sequence[str]) -> bool:
    """Whether they are parts of the body that no name has: "periprosthetic fracture hip or knee"."""
    if not all(map(s.known.is_anatomy, both)):
        return False
    named = [p for m in s.mentions() for p in m.parts if s.known.lexicon.concepts[m.concept].kind != "anatomy"]
    return not any(b < found.end() and found.start() < e for b, e in named)


def _severities(s: Stretch, found: re.Match[str]) -> None:
    """Either of both severities, and what lies between; behind a denial the last alone, as in "no severe stenosis"."""
    if any(b < found.end() and found.start() < e for m in s.mentions() for b, e in m.parts):
        return
    first, last = (_SEVERITY.index(found[n].lower()) for n in ("one", "last"))
    if _DENIED.search(s.shadow.text, 0, found.start()):
        s.shadow = s.shadow.rewritten(*found.span(), _SEVERITY[last])
    elif first < last:
        _either(s, found, _SEVERITY[first : last + 1])


def _either(s: Stretch, found: re.Match[str], words: Sequence[str]) -> None:
    """Any of ``words``, or none where they are denied; a denial of more than them is left to decide."""
    before = s.shadow.text[: found.start()]
    at_once = _DENIED_AT_ONCE.search(before)
    if not at_once and _DENIED.search(before):
        return
    node = any_of(as_grades_are_written(w.lower()) or Words(w.lower()) for w in words)
    begin = at_once.start() if at_once else found.start()
    s.parts.append(Part(not_(node) if at_once else node, *s.shadow.span(begin, found.end())))
    s.shadow = s.shadow.blank(begin, found.end())


def _listed(found: re.Match[str]) -> list[str]:
    return [found["one"], *(g.strip() for g in found["more"].split(",") if g.strip()), found["last"]]


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
    head = " ".join(found.string[: found.start("one")].split()[-_LONGEST:])
    known = first.lower() < last.lower() and all(_ends_name(s, f"{head} {one}") for one in (first, last))
    return f"{found['head']} {first} or {last}" if known else found[0]


def _ends_name(s: Stretch, text: str) -> bool:
    """Whether a name of several words ends there."""
    return any(m.end == len(text) for m in s.known.matcher.mentions(text, 0, len(text), asked=True))


def _together(s: Stretch, found: re.Match[str], whole: str) -> str:
    """``whole``, whose alternatives are one item of whatever stands around them: "NYHA III or IV heart failure"."""
    if whole != found[0]:
        s.alike.add(s.shadow.span(*found.span()))
    return whole


def _is_name(s: Stretch, text: str) -> bool:
    """Whether it is a name as a whole, in whatever order: "CKD stage 3"."""
    if s.known.lexicon.find(text):
        return True
    return any((m.begin, m.end) == (0, len(text)) for m in s.known.matcher.mentions(text, 0, len(text), asked=True))


def _each_named(s: Stretch, found: re.Match[str]) -> str:
    """ "Hepatitis b or c" with both names in full; "type 1 or 2 diabetes" likewise."""
    text, listed = found.string, _listed(found)
    signs = [sign.end() for sign in _SIGN.finditer(text, 0, found.start("one"))]
    before = text[max(signs, default=0) : found.start("one")].split()[-_LONGEST:]
    after = text[found.end() :].split()[:_LONGEST]
    for n in range(len(before)):
        head = " ".join(before[n:])
        if all(s.known.lexicon.find(f"{head} {one}") for one in listed):
            return f"{found['head']} " + " or ".join([listed[0], *(f"{head} {one}" for one in listed[1:])])
        if (of := " ".join(before[n:-1])) and all(_is_name(s, f"{found['head']} {one} {of}") for one in listed):
            return " or ".join([f"{found['head']} {listed[0]}", *(f"{found['head']} {one} {of}" for one in listed[1:])])
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(s.known.lexicon.find(f"{found['head']} {one} {tail}") for one in listed):
            return " or ".join(
                [*(f"{found['head']} {one} {tail}" for one in listed[:-1]), f"{found['head']} {listed[-1]}"]
            )
    return found[0]


def _each_kind(s: Stretch, found: re.Match[str]) -> str:
    """ "Acute or chronic pancreatitis" with both names in full, where the lexicon has the two."""
    after = re.findall(r"[\w'-]+", found.string[found.end() :])[:_LONGEST]
    if found["one"].lower() not in s.table.sides:
        return found[0]
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(s.known.lexicon.find(f"{found[k]} {tail}") for k in ("one", "last")):
            return f"{found['one']} {tail} or {found['last']}"
    return found[0]


def _contrasted(s: Stretch, found: re.Match[str]) -> str:
    """ "Ischemic not hemorrhagic stroke" with both names in full."""
    after = re.findall(r"[\w'-]+", found.string[found.end() :])[:_LONGEST]
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(_is_name(s, f"{found[k]} {tail}") for k in ("one", "last")):
            return f"{found['one']} {tail} not {found['last']}"
    return found[0]


def _either_kind(s: Stretch, found: re.Match[str]) -> str:
    kinds = [f"{found[k]} {found['head']}" for k in ("one", "last")]
    alone = any(s.known.lexicon.find(found[k]) for k in ("one", "last"))
    return " or ".join(kinds) if not alone and all(map(s.known.lexicon.find, kinds)) else found[0]


def _said_of_both(s: Stretch) -> None:
    """ "Old MI or CVA" as "old MI or old CVA", where the second would take its first word across the other."""
    text = s.shadow.text
    whole = {m.parts[0] for m in s.mentions() if len(m.parts) == 1}
    for mention in s.mentions():
        (begin, end), (second, _), *more = (*mention.parts, (0, 0))
        between = _ONE_OR.fullmatch(text, end, second) if len(more) == 1 else None
        if between and between.span("one") in whole:
            at, how = between.start("or"), text[begin:end]

            def make(found: re.Match[str], at: int = at, how: str = how) -> str:
                return f"{found[0]} {how}" if found.start() == at else found[0]

            s.shadow = s.shadow.written(_OR_AT, make)
            return


def _other_places(s: Stretch) -> None:
    """ "Clot in the lung or leg" with both names in full, where they are names as they stand and no shorter one is."""
    found = next((other for m in s.mentions() if (other := _other_place(s, m))), None)
    if found:
        begin, place, whole = found
        pattern = re.compile(rf"(?<!\w){re.escape(place)}(?!\w)")
        s.shadow = s.shadow.written(pattern, lambda m: whole if m.start() == begin else m[0])


def _other_place(s: Stretch, mention: Mention) -> tuple[int, str, str] | None:
    """Where the second place of a name begins, what it is, and the name with it."""
    text = s.shadow.text
    head = _PLACED.fullmatch(text[mention.begin : mention.end])
    other = _OTHER_PLACE.match(text, mention.end)
    if not head or not other or not s.is_part(other["place"]):
        return None
    named = [p for m in s.mentions() if s.known.lexicon.concepts[m.concept].kind != "anatomy" for p in m.parts]
    if any(b <= other.start("place") < e for b, e in named):
        return None  # "Fracture of hip or wrist" is read as two as it stands.
    whole = f"{head['head']}{other['place']}"
    known = any((m.begin, m.end) == (0, len(whole)) for m in s.known.matcher.mentions(whole, 0, len(whole)))
    return (other.start("place"), other["place"], whole) if known else None


def _of_diseases(s: Stretch) -> None:
    for found in reversed(list(_REPEATED.finditer(s.shadow.text))):
        before = found.string[: found.start()]
        # "Asthma 3 exacerbations" is one name as it stands, in two parts.
        named = sorted((m.parts[0] for m in s.mentions() if m.parts[0][1] <= found.start()), key=lambda p: -p[1])
        each = (f"{before[slice(*part)]} {found['noun']}" for part in named)  # "asthma, eos > 300, 2 exacerbations"
        whole = next((name for name in each if _is_name(s, name)), None)
        if whole is None:
            continue
        s.shadow = s.shadow.rewritten(*found.span("noun"), whole)
        if found["bare"]:
            s.shadow = s.shadow.rewritten(*found.span("bare"), f"at least {found['bare']}")
        elif _AT_MOST.match(found["many"]) and before.endswith(" "):
            s.shadow = s.shadow.with_mark(found.start() - 1, ",")  # who had at most so many may have had none
    for found in reversed(list(_FLARED.finditer(s.shadow.text))):
        if any(b <= found.start("noun") < e for m in s.mentions() for b, e in m.parts):
            continue
        named = sorted((m.parts[0] for m in s.mentions() if m.parts[0][1] <= found.start()), key=lambda p: -p[1])
        each = (f"{found.string[slice(*part)]} {found['noun'].split()[-1]}" for part in named)
        if whole := next((name for name in each if _is_name(s, name)), None):
            s.shadow = s.shadow.rewritten(*found.span("noun"), whole)
            if found["how"]:
                s.leave_aside(*found.span("how"), 'how often is not told by a word; "at least 2" counts notes', "time")


def _kinds_denied(s: Stretch, shadow: Shadow) -> Shadow:
    """What is denied of a name by the one word that makes a narrower one of it: "suicidal ideation but denies plan"."""
    found = _DENIED_LIST.search(shadow.text)
    if not found:
        return shadow
    before = shadow.text[: found.start()]
    named = max(s.known.matcher.mentions(before, 0, len(before)), key=lambda m: m.end, default=None)
    if named is None or re.search(r"[^\W\d_]{4,}", _LINKING.sub(" ", before[named.end :])):
        return shadow
    head = before[named.begin : named.end].split()[0]
    below = s.known.lexicon.descendants(named.concept)

    def make(one: re.Match[str]) -> str:
        narrower = None if s.known.lexicon.find(one[0]) else s.known.lexicon.find(f"{head} {one[0]}")
        return f"{head} {one[0]}" if narrower and narrower.id in below else one[0]

    return shadow.written(_LONG_WORD, lambda m: make(m) if m.start() >= found.start("first") else m[0])


def _headed(s: Stretch, shadow: Shadow) -> Shadow:
    """An adjective that is left alone behind a sign given the head of the name before it: "stroke, not hemorrhagic"."""
    found = _BARE.search(shadow.text)
    if not found:
        return shadow
    begin = shadow.span(*found.span("word"))[0]
    apart = not shadow.text[: found.start("word")].strip()
    if not (found["sign"] or (apart and _ENDS_IN_SIGN.search(s.line[:begin]))):
        return shadow
    word = found["word"]
    concept = s.known.lexicon.find(word)
    if concept is not None and concept.kind != "anatomy" and not _ADJECTIVE.search(word):
        return shadow
    before = _ENDS_IN_SIGN.sub("", shadow.text[: found.start()]) or _ENDS_IN_SIGN.sub("", s.line[:begin])
    head = _head(s, before.rstrip(" ,;("), word)
    if not head:
        return shadow
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?=\s*[.?!]?\s*$)")
    return shadow.written(pattern, lambda m: f"{m[0]} {head}")


def _head(s: Stretch, before: str, word: str) -> str:
    """The last word of the name that ``before`` ends with, or that words about it follow, where ``word`` is one of its
    kinds: "hernia left side, not recurrent"; else empty."""
    named = [
        m
        for m in s.known.matcher.mentions(before, 0, len(before))
        if s.known.lexicon.concepts[m.concept].kind != "anatomy"
    ]
    if not named:
        return ""
    last = max(named, key=lambda m: m.end)
    if not _ABOUT.fullmatch(before, last.end):
        return ""
    head = re.search(r"[^\W\d_][\w'-]*$", before[: last.end])
    found = s.known.lexicon.find(f"{american(word.lower())} {american(head[0].lower())}") if head else None
    return head[0] if head and found and found.kind != "anatomy" else ""
