"""Fields and people that are said in words: "in the impression", "since 2019", "women over 60"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import pairwise

from search_stack.language.amounts import is_valued
from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sections import aspect_of
from search_stack.query.dates import Time, times
from search_stack.query.items import Notice, Part, Timing
from search_stack.query.nodes import FieldIs, Node, Not, Words
from search_stack.query.number_words import ONE_TO_SIX
from search_stack.query.people import people_of, usual_age
from search_stack.query.plain.cutting import take
from search_stack.query.plain.stretch import HABITS, Stretch
from search_stack.query.timed import during
from search_stack.query.tree import all_of, any_of, not_

_BOUND = re.compile(r"(?:over|under|above|below|between)\s+\d", re.IGNORECASE)
_UNIT = re.compile(
    r"\s*(?:%|/|°|\.\d|-\s?\d*\s?[a-z]|degrees?|mm|cm|m?mol|mg|mcg|g/|ml|l\b|kg|lbs?|bpm|beats|units?|percent|points?|times"
    r"|min(?:ute)?s?\b|sec(?:ond)?s?\b|cigarettes|packs?\b|drinks|beers|pounds|litres?|liters?)",
    re.IGNORECASE,
)
_OR = re.compile(r"\s*,?\s*(?P<or>or)\s+", re.IGNORECASE)
_BARE_YEARS = re.compile(r"[<>≤≥]=?\s*\d{1,2}\s*(?:years?|yrs?)", re.IGNORECASE)
_YEARS = re.compile(r"(?:over|under|above|below)\s+\d{1,2}\s*(?:years?|yrs?)", re.IGNORECASE)
_BARE_SIGN = re.compile(r"[<>≤≥]=?\s*\d{2}")
_BARE_NUMBER = re.compile(r"\d{2}\s?(?:\+|(?:or|and)\b)", re.IGNORECASE)
_OLDEST, _LONGEST = 120, 40
"""Years that somebody may be old, and that something lasts where nothing says so."""
_LIKELY_YEAR = re.compile(r"20(?:1\d|2[0-6])(?=\s*(?:$|[,;.)]))")
_SPELT = 2
"""Letters from which a word that has no name is none of a measure: "Whipple 2023", "pneumonia ICU 2025"."""
_OF_RULES = frozenset(("WHO", "EULAR", "ESC", "AHA", "KDIGO", "FIGO", "EASL", "NICE"))
"""Whose rules are called by their year: "lupus EULAR 2019"."""
_AGES = frozenset((12, 16, 18, 21))
_LASTING = re.compile(
    r"\b(?:for|free|in|lasting|lasted|since|after|within|remission|relapse|survival|duration|history|follow[\s-]?up)\s+(?:of\s+)?$",
    re.IGNORECASE,
)
_PEOPLE_BEFORE = re.compile(
    r"\b(?:patients?|pts?|people|those|anyone|wom[ae]n|m[ae]n|adults?|persons?)\s+$", re.IGNORECASE
)
_SIZED = re.compile(r"aneurysm|stenosis|polyp|stone|obesity")
"""Diseases that bare numbers tell the size of."""
_HEAT = re.compile(r"\b(?:fevers?|temp(?:erature)?)\s*(?:of\s*)?$", re.IGNORECASE)
_HEADED = re.compile(
    r"\s*(?P<heading>impression|findings|assessment(?:\s+and\s+plan)?|conclusions?|indications?|plan|recommendations?"
    r"|medications?|interpretation|comparison|technique|hpi|ros|exam|subjective|objective)\s*:(?=\s|$)",
    re.IGNORECASE,
)
"""Before a line, the section that is looked in: "impression: pneumothorax"."""
_PATIENT = re.compile(
    r"(?<!\w)(?:(?:for|of|in)\s+)?patient\s+(?:(?:id|no\.?|number)\s*)?#?\s*(?P<id>[A-Z]{0,4}-?\d{3,12})(?![\w.])"
)
_NOT_SUCH = re.compile(r"\b(?:not|non)[\s-]+(?:currently\s+)?[^\W\d_]+\s+$", re.IGNORECASE)
"""What people are not, before they are named: "not pregnant women on valproate"."""
_YOUNG = re.compile(r"\d{1,2}\s*-?\s*(?:days?|weeks?|wks?|months?|mos?)\s*-?\s*olds?", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    r"\s*(?:$|[,;.?)]|(?:with|who|and|has|had|in|on|presenting|p/w|admitted)(?!\w))", re.IGNORECASE
)
_THAN = re.compile(r"(?:\b(?:over|under|above|below|than|least|most|until)|[<>≤≥]=?)\s*$", re.IGNORECASE)
_OR_TIME = re.compile(r"\s*(?:,|(?:,\s*)?\bor\b)\s*", re.IGNORECASE)
_AND_TIME = re.compile(r"\s*(?:,\s*)?(?:\band\b|&)\s*", re.IGNORECASE)
_EVENTS = re.compile(
    r"\s*(?:(?:,|;|(?:,\s*)?\b(?:and|then|but)\b)\s*(?:without|no|not|never)?|without)\s*(?:(?:any|an?)\s+)?",
    re.IGNORECASE,
)
_NOT_THEN = re.compile(r"\s*,?\s*(?:but|and)?\s*(?:not|never|without)\s+(?:also\s+)?", re.IGNORECASE)
"""Between two times of which the second is shut out: "stroke in 2019 but not in 2020"."""
_CHILDREN = re.compile(r"(?:kids?|child(?:ren)?)", re.IGNORECASE)
_SO_MANY = re.compile(
    r"(?<!\w)(?<!\bunder\s)(?<!\bover\s)(?<!\bthan\s)(?<!\bage\s)(?<!\baged\s)(?<![<>]\s)(?<![<>-])"
    rf"(?:\d|{ONE_TO_SIX}|first|second|third|1st|2nd|3rd|youngest|eldest)\s+$",
    re.IGNORECASE,
)
"""Before children they are somebody's own: "3 kids"."""
_BESIDE_AGE = frozenset(("but", "then", "not", "only", "adult", "adults"))
"""Words besides those of asking that may stand before an age."""


SHUT_TIME = re.compile(r"(?<!\w)(?:(?:but|and)\s+)?(?:not|without|except|outside(?:\s+of)?)\s+$", re.IGNORECASE)
"""Before a time that is left out: "stroke not in 2022"."""
_UNDER = re.compile(
    r"under\s+(?:(?:regular|close|active|annual|urgent)\s+)?(?:follow[\s-]?up|treatment|review|assessment|investigation)(?!\s+(?:section|heading))",
    re.IGNORECASE,
)
"""Somebody is so, and no heading: "cyst under follow up"."""
_SHUT_PEOPLE = re.compile(
    r"(?<!\w)(?:(?:but|and)\s+)?(?:(?:not|without|except|never)\s+(?:(?:in|for|among|any|all|the|those|who|are|is|aged?|patients?|pts"
    r"|people|anyone|anybody|persons?|subjects?|participants?|individuals)\s+)*|(?<!has\s)(?<!have\s)(?<!had\s)(?<!having\s)no\s+)$",
    re.IGNORECASE,
)
"""Before people who are left out: "pneumonia but not in children"."""
_DIAGNOSIS_OF = re.compile(
    r"(?<!\w)(?:with\s+)?(?:an?\s+|the\s+)?(?:(?P<when>discharge|admission|admitting|preoperative|postoperative|pre-?op|post-?op)\s+diagnos[ie]s"
    r"|(?P<why>(?:chief|main|primary|presenting)\s+complaint|reason\s+for\s+(?:admission|visit|referral)))"
    r"\s+(?P<of>(?:of|includes?|including|is|was|as)\s)?",
    re.IGNORECASE,
)
"""A heading before what stands under it: "discharge diagnosis of pneumonia", "chief complaint of headache"."""
_WHY = "chief complaint"


def fields(s: Stretch) -> None:
    held = {m.begin for m in s.mentions()}
    for found in list(_DIAGNOSIS_OF.finditer(s.shadow.text)):
        if found["of"] or found.end() in held:
            heading = f"{found['when'].lower()} diagnosis" if found["when"] else _WHY
            _part(s, FieldIs("section", aspect_of(heading)), *found.span())
    headed = _HEADED.match(s.shadow.text) or s.table.headed.match(s.shadow.text)
    before = s.line[: s.shadow.begins[0]].rstrip(" \t")
    begins = not before or before[-1] in ";\n"
    if headed and s.table.named_types.fullmatch(headed["heading"]):
        headed = None  # "Discharge summary: AKI" is looked for in these.
    if headed and begins and s.line[s.shadow.ends[headed.end() - 1] :].strip() and not _compared(s, *headed.span()):
        _part(s, FieldIs("section", aspect_of(_bare(headed["heading"]))), *headed.span())
    dated = _alternatives(s)
    for one, other in pairwise(dated):
        between = s.shadow.text[one[-1].end : other[0].begin]
        if _NOT_THEN.fullmatch(between) and any(m.end <= one[0].begin for m in s.mentions()):
            dated = [group for group in dated if group not in (one, other)]
            span = one[0].begin, other[-1].end
            make = partial(_then_and_not, one, other)
            take(s, span, Timing(make, "previous", *s.shadow.span(*span)), parting=True)
            break
    for own in _each_event(s, dated):
        dated = [group for group in dated if group != own]
        span = own[0].begin, own[-1].end
        take(s, span, Timing(partial(_during_any, own), "previous", *s.shadow.span(*span)), parting=True)
    for alternatives in dated:
        begin, end = alternatives[0].begin, alternatives[-1].end
        if shut := SHUT_TIME.search(s.shadow.text, 0, begin):
            _part(s, all_of(map(_outside, alternatives)), shut.start(), end)
        else:
            _part(s, any_of(map(_days, alternatives)), begin, end)
    for place in list(s.table.sections.named(s.shadow.text)):
        named = place.headings
        pieces = re.split(r"\s*(?:,|\bor\b|\band\b|\bnor\b)\s+", named) if not _whole_heading(s, named) else [named]
        if (
            _UNDER.match(s.shadow.text, place.begin)
            or _is_type(s, place.end, named)
            or _compared(s, place.begin, place.end)
        ):
            continue
        values = [aspect_of(_bare(p)) for p in pieces]
        if any(s.known.is_anatomy(v) for v in values) or (place.other and not s.parts):
            continue
        node = any_of(FieldIs("section", v) for v in values)
        _part(s, not_(node) if place.excluded else node, place.begin, place.end)
    for found in list(_PATIENT.finditer(s.shadow.text)):
        _part(s, FieldIs("patient", found["id"]), *found.span())
    for found in list(s.table.types.finditer(s.shadow.text)):
        *first, last = found["type"].lower().split()
        single = {"summaries": "summary"}.get(last, last.removesuffix("s") if len(last) > 4 else last)
        kind = FieldIs("type", " ".join([*first, single]))
        _part(s, not_(kind) if found["not"] else kind, *found.span())


def _is_type(s: Stretch, end: int, named: str) -> bool:
    """Whether what is named is a type of notes, or begins one: "in radiology reports", "in discharge summary"."""
    if s.table.named_types.fullmatch(_bare(named)):
        return True
    whole = s.table.named_types.match(s.shadow.text, end - len(named.split()[-1]))
    return whole is not None and whole.end() > end


def _alternatives(s: Stretch) -> list[list[Time]]:
    """The times that are named, those that "or" joins together: "in 2015 or 2016"."""
    text = s.shadow.text
    out: list[list[Time]] = []
    for time in times(text, s.known.today, s.table.numbers):
        between = text[out[-1][-1].end : time.begin] if out else ""
        if out and (_OR_TIME.fullmatch(between) or (_AND_TIME.fullmatch(between) and _are_years(out[-1][-1], time))):
            out[-1].append(time)
        elif not time.bare or _may_be_year(s, time.begin):
            out.append([time])
    return [one for group in out for one in ([group] if _joined(text, group) else [[t] for t in group])]


def _are_years(*both: Time) -> bool:
    """Whether each begins and ends, so that no day is in both: "in 2020 and 2021"; not "since 2019 and before 2021"."""
    return all(time.after and time.before for time in both)


def _joined(text: str, group: Sequence[Time]) -> bool:
    between = (text[a.end : b.begin].lower() for a, b in pairwise(group))
    return any("or" in b or "and" in b or "&" in b for b in between)


def _may_be_year(s: Stretch, begin: int) -> bool:
    """Whether a bare number is none that was measured: "pneumonia 2021", not "platelets 2000"."""
    text = s.shadow.text
    before = re.search(r"([^\W\d_][\w'-]*)\s*$", text[:begin])
    if before and before[1] in _OF_RULES:
        return False
    if before is None or before[1].lower() in s.table.frames or before[1].lower() in s.table.function:
        return True
    said = s.known.ending(text, before.end(1))
    if len(before[1]) >= _SPELT and _LIKELY_YEAR.match(text, begin) and not said:
        return True
    if before[1].lower().endswith("ed") and not re.match(r"\s*[^\W\d_]", text[begin + 4 :]):
        return True  # "Radiation completed 2019", not "drained 2000 ml".
    if any(is_valued(m.concept, s.known.lexicon) for m in said):
        return False
    return bool(said) or s.table.types.search(text[:begin].rstrip()) is not None


def _each_event(s: Stretch, dated: Sequence[Sequence[Time]]) -> list[list[Time]]:
    """The times of several events that each have their own: "MI 2010, CABG 2012"; no filters of one note."""
    each = [list(group) for group in dated]
    if len(each) < 2 or not (all(_are_years(*group) for group in each) or _never_at_once(each)):
        return []
    text, at = s.shadow.text, 0
    for group in each:
        begin = group[0].begin
        named = [m for m in s.mentions() if m.begin >= at and m.end <= begin]
        if not named or text[max(m.end for m in named) : begin].strip(" (,"):
            return []
        if at and not _EVENTS.fullmatch(text, at, min(m.begin for m in named)):
            return []
        at = group[-1].end
    return each


def _never_at_once(groups: Sequence[Sequence[Time]]) -> bool:
    """Whether no day is in all of them, so that they cannot be of one note: "AF in 2019, no stroke since 2020"."""
    first = max(min((t.after or date.min) for t in group) for group in groups)
    return first >= min(max((t.before or date.max) for t in group) for group in groups)


def _during_any(group: Sequence[Time], child: Node) -> Node:
    if isinstance(child, Not):
        return not_(_during_any(group, child.child))
    days = [tuple(day.isoformat() if day else "" for day in (time.after, time.before)) for time in group]
    return any_of(during(after, before, child) for after, before in days)


def _then_and_not(one: Sequence[Time], other: Sequence[Time], child: Node) -> Node:
    return all_of([_during_any(one, child), not_(_during_any(other, child))])


def _days(time: Time) -> Node:
    days = (("after", time.after), ("before", time.before))
    return all_of(FieldIs(key, day.isoformat()) for key, day in days if day)


def _outside(time: Time) -> Node:
    """The days before it or behind it."""
    days = (("before", time.after), ("after", time.before))
    return any_of(FieldIs(key, day.isoformat()) for key, day in days if day)


def _compared(s: Stretch, first: int, last: int) -> bool:
    """Whether it is no heading but the name of an amount: "blood loss more than a liter"."""
    begin, end = s.shadow.span(first, last)
    return any(begin < at <= end for at in s.amounts)


def _whole_heading(s: Stretch, named: str) -> bool:
    bare = _bare(named)
    return aspect_of(bare) != bare.lower()


def _bare(heading: str) -> str:
    return re.sub(r"(?i)^(?:the|their)\s+|\s+(?:section|heading|part)$", "", heading)


def _part(s: Stretch, node: Node, begin: int, end: int) -> None:
    s.parts.append(Part(node, *s.shadow.span(begin, end)))
    s.shadow = s.shadow.blank(begin, end)


def _measured(s: Stretch, found: re.Match[str]) -> bool:
    """Whether a bare "over 40" says how much of something there is: "BMI over 40", "fever over 39 degrees"."""
    text = s.shadow.text
    if _BARE_YEARS.fullmatch(found[0]) or _YEARS.fullmatch(found[0]):
        return _for_so_long(s, found)
    if _BARE_SIGN.fullmatch(found[0]):
        return not _is_age_of(s, found.start())
    if _BARE_NUMBER.match(found[0]):
        return any(is_valued(m.concept, s.known.lexicon) for m in _named_before(s, found.start()))
    if not _BOUND.match(found[0]):
        return False
    if any(int(n) > _OLDEST for n in re.findall(r"\d+", found[0])):
        return True
    if _UNIT.match(text, found.end()) or _HEAT.search(text[: found.start()]):
        return True
    before = re.search(r"([^\W\d_][\w'-]*)\s*$", text[: found.start()])
    if before is None or before[1].lower() in s.table.frames or before[1].lower() in s.table.function:
        return False
    if before[1].lower() in _BESIDE_AGE:
        return False
    said = [m for m in s.known.named(text, 0, found.start()) if any(b < before.end(1) <= e for b, e in m.parts)]
    return all(is_valued(m.concept, s.known.lexicon) for m in said)


def _named_before(s: Stretch, begin: int) -> list[Mention]:
    """What is named right before a place of the shadow."""
    before = s.shadow.text[:begin].rstrip()
    return s.known.ending(before, len(before))


def _for_so_long(s: Stretch, found: re.Match[str]) -> bool:
    """Whether years are how long something lasted: "alendronate > 5 years", "diabetes > 10 years", "in over 3 years".

    Of a disease that lasts, they are what a protocol sets as its age where they are 12, 16, 18, 21, or 40 and more.
    """
    years = int(re.search(r"\d+", found[0])[0])  # type: ignore[index]
    if _LASTING.search(s.shadow.text, 0, found.start()):
        return years < _LONGEST
    named = _named_before(s, found.start())
    if any(s.known.is_of(m, "drug", "procedure") for m in named):
        return True
    lasts = any(m.concept in chronic_ones() or m.concept in HABITS for m in named)
    return lasts and years < _LONGEST and years not in _AGES


def _is_age_of(s: Stretch, begin: int) -> bool:
    """Whether a bare "< 50" is an age: behind a disease that no size is told of, or behind people."""
    if _PEOPLE_BEFORE.search(s.shadow.text, 0, begin):
        return True
    named = _named_before(s, begin)
    concepts = [s.known.lexicon.concepts[m.concept] for m in named if not is_valued(m.concept, s.known.lexicon)]
    return bool(named) and all(c.kind == "disorder" and not _SIZED.search(c.name) for c in concepts) and bool(concepts)


def _in_name(s: Stretch, found: re.Match[str]) -> bool:
    """Whether it is a part of what a concept is called: "newborn jaundice", "transient tachypnea of the newborn"."""
    here = [(m, e - b) for m in s.mentions() for b, e in m.parts if b <= found.start() and found.end() <= e]
    return any(size > len(found[0].strip()) or len(m.parts) > 1 for m, size in here)


def people(s: Stretch) -> None:
    unclear = []
    text, ended = s.shadow.text, 0
    left_out: int | None = None
    also: list[tuple[int, int]] = []
    for found in list(s.table.people.finditer(text)):
        sign = _OR.fullmatch(text, ended, found.start()) if ended else None
        if sign:
            s.alike.add(s.shadow.span(*sign.span("or")))
        shut = _SHUT_PEOPLE.search(text, 0, found.start())
        left_out = shut.start() if shut else ended if left_out is not None and sign else None
        ended = found.end()
        if s.known.lexicon.find(found[0]) or _measured(s, found) or _in_name(s, found):
            continue
        if _CHILDREN.fullmatch(found[0]) and (many := _SO_MANY.search(s.shadow.text[: found.start()])):
            _part(s, Words(f"{many[0].lower()}{found[0].lower()}"), many.start(), found.end())
            continue
        said, whole = people_of(found[0])
        if _YOUNG.fullmatch(found[0]) and not _is_somebody(s, found):
            said = [node for node in said if node.field != "age"]
        begin, end = s.shadow.span(*found.span())
        if any(_untold(s, field) for field in said):
            typed = " ".join(s.line[begin:end].split())
            if any(c.isdigit() for c in typed):  # else they may be words of the text: "a child swallowed a pencil"
                s.reading.aside.append((begin, end))
                s.shadow = s.shadow.blank(*found.span())
            s.reading.notices.append(
                Notice("people", f'Nobody\'s sex or age is known here: "{typed}" is no criterion.', typed)
            )
            continue
        if said and left_out is not None:
            _part(s, not_(all_of(said)), left_out, found.end())
            if more := _OR.match(text, ended):
                also.append(more.span())
        elif said:
            s.parts += [Part(node, begin, end) for node in said]
        else:
            s.reading.aside.append((begin, end))
        if not whole:
            unclear.append((begin, end, said))
        denied = _NOT_SUCH.search(s.shadow.text[: found.start()])
        s.shadow = s.shadow.blank(*found.span())
        if denied:
            s.shadow = s.shadow.with_mark(found.start(), ";")
    for place in reversed(also):
        if s.shadow.text[slice(*place)].strip(" ,"):  # "without children or pregnancy": both are left out
            s.shadow = s.shadow.rewritten(*place, ", without ")
    if unclear:
        s.reading.notices.append(_ageless(s.line, unclear))


def _is_somebody(s: Stretch, found: re.Match[str]) -> bool:
    """Whether who is so many weeks old is meant, and no less or more: not "a 2 week old rash"."""
    text = s.shadow.text
    return bool(_OF_SOMEBODY.match(text, found.end())) and not _THAN.search(text[: found.start()])


def _ageless(line: str, unclear: Sequence[tuple[int, int, Sequence[FieldIs]]]) -> Notice:
    """What is said of words that say no exact age, with the line that says none where a usual one was read."""
    typed = ", ".join(f'"{line[begin:end]}"' for begin, end, _ in unclear)
    begin, end, said = unclear[0]
    age = usual_age(line[begin:end]) if any(field.field == "age" for field in said) else ""
    written = " ".join(f"{field.field}:{field.value}" for field in said if field.field != "age")
    how = f"it was read as age:{age}" if age else "write it as age:>60 or age:12-17"
    message = f"{typed} says no exact age in years; {how}."
    return Notice("people", message, line[begin:end], f"{line[:begin]}{written}{line[end:]}".strip() if age else "")


def _untold(s: Stretch, field: FieldIs) -> bool:
    """Whether no source tells it of anybody."""
    told = s.reading.told
    return not (told.sexes if field.field == "sex" else told.ages)
