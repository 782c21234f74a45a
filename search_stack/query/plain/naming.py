"""What a line tells by other words than the lexicon's names: "hurt her knee", "on ten or more medications"."""

from __future__ import annotations

import re

from search_stack.query.items import Notice
from search_stack.query.plain.comparing import ANY_SIGN
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_STENT = re.compile(r"(?<!\w)(?P<before>[^\W\d_]+\s+)?(?P<what>stents?)(?!\w)", re.IGNORECASE)
_STENTED = {
    "ureteral": re.compile(
        r"\b(?:ureter\w*|hydroneph\w*|(?:kidney|renal)\s+(?:stones?|colic)|urolith\w*|nephrolith\w*|lithotripsy|urosepsis)\b",
        re.IGNORECASE,
    ),
    "biliary": re.compile(
        r"\b(?:ercp|cholangi\w*|choledoch\w*|biliary|bile|obstructive\s+jaundice|klatskin)\b", re.IGNORECASE
    ),
}
_STENT_OF = re.compile(
    r"(?:\w+(?:al|ic|ary)|jj|j|vascular|aortic|carotid|bile|duct|artery|metal|drug|eluting)\s+", re.IGNORECASE
)
"""Before a stent, which it is."""
_TYPED = re.compile(
    r"(?<!\w)type\s?(?P<type>[12])(?!\w)(?=\s*(?:$|[,;.?)]|(?:on|with|and|using|who|pts?|patients?|no|not|started|admitted)\s))",
    re.IGNORECASE,
)
_DIABETIC = re.compile(
    r"\b(?:hba1c|a1c|insulin|metformin|dka|sglt2\w*|gliclazide|libre|cgm|hypos?|hypoglyc\w+|ketoacidosis|glargine|lantus)\b",
    re.IGNORECASE,
)
_OF_OTHER = re.compile(r"diabet|\b(?:t[12]?dm|dm|resp\w*|mi|nstemi|endoleak|decompression)\b", re.IGNORECASE)
_MANY_DRUGS = re.compile(
    r"(?<![\w-])(?:(?:taking|takes|on)\s+)?(?:(?:(?P<least>at\s+least|>=\s?|≥\s?)|(?P<over>more\s+than|over|>))\s*)?(?P<many>\d{1,2}|five|six|seven|eight|nine|ten)"
    r"(?P<more>\s?\+|\s+or\s+more)?\s+(?:(?:different|regular|daily|home|chronic|prescription|prescribed|concomitant)\s+)*"
    r"(?:medications?|meds|medicines|drugs)(?!\w|\s+(?:allerg\w+|errors?|interactions?|overdoses?|screens?))",
    re.IGNORECASE,
)
_NOT_TOLERATED = re.compile(
    r"(?<!\w)(?:(?:is|was|were|are)\s+)?(?:not\s+tolerating|(?:unable\s+to|could\s?n[o']t|couldn't|can\s?not|can't|did\s?n[o']t|didn't)\s+tolerate"
    r"|intolerant\s+(?:of|to))\s+(?:an?\s+|any\s+)?(?P<what>[^\W\d_]{4,}?)s?(?!\w)",
    re.IGNORECASE,
)
_HURT = re.compile(
    r"(?<!\w)(?:hurt|injured|hit|banged|bumped|knocked)\s+(?:his|her|their|my)\s+(?P<what>[^\W\d_]{3,})(?!\w)",
    re.IGNORECASE,
)
_CAME_BACK = re.compile(
    r"(?<=\w\s)(?:(?:has|have|had)\s+)?(?:c[ao]me\s+back|(?<=has\s)returned|(?<=have\s)returned)"
    r"(?=\s*(?:$|[,;.?)]|(?:and|or|but|after|within|in|who|since)\s))",
    re.IGNORECASE,
)
"""Of a disease: "cancer came back"; not of a result, "cultures came back negative"."""
_IN_FLUID = re.compile(
    r"\bin\s+(?:(?:his|her|their|my|the)\s+)?(?:(?P<urine>pee|wee|urine)|(?P<stool>poop?|stools?|bowel\s+movements?))(?!\w)",
    re.IGNORECASE,
)
_PACKS = r"pack[\s-]?(?:years?|yrs?)"
_MANY_PACKS = re.compile(r"(?<![\w.-])(?P<many>\d{1,3})\s?\+\s?pack(?=[\s-]?(?:years?|yrs?)(?!\w))", re.IGNORECASE)
_PACKS_COMPARED = re.compile(
    rf"(?<!\w)(?P<packs>{_PACKS})\s+(?P<bound>(?:{ANY_SIGN})\s*\d{{1,3}})(?![\w.])",
    re.IGNORECASE,
)
_PACK_YEARS = re.compile(
    rf"(?<![\w.<>≥≤=-])(?<![<>≥≤=]\s)(?P<many>\d{{1,3}})[\s-]+{_PACKS}(?!\w)(?!\s+or\s+(?:more|less|fewer|over|above))",
    re.IGNORECASE,
)
"""So many alone, which are as many or more."""
_SO_BOUND = re.compile(rf"(?:{ANY_SIGN}|(?:to|and|or)\s)\s*$", re.IGNORECASE)
_SMOKED = re.compile(
    r"(?<!\w)(?:(?:ex|former|past|previous)[\s-]*(?:heavy\s+)?smok|(?<!not\s)(?<!never\s)(?<!n't\s)(?<!to\s)"
    r"(?:quit|(?:stopped|gave\s+up)(?=\s+(?:smoking|in\s|\d))))",
    re.IGNORECASE,
)
"""Who smokes no more: of them a note tells pack-years as past."""
_PACKS_OF = re.compile(rf"(?<![\w.-])(?:(?:{ANY_SIGN})\s*)?\d{{1,3}}[\s-]+{_PACKS}(?!\w)", re.IGNORECASE)
_PACKS_SMOKED = re.compile(rf"(?<!\w){_PACKS}\s+(?P<who>(?:history\s+of\s+)?(?:smokers?|smoking))(?!\w)", re.IGNORECASE)
"""What pack-years say anyway, and of now."""
_DRINKS = re.compile(
    rf"(?<!\w)(?:drinks?|drinking|drank)(?=\s+(?:(?:{ANY_SIGN}|about|up\s+to)\s*)?\d+\s?\+?\s*units)",
    re.IGNORECASE,
)
"""Units of alcohol."""
_NAD = re.compile(r"(?<!\w)nad(?!\w)", re.IGNORECASE)
_NAD_OF = re.compile(
    r"(?<!\w)(?:x-?\s?rays?|xr|cxr|axr|ct|mri|mr|us|uss|ultrasound|ecg|ekg|echo|bloods|dip|urine|scan|films?|imaging)"
    r"(?:\s+(?:head|chest|abdomen|abdo|brain|spine))?\s*[:-]?\s*$",
    re.IGNORECASE,
)
"""Tests that show nothing abnormal; who is examined is in no acute distress."""
_FLUTTER = re.compile(
    r"(?<!\batrial\s)(?<!\ba\s)(?<!\bventricular\s)(?<!\ba-)(?<!\w)flutter(?!\s+(?:valve|in|of))(?!\w)", re.IGNORECASE
)
_RHYTHM = re.compile(r"\b(?:af|afib|a\s?fib|atrial|fib|rhythm|cardioversion|dccv|ablation|ecg|ekg|rate\s+control)\b")
"""Beside them a flutter is one of the atria."""
_STATUS = re.compile(
    r"(?:(?<![\s\S])|(?<=\bin\s)|(?<=\binto\s)|(?<=\bwith\s)|(?<=convulsive\s)|(?<=,\s))status"
    r"(?=\s*(?:$|[,;.?)]|(?:on|after|requiring|needing|with|and|treated|despite|due|in|who)\s))",
    re.IGNORECASE,
)
_SEIZING = re.compile(r"\b(?:epilep\w*|seiz\w*|convuls\w*|lorazepam|levetiracetam|keppra|\w*phenytoin)\b")
"""Beside them a status is one of seizures."""
_FALL = re.compile(
    r"(?:(?<![\s\S])|(?<=\bfor\s)|(?<=\belderly\s)|(?<=,\s))fall(?!\s+(?:in|risk|asleep|within|short|off|semester|into|of|colou?rs?|foliage|allerg\w*"
    r"|prevention|precautions?|alarms?|clinic|back|winter|(?:19|20)\d\d)(?!\w))(?!\w|,)",
    re.IGNORECASE,
)
"""Where it is no season and nothing that decreases: "fall hip fracture", "CT head for fall"."""
_NEEDS_AID = re.compile(
    r"(?<!\w)(?:needs?|needing|requires?|requiring)\s+(?:(?:an?|the|his|her|their)\s+)?(?=(?:(?:rolling|four|wheeled|home|electric|motori[sz]ed|manual|walking)\s+)*"
    r"(?:walkers?|rollators?|canes?|crutch(?:es)?|wheel\s?chairs?|zimmer|walking\s+(?:sticks?|frames?|aids?)|mobility\s+aids?|scooters?|hearing\s+aids?"
    r"|glasses|dentures|prosthe\w+|braces?|home\s+o(?:xygen|2))(?!\w))",
    re.IGNORECASE,
)
"""What somebody needs every day is no plan: "needs a walker"."""
_POLYPHARMACY = 5
"""Medications from which they are many."""


_BASAL = re.compile(
    r"(?<!\w)basal(?=\s+(?:creps|crackles|crepitations|rales|consolidation|opacit\w+|infiltrates?|effusions?)(?!\w))",
    re.IGNORECASE,
)
"""Of the lungs, and of no cell or ganglion."""
_POSTOP = re.compile(
    r"(?<![\w-])post[\s-]?op(?:erative(?:ly)?)?"
    r"(?:\s+(?:patients?|pts|people|cases)(?:\s+(?:who|that|with|had|have|has|having|got|developed|developing|in|an?|the))*)?\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before what came of an operation: "postop patients who had an ileus"."""


def named_so(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the names of what is told by what somebody did, bears, or has in the body."""
    shadow = shadow.written(_BASAL, lambda m: "basilar")
    for found in reversed(list(_POSTOP.finditer(shadow.text))):
        behind = max(s.known.beginning(shadow.text, found.end()), key=lambda m: m.end, default=None)
        called = (shadow.text[behind.begin : behind.end], s.known.name_of(behind.concept)) if behind else ()
        names = (name for one in called if s.known.is_name(name := f"postoperative {one}"))
        if behind and (name := next(names, "")):
            shadow = shadow.rewritten(found.start(), behind.end, name)
    shadow = shadow.written(_NOT_TOLERATED, lambda m: _if_known(s, m, f"{m['what']} intolerance"))
    shadow = shadow.written(_HURT, lambda m: _if_known(s, m, f"{m['what']} injury"))
    shadow = shadow.written(_NEEDS_AID, lambda m: "uses ")
    shadow = shadow.written(_DRINKS, lambda m: "alcohol use")
    shadow = shadow.written(_CAME_BACK, lambda m: "recurrence").written(_IN_FLUID, _in_fluid)
    if _NAD.search(shadow.text):
        text = shadow.text
        shadow = shadow.written(_NAD, lambda m: "normal" if _NAD_OF.search(text[: m.start()]) else m[0])
    line = s.line.lower()
    if "flutter" in line and _RHYTHM.search(line):
        shadow = shadow.written(_FLUTTER, lambda m: "atrial flutter")
    if "status" in line and _SEIZING.search(line):
        shadow = shadow.written(_STATUS, lambda m: "status epilepticus")
    if "status" in line and _SEIZING.search(line):
        shadow = shadow.written(_STATUS, lambda m: "status epilepticus")
    if "fall" in line:
        held = [p for m in s.known.named(shadow.text) for p in m.parts]
        shadow = shadow.written(
            _FALL, lambda m: m[0] if any(b <= m.start() < e for b, e in held) else "accidental fall"
        )
    if "stent" in line:
        shadow = shadow.written(_STENT, lambda m: _stent(s, m))
    if "type" in line and _DIABETIC.search(s.line) and not _OF_OTHER.search(s.line):
        shadow = shadow.written(_TYPED, lambda m: f"type {m['type']} diabetes")
    return shadow


def so_many(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with what so many drugs or packs come to."""
    if "pack" in shadow.text.lower():
        shadow = _packs(s, shadow)
    return shadow.written(_MANY_DRUGS, lambda m: "polypharmacy" if _is_many(s, m) else m[0])


def _packs(s: Stretch, shadow: Shadow) -> Shadow:
    """Pack-years as they are compared, of whom smokes no more in the past."""
    shadow = shadow.written(_MANY_PACKS, lambda m: f">= {m['many']} pack")
    shadow = shadow.written(_PACKS_COMPARED, lambda m: f"{m['bound']} {m['packs']}")
    for found in reversed(list(_PACK_YEARS.finditer(shadow.text))):
        if not _SO_BOUND.search(shadow.text, 0, found.start()):
            place = shadow.span(*found.span())
            told = f'"{s.typed(*place)}" was read as {found["many"]} pack-years or more.'
            way = s.instead(*place, f'finding:"tobacco use; = {found["many"]} pack-years"')
            s.reading.notices.append(Notice("field", told, s.typed(*place), way))
            shadow = shadow.rewritten(*found.span(), f">= {found['many']} pack-years")
    if _SMOKED.search(s.line) and "current" not in s.line.lower():
        shadow = shadow.written(_PACKS_OF, lambda m: f"previous {m[0]}")
        for found in list(_PACKS_SMOKED.finditer(shadow.text)):
            shadow = s.left_aside(shadow, *found.span("who"))
    return shadow


def _is_many(s: Stretch, found: re.Match[str]) -> bool:
    """ "10 or more medications"; "on 3 or more drugs" are not many."""
    if not (found["least"] or found["over"] or found["more"]):
        return False
    many = int(found["many"]) if found["many"].isdigit() else s.table.numbers[found["many"].lower()]
    return many + bool(found["over"]) >= _POLYPHARMACY


def _if_known(s: Stretch, found: re.Match[str], name: str) -> str:
    """``name`` where the lexicon has it: "hurt their knee", "not tolerating statins"."""
    return name if s.known.lexicon.find(name) else found[0]


def _stent(s: Stretch, found: re.Match[str]) -> str:
    """A stent that the line tells of the ureter or the bile duct: "kidney stones with stent"."""
    if _STENT_OF.fullmatch(found["before"] or ""):
        return found[0]
    kind = next((kind for kind, about in _STENTED.items() if about.search(s.line)), "")
    return f"{found['before'] or ''}{kind} {found['what']}" if kind else found[0]


def _in_fluid(found: re.Match[str]) -> str:
    """ "Blood in their pee" as a name has it."""
    return f"in the {'urine' if found['urine'] else 'stool'}"
