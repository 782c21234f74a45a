"""What comes again, by the disease that it is of: "COPD with at least 2 exacerbations", "MS with a relapse"."""

from __future__ import annotations

import re

from search_stack.query.number_words import ONE_TO_FIVE, TWO_TO_FIVE
from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.undone import kept_as_words
from search_stack.query.shadow import Shadow

_REPEATED = re.compile(
    rf"(?P<many>(?:(?:[<>]=?|[≥≤]|at\s+(?:least|most)|(?:no\s+)?(?:more|fewer|less)\s+than|minimum\s+of|exactly|only)\s*(?:\d{{1,2}}|{ONE_TO_FIVE})"
    rf"|(?P<bare>(?<![\w.-])(?:[2-9]|1\d|{TWO_TO_FIVE}))(?=\s+\w+s\b)|(?:\d{{1,2}}|{TWO_TO_FIVE})(?:\s*\+|\s+or\s+more))\s+)"
    r"(?P<noun>exacerbations?|flares?|relapses?|attacks?|crises|recurrences?)(?!\w)",
    re.IGNORECASE,
)
"""What comes again, of the disease before it: "COPD with at least 2 exacerbations", "COPD, 2 exacerbations"."""
_FLARED = re.compile(
    r"(?:(?<=with\s)|(?<=for\s)|(?<=has\s)|(?<=have\s)|(?<=had\s)|(?<=having\s)|(?<=and\s)|(?<=,\s)|(?<=no\s))"
    r"(?P<how>(?:(?:frequent|multiple|repeated|several)\s+)*)(?:an?\s+)?(?P<noun>(?:acute\s+)?(?:exacerbations?|flares?(?:[\s-]ups?)?|relapses?|crisis|crises))(?!\w)",
    re.IGNORECASE,
)
"""The same without a number: "severe COPD with frequent exacerbations"."""
_AGAIN = re.compile(
    r"(?<!\w)(?P<what>(?P<which>first|second|third|1st|2nd|3rd)\s+(?P<noun>recurrence|relapse))(?P<of>\s+of)?(?!\w)"
    r"(?!\s+(?:after|following|before|within|since|post|in\s+(?:19|20)\d\d)(?!\w))",
    re.IGNORECASE,
)
_SPELT = {"1st": "first", "2nd": "second", "3rd": "third"}
_AT_MOST = re.compile(r"[<≤]|at\s+most|no\s|fewer|less|exactly|only", re.IGNORECASE)


def which_time(s: Stretch, shadow: Shadow) -> Shadow:
    """ "First recurrence of C. difficile" by words beside the name: what comes first of all that recurs is another."""
    for found in reversed(list(_AGAIN.finditer(shadow.text))):
        which = found["which"].lower()
        if found["of"]:
            shadow = s.left_aside(shadow, *found.span("of"))
        text = f"{_SPELT.get(which, which)} {found['noun'].lower()}"
        shadow = kept_as_words(s, shadow, *found.span("what"), text)
    return shadow


def of_diseases(s: Stretch) -> None:
    """What comes again given the name that it has with its disease."""
    for found in reversed(list(_REPEATED.finditer(s.shadow.text))):
        before = found.string[: found.start()]
        # "Asthma 3 exacerbations" is one name as it stands, in two parts.
        named = sorted((m.parts[0] for m in s.mentions() if m.parts[0][1] <= found.start()), key=lambda p: -p[1])
        each = (f"{before[slice(*part)]} {found['noun']}" for part in named)  # "asthma, eos > 300, 2 exacerbations"
        whole = next((name for name in each if s.known.is_name(name)), None)
        if whole is None:
            continue
        s.shadow = s.shadow.rewritten(*found.span("noun"), whole)
        if found["bare"]:
            s.shadow = s.shadow.rewritten(*found.span("bare"), f"at least {found['bare']}")
        elif _AT_MOST.match(found["many"]) and before.endswith(" "):
            s.shadow = s.shadow.with_mark(found.start() - 1, ",")  # who had at most so many may have had none
    for found in reversed(list(_FLARED.finditer(s.shadow.text))):
        if any(b <= found.start("noun") < e for m in s.mentions() for b, e in m.parts):
            continue
        named = sorted((m.parts[0] for m in s.mentions() if m.parts[0][1] <= found.start()), key=lambda p: -p[1])
        each = (f"{found.string[slice(*part)]} {found['noun'].split()[-1]}" for part in named)
        if whole := next((name for name in each if s.known.is_name(name)), None):
            s.shadow = s.shadow.rewritten(*found.span("noun"), whole)
            if found["how"]:
                s.leave_aside(*found.span("how"), 'how often is not told by a word; "at least 2" counts notes', "time")
