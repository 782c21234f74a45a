"""What is typed around a name and asks for nothing that notes tell: "mean age", "dementia unspecified", "long term
steroids". It is left aside, which is told, with the way back where there is one."""

from __future__ import annotations

import re

from search_stack.language.assertion import matches
from search_stack.language.sections import aspect_of
from search_stack.query.plain.bracketed import kind_named
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.denied import is_shut
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_UNSPECIFIED = re.compile(
    r"[\s,]*\(?(?<!\w)(?P<what>unspecified|not\s+otherwise\s+specified|nos)\)?(?:" + ENDS + r"|(?=\s+(?:or|in|on)\s))",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(
    r"(?<![\w-])(?P<how>(?:(?:long[\s-]?term|life[\s-]?long|indefinite|chronic|regular)(?P<use>\s+(?:use|treatment|therapy)\s+(?:of|with))?|stable(?:\s+dos(?:e|es|age)\s+of)?)"
    r"\s+)(?:(?:systemic|oral|inhaled|daily|low[\s-]dose|high[\s-]dose)\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
_HOW_LONG_BEHIND = re.compile(
    r"\s+(?P<what>long[\s-]?term|life[\s-]?long|regularly|chronically)(?:" + ENDS + r"|(?=\s+(?:or|for)\s))",
    re.IGNORECASE,
)
_OF_COHORT = re.compile(r"(?<!\w)(?:mean|median|average|avg\.?)\s+(?=ages?(?!\w))", re.IGNORECASE)
_INCLUDING = re.compile(
    r"[\s,]*\(?(?<!\w)(?:including|incl\.?|inc\.)\s+(?P<kind>[^\W\d_][\w\s-]{1,40}?)\)?(?=\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
_HEAD = re.compile(r"^\s*(?P<head>[A-Z]{3,12}|[Qq]uery|[Ss]earch|[Qq]uestion|[Rr]equest)\s*:\s+(?=\S)")
_OF_TESTS = re.compile(
    r"^\s*(?P<head>labs?|bloods?|blood\s+tests?|biochem(?:istry)?|haematology|hematology|obs|observations|vitals?)\s*[:–—-]\s+(?=\w)",
    re.IGNORECASE,
)
"""What heads tests and their values, wherever in a note these stand: "bloods: Na < 120"."""
_COMPARES = re.compile(r"[<>≤≥=]\s*\d")
_STATEMENT = re.compile(r"[^.;)]*")
"""Who is left out with less said would be more."""
_QUERY = "query"
"""Before a colon it is no doubt."""
_STAYS = re.compile(
    r"^\s*(?:(?:all|any|the|inpatient|hospital)\s+)*(?:admissions|hospitali[sz]ations|presentations|attendances|episodes|encounters|stays|(?:all[\s-]?)?comers)"
    r"(?=\s+(?:with|of|since|after|before|between|in|during|from|due|under|where|who|for)(?!\w))",
    re.IGNORECASE,
)
_RECENT = re.compile(
    r"(?<!\bmost\s)(?<!\bmore\s)(?<![\w-])recent(?P<ago>\s*\(\s*(?:<|≤|within|in|under|less\s+than|last|past|previous|the|\s)*(?P<many>\d{1,3}\s?(?:days?|weeks?|months?|years?))\s*\))?\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_BY_RULES = re.compile(
    r"(?<!\w)(?:(?:as\s+)?(?:defined|assessed|determined|measured|evaluated|judged|confirmed)\s+(?:by|per|according\s+to)|per|according\s+to|based\s+on|by)\s+(?:the\s+)?"
    r"(?:RECIST|DSM|CTCAE|ACR|EULAR|KDIGO|Rome|McDonald|Lugano|IMWG|RANO|NIA-AA|ADA|GOLD|GINA|WHO|ESC|AHA|Duke|Rotterdam|Sepsis-3)(?:\s?[-/]\s?\w+)*"
    r"(?:\s*(?:v(?:ersion)?\s?|-)?(?:\d+(?:\.\d+)*|[IVX]+)(?:-\w+)?)?(?:\s+(?:criteria|guidelines?|definitions?|classification))?(?!\w)",
    re.IGNORECASE,
)
"""By which rules it is what it is called: "measurable disease per RECIST 1.1"."""
_FIRST_SEEN = re.compile(
    r"(?<![\w-])(?:(?:first|initial|new)\s+presentations?(?:\s+(?:of|with))?|presenting\s+for\s+the\s+first\s+time(?:\s+with)?)(?!\w)",
    re.IGNORECASE,
)
_ON_CHRONIC = re.compile(r"(?<!\w)acute\s+on\s+(?=chronic\s)", re.IGNORECASE)


def qualified(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without such words."""
    shadow = _heads(s, shadow)
    for found in reversed(list(_OF_COHORT.finditer(shadow.text))):
        shadow = _left(s, shadow, *found.span(), "an age is the patient's own at the note")
    for found in reversed(list(_UNSPECIFIED.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start()):
            shadow = _left(s, shadow, *found.span("what"), "notes seldom write it, and every kind counts")
    for found in reversed(list(_BY_RULES.finditer(shadow.text))):
        shadow = _left(s, shadow, *found.span(), "notes seldom tell by which rules")
    for found in reversed(list(_FIRST_SEEN.finditer(shadow.text))):
        shadow = _left(s, shadow, *found.span(), 'the first that is told of is asked for as in "first stroke"')
    shadow = _recent(s, shadow)
    for found in reversed(list(_INCLUDING.finditer(shadow.text))):
        if _is_kind(s, shadow.text, found):
            shadow = _left(s, shadow, *found.span(), "kinds of a name count with it")
    return _on_chronic(s, _lasting(s, shadow))


def _heads(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without what heads the line and names nothing: "NICE: head injury", "admissions with DKA"."""
    if s.line[: shadow.begins[0]].strip():
        return shadow
    if stays := _STAYS.match(shadow.text):
        return s.left_aside(shadow, *stays.span())
    tests = _OF_TESTS.match(shadow.text)
    if tests and (_COMPARES.search(shadow.text, tests.end()) or _names(s, shadow.text, tests.end())):
        why = "a test counts wherever it stands"
        return _left(s, shadow.blank(tests.end("head"), tests.end()), *tests.span("head"), why, " section:laboratory")
    found = _HEAD.match(shadow.text)
    if found is None or s.table.headed.match(shadow.text) or found["head"].lower() in s.table.graded:
        return shadow
    head = found["head"].lower()
    means = s.known.named(found["head"], 0, len(head)) or matches((head,), asked=True)
    short = (
        head in s.known.abbreviations.folded or s.table.abbreviates(found["head"], s.line) or head in s.table.shortened
    )
    if (head != _QUERY and (means or short)) or aspect_of(head) != head or not _names(s, shadow.text, found.end()):
        return shadow
    begin, end = found.span("head")
    return _left(s, shadow.blank(end, found.end()), begin, end, "what heads a line and names nothing asks for nothing")


def _recent(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Recent MI" without the word, which notes hardly say beside what is new, or in the time that is said of it."""
    for found in reversed(list(_RECENT.finditer(shadow.text))):
        text = shadow.text
        named = s.known.named(text)
        there = [m for m in named if m.begin == found.end()]
        if not there or any(b < found.end() and found.start() < e for m in named for b, e in m.parts):
            continue  # "recent travel" is a name
        if found["ago"]:
            shadow = _in_the_last(s, shadow, found, there[0].end)
        elif not (s.excluded or is_shut(text, found.start())):
            begin, end = found.start(), found.end() - 1
            way = f"{s.instead(*shadow.span(begin, end), '')} in the last 3 months"
            why = 'how lately is asked as in "in the last 3 months"'
            shadow = s.left_aside(shadow, begin, begin + len("recent"), why, "time", " ".join(way.split()))
    return shadow


def _in_the_last(s: Stretch, shadow: Shadow, found: re.Match[str], named: int) -> Shadow:
    """``shadow`` with the time of "recent (<3 months)" behind the statement that it opens."""
    text = shadow.text
    ends = _STATEMENT.match(text, named)
    last = text[: ends.end() if ends else len(text)].rstrip()
    word = len(last) - len(last.split()[-1])
    shadow = shadow.rewritten(word, len(last), f"{last[word:]} in the last {found['many']}")
    return s.left_aside(shadow, *found.span())


def _names(s: Stretch, text: str, begin: int) -> bool:
    return bool(s.known.named(text, begin))


def _lasting(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without how long a drug is taken, before or behind it: that it is taken is asked."""
    if not (_HOW_LONG.search(shadow.text) or _HOW_LONG_BEHIND.search(shadow.text)):
        return shadow
    text = shadow.text
    named = s.known.named(text)
    drugs = [m for m in named if s.known.is_of(m, "drug")]
    places = [f.span("how") for f in _HOW_LONG.finditer(text) if any(m.begin == f.end() for m in drugs)]
    places += [f.span("what") for f in _HOW_LONG_BEHIND.finditer(text) if any(m.end == f.start() for m in drugs)]
    for begin, end in sorted(places, reverse=True):
        if any(b < end and begin < e for m in named for b, e in m.parts):
            continue  # "long term insulin use" is a name
        how = " ".join(
            text[begin:end].lower().split()[: 1 + text[begin:end].lower().startswith(("long term", "life long"))]
        )
        shadow = _left(s, shadow, begin, end, "notes seldom tell it beside the drug", f' words:"{how}"')
    return shadow


def _on_chronic(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Acute on chronic X", where that has no name as it is typed, by its name or as both."""
    for found in reversed(list(_ON_CHRONIC.finditer(shadow.text))):
        text = shadow.text
        named = s.known.named(text, found.start())
        chronic = max((m for m in named if m.begin == found.end()), key=lambda m: m.end, default=None)
        if chronic is None or any(m.begin == found.start() and m.end >= chronic.end for m in named):
            continue
        name = s.known.name_of(chronic.concept)
        acute = f"acute{name.removeprefix('chronic')}"
        if s.known.lexicon.find(f"acute on {name}"):
            shadow = shadow.rewritten(found.start(), chronic.end, f"acute on {name}")
        elif name.startswith("chronic ") and s.known.lexicon.find(acute):
            shadow = shadow.rewritten(found.start(), chronic.end, f"{acute} and {name}")
    return shadow


def _is_kind(s: Stretch, text: str, found: re.Match[str]) -> bool:
    """Whether what is included is a kind of the name before it."""
    before = s.known.ending(text, found.start())
    heads = ((m.concept, head) for m in before for head in (text[m.begin : m.end], s.known.name_of(m.concept)))
    return any(kind_named(s.known, found["kind"], head, concept) for concept, head in heads)


def _left(s: Stretch, shadow: Shadow, begin: int, end: int, why: str, instead: str = "") -> Shadow:
    at, behind = shadow.span(begin, end)
    line = s.instead(at, behind, "") + instead if instead else ""
    return s.left_aside(shadow, begin, end, why, line=" ".join(line.split()))
