"""How many times something is told: "at least twice", "3 falls in the last year", "no more than 2 strokes"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Literal

from search_stack.language.amounts import is_valued
from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.mention import Mention
from search_stack.query.dates import times
from search_stack.query.items import Notice, Timing
from search_stack.query.nodes import AtLeast, Finding, Node
from search_stack.query.number_words import ONE_TO_TEN, ONE_TO_THREE, TWO_TO_FIVE, TWO_TO_TEN, TWO_TO_TWELVE
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.cutting import count, free, named, parted, take
from search_stack.query.plain.lasting import SPAN_OF
from search_stack.query.plain.stretch import HABITS, Stretch
from search_stack.query.tree import all_of, not_

_TIMES = r"(?:times?|(?:(?:separate|different)\s+)?occasions?|episodes?|occurrences?|mentions?|instances?"
_TIMES += r"|(?:hospital\s+)?admissions?|hospitali[sz]ations?|presentations?|attendances?)"
_NOTES = r"(?:(?:different|separate|distinct)\s+)?(?:notes?|reports?|documents?|records?|letters?)"
_DAYS = r"(?:(?:different|separate|distinct)\s+)?(?:days|dates)"
_MANY = rf"(?P<many>\d{{1,3}}(?!\d)|{ONE_TO_TEN})"
_IN_SPAN = (
    r"(?=\s+(?:in|within|over|during|per)\s+(?:(?:an?|one|any|(?:the\s+)?(?:last|past|previous))\s+)?"
    rf"(?:\d{{1,2}}|{TWO_TO_TWELVE})?[\s-]?(?:day|week|month|year)s?(?!\w))"
)
"""How often without a word for it: "falls, at least 2 in 12 months"."""
_TOLD_OF = r"(?:(?:documented|confirmed|recorded|reported|known|previous|prior|separate|recent|further|hospital)\s+)*"
_OFTEN_AFTER = re.compile(
    rf"""(?<![\w-])(?:(?:in|on)\s+)?(?:
      (?P<least>at\s+least|no\s+fewer\s+than|not\s+less\s+than|minimum\s+of|≥|>=)\s*(?:(?P<word>twice)|{_MANY}\s*(?:{_TIMES}|(?P<notes>{_NOTES})|(?P<days>{_DAYS})|x|{_IN_SPAN}))
    | (?P<twice>twice)\s+or\s+more(?:\s+often)?
    | {_MANY.replace("?P<many>", "?P<many2>")}\s+or\s+more\s+(?:{_TIMES}|(?P<notes2>{_NOTES})|(?P<days2>{_DAYS}))
    | (?P<alone>{_MANY.replace("?P<many>", "?P<many4>")}\s+or\s+more)(?=\s*(?:$|[,;.)]))
    | (?P<signed>(?:>=|≥|(?P<above>>))\s*{_MANY.replace("?P<many>", "?P<many5>")})
      (?:{ENDS}|(?=\s+on\s)|{_IN_SPAN})
    | {_MANY.replace("?P<many>", "?P<many3>")}(?:\s+or\s+more|\s?\+)?{_IN_SPAN}
    | (?P<bare>twice|(?:{TWO_TO_FIVE}|\d{{1,2}})\s+(?:times|(?:separate\s+|different\s+)?(?:episodes|occasions))
      |(?P<inside>(?<=in\s)(?:{TWO_TO_FIVE}|\d{{1,2}})\s+{_NOTES})|(?P<dated>(?<=on\s)(?:{TWO_TO_FIVE}|\d{{1,2}})\s+(?:different|separate|distinct)\s+days)
      |[x×]\s?[2-9](?![\w/]|\s?(?:d|h|w|days?|weeks?|wks?|months?|mths?|years?|yrs?|hours?|hrs?|doses?|[/\d])))
      (?!\s+(?:an?|per|daily|weekly|monthly|the|as|each|every|normal|upper|more|less)\b)
    | (?P<once>more\s+than\s+once|repeatedly|on\s+repeated\s+occasions)
    )(?!\s+(?:of|with|mentioning|showing|documenting)\b)(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_OFTEN_BEFORE = re.compile(
    rf"""(?<![\w-])(?<!\bage\s)(?<!\baged\s)(?:(?:with|having|in|on)\s+)?(?:
      (?P<over>(?<!no\s)(?<!not\s)more\s+than\s|>(?!=))\s*(?P<many3>\d{{1,3}}(?!\d)|{ONE_TO_THREE})
    | (?:at\s+least|no\s+fewer\s+than|minimum\s+of|≥|>=)\s*{_MANY}(?:\s+or\s+more)?
    | {_MANY.replace("?P<many>", "?P<many2>")}(?:\s*\+(?!\s?\d)|\s+or\s+more)
    )\s*(?:(?:{_TOLD_OF}{_TIMES}|(?P<notes>{_NOTES})|(?P<days>{_DAYS}))\s+(?:of|with|for|mentioning|showing|documenting|saying)\s+)?(?:an?\s+)?(?=\w)
      (?!(?:weeks?|months?|years?|hours?|yrs?|y|yo|hrs?|h|min(?:ute)?s?|mg|mm|cm|ml|kg|%|units?|msecs?|ms|bpm|mmhg|{_TIMES}|of|notes?|reports?|days?
      |if|in|on|for|with|without|who|but|and|or|at|after|before|to)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_TELLING = re.compile(r"\s+(?:(?:mentioned|documented|recorded|noted|reported|in)\s+)*", re.IGNORECASE)
_ON_DAYS = re.compile(r"^\s*on\b|\b(?:different|separate|distinct)\b", re.IGNORECASE)
"""Days on which something is told; else they are how long it lasts: "antibiotics for at least 14 days"."""
_AT_MOST = re.compile(
    rf"""(?<![\w-])(?<!\bage\s)(?<!\baged\s)(?:with\s+)?(?:(?P<most>at\s+most|(?:no|not)\s+more\s+than|(?:a\s+)?maximum\s+of|<=|≤)|(?P<below>fewer\s+than|less\s+than|<(?!=))
      |(?P<exact>exactly|only|just))\s*{_MANY}\s+(?:(?P<of>(?:episodes?|bouts|attacks)\s+of\s+)|(?:previous|prior)\s+)*(?=[^\W\d_])""",
    re.VERBOSE | re.IGNORECASE,
)
"""How many times at most, or so many and no more."""
_FEW = re.compile(
    r"(?:^\s*|[,;(]\s*|(?P<behind>(?<=[^\W\d_])\s+)|(?<!\w)(?:with|had|has|have|having|and|or|who|after|previous|prior|recurrent|admitted|hospitali[sz]ed|seen|treated|attended)\s+)"
    rf"(?P<many>[2-9]|1\d|{TWO_TO_TEN})\s+(?:(?:separate|previous|prior|recent)\s+)*(?P<of>(?:documented\s+|confirmed\s+)?(?:episodes|bouts|attacks)\s+of\s+|times\s+(?:for|with)\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""How many times somebody had what is named in the plural: "2 falls in the last year"."""
_SEVERAL = re.compile(
    r"(?<![\w-])(?<!how\s)(?<!so\s)(?<!too\s)(?<!as\s)(?P<many>several|many|numerous)\s+(?=(?:(?:previous|prior|recent|separate|documented)\s+)*[^\W\d_])",
    re.IGNORECASE,
)
"""More than one of what happens: "several falls"."""
_NTH = re.compile(
    r"(?<![\w-])(?P<nth>second|third|fourth|2nd|3rd|4th)\s+(?:(?:documented|confirmed|separate)\s+)?(?P<of>(?:episode|bout|attack|occurrence)\s+of\s+)?(?:an?\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Which of them it is, so that there are so many: "second stroke"; not "second rib fracture"."""
_ORDER = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_WAS = re.compile(r"\b(?:previous|prior)\b", re.IGNORECASE)
_EACH = re.compile(r"\s*(?:/|\b(?:an?|per|each|every|daily|weekly|monthly)\b)", re.IGNORECASE)
"""Behind it, how often something comes: "6 beers a day"."""
_RESULT_BEFORE = re.compile(r"\b(?:neg(?:ative)?|pos(?:itive)?|normal)\s*$", re.IGNORECASE)
_RESULT_NEXT = re.compile(r"\s*(?:neg(?:ative)?|pos(?:itive)?|normal)(?!\w)", re.IGNORECASE)
_FIRST = re.compile(r"[2-9]|\d\d|[a-wyz]+", re.IGNORECASE)
_RECURRENT = "recurrent "
_HAPPENS = frozenset(("disorder", "symptom", "finding"))
"""Not what is done: "CABG x4" are four grafts."""
_SHORT_PLURAL = re.compile(r"[A-Z]{2,}s")
_FRACTURE = "fracture"
_GROWN = 18
_TIME = re.compile(_TIMES, re.IGNORECASE)


def counted(s: Stretch) -> None:
    """Before a name, of which no time hides the name meanwhile, and behind one."""
    text, places = s.shadow.text, [(t.begin, t.end) for t in times(s.shadow.text, s.known.today, s.table.numbers)]
    for place in places:
        s.shadow = s.shadow.blank(*place)
    _nth(s)
    _several(s)
    _at_most(s)
    _often_before(s)
    _few(s)
    for begin, end in places:
        s.shadow = s.shadow.with_mark(begin, text[begin:end])
    _often_after(s)


def _often_before(s: Stretch) -> None:
    held = named(s)
    for found in list(_OFTEN_BEFORE.finditer(s.shadow.text)):
        number = count(s, found["many"] or found["many2"] or found["many3"]) + bool(found["over"])
        if "+" in found[0] and number >= _GROWN:
            continue  # "65+ with falls" is how old they are.
        if number == 1 and found["many2"] and free(held, found) and any(b == found.end() for b, _ in held):
            s.leave_aside(*found.span())  # "one or more strokes"
        if found["over"] == ">" and (
            (_is_grade(s, found) and not _TIME.search(found[0])) or _is_value(s, found.start())
        ):
            continue
        if number > 1 and free(held, found) and any(b >= found.end() for b, _ in held):
            if "+" in found[0] and not _TIME.search(found[0]) and _is_grade(s, found):
                continue
            if not found["days"] and not found["notes"] and not _TIME.search(found[0]) and _counts(s, found):
                s.leave_aside(*found.span(), "how many of a kind somebody has at once is not counted", "time")
                continue
            if found["days"] and not _ON_DAYS.search(found[0]):
                continue
            take(s, found.span(), _at_least(s, number, bool(found["days"]), "next", found))
            parted(s, found.start())
            if not found["days"] and not found["notes"]:
                _tell_notes(s, found.span())


def _several(s: Stretch) -> None:
    """ "Several falls" as at least two."""
    places = list(_SEVERAL.finditer(s.shadow.text))
    held = named(s) if places else []
    for found in reversed(places):
        events = any(_happens(s, m) for m in s.beginning(found.end()))
        if events and free(held, found) and not (_is_grade(s, found) or _counts(s, found)):
            s.shadow = s.shadow.rewritten(*found.span("many"), "at least 2")


def _nth(s: Stretch) -> None:
    """ "Second stroke" as two of them: of what comes again each time counts."""
    places = list(_NTH.finditer(s.shadow.text))
    held = named(s) if places else []
    for found in reversed(places):
        there = [m for m in s.beginning(found.end()) if s.known.is_of(m, "disorder")]
        first = s.shadow.text[found.end() :].split()[0].rstrip(",.;")
        if not there or not free(held, found) or s.is_part(first) or any(_stays(s, m) for m in there):
            continue
        place = s.shadow.span(*found.span())
        make = partial(AtLeast, _ORDER[found["nth"].lower()], "notes")
        take(s, found.span(), Timing(make, "next", *place, needs=""))
        parted(s, found.start())
        _tell_notes(s, found.span())


def _stays(s: Stretch, mention: Mention) -> bool:
    """Whether it does not go away, so that no further one is told by its name again: "second cancer"."""
    return mention.concept in chronic_ones() or "tumor" in s.known.lexicon.ancestors(mention.concept)


def _at_most(s: Stretch) -> None:
    """ "No more than 2 falls", "exactly two strokes": not so many notes, or so many and no more."""
    held = named(s)
    for found in list(_AT_MOST.finditer(s.shadow.text)):
        many = count(s, found["many"]) - bool(found["below"])
        events = [m for m in s.beginning(found.end()) if _happens(s, m) and m.concept not in HABITS]
        if not events or many < 1 or not free(held, found) or _counts(s, found):
            continue
        if not found["of"] and many + bool(found["below"]) > 1 and _is_grade(s, found):
            continue
        place = s.shadow.span(*found.span())
        take(s, found.span(), Timing(partial(_no_more, many, bool(found["exact"])), "next", *place, needs=""))
        parted(s, found.start())
        _tell_notes(s, found.span())


def _no_more(many: int, exact: bool, child: Node) -> Node:
    above = not_(AtLeast(many + 1, "notes", child))
    if not exact:
        return above
    return all_of([AtLeast(many, "notes", child) if many > 1 else child, above])


def _tell_notes(s: Stretch, span: tuple[int, int]) -> None:
    """That notes are counted, and what stands behind that says within how long."""
    begin, end = span
    counted = [m.end for m in s.beginning(end)]
    typed = s.typed(*s.shadow.span(begin, max(counted, default=end)))
    told = f'"{typed}" counts notes: one event may stand in several. "On at least 2 different days" counts days.'
    s.reading.notices.append(Notice("time", told, typed))
    text = s.shadow.text
    behind = [m.end for m in s.mentions() if m.begin >= end and not re.search(r"[,;]", text[end : m.begin])]
    at = min(behind, default=end) if not text[:begin].strip() or behind else end
    if found := SPAN_OF.match(text, at):
        why = 'how close together they were is not compared; "in the last year" is'
        s.leave_aside(at + 1, found.end(), why, "time")


def _few(s: Stretch) -> None:
    held = named(s)
    for found in list(_FEW.finditer(s.shadow.text)):
        named_there = [m for m in s.beginning(found.end()) if _happens(s, m)]
        named_there += _done_before(s, found)
        events = [m for m in named_there if not _EACH.match(s.shadow.text, m.end)]
        before = {m.concept for m in s.mentions() if m.end == found.start()}
        if found["behind"] and (not before or not before.isdisjoint(m.concept for m in events)):
            continue  # "grade 2 falls", "drinks 6 beers"
        alone = found["of"] or not (_is_grade(s, found) or _counts(s, found))
        if events and free(held, found) and alone:
            kept = _WAS.search(found[0]) if _done_before(s, found) else None
            place = found.start("many"), found.start() + kept.start() if kept else found.end()
            make = partial(AtLeast, count(s, found["many"]), "notes")
            take(s, place, Timing(make, "next", *s.shadow.span(*place), needs=""))
            parted(s, place[0])
            _tell_notes(s, place)


def _done_before(s: Stretch, found: re.Match[str]) -> list[Mention]:
    """What was done so often before: "two previous c-sections"; of what is done now its number is of one time."""
    return [m for m in s.beginning(found.end()) if _WAS.search(found[0]) and s.known.is_of(m, "procedure")]


def _happens(s: Stretch, mention: Mention) -> bool:
    return s.known.is_of(mention, *_HAPPENS)


def _breaks(s: Stretch, mention: Mention) -> bool:
    """Whether it is of a part of which there are several: "rib fracture"."""
    return _FRACTURE in (mention.concept, *s.known.lexicon.ancestors(mention.concept))


def _counts(s: Stretch, found: re.Match[str]) -> bool:
    """Whether what is named behind is there in numbers, and no event: drugs of a kind, "3 or more polyps"."""
    named = s.beginning(found.end())
    kinds = s.known.lexicon.concepts
    if any(kinds[m.concept].kind in ("drug", "device") for m in named):
        return True
    last = {s.shadow.text[m.begin : m.end].lower().split()[-1] for m in named}
    return not last.isdisjoint(s.table.countable)


def _is_grade(s: Stretch, found: re.Match[str]) -> bool:
    """Whether it tells how much, and not how often: "2+ edema", not "2+ falls"."""
    named = s.beginning(found.end())
    words = [w for m in named for w in s.shadow.text[m.begin : m.end].split()]
    return not any(
        _SHORT_PLURAL.fullmatch(w) or (w.endswith("s") and not w.endswith(("ss", "us", "is"))) for w in words
    )


def _is_value(s: Stretch, at: int) -> bool:
    """Whether a number there is told of a test before it: "creatinine > 2 falls"."""
    before = s.shadow.text[:at].rstrip()
    return any(m.end == len(before) and is_valued(m.concept, s.known.lexicon) for m in s.mentions())


def _often_after(s: Stretch) -> None:
    held = named(s)
    for found in list(_OFTEN_AFTER.finditer(s.shadow.text)):
        many = found["many"] or found["many2"] or found["many3"] or found["many4"] or found["many5"]
        if (found["alone"] or found["signed"]) and not _follows_event(s, found.start()):
            continue  # "CKD 3 or more"
        if found["signed"] and s.shadow.text[: found.start()].split()[-1].strip(",").lower() in s.table.countable:
            s.leave_aside(*found.span(), "how many of a kind somebody has at once is not counted", "time")
            continue
        if found["bare"]:
            if not any(_TELLING.fullmatch(s.shadow.text, e, found.start()) for _, e in held if e < found.start()):
                continue  # "pneumonia twice", not "aspirin given twice"
            begin, end = s.shadow.span(*found.span())
            if found["bare"][0] in "xX×" and (_RESULT_BEFORE.search(s.line[:begin]) or _RESULT_NEXT.match(s.line, end)):
                s.leave_aside(*found.span())  # "Troponin negative x2" may stand in one note.
                continue
            before = [m for m in s.mentions() if m.end == found.start() - 1]
            if found["bare"][0] in "xX×" and not any(_happens(s, m) for m in before):
                s.leave_aside(*found.span(), "of what is given or done it is not counted how many", "time")
                continue  # "CABG x3"
            if found["bare"][0] in "xX×" and any(_breaks(s, m) for m in before):
                s.leave_aside(*found.span(), "how many of a kind somebody has at once is not counted", "time")
                continue  # "rib # x3"
            many = "" if found["bare"].lower() == "twice" else _FIRST.search(found["bare"])[0]  # type: ignore[index]
        number = count(s, many) + bool(found["above"]) if many else 2
        if number > 1 and free(held, found) and any(e <= found.start() for _, e in held):
            days = bool(found["days"] or found["days2"] or found["dated"])
            notes = bool(found["notes"] or found["notes2"] or found["inside"])
            if days and not _ON_DAYS.search(found[0]):
                continue
            timing = _at_least(s, number, days, "previous", found)
            if found["alone"] and s.shadow.text[: found.start()].rstrip().endswith(","):
                timing = replace(timing, wide=True)  # "stroke or TIA, two or more"
                s.shadow = s.shadow.with_mark(len(s.shadow.text[: found.start()].rstrip()) - 1, " ")
            take(s, found.span(), timing)
            if not days and not notes:
                _tell_notes(s, found.span())
            parted(s, max(b for b, e in held if e <= found.start()))


def _follows_event(s: Stretch, at: int) -> bool:
    """Whether what comes in numbers is named right before, in the plural or before a comma."""
    before = s.shadow.text[:at].rstrip()
    end = len(before.rstrip(", "))
    named = [m for m in s.mentions() if m.end == end and _happens(s, m) and not is_valued(m.concept, s.known.lexicon)]
    named = [m for m in named if not s.is_part(s.shadow.text[m.begin : m.end].split()[0])]  # "rib fractures > 3"
    return any(before.endswith(",") or s.shadow.text[m.begin : m.end].endswith("s") for m in named)


def _so_often(s: Stretch, number: int, unit: Literal["notes", "days"], child: Node) -> Node:
    """``child`` so often; of what is named by its coming back each time counts: "recurrent falls, at least 2"."""
    if isinstance(child, Finding) and child.name.startswith(_RECURRENT):
        each = s.known.ending(one := child.name.removeprefix(_RECURRENT), len(one))
        child = next((replace(child, name=s.known.name_of(m.concept)) for m in each if m.begin == 0), child)
    return AtLeast(number, unit, child)


def _at_least(s: Stretch, number: int, days: bool, takes: str, found: re.Match[str]) -> Timing:
    make = partial(_so_often, s, number, "days" if days else "notes")
    place = s.shadow.span(*found.span())
    return Timing(make, takes, *place, needs="days" if days else "")  # type: ignore[arg-type]  # next or previous
