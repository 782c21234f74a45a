"""One criterion in time, in words: "at least twice", "the first stroke since 2019", "before age 50"."""

from __future__ import annotations

import re
from functools import partial
from typing import Literal

from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.mention import Mention
from search_stack.query.dates import times
from search_stack.query.items import Notice, Timing
from search_stack.query.nodes import AtAge, Finding, Node, Pick
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.counting import counted
from search_stack.query.plain.cutting import free, named, parted, take
from search_stack.query.plain.in_words import SHUT_TIME
from search_stack.query.plain.kin import age_of_kin
from search_stack.query.plain.lately import left_out_lately
from search_stack.query.plain.relating import bounded, relations
from search_stack.query.plain.stretch import Stretch
from search_stack.query.timed import during
from search_stack.query.tree import leaves

_PICK = re.compile(
    r"(?<![\w-])(?:(?:their|the|a|his|her|whose)\s+)?(?:very\s+)?(?P<which>first|earliest|initial|last|latest|most\s+recent)"
    r"(?:\s+(?:ever|known|recorded|documented|mention\s+of|episode\s+of|occurrence\s+of|diagnosis\s+of|report\s+of))?\s+(?:an?\s+)?(?=\w)",
    re.IGNORECASE,
)
_AT_AGE = re.compile(
    r"""(?<![\w-])(?:(?:at|when|while)\s+(?:an?\s+)?(?:(?:the\s+)?age\s+(?:of\s+)?|aged\s+)
      (?P<at>\d{1,3})(?:\s*(?:-|–|to|and)\s*(?P<to>\d{1,3}))?
      (?P<open>\s+or\s+(?:over|older|above)|\s*\+)?(?P<down>\s+or\s+(?:under|younger|below))?
    | (?P<side>before|after|under|over|below|above)\s+(?:the\s+)?(?:age\s+(?:of\s+)?|turning\s+)(?P<bound>\d{1,3})
    | (?P<bare_side>before|after)\s+(?:she\s+was\s+|he\s+was\s+|they\s+were\s+)?(?P<bare_bound>[1-9]\d)
      (?=\s*(?:$|[,;.?)]|(?:and|or|with|in|who|but)\b)))
    (?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_DIAGNOSED_WITH = re.compile(
    r"(?<![\w-])(?:(?:(?:newly|first|initially|recently)\s+)?diagnosed\s+(?:with|as(?:\s+having)?|to\s+have)|newly\s+diagnosed|(?:an?\s+)?new\s+diagnos[ei]s\s+of)"
    r"\s+(?:an?\s+|the\s+|having\s+)?(?=\w)",
    re.IGNORECASE,
)
_NEWLY = re.compile(
    r"(?<![\w-])(?:(?:newly|recently|just)\s+(?:(?P<behind>diagnosed)|started|prescribed|commenced|initiated)(?:\s+(?:with|on|as|to\s+have)(?!\w))?"
    r"|(?:an?\s+)?new\s+(?:diagnos[ei]s\s+of|start\s+(?:on|of)))(?:\s+(?:an?|the)(?!\w))?(?:\s+(?=\w)|(?=\s*$|\s*[,;.]))",
    re.IGNORECASE,
)
_DIAGNOSED = re.compile(
    r"\s+(?:(?:who|that|which|and|was|were|is|are|been|being|newly|first|initially)\s+)*(?:diagnosed|dx)(?!\w)",
    re.IGNORECASE,
)
"""Behind what somebody was found to have; at which time is said behind both."""
_NO_ORDER = re.compile(
    r"(?:rib|degree|metatars|metacarp|toe|finger|digit|cranial|lumbar|cervical|thoracic|sacral|trimester|line|molar|ray|stage|mtp|cmc)",
    re.IGNORECASE,
)
"""What is numbered, and not in time: the first rib."""


def in_time(s: Stretch) -> None:
    """Words of time made operators, and cut out so that no negation reaches over them."""
    for step in (
        _diagnosed,
        _newly,
        _pick,
        counted,
        _ages,
        relations,
        bounded,
        left_out_lately,
        _untold,
    ):
        step(s)


def _untold(s: Stretch) -> None:
    """Where no source tells what it would be compared by, the criteria stay and the time is left aside."""
    lost = [t for t in s.timings if t.needs and not getattr(s.reading.told, t.needs)]
    for timing in lost:
        s.timings.remove(timing)
        s.reading.aside.append((timing.begin, timing.end))
        typed = " ".join(s.line[timing.begin : timing.end].split())
        why = "No note here has a date" if timing.needs == "days" else "No patient's age is known here"
        s.reading.notices.append(Notice("time", f'{why}: "{typed}" is no criterion.', typed))


def _diagnosed(s: Stretch) -> None:
    """ "Diagnosed with asthma in 2015", "diabetes diagnosed after age 30": the first time that it is told of."""
    for mention in s.mentions():
        text = s.shadow.text
        if mention.denial or not _is_found_once(s, mention):
            continue
        ahead = next((m for m in _DIAGNOSED_WITH.finditer(text) if m.end() == mention.begin), None)
        behind = _DIAGNOSED.match(text, mention.end)
        if ahead and _has_time(s, mention.end):
            place = ahead.start(), mention.begin
            whole = "first "
        elif behind and _has_time(s, behind.end()):
            place = mention.begin, behind.end()
            whole = f"first {text[mention.begin : mention.end]}"
        else:
            continue
        s.shadow = s.shadow.rewritten(*place, whole)
        return


def _newly(s: Stretch) -> None:
    """ "Newly diagnosed", "new start on", without a time: left aside, with the line that asks for the first in one."""
    text = s.shadow.text
    found_there = list(_NEWLY.finditer(text))
    if not found_there:
        return
    dated = bool(times(text, s.known.today, s.table.numbers))
    held = [p for m in s.mentions() if not m.denial for p in m.parts]
    for found in reversed(found_there):
        ahead = next(((b, e) for b, e in held if b == found.end()), None)
        behind = next(((b, e) for b, e in held if text[e : found.start()].isspace()), None)
        name = ahead or (behind if found["behind"] else None)
        if name is None or not free(held, found):
            continue
        if dated:
            s.leave_aside(*found.span())
            continue
        place, (begin, end) = s.shadow.span(*found.span()), s.shadow.span(*name)
        first = f"first {s.line[begin:end]} in the last year"
        line = s.instead(min(place[0], begin), max(place[1], end), first)
        told = f'"{s.typed(*place)}" was left aside: "{first}" asks for the first that is told of in that time.'
        s.reading.notices.append(Notice("time", told, s.typed(*place), line))
        s.leave_aside(*found.span())


def _is_found_once(s: Stretch, mention: Mention) -> bool:
    """Whether who has it has it from then on; who "was diagnosed with pneumonia in 2020" may have had one before."""
    return mention.concept in chronic_ones() or "tumor" in s.known.lexicon.ancestors(mention.concept)


def _has_time(s: Stretch, begin: int) -> bool:
    """Whether a time or an age that has a beginning is said right there: before an age, any mention will do."""
    text = s.shadow.text
    at = begin + len(text[begin:]) - len(text[begin:].lstrip())
    if (age := _AT_AGE.match(text, at)) and _age(age)[0] is not None:
        return True
    return any(time.begin == at and time.after for time in times(text, s.known.today, s.table.numbers))


def _pick(s: Stretch) -> None:
    held = named(s)
    for found in list(_PICK.finditer(s.shadow.text)):
        # The concept itself must follow, lest "first seen in clinic" be taken for it.
        if not free(held, found) or not any(b == found.end() for b, _ in held):
            continue
        if _NO_ORDER.match(s.shadow.text, found.end()):
            continue
        which: Literal["first", "last"] = (
            "first" if found["which"].lower() in ("first", "earliest", "initial") else "last"
        )
        if which == "last" and (measured := _measured_there(s, found.end())):
            typed = s.typed(s.shadow.span(*found.span())[0], measured)
            told = f'"{typed}" is the last time that it is told so, whatever was measured later.'
            s.reading.notices.append(Notice("time", told, typed))
        take(s, found.span(), Timing(partial(Pick, which), "next", *s.shadow.span(*found.span())))
        parted(s, found.start())
        _dated(s, found.end())


def _measured_there(s: Stretch, begin: int) -> int | None:
    """Where in the line the number ends that is compared of what is named there."""
    for mention in s.mentions():
        at = amount_at(s, mention) if mention.begin == begin else None
        if at is not None:
            return s.amounts[at][1][1]
    return None


def _dated(s: Stretch, begin: int) -> None:
    """ "First stroke after 2019": the day is the stroke's, wherever else a day filters notes."""
    for time in times(s.shadow.text, s.known.today, s.table.numbers):
        between = s.shadow.text[begin : time.begin]
        if time.begin >= begin and not re.search(r"[,;]|\b(?:and|or|with|without|but)\b", between, re.IGNORECASE):
            after, before = (d.isoformat() if d else "" for d in (time.after, time.before))
            place = (time.begin, time.end)
            timing = Timing(partial(during, after, before), "previous", *s.shadow.span(*place))
            take(s, place, timing, parting=True)
            return


def _ages(s: Stretch) -> None:
    held = named(s)
    for found in list(_AT_AGE.finditer(s.shadow.text)):
        if any(e <= found.start() for _, e in held):
            least, most = _age(found)
            shut = SHUT_TIME.search(s.shadow.text, 0, found.start())
            begin = shut.start() if shut and (least is None or most is None) else found.start()
            if begin < found.start():  # "stroke not over age 60" is one at 60 at most
                least, most = (most + 1 if most is not None else None), (least - 1 if least is not None else None)
            place = s.shadow.span(begin, found.end())
            make = partial(_at_age, s, place, least, most)
            take(s, (begin, found.end()), Timing(make, "previous", *place, needs="ages"))


def _at_age(s: Stretch, place: tuple[int, int], least: int | None, most: int | None, child: Node) -> Node:
    """``child`` at an age of the patient; of what relatives have no age is known, and that is told."""
    if not all(isinstance(leaf, Finding) and leaf.assertion == "family" for leaf in leaves(child)):
        return AtAge(least, most, child)
    s.reading.aside.append(place)
    s.reading.notices.append(age_of_kin(s, place))
    return child


def _age(found: re.Match[str]) -> tuple[int | None, int | None]:
    if found["bound"] or found["bare_bound"]:
        bound = int(found["bound"] or found["bare_bound"])
        side = (found["side"] or found["bare_side"]).lower()
        return {"after": (bound, None), "over": (bound + 1, None), "above": (bound + 1, None)}.get(
            side, (None, bound - 1)
        )
    at = int(found["at"])
    if found["open"]:
        return at, None
    return (None, at) if found["down"] else (at, int(found["to"] or at))
