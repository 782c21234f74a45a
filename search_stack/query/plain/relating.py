"""Two criteria in time, in words: "within 30 days after a pacemaker", "in the same note", "followed by"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil

from search_stack.language.lexicon.english import english
from search_stack.query.dates import times
from search_stack.query.items import Notice, Timing
from search_stack.query.nodes import Near, Node, Not, Pick, Words
from search_stack.query.number_words import ONE_TO_TWELVE
from search_stack.query.plain.cutting import FROM_NOTHING, count, free, named, parted, take
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import WORD
from search_stack.query.timed import MOST_DAYS, together
from search_stack.query.timing import offsets
from search_stack.query.tree import all_of, not_
from search_stack.query.wording import SHORTEST_DECIDING

_N = rf"(?P<n>\d{{1,4}}(?:\.\d)?|an?|{ONE_TO_TWELVE}|couple(?:\s+of)?|few)"
_UNIT = r"(?P<unit>hours?|hrs?|h|days?|d|weeks?|wks?|months?|mos?|years?|yrs?)"
_GAP = r"(?:(?<=\d)[\s-]?|[\s-])"
_SPAN = rf"(?:the\s+)?(?:(?P<next>first|next)\s+(?:{_N.replace('?P<n>', '?P<n0>')}{_GAP})?|(?:a\s+)?{_N}{_GAP}){_UNIT}"
_SIDES = {
    "after": "after following since post from",
    "before": "before preceding prior",
    "of": "of around",
}
_SIDE = r"(?P<side>after|following|from|post|before|preceding|prior\s+to|of(?!\s+age\b)|around|either\s+side\s+of)"
_IT = r"(?P<it>(?:it|that|this|them|these|those|which|the\s+latter|the\s+former)\b(?!\s+\w+ing))?"
_WHEN = r"(?:the\s+(?:time|date|onset|insertion|placement|start|diagnosis|beginning)\s+of\s+)?"
_SAME = (
    r"(?:on|in|during|at|within)\s+(?:the\s+)?(?:very\s+)?same\s+(?:hospital\s+)?"
    r"(?P<by>day|date|note|report|document|letter|encounter|admission|visit|stay|hospitali[sz]ation|year)(?:\s+(?:as|of|with))?"
)
_SAME_BEHIND = re.compile(
    r"\s*,?(?P<gap>\s)(?:at\s+the\s+(?P<time>same\s+time)|(?<!\bthe\s)same\s+(?P<by>admission|visit|day|encounter|stay|hospitali[sz]ation))"
    r"(?=\s*(?:$|[.;)]))",
    re.IGNORECASE,
)
"""At the end, without a preposition or by no unit: "pancreatitis, cholecystectomy same admission"."""
_THEN = (
    r"(?:(?:and|who|was|were)\s+)*(?:then|later|subsequently|afterwards?|thereafter)\s+"
    r"(?:developed|developing|got|had|have|diagnosed\s+with|found\s+to\s+have)"
    r"|followed\s+by|(?:and\s+)?then|(?:(?:who|but|and|they|she|he|later|then)\s+)*went\s+on\s+to\s+(?:have|develop|get|suffer)"
)
_POST = r"post(?=\s+(?!op|partum|menopaus|natal|traumatic|void|viral|dates?)\w)"
_GESTATION = (
    r"(?!\s+(?:\d{1,2}|twenty|thirty)\s*(?:\+\s*\d\s*)?(?:weeks?|wks?)"
    r"(?:\s*(?:$|[,;.?)])|\s+(?:gest\w*|pregnan\w*|ga|of\s+(?:gest\w*|pregnan\w*)|and|or|with|in|who)(?!\w)))"
)
"""How far a pregnancy is, and no event: "preeclampsia before 34 weeks"."""
_BARE = rf"(?:after|since|following|before|prior\s+to){_GESTATION}|{_POST}|subsequent\s+to|preceded\s+by|preceding"
_FAR = (
    rf"(?P<more>(?:(?:more|greater|longer)\s+than|at\s+least|over|later\s+than)\s|>=?|≥)\s*{_SPAN}\s+(?P<far>{_BARE})"
)
_INSIDE = (
    r"(?P<within>within|inside|in|during|up\s+to|less\s+than|under|no\s+more\s+than|at\s+most|not\s+more\s+than|<=?|≤)"
)
_THE_DAY = (
    r"(?:on\s+)?the\s+(?P<next_day>(?:very\s+)?(?:next\s+)?day)\s+(?P<side4>after|before|following)"
    r"|(?P<that_day>on\s+the\s+day\s+of)"
)
_OR_SAME_DAY = (
    r"(?:(?:on|in)\s+)?(?:the\s+)?same\s+(?P<or_same>day|note)\s+(?:as\s+)?or\s+(?P<side5>after|before|later|earlier)"
    r"(?:\s+than)?"
)
_SPAN_2 = _SPAN.replace("?P<n", "?P<m").replace("?P<unit>", "?P<unit2>")
_UNIT_3 = _UNIT.replace("?P<unit>", "?P<unit3>")
_BETWEEN = rf"(?:between\s+)?(?P<low>\d{{1,3}})\s*(?:to|-|–|and)\s*(?P<high>\d{{1,3}})\s*{_UNIT_3}\s+(?P<side3>{_BARE})"
_RELATION = re.compile(
    rf"""(?<![\w-])(?:(?:occurring|seen|found|documented|happening|developing|new|only|any\s?time)\s+)?
    (?:(?P<never>never|not)\s+)?
    (?:{_FAR} | {_BETWEEN} | {_THE_DAY} | {_OR_SAME_DAY} | {_INSIDE}?\s*{_SPAN_2}\s+{_SIDE}
      | (?P<same>{_SAME}) | (?P<then>{_THEN}) | (?P<bare>{_BARE}))
    (?!\w)(?:\s+{_WHEN}(?:(?:an?|the|their|his|her|(?P<any>any)|starting|having)\s+)*{_IT})?""",
    re.VERBOSE | re.IGNORECASE,
)
_BOUNDED = re.compile(
    rf"(?<![\w-])(?:within|in)\s+{_SPAN}(?!\s+(?:{_BARE}|of|from|post)\b|[\s-]+olds?\b)(?!\w)", re.IGNORECASE
)
"""Behind a relation: "pneumothorax after pacemaker within 30 days"."""
_AT_A_STOP = re.compile(r"\s*(?:$|[,;.)])")
"""Behind a preposition that relates nothing to it: "no seizures since, levetiracetam"."""
_TO_COME = re.compile(
    r"(?:\s|\w|-)*?[,\s](?:needing|requiring|and|with|then|who|developing|developed|develops|complicated\s+by)\s(?:\s|\w|-)*",
    re.IGNORECASE,
)
"""Between two criteria of which the second is within a time: "pneumonia needing intubation within 7 days"; one that the
first became needs nothing: "knee replacement infected within a year"."""
_TELLS_WHEN = re.compile(r"\b(?:no|any|had|has|an?|the|and|or|of)\s+preceding\s*$", re.IGNORECASE)
"""Before a name it says when that was: "stroke, no preceding fever"; "fever preceding a stroke" relates two."""
_SEPARATE = re.compile(r"[;.]|(?<!\w)(?:but|without)(?!\w)", re.IGNORECASE)
_WEEK = 7
_AGAIN = "readmission"
"""Itself what is within the time: "readmitted with pneumonia within a month"."""
_DAYS_IN = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_SAME_DAY = 12
"""Hours up to which something is of the same day; a longer time may end on the next."""
AFTERWARDS = ("after", "since", "following", "post", "subsequent to")


def relations(s: Stretch) -> None:
    s.shadow = s.shadow.written(
        _SAME_BEHIND, lambda m: " on the same day" if m["time"] else f" in the same {m['by'].lower()}"
    )
    held = named(s) + [(t.begin, t.end) for t in times(s.shadow.text, s.known.today, s.table.numbers)]
    for found in list(_RELATION.finditer(s.shadow.text)):
        begin, end = found.span()
        if not free(held, found) or _TELLS_WHEN.search(s.shadow.text, 0, end):
            continue
        if found["bare"] and not found["it"] and _AT_A_STOP.match(s.shadow.text, end):
            continue
        before = _says(s, s.shadow.text[:begin]) or s.line[: s.shadow.begins[0]].strip()
        behind = _says(s, s.shadow.text[end:]) or s.line[s.shadow.ends[-1] :].strip()
        earlier = found["it"] or (found["same"] and not behind)
        if not before or not (earlier or behind):
            continue
        if found["bare"] and not found["never"] and not _both_named(s, begin, end):
            continue  # "pain after eating" is told in one note
        bare_then = found["then"] and found["then"].lower().split()[-1] == "then"
        if bare_then and not _orders(s, begin, end, held):
            continue
        takes = ("merging" if found["same"] else "earlier") if earlier else "both"
        place = s.shadow.span(begin, end)
        take(s, (begin, end), Timing(_related(s, found), takes, *place, wide=True), parting=True)  # type: ignore[arg-type]
        parted(s, max((b for b, e in named(s) if e <= begin), default=0))
        if found["bare"] and not found["never"] and s.reading.told.days:
            s.reading.notices.append(_days_apart(s, place, found["bare"]))
        if (unit := found["unit"] or found["unit2"] or found["unit3"]) and unit[0].lower() == "h":
            typed = s.typed(*place)
            told = f'"{typed}" is told to the day: notes have days, and no hours.'
            s.reading.notices.append(Notice("time", told, typed))
        elif found["m"] and not found["within"]:
            typed = s.typed(*place)
            s.reading.notices.append(Notice("time", f'"{typed}" was read as within that time.', typed))


def _days_apart(s: Stretch, place: tuple[int, int], bare: str) -> Notice:
    """That one day, or note, is not looked into, with the line that counts it."""
    side = "before" if _goes_back(bare) else "after"
    typed = s.typed(*place)
    which = "an earlier" if side == "before" else "a later"
    told = f'"{typed}" asks for {which} day; "on the same day or {side}" counts what one day tells of both, too.'
    return Notice("time", told, typed, s.instead(*place, f"on the same day or {side}"))


def _goes_back(bare: str) -> bool:
    return bare.lower().split()[0] in ("before", "prior", "preceding")


def _orders(s: Stretch, begin: int, end: int, held: Sequence[tuple[int, int]]) -> bool:
    """Whether "then" stands between a name and what is searched: "covid then a stroke"; not "if so, then send it"."""
    named = any(not s.shadow.text[e:begin].strip() for _, e in held if e <= begin)
    return named and _says(s, " ".join(s.shadow.text[end:].split()[:1]))


def _both_named(s: Stretch, begin: int, end: int) -> bool:
    """Whether a name stands on both sides of a bare "after", where what it relates may stand."""
    text = s.shadow.text
    opens = max((m.end() for m in _SEPARATE.finditer(text, 0, begin)), default=0)
    ends = _SEPARATE.search(text, end)
    closes = ends.start() if ends else len(text)
    return all(
        (_is_named(s, *side) or out)
        for side, out in (
            ((opens, begin), s.line[: s.shadow.begins[0]].strip()),
            ((end, closes), s.line[s.shadow.ends[-1] :].strip()),
        )
    )


def _is_named(s: Stretch, begin: int, end: int) -> bool:
    """Whether something has a name there, or may have one that is misspelt."""
    if any(begin <= b and e <= end for m in s.mentions() for b, e in m.parts):
        return True
    words = (word[0].lower() for word in WORD.finditer(s.shadow.text, begin, end))
    return any(len(word) >= SHORTEST_DECIDING and word not in english() for word in words)


def _says(s: Stretch, text: str) -> bool:
    """Whether there is more than frame words."""
    return any(w not in s.table.frames and w not in s.table.function for w in re.findall(r"\w[\w'-]*", text.lower()))


def _related(s: Stretch, found: re.Match[str]) -> Callable[..., Node]:
    make = _relation(s, found)
    if found["any"] and not found["same"] and (near := make(Words(""), Words(""))) and _is_before(near):
        make = partial(_before_any, make)
    return partial(_never, make) if found["never"] else make


def _is_before(near: Node) -> bool:
    return isinstance(near, Near) and near.most is not None and near.most <= 0


def _before_any(make: Callable[..., Node], child: Node, anchor: Node) -> Node:
    return make(child, Pick("first", anchor))


def _never(make: Callable[..., Node], child: Node, anchor: Node) -> Node:
    return all_of([child, not_(make(child, anchor))])


def _relation(s: Stretch, found: re.Match[str]) -> Callable[..., Node]:
    if found["same"]:
        by = found["by"].lower()
        if by in ("day", "date"):
            return partial(Near, 0, 0)
        unit = "year" if by == "year" else "note" if by in ("note", "report", "document", "letter") else "encounter"
        return partial(_together, unit)
    if found["that_day"]:
        return partial(Near, 0, 0)
    if found["next_day"]:
        return partial(Near, -1, -1) if found["side4"].lower() == "before" else partial(Near, 1, 1)
    if found["then"]:
        return _in_turn
    if found["bare"]:
        return partial(Near, None, -1) if _goes_back(found["bare"]) else partial(Near, 1, None)
    if found["or_same"]:
        return partial(Near, None, 0) if found["side5"].lower() in ("before", "earlier") else partial(Near, 0, None)
    if found["more"]:
        days = _length(s, found["n"] or found["n0"] or "one", found["unit"])
        far = days + (not found["more"].lower().startswith(("at", ">=", "≥")))
        after = found["far"].lower() in AFTERWARDS
        return partial(Near, far, None) if after else partial(Near, None, -far)
    if found["low"]:
        low, high = sorted(_length(s, found[n], found["unit3"]) for n in ("low", "high"))
        return partial(Near, low, high) if found["side3"].lower() in AFTERWARDS else partial(Near, -high, -low)
    side = found["side"].lower().split()[0]
    side = next((k for k, words in _SIDES.items() if side in words.split()), "of")
    return partial(Near, *offsets(_length(s, found["m"] or found["m0"] or "one", found["unit2"]), side))


def bounded(s: Stretch) -> None:
    """What a relation was left open by, "pneumothorax after pacemaker within 30 days"; without one, in what time after
    the first of two criteria the second is: "pneumonia needing intubation within 7 days"."""
    related = any(t.wide for t in s.timings)
    for found in reversed(list(_BOUNDED.finditer(s.shadow.text))):
        days = _length(s, found["n"] or found["n0"] or "one", found["unit"])
        place = s.shadow.span(*found.span())
        if related:
            take(s, found.span(), Timing(partial(_within, days), "previous", *place))
        elif _two_before(s, found):
            take(s, found.span(), Timing(partial(_to_come, days), "merging", *place))
            typed = s.typed(*place)
            s.reading.notices.append(Notice("time", f'"{typed}" was read as within that time after the first.', typed))
        elif any(m.end <= found.start() for m in s.mentions()) and not s.excluded:
            _from_nothing(s, found, days)


def _from_nothing(s: Stretch, found: re.Match[str], days: int) -> None:
    """A time that counts from nothing: back from now where it is long, or of what is done; else it is left aside."""
    long = found["unit"][0].lower() in "wmy" or (days >= _WEEK and _is_done(s, found.start()))
    if not (long and found[0].lower().startswith("within")):
        s.leave_aside(*found.span(), f"{FROM_NOTHING}, as within 2 days after surgery does", "time")
        return
    place, typed = s.shadow.span(*found.span()), s.typed(*s.shadow.span(*found.span()))
    back = f"in the last {s.shadow.text[slice(*found.span())].split(maxsplit=1)[1]}"
    s.shadow = s.shadow.rewritten(*found.span(), back)
    told = f'"{typed}" was read as "{back}", since {FROM_NOTHING}.'
    s.reading.notices.append(Notice("time", told, s.typed(*place)))


def _is_done(s: Stretch, at: int) -> bool:
    kinds = (
        s.known.lexicon.concepts[m.concept].kind for m in s.mentions() if m.end == len(s.shadow.text[:at].rstrip())
    )
    return any(kind in ("procedure", "drug", "device") for kind in kinds)


def _two_before(s: Stretch, found: re.Match[str]) -> bool:
    """Whether two criteria stand before it, the second told of the first."""
    if not found[0].lower().startswith("within") or s.shadow.text[found.end() :].strip(" .?"):
        return False
    named = sorted((m for m in s.mentions() if m.end <= found.start()), key=lambda m: m.begin)
    last = next((m for m in reversed(named) if not s.shadow.text[m.end : found.start()].strip()), None)
    first = max((m for m in named if last and m.end <= last.begin), key=lambda m: m.end, default=None)
    if last is None or first is None or first.concept == _AGAIN:
        return False
    between = s.shadow.text[first.end : last.begin]
    became = between.isspace() and s.shadow.text[last.begin : last.end].endswith("ed")
    return became or _TO_COME.fullmatch(between) is not None


def _to_come(days: int, first: Node, second: Node) -> Node:
    if isinstance(second, Not):  # "sepsis, did not receive antibiotics within 3 hours"
        return all_of([first, not_(Near(0, min(days, MOST_DAYS), second.child, first))])
    return Near(0, min(days, MOST_DAYS), second, first)


def _within(days: int, node: Node) -> Node:
    if not isinstance(node, Near) or (node.least is None) == (node.most is None):
        return node
    return replace(node, least=0, most=days) if node.most is None else replace(node, least=-days, most=0)


def _in_turn(child: Node, anchor: Node) -> Node:
    """``child`` before ``anchor``; of two that are in turn already, the second: "DVT, then PE, then warfarin"."""
    if isinstance(child, Near) and (child.least, child.most) == (None, -1):
        child = Near(1, None, child.anchor, child.child)
    return Near(None, -1, child, anchor)


def _together(by: str, one: Node, other: Node) -> Node:
    return together(by, [one, other])


def _length(s: Stretch, number: str, unit: str) -> int:
    many = float(number) if "." in number else count(s, number)
    if unit[0].lower() == "h" and many < _SAME_DAY:
        return 0
    return ceil(many * _DAYS_IN[unit[0].lower()])
