"""What somebody is given instead of something else, against something, or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_SWITCHED = r"(?:switched|changed|converted|transitioned|swapped|replaced|moved)"
_OVER_TO = r"\s+(?:over\s+)?(?:to|onto|for|with|by)\s+"
_CHANGED = re.compile(
    rf"(?<!\w)(?:(?:was|were|been|being|then|later)\s+)*{_SWITCHED}\s+(?:(?P<from>from)\s+)?(?=\w)",
    re.IGNORECASE,
)
_TO = re.compile(_OVER_TO, re.IGNORECASE)
_CHANGED_TO = re.compile(
    rf"\s+(?:(?:was|were|been|being|then|later|and)\s+)*{_SWITCHED}{_OVER_TO}",
    re.IGNORECASE,
)
"""One drug instead of another: "switched from warfarin to apixaban", "warfarin switched to apixaban"."""
_TO_ONE = re.compile(rf"(?<!\w)(?:(?:was|were|been|being|then|later)\s+)*{_SWITCHED}{_OVER_TO}", re.IGNORECASE)
_FROM = re.compile(r"\s+from\s+", re.IGNORECASE)
_PROPHYLAXIS = re.compile(
    r",?\s+(?:but\s+)?(?P<how>(?:not\s+)?on|despite|without|no|off)\s+(?:any\s+)?(?:prophylaxis|ppx)(?!\w)",
    re.IGNORECASE,
)
_GTT = re.compile(r"\s+(?P<what>gtts?)(?!\w)", re.IGNORECASE)
_UNVACCINATED = re.compile(r"(?<![\w-])(?P<what>[\w-]+)\s+(?:unvaccinated|unimmuni[sz]ed)(?!\w)", re.IGNORECASE)
_TOLERATES = re.compile(
    r"(?<!\w)(?:(?:(?:could|can|did|does|do|has|have)(?:\s+not|n['’]?t)|cannot|not\s+able\s+to|unable\s+to|failed\s+to|never)\s+tolerated?"
    r"|not\s+tolerating|(?:highly\s+)?intolerant\s+(?:to|of))\s+(?:(?:an?|any|the|his|her|their)\s+)*(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before a drug, that somebody is intolerant of it, in which words ever."""
_TOLERATED = re.compile(
    r"[\s-]+(?:(?:(?:was|were|is|are)\s+)?(?:not|poorly|badly)\s+tolerated|intolerants?)(?!\w)", re.IGNORECASE
)
_THEN_OFF = re.compile(
    r"\s*,?\s+(?:(?:and|but|is|was|were|has|have|been|he|she|they|came|taken)\s+)*(?:then|now|later|since)\s+(?:(?:came|come|been|taken)\s+)?off(?:\s+it)?"
    r"(?=\s*(?:$|[,;.)])|\s+(?:due|because|after|for|before|in|since|following|with)\s)",
    re.IGNORECASE,
)
"""Behind a drug, that it is taken no more: "lithium, now off"."""
_ALLERGIES = re.compile(
    r"(?<!\w)(?:allergic\s+to|allerg(?:y|ies)\s+to|(?P<heading>allerg(?:y|ies)\s*:))\s*(?=[^\W\d_])",
    re.IGNORECASE,
)
_ALLERGEN = re.compile(
    r"(?:\s*(?:,|/|\band\b|\bor\b)+\s*)?(?P<what>[^\W\d_][\w-]*(?:\s(?!and\s|or\s)[\w-]+){0,2})(?=\s*(?:$|[,;./)]|(?:and|or)\s))",
    re.IGNORECASE,
)
"""An item of a list of what somebody is allergic to."""
_NAIVE = re.compile(r"[\s-]+na[iï]ve(?!\w)", re.IGNORECASE)
"""Behind what somebody never had: "statin-naive"."""


def not_tolerated(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Could not tolerate metformin" and "metformin not tolerated" as an intolerance to it."""
    for found in reversed(list(_TOLERATES.finditer(shadow.text))):
        if s.known.beginning(shadow.text, found.end(), "drug"):
            shadow = shadow.rewritten(*found.span(), "intolerance to ")
    for found in reversed(list(_TOLERATED.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), "drug"):
            shadow = shadow.rewritten(*found.span(), " intolerance")
    return shadow


def each_allergy(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Allergic to codeine and latex" with the name that an allergy to what is no drug has: "latex allergy"."""
    if "allerg" not in shadow.text.lower():
        return shadow
    for found in reversed(list(_ALLERGIES.finditer(shadow.text))):
        if is_denied(shadow.text, found.start()):
            continue
        items: list[re.Match[str]] = []
        named, drugs = False, False
        at = found.end()
        while one := _ALLERGEN.match(shadow.text, at):
            concept = s.known.lexicon.find(one["what"])
            has_name = s.known.is_name(f"{one['what']} allergy")
            if not has_name and (concept is None or concept.kind != "drug"):
                break
            if found["heading"] or (has_name and at > found.end()):
                items.append(one)
            named, drugs = named or has_name, drugs or not has_name
            at = one.end()
        for one in reversed(items if named and (drugs or found["heading"]) else ()):
            shadow = shadow.rewritten(*one.span("what"), f"{one['what']} allergy")
        if named and found["heading"]:
            shadow = s.left_aside(shadow, *found.span("heading"))
    return shadow


def taken_off(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Prednisone then off" as stopped."""
    for found in reversed(list(_THEN_OFF.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), "drug"):
            shadow = shadow.rewritten(*found.span(), " stopped")
    return shadow


def never_had(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Statin-naive" as without one now and in the past; "opioid naive" has a name."""
    for found in reversed(list(_NAIVE.finditer(shadow.text))):
        text = shadow.text
        had = max(s.known.ending(text, found.start(), *DONE_OR_TAKEN), key=lambda m: m.end - m.begin, default=None)
        if had is None or any(m.begin < found.end() <= m.end for m in s.known.named(text, had.begin)):
            continue
        s.never.add(shadow.span(had.begin, found.end())[1])
        end = ";" if text[found.end() :].strip(" ,;.?)") else ""
        shadow = shadow.rewritten(had.begin, found.end(), f"without {text[had.begin : had.end]}{end}")
    return shadow


def exchanged(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the drug stopped that another one is taken for."""
    shadow = _from_another(s, shadow)
    for pattern in (_CHANGED, _CHANGED_TO):
        for found in reversed(list(pattern.finditer(shadow.text))):
            text = shadow.text
            drugs = [m for m in s.known.named(text) if s.known.is_of(m, "drug")]
            behind = pattern is _CHANGED
            first = next((m for m in drugs if (m.begin == found.end() if behind else m.end == found.start())), None)
            if first is None and not behind:
                shadow = _after_what_it_did(s, shadow, found, drugs)
            if first is None:
                continue
            to = _TO.match(text, first.end) if behind else found
            whole = to is not None and any(m.begin == to.end() for m in drugs)
            if not whole and not (behind and found["from"]):
                continue  # "Changed dressing to foam"
            begin, end = found.start() if behind else first.begin, to.end() if to and whole else first.end
            name = text[first.begin : first.end] + ("; " if whole else "")
            shadow = shadow.rewritten(begin, end, f"stopped {name}")
    return shadow


def _from_another(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Switched to losartan from lisinopril" in the other order."""
    for found in reversed(list(_TO_ONE.finditer(shadow.text))):
        text = shadow.text
        new = next(iter(s.known.beginning(text, found.end(), "drug")), None)
        link = _FROM.match(text, new.end) if new else None
        old = next(iter(s.known.beginning(text, link.end(), "drug")), None) if link else None
        if new and old:
            told = f"stopped {text[old.begin : old.end]}; {text[new.begin : new.end]}"
            shadow = shadow.rewritten(found.start(), old.end, told)
    return shadow


def _after_what_it_did(s: Stretch, shadow: Shadow, found: re.Match[str], drugs: Sequence[Mention]) -> Shadow:
    """ "Lisinopril cough switched to losartan": the drug before what it did is stopped."""
    text = shadow.text
    new = next((m for m in drugs if m.begin == found.end()), None)
    if new is None:
        return shadow
    did = next(iter(s.known.ending(text, found.start(), *CONDITIONS)), None)
    old = did and next((m for m in drugs if text[m.end : did.begin].isspace()), None)
    if did and old:
        told = f"stopped {text[old.begin : old.end]}; {text[did.begin : did.end]}; "
        return shadow.rewritten(old.begin, found.end(), told)
    return shadow


def dripping(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Lasix gtt" as a drip, and no tolerance test."""

    def make(found: re.Match[str]) -> str:
        return " drip" if s.known.ending(found.string, found.start(), "drug") else found[0]

    return shadow.written(_GTT, make)


def prophylaxis(s: Stretch, shadow: Shadow) -> Shadow:
    """What somebody has and is given something against stands for itself: "DVT on prophylaxis"."""
    for found in reversed(list(_PROPHYLAXIS.finditer(shadow.text))):
        mention = next(iter(s.known.ending(shadow.text, found.start())), None)
        if mention is None or s.known.is_of(mention, "drug", "procedure", "device"):
            continue
        name = f"{shadow.text[mention.begin : mention.end]} prophylaxis"
        if s.known.lexicon.find(name):
            shadow = shadow.rewritten(*found.span(), f"; {found['how']} {name}")
        else:
            shadow = shadow.with_mark(found.start(), ";")
    return shadow


def unvaccinated(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Covid unvaccinated" has the disease, and no vaccine against it."""

    def make(found: re.Match[str]) -> str:
        vaccine = f"{found['what']} vaccine"
        return f"{found['what']}; no {vaccine}" if s.known.lexicon.find(vaccine) else found[0]

    return shadow.written(_UNVACCINATED, make)
