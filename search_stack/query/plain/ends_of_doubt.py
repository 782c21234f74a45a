"""Where a denial, a guess or a result ends before what it is not said of: "?stroke CT head normal", "CP neg trops"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.denied import denies
from search_stack.query.plain.stretch import Stretch

_GUESSES = re.compile(r"(?:\b(?:suspected|possible|probable|query|r/o|rule\s+out)|(?<!\w)\?)[^,;.]*$", re.IGNORECASE)
_GUESSED_BEFORE = re.compile(r"(?:(?<!\w)\?|\b(?:suspected|possible|probable|query)\b)[^,;.]*$", re.IGNORECASE)
_GUESSES_AT_ALL = re.compile(r"\?|\b(?:suspected|possible|probable|query)\b", re.IGNORECASE)
_RESULT_BEHIND = re.compile(
    r"\s+(?:(?:is|was|were|came\s+back)\s+)?(?:neg(?:ative)?|pos(?:itive)?|normal|abnormal|clear|unremarkable|nad|raised|high|low)(?!\w)",
    re.IGNORECASE,
)
_LEVEL = re.compile(r"^(?:raised|elevated|high|low)\s|\s(?:raised|elevated|high|low)$", re.IGNORECASE)
"""A test with its level, which nobody guesses: "?PE d-dimer raised"."""

_NEGATIVE_BEHIND = re.compile(r"\s+(?:(?:is|was|were|came\s+back)\s+)?neg(?:ative)?(?!\w|\s+for\b)", re.IGNORECASE)
_AND_NEGATIVE = re.compile(
    r"\s+(?:and|with)\s+(?P<test>[^\W\d_][^,;.]{1,40}?)\s+(?:(?:is|was|were|came\s+back)\s+)?neg(?:ative)?(?=\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"\b(?:screen\w*|tests?|serolog\w+|swabs?|cultures?|smears?|titres?|titers?|antibod\w+|assays?|pcr|panel|markers?)$",
    re.IGNORECASE,
)
_DENIED_BEHIND = re.compile(
    r",(?P<item>[^,;]+?\s(?:was\s+|were\s+|is\s+|has\s+been\s+)?(?:excluded|ruled\s+out|neg(?:ative)?|absent|normal|unremarkable))(?=\s*(?:[,;.]|$))",
    re.IGNORECASE,
)
_NOT_GIVEN_BEHIND = re.compile(
    r"\d\s?(?:%|[a-zµ/]{1,8})?\s*(?P<end>,)[^,;]+?\s(?:was\s+|were\s+)?(?:not|never)\s+(?:yet\s+)?(?:given|started|done|used|taken|performed|received)(?!\w)",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"\s+(?:was\s+|were\s+|is\s+|has\s+been\s+)?(?:excluded|ruled\s+out|neg(?:ative)?|absent|denied)(?!\w|\s+for\b)",
    re.IGNORECASE,
)
_ONE_EXCLUDED = re.compile(r"\s+(?:was\s+|is\s+)?(?:excluded|ruled\s+out)(?!\w|\s+for\b)", re.IGNORECASE)
_BESIDE = re.compile(
    r"\s+(?:with|in|on|despite|during|since|instead\s+of|from|due\s+to|secondary\s+to|caused\s+by|because\s+of|bc\s+of)\s+(?:(?:an?|the|their|patients?|people|those|known|who\s+have|with)\s+)*",
    re.IGNORECASE,
)
_FOR = re.compile(r"\s+for\s+(?:(?:an?|the|their|known)\s+)*", re.IGNORECASE)
TESTED_FOR = frozenset(("infection", "pregnancy"))
"""What a test of that name says to be there, with all below it."""
WITH = re.compile(r"\s(?=(?:with|w/)\s)", re.IGNORECASE)
_RISKS = re.compile(r"\b(?:risks?\s+(?:of|for)|to\s+prevent|prevention\s+of|preventing)\b[^,;.]*$", re.IGNORECASE)
_DENIES_BEHIND = re.compile(r"\s+(?:denies|denied|denying)\s*(?:$|[,;.])", re.IGNORECASE)
_RESULT_BEFORE = re.compile(r"\s(?:neg(?:ative)?|normal|clear|(?P<positive>positive))\s+", re.IGNORECASE)
"""Between a name and a test it is the test's: "TB exposure negative quantiferon"."""


def own_company(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where what is ruled out alone begins behind another name: "bacteremia with endocarditis ruled out"."""
    text = s.shadow.text
    if not _RULED_OUT.search(text):
        return []
    ends = {m.end: m.begin for m in mentions}
    return [
        m.start()
        for m in WITH.finditer(text)
        if m.start() in ends
        and not denies(text, m.start())
        and (found := next((n for n in mentions if n.begin > m.start()), None))
        and _RULED_OUT.match(text, found.end)
    ]


def own_denials(s: Stretch) -> list[int]:
    """Commas before an item that is ruled out alone: "hemoptysis, TB excluded", "RA, hep B/C neg"."""
    return [
        m.start()
        for m in _DENIED_BEHIND.finditer(s.shadow.text)
        if not re.search(r"\b(?:and|or|nor)\b", s.typed(*s.shadow.span(*m.span("item"))), re.IGNORECASE)
    ]


def own_not_given(s: Stretch) -> list[int]:
    """Commas between a number and an item that alone was not given: "lactate > 4, steroids not given"."""
    ends = {m.start("end") for m in _NOT_GIVEN_BEHIND.finditer(s.line)}
    return [n for n, begin in enumerate(s.shadow.begins) if begin in ends and s.shadow.text[n] == ","]


def ends_before_excluded(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between what somebody has and a disorder that alone is ruled out: "vestibular schwannoma NF2 excluded"."""
    had = {m.end for m in mentions if s.known.is_of(m, *CONDITIONS)}
    return [
        m.begin - 1
        for m in mentions
        if m.begin - 1 in had and s.known.is_of(m, "disorder") and _ONE_EXCLUDED.match(s.shadow.text, m.end)
    ]


def ends_before_denied(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
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


def end_before_company(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
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
            denies(before, len(before)) or _GUESSES.search(before) or _RISKS.search(before)
        ):
            out.append(one.end)
    return out


def ends_of_guesses(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Where a guess ends before a test that has its result: "?stroke CT head normal"; not "? abnormal CT"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    if not _GUESSES_AT_ALL.search(text):
        return []
    return [
        m.begin - 1
        for m in mentions
        if m.begin
        and text[m.begin - 1] == " "
        and (
            (kinds[m.concept].kind == "procedure" and _RESULT_BEHIND.match(text, m.end))
            or amount_at(s, m) is not None
            or _LEVEL.search(text[m.begin : m.end])
        )
        and (guess := _GUESSED_BEFORE.search(text[: m.begin]))
        and any(c.isalnum() for c in guess[0])
    ]


def before_own_result(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
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


def before_tested(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between a name and a test with its result behind it: "TB exposure quantiferon neg"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    had = {m.end for m in mentions if kinds[m.concept].kind in CONDITIONS}
    tested = (m for m in mentions if kinds[m.concept].kind == "procedure" and m.begin - 1 in had)
    return [m.begin - 1 for m in tested if text[m.begin - 1] == " " and _NEGATIVE_BEHIND.match(text, m.end)]


def before_own_negative(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Between what somebody has and, behind "and", one test that is negative: "failure to thrive and coeliac screen
    neg"; not "HIV and hepatitis C negative"."""
    text = s.shadow.text
    places = list(_AND_NEGATIVE.finditer(text)) if "neg" in text.lower() else []
    had = {m.end for m in mentions if places and s.known.is_of(m, *CONDITIONS) and not _is_tested(s, m)}
    out = []
    for found in places:
        test = s.typed(*s.shadow.span(*found.span("test")))
        concept = s.known.lexicon.find(test)
        one = _TEST.search(test) or (concept and concept.kind == "procedure")
        if one and found.start() in had and not denies(text, found.start()):
            out.append(found.start())
    return out


def own_words(mentions: Sequence[Mention]) -> list[int]:
    """Where names end that hold their own denial, which is nobody else's: "never smoker with emphysema"."""
    return [m.end for m in mentions if m.denial]


def _is_tested(s: Stretch, mention: Mention) -> bool:
    """Whether a result behind it is its own: "HIV negative biopsy"."""
    return not TESTED_FOR.isdisjoint((mention.concept, *s.known.lexicon.ancestors(mention.concept)))
