"""Where shorthand ends a scope that prose would not: "NSTEMI s/p PCI", "?SBO, prior laparotomy"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.apart import ends_of_family, own_remarks
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.kin import KIN
from search_stack.query.plain.stretch import Stretch

CONDITIONS = frozenset(("disorder", "finding", "symptom"))
"""Kinds of what somebody has."""
_GUESSED = re.compile(r"(?<!\w)\?\s?[^,;?]+(?P<end>,)")
_SUSPECTED = re.compile(
    r"(?<!\w)(?:suspected|possible|probable)\s[^,;?]+(?P<end>,)(?![^;]*\b(?:and|or)\b)", re.IGNORECASE
)
_GUESSES = re.compile(r"(?:\b(?:suspected|possible|probable|r/o|rule\s+out)|(?<!\w)\?)[^,;.]*$", re.IGNORECASE)
_GUESSED_BEFORE = re.compile(r"(?:(?<!\w)\?|\b(?:suspected|possible|probable|query)\b)[^,;.]*$", re.IGNORECASE)
_GUESS_BEHIND = re.compile(r"(?P<end>[,\s])\s*\?(?=\w)")
_RESULT_BEHIND = re.compile(
    r"\s+(?:(?:is|was|were|came\s+back)\s+)?(?:neg(?:ative)?|pos(?:itive)?|normal|abnormal|clear|unremarkable|nad|raised|high|low)(?!\w)",
    re.IGNORECASE,
)
_NEGATIVE_BEHIND = re.compile(r"\s+(?:(?:is|was|were|came\s+back)\s+)?neg(?:ative)?(?!\w|\s+for\b)", re.IGNORECASE)
_STATUS_POST = re.compile(r"(?<=\w)(?P<end>[\s,]+)(?:s/p|status\s+post|h/o|hx\s+of|r/o)(?=\s+\w)", re.IGNORECASE)
_OWN = re.compile(
    r"(?<!\w)(?:no|any|denie[sd]|without|negative(?:\s+for)?|prior|past|previous|family|medical|known|significant|personal|of|not)$",
    re.IGNORECASE,
)
"""What goes with "hx of" rather than ends before it."""
_DENIED_BEFORE = re.compile(r"\b(?:without|not|no|never)\b[^,;]*$", re.IGNORECASE)
_AND_WHO = re.compile(
    r"(?P<end>\s)(?=(?:and|but)\s+(?:(?:who|whose|which)|(?:only\s+)?(?:include|keep))\s)", re.IGNORECASE
)
_DENIED_BEHIND = re.compile(
    r",(?P<item>[^,;]+?\s(?:was\s+|were\s+|is\s+|has\s+been\s+)?(?:excluded|ruled\s+out|neg(?:ative)?|absent|normal|unremarkable))(?=\s*(?:[,;.]|$))",
    re.IGNORECASE,
)
_RESULT_OF_OTHER = re.compile(
    r"(?P<end>\s)(?:[^\W\d_]{2,6}[\s-])?[^\W\d_]{0,4}\d[\w-]*\s+(?:neg(?:ative)?|pos(?:itive)?)(?!\w)", re.IGNORECASE
)
"""Behind a name, a test that has none with its result: "spondylitis HLA B27 neg"."""
_RULED_OUT = re.compile(
    r"\s+(?:was\s+|were\s+|is\s+|has\s+been\s+)?(?:excluded|ruled\s+out|neg(?:ative)?|absent|denied)(?!\w|\s+for\b)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\s+(?:with|in|on|despite|during|since|instead\s+of)\s+(?:(?:an?|the|their|patients?|people|those|known|who\s+have|with)\s+)*",
    re.IGNORECASE,
)
_FOR = re.compile(r"\s+for\s+(?:(?:an?|the|their|known)\s+)*", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:no|not|denie[sd]|denying|without|absence\s+of|free\s+of|neither|nor|negative\s+for|lacks?|never\s+had)\b[^,;.]*$",
    re.IGNORECASE,
)
_EVER = re.compile(r"(?<!\w)ever\s*(?P<end>,)", re.IGNORECASE)
TESTED_FOR = frozenset(("infection", "pregnancy"))
"""What a test of that name says to be there, with all below it."""
_FORMER = re.compile(r"(?<!\w)(?:ex|former)[\s-]+\w+(?P<end>,|\s(?=with\s))", re.IGNORECASE)
_FAMILY_AND_NO = re.compile(
    r"(?<!\w)(?:family\s+(?:history|hx)|fhx?|fh)\s[^,;.]*(?P<end>,)(?=\s*(?:no|without|denie[sd]|not|never)\s)",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"(?<!\w)negative\s+(?!for\b)[^,;]+(?P<end>,)", re.IGNORECASE)
_KNOWN = re.compile(r"(?P<end>,)(?=\s*(?:known|established|concurrent|concomitant|background)\s)", re.IGNORECASE)
"""Behind it stands what somebody has besides: "ruled out for PE, known malignancy"."""
_RAISED = re.compile(
    r"(?<!\w)neg(?:ative)?\s+(?P<test>[^,;]+?)(?P<end>\s)(?=(?:raised|elevated|high|low|increased|decreased|positive|abnormal)\s)",
    re.IGNORECASE,
)
"""A result, and behind it another test with its own: "negative CTPA raised d-dimer"."""
_NOW = re.compile(
    r"(?<=\w)(?<!\bnot)(?<!\bno)(?<!\bnever)(?<!\bwithout)(?P<end>[,\s]+)(?:and\s+|but\s+|,)?(?:now|new(?:ly)?|new\s+onset|currently?|presents?|presenting|p/w|c/o|here\s+with|admitted"
    r"|wants|wanting|would\s+like|keen\s+(?:for|on)|requesting|requests|hoping\s+for)\s",
    re.IGNORECASE,
)
_AND_DOES = re.compile(
    r"(?P<end>,)(?=\s*(?:and|but)\s+(?:using|taking|receiving|willing|able|currently\s+on|on)\s)", re.IGNORECASE
)
"""Behind it stands what they do: "not pregnant, and using contraception"."""
_ENDS = (
    _GUESSED,
    _SUSPECTED,
    _GUESS_BEHIND,
    _RAISED,
    _STATUS_POST,
    _AND_WHO,
    _AND_DOES,
    _EVER,
    _FORMER,
    _FAMILY_AND_NO,
    _NEGATIVE,
    _KNOWN,
)
"""What another statement begins behind, from the group of that name on."""
_SIGNED = re.compile(r"(?<=\s)[-+]ve\b", re.IGNORECASE)
_HISTORY = re.compile(r"(?<!\w)(?:s/p|status\s+post|h/o|hx|history|pmhx?|psh|previous|prev|prior)(?!\w)", re.IGNORECASE)
_PAST = re.compile(r"(?<!\w)s/p(?!\w)", re.IGNORECASE)
_DENIED_AT_ONCE = re.compile(r"(?<!\w)(?:(?:and|but)\s+)?(?:no|not|without|not\s+on|on)\s+$", re.IGNORECASE)
_GIVEN_OR_NOT = re.compile(
    r"\s+(?:is|was|were|not|never|given|held|declined|refused|stopped|omitted|missed|contraindicated)(?!\w)",
    re.IGNORECASE,
)
_MOTHER = re.compile(
    r"(?P<end>,)(?=\s*(?:the\s+)?(?:mother|mom|mum)\s+(?:on|taking|took|treated|given)\s)", re.IGNORECASE
)
"""Behind it stands what the mother of a newborn takes, and nothing of what the newborn has."""
_MATERNAL = re.compile(r"(?<!\w)maternal\s+$", re.IGNORECASE)
_NOT_TAKEN = re.compile(r"(?<!\w)(?:without|not|off|stopped)(?!\w)", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:on|taking|receiving|off|stopped)$", re.IGNORECASE)
_AND_MORE = re.compile(r"(?:\s|,)\s*(?:and|with|in)\s", re.IGNORECASE)
_ITEM = re.compile(r",\s+")
_DENIED_INSIDE = re.compile(
    r"(?:^|(?<=[,;]))(?P<item>[^,;]+\s(?P<denies>not|without|no|off)\s[^,;]*)(?P<end>,)", re.IGNORECASE
)
"""A denial that belongs to one item of what excludes: "HIV not on ART, hepatitis B"."""
_OR = re.compile(r",?\s+or\s+", re.IGNORECASE)
_WITH = re.compile(r"\s(?=(?:with|w/)\s)", re.IGNORECASE)
_WHO_HAS = re.compile(r"(?P<before>\w+)(?P<end>\s)(?=who\s(?:has|have|had)\s)", re.IGNORECASE)
_WHOSE = re.compile(
    r"(?<=\w)(?P<end>,?\s)(?=whose\s[^,;]*\b(?:neg(?:ative)?|pos(?:itive)?|normal|unremarkable|not)\b)", re.IGNORECASE
)
"""Behind it stands how a test of theirs came out: "celiac disease whose TTG is negative"."""
_KINS = re.compile(KIN, re.IGNORECASE)
_WITH_WORD = re.compile(r"(?:with|w/)\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
_COMMA_ON = re.compile(r"(?P<end>,)\s+on\s", re.IGNORECASE)
_ON = re.compile(
    r"(?<!\bnot)(?<!\bno longer)(?<!\bstopped)(?<!\bdiscontinued)(?<!\bstop)"
    r"(?P<begun>(?:(?:^|\s)(?:(?:who|and|was|were|newly|recently|then|now)\s)*(?:started|commenced|initiated))?)"
    r"(?P<on>\s(?:on|taking|receiving|treated with)\s)",
    re.IGNORECASE,
)
_NOT_GIVEN_BEFORE = re.compile(r"(?:\bnot|n['’]t|\bnever)\s+(?:(?:been|currently|yet|being)\s+)*$", re.IGNORECASE)
_RISKS = re.compile(r"\b(?:risks?\s+(?:of|for)|to\s+prevent|prevention\s+of|preventing)\b[^,;.]*$", re.IGNORECASE)
_FORMER_AND = re.compile(r"(?<!\w)(?:ex|former)[\s-]+\w+(?P<end>\s)(?:(?:and|&|now)\s+)?", re.IGNORECASE)
_DENIES_BEHIND = re.compile(r"\s+(?:denies|denied|denying)\s*(?:$|[,;.])", re.IGNORECASE)
_RESULT_BEFORE = re.compile(r"\s(?:neg(?:ative)?|normal|clear|(?P<positive>positive))\s+", re.IGNORECASE)
"""Between a name and a test it is the test's: "TB exposure negative quantiferon"."""


def _ends_of_treatment(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Commas behind what somebody is on, before other things: "on clozapine, neutropenia or seizures"."""
    kinds = s.known.lexicon.concepts
    begun = {m.begin: kinds[m.concept].kind for m in mentions}
    drugs = {m.end for m in mentions if kinds[m.concept].kind == "drug"}
    on = _ON.search(s.shadow.text)
    return [
        m.start()
        for m in _ITEM.finditer(s.shadow.text, on.end() if on else len(s.shadow.text))
        if m.start() in drugs and begun.get(m.end(), "drug") in CONDITIONS
    ]


def _ends_of_not_taken(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Commas behind what somebody is not on, before what somebody has: "not on warfarin, atrial fibrillation"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    begun = {m.begin: kinds[m.concept].kind for m in mentions}
    drugs = {m.end for m in mentions if kinds[m.concept].kind == "drug"}
    denials = (m for m in _NOT_TAKEN.finditer(text) if _TAKEN.search(s.typed(*s.shadow.span(*m.span()))))
    first = next(denials, None)
    return [
        m.start()
        for m in _ITEM.finditer(text, first.end() if first else len(text))
        if m.start() in drugs and begun.get(m.end(), "drug") in CONDITIONS
    ]


def _before_treatment(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """The comma between what somebody has and alternatives of what is done for it: "gout, colchicine or prednisone"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    named = sorted((m for m in mentions if kinds[m.concept].kind != "anatomy"), key=lambda m: m.begin)
    if len(named) != 3 or not _OR.fullmatch(text, named[1].end, named[2].begin):
        return []
    has, *done = (kinds[m.concept].kind for m in named)
    comma = None if _DENIES.search(text[: named[0].begin]) else _ITEM.fullmatch(text, named[0].end, named[1].begin)
    alone = has in CONDITIONS and set(done) <= {"drug", "procedure", "device"}
    if has == "disorder" and "disorder" not in done and "tumor" in s.known.lexicon.ancestors(named[0].concept):
        alone = True  # What a tumour bears, or comes with: "colon cancer, MSI-high or dMMR".
    return [comma.start()] if comma and alone else []


def _before_amount(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """The comma between what somebody has and alternatives of which the first is a number: "heart failure, EF < 40% or
    systolic dysfunction"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    named = sorted((m for m in mentions if kinds[m.concept].kind != "anatomy"), key=lambda m: m.begin)[-3:]
    if len(named) != 3 or kinds[named[0].concept].kind not in CONDITIONS or amount_at(s, named[0]) is not None:
        return []
    first, one, other = named
    comma = _ITEM.fullmatch(text, first.end, one.begin)
    numbered = amount_at(s, one) is not None and _OR.search(text, one.end, other.begin)
    shut = s.listed or _DENIES.search(text[: one.begin]) or "," in text[one.end : other.begin]
    return [comma.start()] if comma and numbered and not shut else []


def _ends_of_prophylaxis(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Around a name that holds the word, which says of nothing else what is to come: "migraine prophylaxis, gout"."""
    text = s.shadow.text
    out = []
    for m in mentions:
        if "prophyla" in text[m.begin : m.end].lower():
            before = _DENIED_AT_ONCE.search(text, 0, m.begin)
            out += [] if _GIVEN_OR_NOT.match(text, m.end) else [m.end]
            out.append((before.start() if before else m.begin) - 1)
    return [at for at in out if 0 < at < len(text) and text[at] in " ,"]


def _ends_of_maternal(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Behind what is the mother's: "maternal diabetes and macrosomia"."""
    text = s.shadow.text
    return [m.end for m in mentions if _MATERNAL.search(text, 0, m.begin) and _AND_MORE.match(text, m.end)]


def _own_company(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where what is ruled out alone begins behind another name: "bacteremia with endocarditis ruled out"."""
    text = s.shadow.text
    if not _RULED_OUT.search(text):
        return []
    ends = {m.end: m.begin for m in mentions}
    return [
        m.start()
        for m in _WITH.finditer(text)
        if m.start() in ends
        and not _DENIES.search(text[: m.start()])
        and (found := next((n for n in mentions if n.begin > m.start()), None))
        and _RULED_OUT.match(text, found.end)
    ]


def _own_denials(text: str) -> list[int]:
    """Commas before an item that is ruled out alone: "hemoptysis, TB excluded"."""
    return [
        m.start()
        for m in _DENIED_BEHIND.finditer(text)
        if not re.search(r"\b(?:and|or|nor)\b", m["item"], re.IGNORECASE)
    ]


def _ends_before_denied(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between what somebody has and a complaint that is denied behind it: "mdd si denies"; not "cough fever denied"."""
    kinds, text = s.known.lexicon.concepts, s.shadow.text
    disorders = {m.end for m in mentions if kinds[m.concept].kind == "disorder"}
    return [
        m.begin - 1
        for m in mentions
        if m.begin - 1 in disorders
        and text[m.begin - 1] == " "
        and kinds[m.concept].kind in ("finding", "symptom")
        and _DENIES_BEHIND.match(text, m.end)
    ]


def _end_before_company(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a denial or a guess ends before what somebody has besides: "no fever with cough", "neither of them in
    cirrhosis", "suspected appendicitis in pregnancy", "no chemotherapy for metastatic disease"."""
    out = []
    kinds = s.known.lexicon.concepts
    named = [m for m in mentions if kinds[m.concept].kind != "anatomy"]
    for one, other in pairwise(sorted(named, key=lambda m: m.begin)):
        between = s.shadow.text[one.end : other.begin]
        before = s.shadow.text[: one.begin]
        purpose = kinds[one.concept].kind in ("drug", "procedure") and kinds[other.concept].kind in CONDITIONS
        if (_BESIDE.fullmatch(between) or (purpose and _FOR.fullmatch(between))) and (
            _DENIES.search(before) or _GUESSES.search(before) or _RISKS.search(before)
        ):
            out.append(one.end)
    return out


def _ends_of_guesses(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a guess ends before a test that has its result: "?stroke CT head normal"; not "? abnormal CT"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    return [
        m.begin - 1
        for m in mentions
        if kinds[m.concept].kind == "procedure"
        and m.begin
        and text[m.begin - 1] == " "
        and _RESULT_BEHIND.match(text, m.end)
        and (guess := _GUESSED_BEFORE.search(text[: m.begin]))
        and any(c.isalnum() for c in guess[0])
    ]


def _before_own_result(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between a name and a test with its result before it: "CP neg trops", "TB exposure negative quantiferon"; not
    "chest pain negative", and not "HIV negative biopsy"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    before = {m.end: kinds[m.concept].kind for m in mentions if not _is_tested(s, m)}
    tests = {m.begin for m in mentions if kinds[m.concept].kind == "procedure" or _is_tested(s, m)}
    begun = {m.begin for m in mentions}  # "negative troponin" is one name
    out = []
    for found in _RESULT_BEFORE.finditer(text):
        of_symptom = before.get(found.start()) == "symptom" and (found.end() in tests or found.start() + 1 in begun)
        if of_symptom or (
            before.get(found.start(), "procedure") != "procedure" and found.end() in tests and not found["positive"]
        ):
            out.append(found.start())
    return out


def _before_tested(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between a name and a test with its result behind it: "TB exposure quantiferon neg"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    had = {m.end for m in mentions if kinds[m.concept].kind in CONDITIONS}
    tested = (m for m in mentions if kinds[m.concept].kind == "procedure" and m.begin - 1 in had)
    return [m.begin - 1 for m in tested if text[m.begin - 1] == " " and _NEGATIVE_BEHIND.match(text, m.end)]


def _ends_of_not_given(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
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


def _own_words(mentions: Sequence[Mention]) -> list[int]:
    """Where names end that hold their own denial, which is nobody else's: "never smoker with emphysema"."""
    return [m.end for m in mentions if m.denial]


def _end_of_procedures(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between what somebody underwent and what is told besides: "s/p ECMO, AKI", "s/p TKR DVT"."""
    past = _PAST.search(s.shadow.text)
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


def _after_what_was_done(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a history ends behind a procedure, and before what lasts: "hx gastric bypass with marginal ulcer",
    "prior MI with diabetes"; not "hx of DVT with PE"."""
    past = _HISTORY.search(s.shadow.text)
    if not past:
        return []
    done = {m.end for m in mentions if s.known.lexicon.concepts[m.concept].kind in ("procedure", "device")}
    lasts = {m.begin for m in mentions if m.concept in chronic_ones()}
    return [
        m.start()
        for m in _WITH.finditer(s.shadow.text, past.end())
        if m.start() in done or _WITH_WORD.match(s.shadow.text, m.end()).end() in lasts  # type: ignore[union-attr]
    ]


def _is_tested(s: Stretch, mention: Mention) -> bool:
    """Whether a result behind it is its own: "HIV negative biopsy"."""
    return not TESTED_FOR.isdisjoint((mention.concept, *s.known.lexicon.ancestors(mention.concept)))


def _loosened(s: Stretch, text: list[str], at: int) -> None:
    """What stands behind ``at`` is a statement of its own beside what stands before."""
    text[at] = ";"
    s.loose.add(s.shadow.span(at, at + 1)[0])


def part_scopes(s: Stretch) -> None:
    """Semicolons where shorthand ends a scope that prose would not: "NSTEMI s/p PCI", "?SBO, prior laparotomy"."""
    text = list(s.shadow.text)
    for pattern in _ENDS:
        for found in pattern.finditer(s.shadow.text):
            if pattern is not _STATUS_POST or not _OWN.search(s.shadow.text[: found.start()]):
                text[found.start("end")] = ";"
    if past := _HISTORY.search(s.shadow.text):
        for found in _NOW.finditer(s.shadow.text, past.end()):
            text[found.start("end")] = ";"
    if after := _PAST.search(s.shadow.text):
        for found in _WITH.finditer(s.shadow.text, after.end()):
            text[found.start()] = ";"
    mentions = s.mentions()
    for at in _after_what_was_done(s, mentions):
        text[at] = ";"
    for at in own_remarks(s, mentions):
        text[at] = ";"
    for at in ends_of_family(s, mentions):
        text[at] = ";"
    for at in [*_own_words(mentions), *_end_of_procedures(s, mentions)]:
        if at < len(text) and text[at] in " ,":
            text[at] = ";"
    for at in [
        *_ends_of_guesses(s, mentions),
        *_ends_of_not_given(s, mentions),
        *_before_own_result(s, mentions),
        *_before_tested(s, mentions),
        *_ends_before_denied(s, mentions),
    ]:
        text[at] = ";"
    drugs = {m.begin for m in mentions if s.known.lexicon.concepts[m.concept].kind == "drug"}
    for at in [*_own_denials(s.shadow.text), *_own_company(s, mentions), *_end_before_company(s, mentions)]:
        text[at] = ";"
    named, named_before = {m.begin for m in mentions}, {m.end for m in mentions}
    for found in _FORMER_AND.finditer(s.shadow.text):
        if found.end() in named:
            text[found.start("end")] = ";"
    for found in _WHO_HAS.finditer(s.shadow.text):
        if any(m.end == found.end("before") for m in mentions) and not _KINS.fullmatch(found["before"]):
            _loosened(s, text, found.start("end"))
    for found in _WHOSE.finditer(s.shadow.text):
        if any(end <= found.start() for end in named_before):
            _loosened(s, text, found.start("end"))
    for found in _COMMA_ON.finditer(s.shadow.text):
        if found.end() in named:
            _loosened(s, text, found.start("end"))
    for found in _MOTHER.finditer(s.shadow.text):
        text[found.start("end")] = ";"
    for at in _ends_of_prophylaxis(s, mentions) + _ends_of_maternal(s, mentions):
        text[at] = ";"
    for found in _RESULT_OF_OTHER.finditer(s.shadow.text):
        if found.start("end") in named_before:
            text[found.start("end")] = ";"
    for at in [
        *_ends_of_treatment(s, mentions),
        *_ends_of_not_taken(s, mentions),
        *_before_treatment(s, mentions),
        *_before_amount(s, mentions),
    ]:
        _loosened(s, text, at)
    for found in _ON.finditer(s.shadow.text):
        before = s.shadow.text[: found.start()]
        if found.end() in drugs and before.strip() and not _DENIED_BEFORE.search(before):
            _loosened(s, text, found.start())
    for found in _DENIED_INSIDE.finditer(s.shadow.text) if s.listed and s.excluded else ():
        if any(found.start("item") <= m.begin and m.end <= found.start("denies") for m in mentions):
            text[found.start("end")] = ";"
    if _SIGNED.search(s.line):
        text = [";" if c == "," else c for c in text]
    s.shadow = replace(s.shadow, text="".join(text))
