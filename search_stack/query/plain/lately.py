"""Times that count back from now without saying so: "MI within 6 months" of a protocol, "within 4 weeks of entry"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.dates import ago, times
from search_stack.query.items import Item, Mark, Part, Timing
from search_stack.query.nodes import FieldIs, Finding, Leaf, Node, Not, Words
from search_stack.query.number_words import ONE_TO_TWELVE
from search_stack.query.plain.cutting import FROM_NOTHING, take
from search_stack.query.plain.denied import is_shut
from search_stack.query.plain.in_words import SHUT_TIME
from search_stack.query.plain.stretch import EXCLUDING, OTHER_THAN, Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.timed import during
from search_stack.query.tree import mapped, not_

_MANY = (
    rf"(?P<many>\d{{1,3}}|{ONE_TO_TWELVE})[\s-]+"
    r"(?P<unit>(?:day|week|month|year|yr)s?)"
)
_OF_STUDY = re.compile(
    rf"(?<!\w)(?:with)?in\s+(?:the\s+)?(?:(?:last|past|previous)\s+)?{_MANY}\s+(?:of|before|prior\s+to|preceding|from)\s+(?:the\s+)?"
    r"(?:start\s+of\s+(?:the\s+)?)?(?:(?:study|trial|first)\s+)?(?:enrol\w*|screening|baseline|entry|randomi[sz]ation|inclusion|recruitment"
    r"|consent|study(?:\s+(?:start|visit))?|trial|dose|dosing)(?!\w)",
    re.IGNORECASE,
)
"""Before what no note tells of a patient; for who asks now, it is now."""
_BEFORE_STUDY = re.compile(
    rf"(?<!\w)(?:(?:at\s+least|more\s+than|over|>=?|≥)\s*)?{_MANY}\s+(?:or\s+more\s+)?(?:before|prior\s+to|preceding)\s+(?:the\s+)?"
    r"(?:start\s+of\s+(?:the\s+)?)?(?:(?:study|trial|first)\s+)?(?:enrol\w*|screening|baseline|entry|randomi[sz]ation|inclusion|recruitment"
    r"|consent|study(?:\s+(?:start|visit))?|trial|dose|dosing)(?!\w)",
    re.IGNORECASE,
)
_POST_OP = re.compile(
    rf"(?<!\w){_MANY}\s+post[\s-]?op(?:erative(?:ly)?)?(?=\s*(?:$|[,;.)]|(?:and|or|with|but)\s))", re.IGNORECASE
)
"""After the operation, whichever it was: "wound infection 3 days post op"."""
_POD = re.compile(
    r"(?<=\w\s)(?:on\s+)?(?:post[\s-]?op(?:erative)?\s+day|pod)\s*#?\s*(?P<many>\d{1,2})(?=\s+(?:after|following)\s)",
    re.IGNORECASE,
)
"""The day after the operation that stands behind it: "rapid AF post-op day 2 after CABG"; "ileus POD 3" is a note's."""
_NOT_SEEN = re.compile(
    r"(?<!\w)(?:(?:who\s+)?(?:have\s+|has\s+|were\s+|was\s+)?(?:not|n't|never)\s+(?:been\s+)?(?:seen|attended|reviewed|followed\s+up)|(?:with\s+)?no\s+(?:clinic\s+)?(?:visits?|contacts?|notes?|appointments?|follow[\s-]?ups?))"
    rf"\s+(?:(?:in|for|within|during|over)\s+(?:(?:the|over|more\s+than|at\s+least)\s+)*(?:(?:last|past|previous)\s+)?(?:{_MANY}|(?:last|past|previous)\s+(?P<one>week|month|year))|since\s+(?P<year>(?:19|20)\d\d))(?!\w)",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"(?<!\w)(?P<in>with)?in\s+(?:the\s+|over\s+)?{_MANY}(?=\s*(?:$|[,;.)]))", re.IGNORECASE)
_SHORT = re.compile(r"within\s+(?:the\s+)?(?:[1-6]|an?|one|two|three)\s+(?:days?|hours?)", re.IGNORECASE)
"""A time of days, which no notes are asked for back from now."""
_IN_ONE = re.compile(r"(?<=\bin\s)(?:over\s+)?an?(?=\s+(?:week|month|year)\s*(?:$|[,;.)]))", re.IGNORECASE)
_NOT_SO_SOON = re.compile(
    rf"(?<!\w)not\s+(?:been\s+)?[^\W\d_]+(?:ed|en|ne)\s+(?P<when>within\s+(?:the\s+)?{_MANY})(?=\s*(?:$|[,;.)]))",
    re.IGNORECASE,
)
"""What was not done so soon: "catheter not removed within 48 hours"."""
_THEN_EXCEPT = re.compile(
    rf"(?P<when>(?<!\w)(?:with)?in\s+(?:(?:the|over)\s+)*(?:(?:last|past|previous)\s+)?{_MANY})"
    r"(?P<but>\s*,?\s+(?:except(?:\s+for)?|other\s+than|apart\s+from|excluding|without)\s+[^,;.()]{2,80}?)(?=\s*(?:$|[,;.()]))",
    re.IGNORECASE,
)
"""A time before what is allowed all the same: "no cancer within 5 years except skin cancer"."""
_BUT = re.compile(rf"\s*[,(]?\s*{OTHER_THAN}\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
_SHUT_OUT = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(EXCLUDING)))})\s(?:[^;.:](?!\b(?:but|who|with)\b))*$", re.IGNORECASE
)
_BEFORE = re.compile(r"\b(?:prior|previous|history|recent|hx)\b", re.IGNORECASE)
_DONE = frozenset(("procedure", "drug", "device"))
_NOT_AT_ONCE = re.compile(
    r"(?<!\w)(?:no|never(?:\s+had)?|without|(?:ha(?:s|ve|d)(?:\s+not|n['’]?t))\s+had)\s+(?:(?:an?|any|recent|follow[\s-]?up|repeat)\s+)*$",
    re.IGNORECASE,
)
_NOT_LOOKED_AT = re.compile(
    r"(?<!\w)(?:no|without(?:\s+an?)?)\s+(?:[^\W\d_][\w-]*\s+){0,3}"
    r"(?:exam\w*|check(?:s|ed|up)?|screen(?:s|ed|ing)?|scans?|monitoring|measure\w+|assess\w+|surveillance|tests?|tested|imaging|bloods)"
    r"(?:\s+(?:done|taken|performed|recorded|documented))?$",
    re.IGNORECASE,
)
"""Before a time, what was not looked at in it, which no lexicon names: "no foot exam in the last year"."""
_NO_WORDS = re.compile(r"(?:no|without)\s+(?:an?\s+)?(?P<what>.+)")
_OR = frozenset(("or", "and/or", "nor"))
_BACK = re.compile(r"\b(?:last|past|previous)\b", re.IGNORECASE)


def lately(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the words that say so: in criteria of a protocol, and behind what must not have been."""
    shadow = _unseen(s, shadow)
    shadow = shadow.written(_POST_OP, lambda m: f"{m['many']} {m['unit']} after surgery").written(_OF_STUDY, _said)
    shadow = shadow.written(_POD, lambda m: f"{m['many']} days")
    shadow = shadow.written(_BEFORE_STUDY, lambda m: _until(s, m))
    shadow = shadow.written(
        _THEN_EXCEPT,
        lambda m: f"{m['but'].strip(' ,')} {m['when']}" if is_shut(m.string, m.start()) else _back(m),
    )
    for soon in reversed(list(_NOT_SO_SOON.finditer(shadow.text))):
        shadow = s.left_aside(shadow, *soon.span("when"), FROM_NOTHING, "time")
    shadow = shadow.written(_IN_ONE, lambda m: "1" if is_shut(m.string, m.start()) else m[0])
    text = shadow.text

    def make(found: re.Match[str]) -> str:
        before = text[: found.start()]
        if found["in"] and not s.listed and _SHORT.fullmatch(found[0]) and _of_another(s, before):
            return found[0]  # "no angiogram within 24 hours", of what was named before
        denied = _SHUT_OUT.search(before) or is_shut(text, found.start())
        meant = denied or (s.listed and found["in"])
        return _said(found) if meant else found[0]

    return shadow.written(_WITHIN, make)


def _of_another(s: Stretch, before: str) -> bool:
    """Whether somebody has something from which the time may count, and what is denied behind it."""
    named = sorted(s.known.named(before), key=lambda m: m.begin)
    return any(s.known.is_of(m, *CONDITIONS) for m in named[:-1])


def _unseen(s: Stretch, shadow: Shadow) -> Shadow:
    """Who was not seen since a day has no note since: "diabetics not seen in 12 months"."""
    for found in reversed(list(_NOT_SEEN.finditer(shadow.text))):
        many, unit = (found["many"], found["unit"]) if found["many"] else ("1", found["one"])
        behind = f"within the last {many} {unit}" if unit else f"since {found['year']}"
        time = next(iter(times(behind, s.known.today, s.table.numbers)), None)
        if time and time.after:
            s.parts.append(Part(not_(FieldIs("after", time.after.isoformat())), *shadow.span(*found.span())))
            shadow = shadow.blank(*found.span())
    return shadow


def _until(s: Stretch, found: re.Match[str]) -> str:
    """ "At least 6 months before randomisation" as the day before which it was."""
    many = found["many"].lower()
    number = int(many) if many.isdigit() else s.table.numbers.get(many, 0)
    unit = found["unit"][0].lower()
    return f"before {ago(s.known.today, number, unit).isoformat()}" if number else found[0]


def _back(found: re.Match[str]) -> str:
    """ "Any malignancy within 5 years except skin cancer" counts back from now, too."""
    return f"within the last {found['many']} {found['unit']}{found['but']}"


def _said(found: re.Match[str]) -> str:
    return f"within the last {found['many']} {found['unit']}"


def left_out_lately(s: Stretch) -> None:
    """What must not have been in such a time is left out with it: "heart failure without MI in the last year"."""
    for time in times(s.shadow.text, s.known.today, s.table.numbers):
        place = time.begin, time.end
        if not time.after or time.before or SHUT_TIME.search(s.shadow.text, 0, time.begin):
            continue
        if _not_done_until(s, time.begin):
            make = partial(_not_since, time.after.isoformat())
            take(s, place, Timing(make, "previous", *s.shadow.span(*place), wide=True), parting=True)
        elif not _BACK.search(s.shadow.text, *place):
            continue
        elif _but_one_kind(s, time.begin):
            continue  # A time of all of it: "arrhythmia other than AF in the last year".
        elif (s.listed and s.excluded) or _SHUT_OUT.search(s.shadow.text[: time.begin]):
            make = partial(_since, time.after.isoformat())
            take(s, place, Timing(make, "previous", *s.shadow.span(*place), wide=True), parting=True)


def _but_one_kind(s: Stretch, at: int) -> bool:
    """Whether a name stands before ``at``, there and not denied, of which but a kind is left out."""
    *_, wider, kind = (None, None, *sorted((m for m in s.mentions() if m.end <= at), key=lambda m: m.end))
    if wider is None or kind is None or s.excluded or is_shut(s.shadow.text, wider.begin):
        return False
    between = s.line[s.shadow.ends[wider.end - 1] : s.shadow.begins[kind.begin]]
    return _BUT.fullmatch(between) is not None and wider.concept in s.known.lexicon.ancestors(kind.concept)


def _not_done_until(s: Stretch, at: int) -> bool:
    """Whether "no" or "never" stands before a test or a treatment, and the time right behind it."""
    text = s.shadow.text
    before = text[:at].rstrip()
    done = (m for m in s.mentions() if m.end == len(before) and s.known.is_of(m, *_DONE))
    return any(_NOT_AT_ONCE.search(text, 0, m.begin) for m in done) or _NOT_LOOKED_AT.search(before) is not None


def _not_since(day: str, child: Node) -> Node:
    """Nothing of ``child``, which is denied, in notes from ``day`` on: what a note denies may be of any time."""
    if isinstance(child, Words) and (what := _NO_WORDS.fullmatch(child.text)):
        child = not_(Words(what["what"]))
    elif isinstance(child, Finding) and child.assertion == "absent":
        child = not_(replace(child, assertion="present"))
    return not_(during(day, "", child.child)) if isinstance(child, Not) else during(day, "", child)


def _since(day: str, child: Node) -> Node:
    """``child`` in notes from ``day`` on, where what was before them has a note that says that it is."""

    def then(leaf: Leaf) -> Leaf:
        if isinstance(leaf, Finding) and leaf.assertion == "historical":
            return replace(leaf, assertion="present")
        return leaf

    return during(day, "", mapped(child, then))


def spread(items: Sequence[Item], line: str) -> list[Item]:
    """``items``, such a time behind each that an or joins to the one before it, from the one on of which it is said
    that it was before: "pregnancy, prior stroke, MI or TIA within 6 months"."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, Timing) and item.takes == "previous" and item.wide:
            for at in _others_of_list(out, line):
                out.insert(at + 1, item)
        out.append(item)
    return out


def _others_of_list(items: Sequence[Item], line: str) -> list[int]:
    """Where the others stand of the list that ends with an or before the last of ``items``, from the last on."""
    parts = [n for n, item in enumerate(items) if isinstance(item, Part)]
    out: list[int] = []
    for one, other in zip(reversed(parts[:-1]), reversed(parts), strict=False):
        signs = items[one + 1 : other]
        typed = {line[sign.begin : sign.end].strip().lower() for sign in signs if isinstance(sign, Mark)}
        since = _BEFORE.search(line, items[one].end, max(items[one].end, items[other].begin))
        if since or not typed or not typed <= _OR | {","} or (not out and typed.isdisjoint(_OR)):
            break
        out.append(one)
    return out
