"""Denials as they are typed: without their apostrophe, in another form than a name has them, or of guesses."""

from __future__ import annotations

import re

from search_stack.language.assertion.predicates import CONTRACTED
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_APOSTROPHES = CONTRACTED | {"cant": "can't", "wont": "won't"}
_HASTY = re.compile(
    rf"(?<!\w)(?:{'|'.join(sorted(_APOSTROPHES, key=len, reverse=True))})(?=\s+[^\W\d_])",
    re.IGNORECASE,
)
"""A denial without its apostrophe, before what it denies."""
_FREE = re.compile(
    r"(?<=\w)[\s-]free(?=\s*(?:$|[,;.)]|(?:for|since|on|off|after|at|and|or|but|now|without|interval|period)\b))",
    re.IGNORECASE,
)
_SAME = (("does not", "do not", "did not", "don't", "doesn't", "didn't"), ("can't", "cannot", "unable to"))
"""Denials that say the same of who is asked for."""
_DENIES = re.compile(
    r"(?<!\w)(?:(?P<does>(?:do|does|did)(?:\s+not|n['’]t))|can(?:not|\s+not|['’]t)|unable\s+to)(?=\s+[^\W\d_])",
    re.IGNORECASE,
)
_NOT_GUESSED = re.compile(
    r"(?<!\w)(?:exclud(?:e|es|ed|ing)|excl\.?|not|no|without|omit(?:ting)?|ignor(?:e|ing)|leav(?:e|ing)\s+out|except(?:\s+for)?|minus)\s+"
    r"(?:(?:any|the|all)\s+)*(?:(?:rule[\s-]?outs?|ruled[\s-]out|r/o|suspected|possible|probable|query|queried|provisional|presumed"
    r"|unconfirmed|uncertain|differential)(?:\s*(?:/|,|or|and)\s*)?)+(?:\s+(?:or\s+|and\s+)?)?\s*(?:diagnos[ei]s|dx|cases|ones|codes|mentions)(?!\w|\s+of\b)",
    re.IGNORECASE,
)
"""Whoever leaves guesses out asks for what is said to be there, as every name without one does."""


def in_full(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with apostrophes that were left out, "dont", and each denial in the form that a name has it: "don't
    speak english"."""
    shadow = shadow.written(_HASTY, lambda m: _APOSTROPHES[m[0].lower()])

    def make(found: re.Match[str]) -> str:
        rest = found.string[found.end() :]
        if s.known.beginning(found.string, found.start()):
            return found[0]
        for way in _SAME[0 if found["does"] else 1]:
            if any(m.end > len(way) for m in s.known.beginning(way + rest, 0)):
                return way
        return found[0]

    return shadow.written(_DENIES, make)


def free_of(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Chest pain free" as that name denied, of which the end has a denial of its own, "pain free"."""

    def make(found: re.Match[str]) -> str:
        before = found.string[: found.start()]
        whole = any(" " in before[m.begin : m.end] for m in s.known.ending(before, len(before)))
        return " is absent" if whole else found[0]

    return shadow.written(_FREE, make)


def not_guessed(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without the guesses that are left out, which is told: "exclude rule out diagnoses"."""
    for found in list(_NOT_GUESSED.finditer(shadow.text)):
        why = "only what notes say to be there counts, and no guess"
        shadow = s.left_aside(shadow, *found.span(), why, "denial")
    return shadow
