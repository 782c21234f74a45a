"""What a denial leaves out, "no wheeze except at the left base", and what an aside parts from its verb."""

from __future__ import annotations

from collections.abc import Sequence, Set

from search_stack.language.assertion.clauses import (
    COMMAS,
    is_stop,
)
from search_stack.language.assertion.table import Trigger

EXCEPT = tuple(tuple(p.split()) for p in ("except", "except for", "other than", "apart from", "aside from", "save for"))
"""Behind a denial they open where or when it does not hold."""
WHERE_OR_WHEN = frozenset(
    ("in", "at", "on", "over", "around", "along", "near", "behind", "below", "above", "under", "within", "from")
) | {"when", "while", "after", "during", "with"}
SOME = frozenset(("trace", "minimal", "mild", "slight", "occasional", "some", "one", "two"))
"""Likewise where nothing else is named: "except for one node", and not "except mild scoliosis"."""
SIDES = frozenset(("left", "right", "l", "r", "both"))
THROUGHOUT = frozenset(("everywhere", "elsewhere", "throughout", "bilaterally", "generally"))
"""Between a denial behind a name and such an exception."""
ASIDES_OPEN = frozenset(
    ("which", "who", "that", "previously", "initially", "once", "first", "in", "at", "after")
) | frozenset(
    (
        "though",
        "due",
        "repaired",
        "treated",
        "resected",
        "diagnosed",
        "planned",
        "booked",
        "scheduled",
        "removed",
        "closed",
    )
)
"""Behind a comma they open an aside about what stands before it."""
LONGEST_ASIDE = 14
"""Words of it, at most."""


def first_excepted(
    tokens: Sequence[str], end: int, first: int, last: int, trigger: Trigger, named: Set[int]
) -> int | None:
    """Where those begin in the scope ``first`` to ``last`` of a denial of which an exception of place or time follows:
    the last of what it denies, with those that "or" joins to it."""
    if trigger.says != "absent":
        return None
    at = last if trigger.where == "forward" else end
    while trigger.where == "backward" and at < len(tokens) and tokens[at] in THROUGHOUT:
        at += 1
    behind = at + max((len(p) for p in EXCEPT if tuple(tokens[at : at + len(p)]) == p), default=0)
    if behind == at or behind >= len(tokens):
        return None
    some = tokens[behind] in SOME and behind + 1 not in named
    if not some and tokens[behind] not in WHERE_OR_WHEN and SIDES.isdisjoint(tokens[behind : behind + 2]):
        return None
    if trigger.where == "backward":
        return first
    commas = [n for n in range(end, last - 1) if tokens[n] in COMMAS]
    return commas[-1] if commas else end


def before_aside(tokens: Sequence[str], at: int) -> int:
    """Where the comma stands that opens an aside which the comma before ``at`` closes, else ``at``: "the uveitis, which
    had settled by June, has recurred"."""
    close = at if tokens[at] == "," else at - 1
    if close < 1 or tokens[close] != ",":
        return at
    for n in range(close - 1, max(-1, close - LONGEST_ASIDE), -1):
        if is_stop(tokens, n):
            break
        if tokens[n] == ",":
            return n if tokens[n + 1] in ASIDES_OPEN else at
    return at
