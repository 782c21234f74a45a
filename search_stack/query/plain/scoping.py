"""Where shorthand ends a scope that prose would not: "NSTEMI s/p PCI", "?SBO, prior laparotomy"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.apart import ends_of_family, own_remarks
from search_stack.query.plain.denied import denies
from search_stack.query.plain.ends_of_denial import ends_of_denial
from search_stack.query.plain.ends_of_doubt import (
    WITH,
    before_own_negative,
    before_own_result,
    before_tested,
    end_before_company,
    ends_before_denied,
    ends_before_excluded,
    ends_of_guesses,
    own_company,
    own_denials,
    own_not_given,
    own_words,
)
from search_stack.query.plain.ends_of_treatment import (
    HISTORY,
    ON,
    PAST,
    after_what_was_done,
    end_of_procedures,
    ends_of_not_given,
    ends_of_not_taken,
    ends_of_prophylaxis,
    ends_of_treatment,
)
from search_stack.query.plain.kin import KIN
from search_stack.query.plain.mixed_lists import before_alternatives
from search_stack.query.plain.own_statements import own_statements
from search_stack.query.plain.stretch import Stretch

_GUESSED = re.compile(r"(?<!\w)\?\s?[^,;?]+(?P<end>,)")
_SUSPECTED = re.compile(
    r"(?<!\w)(?:suspected|possible|probable|query)\s[^,;?]+(?P<end>,)(?![^;]*\b(?:and|or)\b)", re.IGNORECASE
)
_GUESS_THEN_DONE = re.compile(
    r"(?<!\w)(?:r/o|rule\s+out|query|queried|to\s+exclude)\s[^,;?]+(?P<end>,)"
    r"(?=\s*(?:(?:now|then)\s+)?(?:underwent|had|got|given|started|on|s/p|sent\s+for)\s|[^,;]+\s(?:done|performed|given|started|sent|taken)\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
"""Behind a guess, what was done about it: "r/o meningitis, LP done"."""
_GUESS_BEHIND = re.compile(r"(?P<end>[,\s])\s*\?(?=\w)")
_STATUS_POST = re.compile(r"(?<=\w)(?P<end>[\s,]+)(?:s/p|status\s+post|h/o|hx\s+of|r/o)(?=\s+\w)", re.IGNORECASE)
_OWN = re.compile(
    r"(?<!\w)(?:no|any|denie[sd]|without|negative(?:\s+for)?|prior|past|previous|family|medical|known|significant|personal|of|not)$",
    re.IGNORECASE,
)
"""What goes with "hx of" rather than ends before it."""
_AND_WHO = re.compile(
    r"(?P<end>\s)(?=(?:and|but)\s+(?:(?:who|whose|which)|(?:only\s+)?(?:include|keep))\s)", re.IGNORECASE
)
_RESULT_OF_OTHER = re.compile(
    r"(?P<end>\s)(?:[^\W\d_]{2,6}[\s-])?[^\W\d_]{0,4}\d[\w-]*\s+(?:neg(?:ative)?|pos(?:itive)?)(?!\w)", re.IGNORECASE
)
"""Behind a name, a test that has none with its result: "spondylitis HLA B27 neg"."""
_TURNED_OUT = re.compile(
    r"(?P<end>[,\s])\s*(?=(?:which\s+|that\s+)?(?:turned\s+out(?:\s+to\s+be)?|proved\s+to\s+be)\s)", re.IGNORECASE
)
"""Behind a guess, what it was: "suspected stroke turned out to be migraine"."""
_EVER = re.compile(r"(?<!\w)ever\s*(?P<end>,)", re.IGNORECASE)
_FORMER = re.compile(r"(?<!\w)(?:ex|former)[\s-]+(?:[\w-]+\s+){0,3}?\w+(?P<end>,|\s(?=with\s))", re.IGNORECASE)
_FAMILY_AND_NO = re.compile(
    rf"(?<!\w)(?:family\s+(?:history|hx)|fhx?|fh|{KIN})\s[^,;.]*(?P<end>,)(?=\s*(?:no|without|denie[sd]|not|never)\s)",
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
_TO_COME_BUT = re.compile(
    r"(?<!\w)(?:awaiting|waitlisted|(?:listed|waiting|scheduled|planned|booked)\s+for)\s[^;.]*?(?P<end>[,\s])\s*"
    r"(?=(?:not\s+(?:on|taking|receiving)|off|no|without|never)\s)",
    re.IGNORECASE,
)
"""Behind what is to come, what somebody is without now: "awaiting CABG not on warfarin"."""
_NOW = re.compile(
    r"(?<=\w)(?<!\bnot)(?<!\bno)(?<!\bnever)(?<!\bwithout)(?P<end>[,\s]+)(?:and\s+|but\s+|,)?(?:now|new(?:ly)?|new\s+onset|currently?|presents?|presenting|p/w|c/o|here\s+with|admitted"
    r"|wants|wanting|would\s+like|keen\s+(?:for|on)|requesting|requests|hoping\s+for)\s",
    re.IGNORECASE,
)
_AND_DOES = re.compile(
    r"(?P<end>,)(?=\s*(?:and|but)\s+(?:using|taking|receiving|willing|able|currently\s+on|on)\s)", re.IGNORECASE
)
"""Behind it stands what they do: "not pregnant, and using contraception"."""
_DASHED = re.compile(
    r"(?<![\w-])(?:no|not|without|never|denie[sd])\s[^,;.()]*?(?P<end>\s)[-–—]\s(?=[^\W\d_])", re.IGNORECASE
)
"""Behind what is denied, why or what else: "not transfused - Jehovah's witness"."""
_GUESS_DASHED = re.compile(
    r"(?<!\w)(?:(?:r/o|rule\s+out|possible|probable|suspected|query)\s|\?)[^,;.()]*?(?P<end>\s)[-–—]\s(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Likewise of a guess: "r/o pericarditis - pleuritic chest pain"."""
_OF_MOTHERS = re.compile(
    r"(?<!\w)(?:of|to)\s+(?:[^\W\d_][\w-]*\s+){1,3}(?:mothers?|mums?|moms?)(?P<end>,|\s(?=(?:and|plus|\+)\s))",
    re.IGNORECASE,
)
"""Whose mothers had it, behind which stands what they have themselves: "newborns of diabetic mothers, jaundice"."""
_ENDS = (
    _GUESSED,
    _SUSPECTED,
    _GUESS_THEN_DONE,
    _GUESS_BEHIND,
    _RAISED,
    _STATUS_POST,
    _AND_WHO,
    _AND_DOES,
    _TO_COME_BUT,
    _TURNED_OUT,
    _EVER,
    _FORMER,
    _FAMILY_AND_NO,
    _NEGATIVE,
    _KNOWN,
    _OF_MOTHERS,
)
"""What another statement begins behind, from the group of that name on."""
_SIGNED = re.compile(r"(?<=\s)[-+]ve\b", re.IGNORECASE)
_MOTHER = re.compile(
    r"(?P<end>,)(?=\s*(?:the\s+)?(?:mother|mom|mum)\s+(?:on|taking|took|treated|given)\s)", re.IGNORECASE
)
"""Behind it stands what the mother of a newborn takes, and nothing of what the newborn has."""
_MATERNAL = re.compile(r"(?<!\w)maternal\s+$", re.IGNORECASE)
_QUERIED = re.compile(r"(?<!\w)\?\s?$")
_DENIED_NEXT = re.compile(r"\s+(?:(?:who|but|and)\s+)*denied\s+(?:(?:any|having|an?)\s+)*", re.IGNORECASE)
_PREVIOUS = re.compile(r"(?<!\w)(?:previous|prior)\s+$", re.IGNORECASE)
_HOLDS = re.compile(r"(?:pregnanc|admission|hospitali|deliver|labou?r|visit|episode)\w*", re.IGNORECASE)
"""What was before holds what is named behind it: "previous pregnancy preeclampsia"."""
_AND_MORE = re.compile(r"(?:\s|,)\s*(?:and|with|in)\s", re.IGNORECASE)
_DENIED_INSIDE = re.compile(
    r"(?:^|(?<=[,;]))(?P<item>[^,;]+\s(?P<denies>not|without|no|off)\s[^,;]*)(?P<end>,)", re.IGNORECASE
)
"""A denial that belongs to one item of what excludes: "HIV not on ART, hepatitis B"."""
_WHO_HAS = re.compile(r"(?P<before>\w+)(?P<end>\s)(?=who\s(?:has|have|had)\s)", re.IGNORECASE)
_WHOSE = re.compile(
    r"(?<=\w)(?P<end>,?\s)(?=whose\s[^,;]*\b(?:neg(?:ative)?|pos(?:itive)?|normal|unremarkable|not)\b)", re.IGNORECASE
)
"""Behind it stands how a test of theirs came out: "celiac disease whose TTG is negative"."""
_KINS = re.compile(KIN, re.IGNORECASE)
_NOT_ONE = re.compile(
    r"(?:,\s*|\s)(?:but\s+)?not\s+[^,;]+(?P<end>,)(?=\s*[^\W\d_])(?![^;]*\b(?:and|or|nor|without|not|no)\b)",
    re.IGNORECASE,
)
"""Of what follows a name, what is not meant, and no list of it: "COPD exacerbation, not pneumonia, hypoxia"."""
_UNLIKELY = re.compile(
    r"(?P<end>[,\s]\s*)(?=unlikely\s+(?!(?:to|for|given|because|that|on|in|at|but|and|or|per|by|due|with|if)\b)[^\W\d_](?![^,;]*\blikely\b))",
    re.IGNORECASE,
)
"""Between what somebody has and what it is not: "diarrhoea unlikely infective"."""
_UNLIKELY_ON = re.compile(r"\s+unlikely(?P<end>\s)(?=(?:on|by|per|in)\s)", re.IGNORECASE)
"""Before what shows it: "PE unlikely on CT"."""
_COMMA_ON = re.compile(r"(?P<end>,)\s+on\s", re.IGNORECASE)
_FORMER_AND = re.compile(r"(?<!\w)(?:ex|former)[\s-]+\w+(?P<end>\s)(?:(?:and|&|now)\s+)?", re.IGNORECASE)


def _ends_of_maternal(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Behind what is the mother's: "maternal diabetes and macrosomia"."""
    text = s.shadow.text
    return [m.end for m in mentions if _MATERNAL.search(text, 0, m.begin) and _AND_MORE.match(text, m.end)]


def _ends_of_shorthand(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Behind the one name that is queried, "?NAI skull fracture", and behind what somebody has who "denied" another."""
    text, begun = s.shadow.text, {m.begin for m in mentions if s.known.is_of(m, *CONDITIONS)}
    out = []
    for m in mentions:
        queried = _QUERIED.search(text, 0, m.begin) and text[m.end : m.end + 1] == " " and m.end + 1 in begun
        denied = _DENIED_NEXT.match(text, m.end)
        if queried or (denied and denied.end() in begun):
            out.append(m.end)
    return out


def _ends_of_previous(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """Behind the one name that was before: "placenta accreta previous c section hysterectomy"."""
    text = s.shadow.text
    first = {m.begin: m.end for m in sorted(mentions, key=lambda m: -m.end) if _PREVIOUS.search(text, 0, m.begin)}
    ends = [end for begin, end in first.items() if not _HOLDS.fullmatch(text, begin, end)]
    return [end for end in ends if text[end : end + 1] == " " and s.known.beginning(text, end + 1)]


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
    if past := HISTORY.search(s.shadow.text):
        for found in _NOW.finditer(s.shadow.text, past.end()):
            text[found.start("end")] = ";"
    if after := PAST.search(s.shadow.text):
        for found in WITH.finditer(s.shadow.text, after.end()):
            text[found.start()] = ";"
    mentions = s.mentions()
    for at in after_what_was_done(s, mentions):
        text[at] = ";"
    for at in own_remarks(s, mentions):
        text[at] = ";"
    for at in ends_of_family(s, mentions):
        text[at] = ";"
    for at in [*own_words(mentions), *end_of_procedures(s, mentions)]:
        if at < len(text) and text[at] in " ,":
            text[at] = ";"
    for at in [
        *ends_of_guesses(s, mentions),
        *ends_of_not_given(s, mentions),
        *before_own_result(s, mentions),
        *before_tested(s, mentions),
        *before_own_negative(s, mentions),
        *ends_before_denied(s, mentions),
        *ends_before_excluded(s, mentions),
        *own_statements(s, mentions),
    ]:
        text[at] = ";"
    drugs = {m.begin for m in mentions if s.known.is_of(m, "drug")}
    for at in [*own_denials(s), *own_not_given(s), *own_company(s, mentions), *end_before_company(s, mentions)]:
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
    for pattern in (_NOT_ONE, _UNLIKELY, _UNLIKELY_ON):
        for found in pattern.finditer(s.shadow.text):
            if found.start() in named_before:
                text[found.start("end")] = ";"
    for pattern in (_DASHED, _GUESS_DASHED):
        for found in pattern.finditer(s.shadow.text):
            _loosened(s, text, found.start("end"))
    for found in _COMMA_ON.finditer(s.shadow.text):
        if found.end() in named:
            _loosened(s, text, found.start("end"))
    for found in _MOTHER.finditer(s.shadow.text):
        text[found.start("end")] = ";"
    for at in [
        *ends_of_prophylaxis(s, mentions),
        *_ends_of_maternal(s, mentions),
        *_ends_of_previous(s, mentions),
        *_ends_of_shorthand(s, mentions),
    ]:
        text[at] = ";"
    for found in _RESULT_OF_OTHER.finditer(s.shadow.text):
        if found.start("end") in named_before:
            text[found.start("end")] = ";"
    for at in [
        *ends_of_treatment(s, mentions),
        *ends_of_not_taken(s, mentions),
        *ends_of_denial(s, mentions),
        *before_alternatives(s, mentions),
    ]:
        _loosened(s, text, at)
    for found in ON.finditer(s.shadow.text):
        before = s.shadow.text[: found.start()]
        if found.end() in drugs and before.strip() and not denies(before, len(before)):
            _loosened(s, text, found.start())
    for found in _DENIED_INSIDE.finditer(s.shadow.text) if s.listed and s.excluded else ():
        if any(found.start("item") <= m.begin and m.end <= found.start("denies") for m in mentions):
            text[found.start("end")] = ";"
    if _SIGNED.search(s.line):
        text = [";" if c == "," else c for c in text]
    s.shadow = replace(s.shadow, text="".join(text))
