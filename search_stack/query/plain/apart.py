"""Where what is said of one name ends before another, and what stands beside a name without saying anything of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.items import Part
from search_stack.query.nodes import Words
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.kin import KIN
from search_stack.query.plain.stretch import HABITS, Stretch
from search_stack.query.shadow import Shadow

_EX = re.compile(r"(?<![\w-])ex[\s-]+(?=[^\W\d_])", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:quit|stopped|gave)\b", re.IGNORECASE)
_QUIT = re.compile(
    r"(?:\s*,)?(?:^|\s+)(?:(?:and|but|who|has|had|since)\s+)*(?P<quit>quit|stopped|gave\s+up)(?P<what>\s+(?:smoking|drinking|tobacco|alcohol|cigarettes))?"
    r"(?P<when>\s+(?:in\s+|since\s+)?(?:19|20)\d\d|\s+(?:(?:about|over|around|more\s+than|>)\s*)?\d{1,2}\s*(?:years?|yrs?|months?|y)\s+ago"
    r"|\s+at\s+(?:age\s+)?\d\d)(?=\s*(?:$|[,;.)]|(?:and|with|but|now|who|on)\s))",
    re.IGNORECASE,
)
"""When a habit ended, which is no day of a note: "ex-smoker quit 2010"."""
_WAS = re.compile(
    r"(?<!\w)(?:ex|former|previous|past|prior)[\s-]*(?:[\w-]+\s+){0,2}?(?:smok\w+|drink\w+|user)$", re.IGNORECASE
)
_SMOKED = re.compile(r"(?<!\w)pack[\s-]years?(?!\w)[^,;.]*$", re.IGNORECASE)
_SMOKER = re.compile(r"(?<!\w)(?:smok\w+|drink\w+)$", re.IGNORECASE)
_USER = re.compile(r"(?<![\w-])(?P<ex>(?:ex|former)[\s-]+)?(?P<drug>[^\W\d_]+)\s+users?(?!\w)", re.IGNORECASE)
_ADDICT = re.compile(r"(?<![\w-])(?P<drug>[^\W\d_]+)\s+addict(?:s|ion|ed)?(?!\w)", re.IGNORECASE)
_RECOVERS = re.compile(r"(?<!\w)(?:in\s+recovery|recovering)\s+(?:from\s+)?(?=[^\W\d_])", re.IGNORECASE)
_DEPENDS = re.compile(r"use disorder|dependence|addiction|abuse")
_REFERRED = re.compile(r"(?<!\w)referred\s+for(?!\w)", re.IGNORECASE)
_HISTORY = r"family\s+(?:history|hx)|fhx?"
_FAMILY = re.compile(rf"(?<!\w)(?:{_HISTORY}|{KIN})(?:\s[^;.]*)?$", re.IGNORECASE)
_TAKES = re.compile(rf"(?<!\w){KIN}\s+takes\s+(?:[^;.]*\s)?$", re.IGNORECASE)
_NO_MORE = re.compile(rf"(?<!\w)no\s+(?:{_HISTORY})$", re.IGNORECASE)
"""Behind it nothing is told of the family."""
_OWN_KINDS = frozenset(("symptom", "procedure", "device", "drug"))
"""What is, with habits, hardly ever told of a family: behind a comma it is the patient's."""
_JOINED = re.compile(r"\s*(?:,|and|with)\s+", re.IGNORECASE)
_APART = re.compile(
    r"\s*(?:,|;|(?:with|who\s+has|presenting\s+with|(?:and|but|with)(?=\s+no\s))(?=\s))\s*(?:(?:an?|no)\s+)?",
    re.IGNORECASE,
)
_RESULTS = re.compile(
    r"(?:\s|\b(?:an?|the|normal|abnormal|clear|recent|new|multiple|recurrent|negative|positive|on)\b)*", re.IGNORECASE
)
_UNCAUSED = re.compile(
    r"(?<!\w)no\s+(?:(?:obvious|clear|identifiable|apparent|other|specific|organic|known)\s+)*(?P<what>causes?|reasons?|explanations?|a?etiolog(?:y|ies))"
    r"(?:\s+(?:was|were|is|has\s+been|could\s+be))?(?:\s+(?:found|identified|seen|established|given))?\s+(?:for|of)\s+(?=\w)",
    re.IGNORECASE,
)
"""Of what there is: "no cause found for syncope"."""
_SUSPECTED_BEHIND = re.compile(r"\s+(?:suspected|queried|likely|possible|probable)\s*(?P<end>,)", re.IGNORECASE)
_FREE_BEHIND = re.compile(r"[\s-]+free(?!\w)", re.IGNORECASE)
_IN_SITU = re.compile(r"(?<=\w)\s+in\s+situ(?!\w)", re.IGNORECASE)
_MEASURED = re.compile(r"(?:raised|elevated|abnormal)\s", re.IGNORECASE)
"""What a test told of the patient: "raised ferritin"."""
_ITEM = re.compile(r",\s+")
_NO_DAY = "when a habit ended is no day of a note"
_NEAR = 3
"""Words between "referred for" and the procedure, at most."""


def uncaused(s: Stretch, shadow: Shadow) -> Shadow:
    """ "No cause found for syncope": the name, which nothing denies, and the words "no cause"."""
    for found in list(_UNCAUSED.finditer(shadow.text)):
        if s.known.beginning(shadow.text, found.end()):
            begin, end = shadow.span(*found.span())
            s.parts.append(Part(Words(f"no {found['what'].lower()}"), begin, end))
            shadow = shadow.blank(*found.span())
    return shadow


def in_place(s: Stretch, shadow: Shadow) -> Shadow:
    """ "IUD in situ" is the device; "adenocarcinoma in situ" is no other cancer."""
    for found in list(_IN_SITU.finditer(shadow.text)):
        named = s.known.named(shadow.text)
        inside = any(b < found.end() <= e for m in named for b, e in m.parts)
        kinds = {s.known.lexicon.concepts[m.concept].kind for m in named if m.end == found.start()}
        if not inside and not kinds.isdisjoint(("device", "procedure")):
            shadow = s.left_aside(shadow, found.start() + 1, found.end())
    return shadow


def own_remarks(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where what is said behind one name ends before, or begins behind, another: "PE suspected, Wells score 5",
    "epilepsy seizure free"."""
    text = s.shadow.text
    out = [found.start("end") for m in mentions if (found := _SUSPECTED_BEHIND.match(text, m.end))]
    ends = {m.end for m in mentions}
    free = [m.begin - 1 for m in mentions if _FREE_BEHIND.match(text, m.end) and m.begin]
    return out + [at for at in free if text[at] == " " and at in ends]


def ends_of_family(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a family's history ends before what is the patient's own: "family history of colon cancer, normal
    colonoscopy", "FHx MI, smoker, chest pain", "dad has prostate cancer and PSA > 4"."""
    text = s.shadow.text
    own = [m for m in mentions if m.concept in HABITS or s.known.is_of(m, *_OWN_KINDS)]
    commas = [
        found.start()
        for found in _ITEM.finditer(text)
        if _FAMILY.search(text[: found.start()])
        and (
            _NO_MORE.search(text[: found.start()])
            or any(_RESULTS.fullmatch(text, found.end(), m.begin) for m in own if m.begin >= found.end())
        )
        and not re.search(r"\b(?:and|or)\b", text[found.end() :])
    ]
    both = pairwise(sorted(mentions, key=lambda m: m.begin))
    return commas + [one.end for one, other in both if _is_own(s, one, other)]


def _is_own(s: Stretch, one: Mention, other: Mention) -> bool:
    """Whether the second is the patient's behind a disease of the family: a complaint, a habit, a value."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    if kinds[one.concept].kind == "drug" and _TAKES.search(text[: one.begin]):
        return kinds[other.concept].kind in CONDITIONS and text[one.end : other.begin].strip() == ","
    if kinds[one.concept].kind != "disorder" or not _FAMILY.search(text[: one.begin]):
        return False
    if amount_at(s, other) is not None or _MEASURED.match(text, other.begin):
        return _JOINED.fullmatch(text, one.end, other.begin) is not None
    own = kinds[other.concept].kind in (*_OWN_KINDS, "finding") or other.concept in HABITS
    return own and "death" not in kinds[other.concept].name and _APART.fullmatch(text, one.end, other.begin) is not None


def _is_done(s: Stretch, found: re.Match[str]) -> bool:
    """Whether a procedure is named behind it, within a few words: for which, and no complaint, somebody is sent."""
    text = found.string
    first = min(s.known.named(text, found.end()), key=lambda m: m.begin, default=None)
    if first is None or len(text[found.end() : first.begin].split()) > _NEAR:
        return False
    return s.known.is_of(first, "procedure")


def referred(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Referred for" a complaint is "seen for" it; a procedure that somebody is referred for is to come."""
    return shadow.written(_REFERRED, lambda m: m[0] if _is_done(s, m) else "seen for")


def former(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Ex IVDU" as a note has it; "ex lap" is no former thing."""
    line = shadow.text.lower()
    if "user" in line:
        shadow = shadow.written(_USER, lambda m: _use(s, m))
    if "addict" in line:
        shadow = shadow.written(_ADDICT, lambda m: _addiction(s, m))
    if "recover" in line:
        shadow = shadow.written(_RECOVERS, lambda m: _recovers(s, m))
    text = shadow.text
    begun = {m.begin for m in s.known.named(text)} if _EX.search(text) else set()
    return shadow.written(_EX, lambda m: "former " if m.end() in begun and m.start() not in begun else m[0])


def _use(s: Stretch, found: re.Match[str]) -> str:
    """ "Cocaine user" by what is done; "NSAID user" has no such name."""
    use = f"{found['drug']} use"
    if not s.known.is_name(use) or s.known.is_name(f"{found['drug']} user"):
        return found[0]
    return f"previous {use}" if found["ex"] else use


def _addiction(s: Stretch, found: re.Match[str]) -> str:
    """ "Heroin addict" by the disorder of that drug."""
    names = (f"{found['drug']} {what}" for what in ("use disorder", "dependence"))
    return next((name for name in names if s.known.is_name(name)), found[0])


def _recovers(s: Stretch, found: re.Match[str]) -> str:
    """ "In recovery from alcohol use disorder" as former; not from surgery."""
    behind = s.known.beginning(found.string, found.end(), "disorder")
    return "former " if any(_DEPENDS.search(s.known.name_of(m.concept)) for m in behind) else found[0]


def ended(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Ex-smoker quit 2010" without when that was, and a smoker of whom it is told as a former one."""
    if not _ENDED.search(shadow.text):
        return shadow
    for found in reversed(list(_QUIT.finditer(shadow.text))):
        before = shadow.text[: found.start()] or s.line[: s.shadow.begins[0]].rstrip(" (")
        told = not found["what"] and bool(_WAS.search(before) or _SMOKED.search(before))
        if told or found["what"] or _SMOKER.search(before):
            shadow = s.left_aside(shadow, *found.span(0 if told else "when"), _NO_DAY)
    return shadow
