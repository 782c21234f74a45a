"""What is left aside although it narrows: how a name is known, when, and that one came of the other. It is told, with
the line that asks for it all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_WHY = r"(?:cause|causes|aetiology|etiology|source|trigger|origin)"
_ASKED_WHY = re.compile(rf"(?:\s*,)?\s*\?\s*{_WHY}(?:\s*\?)?(?!\w)|\s+{_WHY}\s*\?(?=\s*(?:$|[,;.)]))", re.IGNORECASE)
"""Behind what has no known cause: "raised trop ?cause"."""
_UNKNOWN = ("unknown cause", "cause unclear", "unclear etiology", "unknown etiology")
"""As notes tell that it is not known."""
_METHOD = (
    r"(?:histolog\w+|patholog\w+|cytolog\w+|biopsy|culture|laborator\w+|lab|radiolog\w+|microbiolog\w+|pcr|swab"
    r"|ct|mri|mra|cta|ultrasound|doppler|echo|imaging|x-?ray|angiogra\w+|endoscop\w+|colonoscop\w+|eeg|emg|autopsy)"
)
_TELLS_HOW = re.compile(r"\b(?:proven|confirmed|verified|positive|gr[eo]w\w*|yielded)\b", re.IGNORECASE)
_KNOWN_BY = re.compile(
    rf"(?<![\w-])(?:{_METHOD}[\s-]+(?:proven|confirmed|verified)|(?:culture|pcr|swab|smear)[\s-]+positive)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before what somebody has; "biopsy-positive" is the result of a test that is asked for."""
_SAMPLE = re.compile(
    r"(?<![\w-])(?:(?:stool|sputum|throat|nose|nasal|nasopharyngeal|wound|rectal|np|rapid)\s+)?(?:samples?|swabs?|specimens?|pcr|stools?|sputum)\s+"
    r"(?:(?:(?:is|was|were|tested|came\s+back)\s+)?(?=positive\s+for\s+[^\W\d_])|(?:grew|grows|growing|yielded)\s+(?=[^\W\d_]))",
    re.IGNORECASE,
)
"""Where a germ was found, before what was found: "stool positive for C diff"."""
_GREW = re.compile(
    r"(?<=\w)\s+(?P<what>(?:has\s+|have\s+)?(?:grew|grown|grows|growing|yielded))\s+(?=[^\W\d_])", re.IGNORECASE
)
_TOLD = (
    (
        re.compile(rf"(?<!\w){_METHOD}[\s-]+(?:proven|confirmed|verified|positive)(?!\w)", re.IGNORECASE),
        "notes seldom tell beside the name how it is known",
    ),
    (
        re.compile(r"(?<!\w)(?:due\s+to|secondary\s+to|because\s+of|caused\s+by|attributed\s+to)(?!\w)", re.IGNORECASE),
        "both are asked for, and not that one came of the other",
    ),
    (
        re.compile(
            r"(?<!\w)(?:at|on|upon)\s+(?:initial\s+|first\s+)?(?:diagnosis|presentation|baseline)(?!\w)", re.IGNORECASE
        ),
        "notes seldom say it beside what is asked",
    ),
)


_CAUSED = {
    "alcohol": "alcoholic",
    "etoh": "alcoholic",
    "drinking": "alcoholic",
    "diabetes": "diabetic",
    "dm": "diabetic",
    "hypertension": "hypertensive",
    "htn": "hypertensive",
    "drugs": "drug induced",
    "medication": "drug induced",
}
"""What may cause a disorder, and how one that it has caused is called."""
_NOT_CAUSED = re.compile(
    r"(?P<not>\s*,?\s+(?:(?:and|but|that|which|is|was)\s+)*(?:not|n['’]t)\s+(?:(?:due|secondary|related|attributed)\s+to|from|caused\s+by|because\s+of))\s+"
    rf"(?P<cause>{'|'.join(_CAUSED)})(?!\w)",
    re.IGNORECASE,
)


def not_caused(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Cirrhosis not from alcohol" without an alcoholic one, whether somebody drinks or not."""
    for found in reversed(list(_NOT_CAUSED.finditer(shadow.text))):
        for name in s.known.ending(shadow.text, found.start(), "disorder"):
            kind = f"{_CAUSED[found['cause'].lower()]} {shadow.text[name.begin : name.end]}"
            if s.known.is_name(kind):
                shadow = shadow.rewritten(*found.span(), f" without {kind}")
                break
    return shadow


def unknown_causes(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without that somebody asks for the cause, where something is named."""
    for found in reversed(list(_ASKED_WHY.finditer(shadow.text))):
        if s.known.ending(shadow.text, len(shadow.text[: found.start()].rstrip(" ,"))):
            begin, end = shadow.span(*found.span())
            ways = " OR ".join(f'words:"{way}"' for way in _UNKNOWN)
            line = s.instead(begin, end, f" ({ways})")
            shadow = s.left_aside(shadow, *found.span(), "that no cause is known is told in several ways", line=line)
    return shadow


def known_by(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Culture positive MRSA bacteremia" and "urine culture grew E. coli" without how what is named was found."""
    if not _TELLS_HOW.search(shadow.text):
        return shadow
    for found in reversed(list(_KNOWN_BY.finditer(shadow.text))):
        whole = any(m.begin < found.end() < m.end for m in s.known.named(shadow.text))
        short = s.table.abbreviations.match(shadow.text, found.end())
        if not whole and (short or s.known.beginning(shadow.text, found.end(), *CONDITIONS)):
            shadow = s.left_aside(shadow, *found.span())
    for found in reversed(list(_SAMPLE.finditer(shadow.text))):
        shadow = s.left_aside(shadow, *found.span())
    for found in reversed(list(_GREW.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start()) and s.known.beginning(shadow.text, found.end()):
            shadow = s.left_aside(shadow, *found.span("what"))
    return shadow


def untold(line: str, aside: Sequence[tuple[int, int]], notices: Sequence[Notice]) -> Iterator[Notice]:
    """What narrows of ``aside``, places of the line that are left aside, and is not told yet."""
    left = {n for begin, end in aside for n in range(begin, end)}
    gone = "".join(c if n in left or not c.isalnum() else "\0" for n, c in enumerate(line))
    told = {notice.typed.lower() for notice in notices}
    for pattern, why in _TOLD:
        for found in pattern.finditer(gone):
            typed = " ".join(found[0].split())
            if not any(typed.lower() in one for one in told):
                way = f'{line[: found.start()]}words:"{typed}"{line[found.end() :]}'
                yield Notice("field", f'"{typed}" was left aside: {why}.', typed, way)
