"""What is added about a name behind it: "PE, later ruled out", "rash (resolved)", "breast cancer, no family history".

A note says it of the name itself, so the sign between both goes, and where the addition takes the name up again, it is
written there.
"""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.undone import refusals_behind
from search_stack.query.shadow import Shadow

_GUESS = re.compile(
    r"(?<!\w)(?:(?:initially|at\s+first|originally)\s+)?(?:suspected|suspicion\s+of|query|possible|probable|presumed|\?)"
    r"\s*(?=[^,;.]*$)",
    re.IGNORECASE,
)
"""Before the name, what a later confirmation makes certain."""
_REFUSALS = frozenset(("declined", "refused"))
_OFFER = re.compile(
    r"(?<!\w)(?:(?:was|were|is|been)\s+)?(?:recommended|offered|advised|suggested|proposed)\s+(?:an?\s+|the\s+)?(?=[^,;.]*$)",
    re.IGNORECASE,
)
"""Before what was refused."""
_WORDS = re.compile(r"\w.*\w")
_NO = r"(?:no|not|without|excluding|except(?:ing)?|minus|ignoring|other\s+than|rather\s+than)"
_HISTORY = re.compile(
    rf"(?:\s*[,(–-]\s*(?:but\s+)?|\s+(?:but|and|with)\s+|\s+(?={_NO}\s))"
    rf"(?P<no>(?:{_NO}\s+|negative\s+)+)?(?P<what>(?:(?:a|any|positive|strong|known)\s+)*"
    r"(?:family|personal)\s+(?:history|hx))"
    r"(?:\s+of(?:\s+(?:it|this|that|the\s+same))?)?\)?(?=\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
"""Whose history it is, of what was just named: "no family history"; of somebody who has it or not."""
_AT_AGE = re.compile(r"\s+(?:under|over|below|above|before|by|at|aged)\s+(?:age\s+)?\d{1,3}$", re.IGNORECASE)
"""Between the name and the history: "colon cancer under 50, no family history"."""
_OF_BOTH = re.compile(
    r"(?<!\w)(?P<no>(?:no|without|denies|denied|denying|negative\s+for)\s+)?(?:(?:any|known|a)\s+)*"
    r"(?:personal|family)\s+(?:(?:history|hx)\s+)?(?:or|and|nor)\s+(?:(?:any|no|a)\s+)*(?:family|personal)"
    r"\s+(?:history|hx)\s+of\s+(?P<what>[^,;.]+)",
    re.IGNORECASE,
)
"""Somebody's own history and the relatives' in one."""


_FIRST = r"before|previously|earlier|first|initially|at\s+first|beforehand|in\s+the\s+past"
_NOT_AT_FIRST = re.compile(
    rf",?\s+(?:who|and|but|that|which|in\s+whom)\s+(?:(?:had|have|has)\s+(?:had\s+)?(?:it|this|that)|(?:it|this|that)\s+(?:was|had\s+been))"
    rf"\s+(?:(?:{_FIRST})\s+)?(?:ruled\s+out|excluded)(?:\s+(?:{_FIRST}))?(?=\s*(?:$|[,;.]))",
    re.IGNORECASE,
)
"""Who has it now, and had it ruled out: "pneumothorax who had it ruled out before"."""


def afterthoughts(s: Stretch) -> None:
    told = _told(s, _not_at_first(s, s.shadow))
    s.shadow = refusals_behind(s, _histories(s, told).written(_OF_BOTH, _of_each))


def _not_at_first(s: Stretch, shadow: Shadow) -> Shadow:
    """What was ruled out first stands before the name; where no time is told, beside it."""
    found = _NOT_AT_FIRST.search(shadow.text)
    name = _name_before(s, shadow, found.start()) if found else ""
    if not found or not name:
        return shadow
    in_time = re.search(_FIRST, found[0], re.IGNORECASE)
    return shadow.rewritten(*found.span(), f" after no {name}" if in_time else f" but no {name}")


def _name_before(s: Stretch, shadow: Shadow, end: int) -> str:
    """The name that ends at ``end``, as it stands there; empty where none does."""
    return next((shadow.text[m.begin : m.end] for m in s.known.ending(shadow.text, end)), "")


def _of_each(found: re.Match[str]) -> str:
    """Each said of the name by itself: "no personal or family history of cancer"."""
    joined = "; " if found["no"] else " or "
    no = "no " if found["no"] else ""
    both = (f"{no}{whose}history of {found['what']}" for whose in ("", "family "))
    return joined.join(both)


def _told(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with what became of a name at once behind it; what proved true is no guess, what did not stays one."""
    for found in list(s.table.told.finditer(shadow.text)):
        begin = found.start()
        if not _name_before(s, shadow, begin):
            continue
        if found["what"]:
            if words := _WORDS.search(shadow.text, begin, found.start("what")):
                s.reading.aside.append(shadow.span(*words.span()))
            shadow = shadow.blank(begin, found.start("what"))
            if found["what"].lower() in _REFUSALS and (offer := _OFFER.search(shadow.text, 0, begin)):
                shadow = s.left_aside(shadow, *offer.span())
            if found["closing"]:
                shadow = shadow.blank(*found.span("closing"))
            continue
        guess = _GUESS.search(shadow.text, 0, begin)
        unproven = found["unproven"]
        if unproven and not guess:
            continue
        for place in (found.span(), *([guess.span()] if guess and not unproven else [])):
            shadow = s.left_aside(shadow, *place)
    return shadow


def _histories(s: Stretch, shadow: Shadow) -> Shadow:
    found = _HISTORY.search(shadow.text)
    if found is None:
        return shadow
    age = _AT_AGE.search(shadow.text, 0, found.start())
    name = _name_before(s, shadow, age.start() if age else found.start())
    if not name:
        return shadow
    written = f"{'no ' if found['no'] else ''}{re.sub('(?i)hx$', 'history', found['what'])}"
    return shadow.written(re.compile(re.escape(found[0]) + r"(?=\s*(?:$|[,;.]))"), lambda m: f"; {written} of {name}")
