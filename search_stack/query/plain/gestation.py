"""How far a pregnancy is, as an amount: "preeclampsia before 34 weeks", "32/40 with bleeding"."""

from __future__ import annotations

import re

from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_SPOKEN_OF = re.compile(
    r"pregnan|gestat|ec?lampsi|deliver|\blabou?r\b|\bbirths?\b|\bborn\b|preterm|premature|\bp?prom\b"
    r"|rupture of membranes|\btwins?\b|breech"
    r"|placenta|ca?esarean|c-section|f(?:o?e)tal|f(?:o?e)tus|cerclage|cervix|stillb|\biugr\b|\bfgr\b|abruption|praevia|previa|miscarriage|hellp",
    re.IGNORECASE,
)
"""What a line holds that speaks of a pregnancy, so that its weeks are those."""
_BELOW = r"before|prior\s+to|less\s+than|under|below|earlier\s+than|up\s+to|<"
_ABOVE = r"after|beyond|past|more\s+than|over|above|greater\s+than|at\s+least|>"
_WEEKS = re.compile(
    rf"(?<![\w/.+-])(?:born\s+)?(?:(?:at|from|of)\s+)?(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE}))?(?P<same>\s?[=])?\s?"
    r"(?P<first>[1-4]\d|[4-9](?=(?:\+\d)?\s?/\s?40))(?:\s?\+\s?\d)?(?:\s?(?:-|–|to|and)\s?(?P<last>[1-4]\d)(?:\s?\+\s?\d)?)?"
    r"(?:\s?/\s?40|[\s-]?(?:weeks?|wks?|(?<=\d)w)(?:['’])?)"
    r"(?P<of>\s+(?:of\s+)?(?:gest\w*(?:\s+age)?|pregnan\w*|ga)|\s?ga)?"
    r"(?P<more>\s+or\s+(?:(?:more|later|greater|beyond|above)|(?P<less>less|earlier|fewer|below)))?"
    r"(?!\w|[\s-]+(?:old|ago|after|before|later|post\w*|follow\w*|prior|of\s+(?!gest|pregn)\w))",
    re.IGNORECASE,
)
_BORN_AT = re.compile(
    r"(?<!\w)(?:ex|former)[\s-]+(?P<weeks>2[2-9]|3[0-6])(?:\s?\+\s?\d)?\s?(?:/\s?40|wks?|weeks?)(?!\w)", re.IGNORECASE
)
"""When somebody was born: "ex 28/40"."""
_FORTIETHS = re.compile(r"/\s?40(?!\w)")
_SPANS = re.compile(
    r"\b(?:within|for|in|over|every|last|past|next)\s+(?:the\s+)?(?:last\s+|past\s+|next\s+)?$", re.IGNORECASE
)
"""A denial reaches no amount beside what it denies: "no preeclampsia before 34 weeks"."""
_LATEST = 44
_VISION = re.compile(
    r"\b(?:vision|visual|va|acuity|bcva|ucva|eyes?|o[dsu]|snellen|cataracts?|macula\w*|sight)\b", re.IGNORECASE
)
_HALF = 20
"""Weeks of which "20/40" tells only where a pregnancy is spoken of: else it is how well somebody sees."""


def gestation(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with its weeks of a pregnancy told of the gestational age."""
    shadow = shadow.written(_BORN_AT, lambda m: f"ex {m['weeks']} weeker")
    if not _WEEKS.search(shadow.text):
        return shadow
    spoken, seen = bool(_SPOKEN_OF.search(s.line)), bool(_VISION.search(s.line))

    def make(found: re.Match[str]) -> str:
        first, last = int(found["first"]), int(found["last"] or found["first"])
        fortieths = _FORTIETHS.search(found[0]) is not None and not seen and first != _HALF
        sure = found["of"] or fortieths
        before = found.string[: found.start()]
        if not (sure or spoken) or last > _LATEST or _SPANS.search(before) or is_denied(before, len(before)):
            return found[0]
        same = "=" if found["same"] else ""
        if found["more"]:
            how = f"{'<=' if found['less'] else '>='} {first}"
        elif found["below"]:
            how = f"{'<=' if same or found['below'].lower().startswith('up') else '<'} {first}"
        elif found["above"]:
            how = f"{'>=' if same or found['above'].lower().endswith('least') else '>'} {first}"
        else:
            how = f"{first}-{last}"
        return f"gestational age {how}"

    return shadow.written(_WEEKS, make)
