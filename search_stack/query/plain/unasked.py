"""Words that ask for nothing where they stand: "gout or whatever", "a PE before or a DVT now", "no asthma anywhere"."""

from __future__ import annotations

import re

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_ENDS = r"(?=\s*(?:$|[,;.?)]))"
_OR_NOT_KNOWN = re.compile(
    r"\s*,?\s+or\s+(?:(?:we|they|i|you)\s+(?:just\s+)?(?:don['’]?t|do\s+not|didn['’]?t|cannot|can['’]?t)\s+(?:know|tell|say)(?!\w)[^,;.]*"
    rf"|unsure|not\s+sure|unknown|whatever|whichever|what(?:\s|-)?not|so(?:mething)?(?:\s+like\s+that)?|similar){_ENDS}",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?<=\w)\s+(?P<what>before|previously)(?=\s+(?:or|and)\s+(?!(?:after|during|following|since|at|not)\b)[^,;.]*?(?<!\w)(?:now|currently|today)(?!\w))",
    re.IGNORECASE,
)
"""What was, beside what is now."""
_ANYWHERE = re.compile(
    rf"(?<=\w)\s+(?P<what>(?:(?:written|noted|documented|mentioned|recorded)\s+)?(?:anywhere|anyplace)){_ENDS}",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<=\w)\s+(?P<what>code[ds]?)(?=\s*(?:$|[,;.?)]|(?:yet|in|on|or|and|but|so\s+far)(?!\w)))", re.IGNORECASE
)
"""Behind what somebody has, and not the code that is called: "no diabetes code yet"."""
_CHECKED_AND = re.compile(
    r"(?<=\w)\s+(?P<what>(?:(?:was|were|both|all)\s+)*(?:checked|tested|screened|looked\s+for|done)\s+and\s+(?:(?:was|were|both|all|came\s+back)\s+)*)"
    r"(?:(?P<result>(?:clear|ok(?:ay)?|fine)(?!\w))|(?=(?:neg(?:ative)?|normal)(?!\w)))",
    re.IGNORECASE,
)
"""Before a result, that it was looked for: "hepatitis B checked and clear"."""
CODES = "a code is asked for by itself, as in fact:icd10:I48"


def unasked(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without them."""
    for found in reversed(list(_OR_NOT_KNOWN.finditer(shadow.text))):
        shadow = s.left_aside(shadow, *found.span(), "what is not known is no criterion")
    for found in list(_BEFORE.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *found.span("what"), "what was there before counts as well")
    for found in list(_ANYWHERE.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *found.span("what"))
    for found in list(_CODE.finditer(shadow.text)):
        if any(s.known.is_of(m, *CONDITIONS) for m in s.known.ending(shadow.text, found.start())):
            shadow = s.left_aside(shadow, *found.span("what"), CODES)
    for found in reversed(list(_CHECKED_AND.finditer(shadow.text))):
        test = any(s.known.is_of(m, "procedure") for m in s.known.ending(shadow.text, found.start()))
        if found["result"] and not test:
            shadow = shadow.rewritten(*found.span("result"), "negative")
        s.reading.aside.append(shadow.span(*found.span("what")))
        shadow = shadow.rewritten(*found.span("what"), "")
    return shadow
