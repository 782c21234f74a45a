"""Words beside a drug or a test that say no more than its name: "administration", "serum", "check"."""

from __future__ import annotations

import re

from search_stack.language.amounts import is_valued
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_TREATED_WITH = re.compile(
    r"(?<!\w)(?:(?:treatment|therapy)\s+with|exposure\s+to|(?:administration|receipt|use)\s+of)(?:\s+(?:an?|any|the))?\s+(?=\w)",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\s+(?P<what>administration|administered)(?!\w|\s+(?:error|record))", re.IGNORECASE)
_AT_VISIT = re.compile(
    r"(?<!\w)(?:on|at|by|from)\s+(?:the\s+)?(?P<what>screening|baseline)\s+(?=[^\W\d_])", re.IGNORECASE
)
_SYSTEMIC = re.compile(r"(?<!\w)(?P<what>systemic)\s+(?=[^\W\d_])", re.IGNORECASE)
_SERUM = re.compile(r"(?<!\w)(?P<of>serum|plasma|estimated|calculated|measured)\s+(?=\w)", re.IGNORECASE)
"""Before a test, which is told of the blood, and measured, anyway: "serum ferritin", "estimated GFR"."""
_CHECKED = re.compile(r"\s+(?P<what>checks?|results?|sent)(?!\w)(?!\s+(?:of|from|in)\s)", re.IGNORECASE)
"""Behind a test, that it is done: "without an INR check"."""
_REQUESTED = re.compile(
    r"\s+(?:is\s+|was\s+|been\s+)?(?:requested|booked|arranged|awaited)(?=\s*(?:$|[,;.)/]|(?:and|or|but|for|with|on|in|after)\s))",
    re.IGNORECASE,
)
"""Behind a procedure that is to come, as "ordered" is."""
_NO_REACTION = re.compile(
    r"\s+(?P<what>without\s+(?:an?\s+|any\s+)?(?:adverse\s+|allergic\s+)?(?:reactions?|incident))(?=\s*(?:$|[,;.)]))",
    re.IGNORECASE,
)
"""Behind a drug, that it was tolerated: no passage without the word."""
_AGAIN = re.compile(r"\b(?:repeat|interval|surveillance|further)\b", re.IGNORECASE)
_TO_REPEAT = re.compile(
    r"(?:\s+(?:with|for|and)\s+|(?P<alone>(?:^|(?<=\w)|(?<=[,;]))\s*(?:to\s+(?:have|get|undergo)|will\s+(?:have|need)|needs?)\s+))"
    r"(?:an?\s+)?(?:repeat|interval|surveillance|further)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_COMES_BACK = re.compile(
    r"(?<!\w)(?:follow[\s-]*up|f/?u|rtc|come\s+back|return\s+(?:in|visit|to\s+clinic)|to\s+be\s+(?:followed\s+up|reviewed|seen)|(?:review|clinic|back)\s+in\s+\d)"
    r"(?!\w)[^.,;]*$",
    re.IGNORECASE,
)
"""Before what is done again, that it is to come: "follow up in 6 weeks with repeat chest x-ray"."""
_ELECTIVE = re.compile(
    r"(?<!\w)(?:scheduled|booked|listed|planned|awaiting)\s+(?:for\s+)?(?:an?\s+)?(?P<what>elective)\s+(?=\w)",
    re.IGNORECASE,
)
"""What is to come is so: "scheduled for elective hip replacement"."""
_BEGUN = re.compile(
    r"(?<![\w-])(?<!not\s)(?<!n.t\s)(?P<what>start(?:ing)?|initiat(?:e|ing)|commenc(?:e|ing))\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before a drug, that it is to be taken, which is said of it anyway: "if fever develops start antibiotics"."""

_DONE_WITH = re.compile(
    r"\s+(?P<what>(?:(?:was|were|then)\s+)*(?:reversed|closed|reduced|covered|bridged|rescued|salvaged|temporised|temporized|stabilised|stabilized"
    r"|optimised|optimized|supported|loaded|maintained|controlled|relieved|corrected)\s+(?:with|by|using|via|w/)\s+(?:an?\s+|the\s+)?)(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Between what somebody has, or takes, and what was done or given for it: "PDA closed with ibuprofen"."""


def needless(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without them."""
    for found in list(_TREATED_WITH.finditer(shadow.text)):
        if s.known.ending(shadow.text, len(shadow.text[: found.start()].rstrip())):
            continue  # "asthma treatment with omalizumab"
        if s.known.beginning(shadow.text, found.end(), "drug"):
            shadow = s.left_aside(shadow, *found.span())
    for found in list(_GIVEN.finditer(shadow.text)):
        if s.known.ending(shadow.text, found.start(), "drug"):
            shadow = s.left_aside(shadow, *found.span("what"))
    for pattern, kind in ((_AT_VISIT, "procedure"), (_SYSTEMIC, "drug"), (_BEGUN, "drug")):
        for found in list(pattern.finditer(shadow.text)):
            named = s.known.named(shadow.text, found.start())
            whole = any(m.begin < found.end() for m in named)  # "systemic corticosteroids"
            if not whole and any(m.begin == found.end() and s.known.is_of(m, kind) for m in named):
                shadow = s.left_aside(shadow, *found.span("what"))
    for found in list(_NO_REACTION.finditer(shadow.text)):
        if s.known.ending(shadow.text, found.start(), "drug"):
            shadow = s.left_aside(shadow, *found.span("what"))
    for found in list(_ELECTIVE.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *found.span("what"))
    for found in list(_SERUM.finditer(shadow.text)):
        named = s.known.named(shadow.text, found.start())
        whole = any(m.begin <= found.start() for m in named)  # "serum protein electrophoresis"
        if not whole and any(m.begin == found.end() and is_valued(m.concept, s.known.lexicon) for m in named):
            shadow = s.left_aside(shadow, *found.span("of"))
    for found in reversed(list(_REQUESTED.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), "procedure"):
            shadow = shadow.rewritten(*found.span(), " ordered")
    for found in list(_CHECKED.finditer(shadow.text)):
        if any(_is_test(s, m) for m in s.known.ending(shadow.text, found.start())):
            shadow = s.left_aside(shadow, *found.span("what"))
    return shadow


def to_come(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Return in 6 months for repeat colonoscopy" as planned."""
    if not _AGAIN.search(shadow.text):
        return shadow
    for found in reversed(list(_TO_REPEAT.finditer(shadow.text))):
        comes = found["alone"] or _COMES_BACK.search(shadow.text, 0, found.start())
        if comes and s.known.beginning(shadow.text, found.end(), "procedure"):
            joined = "; " if shadow.text[: found.start()].strip() else ""
            shadow = shadow.rewritten(found.start(), found.end(), f"{joined}scheduled ")
    return shadow


def done_with(s: Stretch, shadow: Shadow) -> Shadow:
    """ "PDA closed with ibuprofen" without what was done to it, which the names tell."""
    for found in reversed(list(_DONE_WITH.finditer(shadow.text))):
        for_it = s.known.ending(shadow.text, found.start())
        if for_it and s.known.beginning(shadow.text, found.end(), "drug", "procedure", "device"):
            shadow = s.left_aside(shadow, *found.span("what"))
    return shadow


def _is_test(s: Stretch, mention: Mention) -> bool:
    return is_valued(mention.concept, s.known.lexicon) or s.known.is_of(mention, "procedure")
