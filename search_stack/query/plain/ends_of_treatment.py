"""Where what is done or taken ends before what somebody has: "on clozapine, neutropenia", "s/p TKR DVT"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.ends_of_doubt import WITH
from search_stack.query.plain.stretch import Stretch

HISTORY = re.compile(r"(?<!\w)(?:s/p|status\s+post|h/o|hx|history|pmhx?|psh|previous|prev|prior)(?!\w)", re.IGNORECASE)
PAST = re.compile(r"(?<!\w)s/p(?!\w)", re.IGNORECASE)
_DENIED_AT_ONCE = re.compile(r"(?<!\w)(?:(?:and|but)\s+)?(?:no|not|without|not\s+on|on)\s+$", re.IGNORECASE)
_GIVEN_OR_NOT = re.compile(
    r"\s+(?:is|was|were|not|never|given|held|declined|refused|stopped|omitted|missed|contraindicated)(?!\w)",
    re.IGNORECASE,
)
_FOR = re.compile(r"\s+for\s+", re.IGNORECASE)
_NOT_TAKEN = re.compile(r"(?<!\w)(?:without|not|off|stopped)(?!\w)", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:on|taking|receiving|off|stopped)$", re.IGNORECASE)
_ITEM = re.compile(r",\s+")
_INSTEAD = re.compile(r"\s+(?:alone|only|instead|monotherapy)(?!\w)", re.IGNORECASE)
_WITH_WORD = re.compile(r"(?:with|w/)\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
ON = re.compile(
    r"(?<!\bnot)(?<!\bno longer)(?<!\bstopped)(?<!\bdiscontinued)(?<!\bstop)"
    r"(?P<begun>(?:(?:^|\s)(?:(?:who|and|was|were|newly|recently|then|now)\s)*(?:started|commenced|initiated))?)"
    r"(?P<on>\s(?:on|taking|receiving|treated with)\s)",
    re.IGNORECASE,
)
_NOT_GIVEN_BEFORE = re.compile(r"(?:\bnot|n['’]t|\bnever)\s+(?:(?:been|currently|yet|being)\s+)*$", re.IGNORECASE)


def ends_of_treatment(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Commas behind what somebody is on, before other things: "on clozapine, neutropenia or seizures"."""
    kinds = s.known.lexicon.concepts
    begun = {m.begin: kinds[m.concept].kind for m in mentions}
    drugs = {m.end for m in mentions if kinds[m.concept].kind == "drug"}
    on = ON.search(s.shadow.text)
    return [
        m.start()
        for m in _ITEM.finditer(s.shadow.text, on.end() if on else len(s.shadow.text))
        if m.start() in drugs and begun.get(m.end(), "drug") in CONDITIONS
    ]


def ends_of_not_taken(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Commas behind what somebody is not on, before what somebody has: "not on warfarin, atrial fibrillation", or what
    is taken instead: "off insulin, metformin alone"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    begun = {m.begin: kinds[m.concept].kind for m in mentions}
    instead = {m.begin for m in mentions if _INSTEAD.match(text, m.end)}
    drugs = {m.end for m in mentions if kinds[m.concept].kind == "drug"}
    denials = (m for m in _NOT_TAKEN.finditer(text) if _TAKEN.search(s.typed(*s.shadow.span(*m.span()))))
    first = next(denials, None)
    return [
        m.start()
        for m in _ITEM.finditer(text, first.end() if first else len(text))
        if m.start() in drugs and (begun.get(m.end(), "drug") in CONDITIONS or m.end() in instead)
    ]


def ends_of_prophylaxis(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Around a name that holds the word, which says of nothing else what is to come: "migraine prophylaxis, gout"."""
    text = s.shadow.text
    out = []
    for m in mentions:
        if "prophyla" in text[m.begin : m.end].lower():
            before = _DENIED_AT_ONCE.search(text, 0, m.begin)
            out += [] if _GIVEN_OR_NOT.match(text, m.end) else [m.end]
            out.append((before.start() if before else m.begin) - 1)
    return [at for at in out if 0 < at < len(text) and text[at] in " ,"]


def ends_of_not_given(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where what was not given ends before what somebody has: "not anticoagulated AF"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    begun = {m.begin for m in mentions if kinds[m.concept].kind not in ("drug", "procedure", "device", "anatomy")}
    return [
        m.end
        for m in mentions
        if kinds[m.concept].kind in ("drug", "procedure")
        and s.typed(*s.shadow.span(m.begin, m.end)).lower().endswith("ed")
        and _NOT_GIVEN_BEFORE.search(text, 0, m.begin)
        and (found := re.compile(r"\s+(?:(?:with|in|for)\s+)?").match(text, m.end))
        and found.end() in begun
    ]


def end_of_procedures(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between what somebody underwent and what is told besides: "s/p ECMO, AKI", "s/p TKR DVT"."""
    past = PAST.search(s.shadow.text)
    if not past:
        return []
    kinds = s.known.lexicon.concepts
    done = {m.begin for m in mentions if kinds[m.concept].kind in ("procedure", "device")}
    had = {m.begin for m in mentions if kinds[m.concept].kind in CONDITIONS}
    at_once = [
        m.end
        for m in mentions
        if m.begin in done and m.begin >= past.end() and s.shadow.text[m.end : m.end + 1] == " " and m.end + 1 in had
    ]
    return at_once + [
        m.start()
        for m in _ITEM.finditer(s.shadow.text, past.end())
        if m.end() not in done and any(n.begin == m.end() for n in mentions)
    ]


def after_what_was_done(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a history ends behind a procedure, and before what lasts: "hx gastric bypass with marginal ulcer",
    "prior MI with diabetes", "previous cesarean for VBAC"; not "hx of DVT with PE"."""
    past = HISTORY.search(s.shadow.text)
    if not past:
        return []
    done = {m.end for m in mentions if s.known.is_of(m, "procedure", "device")}
    lasts = {m.begin for m in mentions if m.concept in chronic_ones()}
    acts = {m.begin for m in mentions if s.known.is_of(m, "procedure")}
    to_come = (m.start() for m in _FOR.finditer(s.shadow.text, past.end()) if m.start() in done and m.end() in acts)
    return [*to_come] + [
        m.start()
        for m in WITH.finditer(s.shadow.text, past.end())
        if m.start() in done or _WITH_WORD.match(s.shadow.text, m.end()).end() in lasts  # type: ignore[union-attr]
    ]
