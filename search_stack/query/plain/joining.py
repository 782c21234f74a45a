"""What joins two criteria, how closely, and which words do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.query.items import Item, Mark, Part, Sign
from search_stack.query.nodes import Not
from search_stack.query.number_words import ONE_TO_SIX
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.plain.unnamed import ARTICLES, LISTED

_ORS, _ANDS, LOOSE = frozenset(("or",)), frozenset(("and", "&", "nor", "plus", "+")), frozenset(("with", "but"))
SLASH = "/"
_HEADS = frozenset(":–—")
"""Behind them stands what is asked of what stands before: "stroke: diabetes or hypertension"."""
ORDER = frozenset(("after", "before", "following", "prior"))
RELATING = frozenset(("for", "in", "on", "from"))
"""Between two names they join all that stands before with all behind: "aspirin or clopidogrel for stroke"."""
WHERE = frozenset(("in", "of", "on"))
"""Before a part of the body at the end, they place all alternatives before it."""
_CAUSED = (
    ("due", "to"),
    ("secondary", "to"),
    ("caused", "by"),
    ("because", "of"),
    ("related", "to"),
    ("attributed", "to"),
    ("complicated", "by"),
    ("leading", "to"),
    ("resulting", "in"),
    ("positive", "for"),
)
"""Likewise."""
_DONE = frozenset(("drug", "procedure", "device"))
_SPAN = re.compile(
    rf"\s*(?:the\s+)?(?:\d{{1,3}}|{ONE_TO_SIX})\s*(?:days?|weeks?|months?|years?|hours?|yrs?)\s*[.?!]?\s*$"
)
"""Behind "within" at the end: what it holds for stands before, all of it."""


def shares(n: int, said: Sequence[Said]) -> bool:
    """Whether alternatives stand around ``n`` that share their last words: "hip or knee replacement infection"."""
    if any(one.amount for one in said):
        return False  # "Current or former smoker >= 10 pack-years": the number is of the nearer.
    return any(min(one.tokens) < n < max(one.tokens) for one in said)


def binds_all(s: Stretch, n: int, out: Sequence[Item]) -> bool:
    """Whether it ends a list of alternatives that stands for itself: "stroke, TIA or MI within 6 months"."""
    listed = any(isinstance(item, Mark) and item.sign == "or" for item in out)
    alone = not s.listed and not any(isinstance(item, Part) and isinstance(item.node, Not) for item in out)
    return listed and alone and _SPAN.match(s.shadow.text, s.ends[n]) is not None


def has_either(out: Sequence[Item]) -> bool:
    """Whether alternatives stand among what was read so far."""
    return any(isinstance(item, Mark) and item.sign == "or" for item in out)


def ends_in_part(s: Stretch, n: int) -> bool:
    """Whether nothing but a part of the body, with its side, stands from there to the end."""
    words = [t for t in s.tokens[n:] if t not in ARTICLES and t not in s.table.sides and t[0].isalnum()]
    return len(words) == 1 and s.is_part(words[0]) and len(s.tokens) - 1 not in s.covered


def parts_alternatives(out: Sequence[Item]) -> bool:
    """Whether a comma stands last, behind alternatives."""
    signs = [item.sign for item in out if isinstance(item, Mark)]
    return bool(out) and isinstance(out[-1], Mark) and signs[-2:] == ["or", ","]


def among(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """Whether it is the first of alternatives of what is done or given, behind what that is for: "gout colchicine or
    prednisone" is gout with either."""

    def kind(said: Said) -> str:
        return s.known.lexicon.concepts[said.mention.concept].kind

    after = max(one.tokens) + 1
    if kind(one) not in _DONE or s.tokens[after : after + 1] not in ([","], ["or"]):
        return False
    before = max((o for o in said if o.first < one.first), key=lambda o: o.first, default=None)
    behind = min((o for o in said if o.first > one.first), key=lambda o: o.first, default=None)
    if before is None or behind is None or not (kind(before) not in _DONE and kind(behind) in _DONE):
        return False
    between = set(s.tokens[after : behind.first])
    return between <= {",", "or"} and "or" in s.tokens[after:]


def heads(s: Stretch, n: int) -> bool:
    """Whether a colon or dash that stands apart sets off what is asked of what stands before it."""
    text, begin, end = s.shadow.text, s.starts[n], s.ends[n]
    if not text[end : end + 1].isspace():
        return False
    return s.tokens[n] in _HEADS or (s.tokens[n] == "-" and text[begin - 1 : begin].isspace())


def either_of(s: Stretch, begun: Sequence[Said]) -> set[int]:
    """The links between what shares its first word, where any of it is meant: "fracture of the hip or wrist"."""
    if len(begun) < 2 or any(one.denies for one in begun):
        return set()
    inside = set(range(begun[0].first, max(max(one.tokens) for one in begun))) - s.covered
    links = {n for n in inside if s.tokens[n] in LISTED}
    return links if any(s.tokens[n] in _ORS for n in links) else set()


def ends_either(s: Stretch, n: int, run: Sequence[int], out: Sequence[Item]) -> bool:
    """Whether words that name nothing, right before it, are the last of alternatives: "stent or bypass for ..."."""
    return bool(run and out) and run[-1] == n - 1 and isinstance(out[-1], Mark) and out[-1].sign == "or"


def relating(s: Stretch, n: int, alternative: bool = False) -> int:
    """How many words from there on relate what stands before them to what stands behind; 0 where they do not."""
    many = 2 if tuple(s.tokens[n : n + 2]) in _CAUSED else int(s.tokens[n] in RELATING)
    return many if many and _stands_between(s, n, n + many, alternative) else 0


def _stands_between(s: Stretch, n: int, after: int, alternative: bool) -> bool:
    while after < len(s.tokens) and s.tokens[after] in ARTICLES | s.table.sides | s.table.degrees:
        after += 1
    alternatives = not _ORS.isdisjoint(s.tokens[after + 1 : after + 3])  # "asthma on XYZ or prednisone"
    return (n - 1 in s.covered or alternative) and (after in s.covered or alternatives)


def parts_drugs(s: Stretch, n: int, said: Sequence[Said]) -> bool:
    """Whether the slash stands between two drugs, of which either is meant: "on thiazide/SSRI"; none denied."""
    before = [one for one in said if n - 1 in one.tokens]
    behind = [one for one in said if n + 1 in one.tokens and one not in before]
    drugs = all(s.known.is_of(one.mention, "drug") and not one.denies for one in (*before, *behind))
    return bool(before and behind) and drugs


def sign_of(s: Stretch, token: str, n: int) -> Sign | None:
    """The sign between two criteria that the token is, if it is one."""
    if token == SLASH:
        return "and" if n - 1 in s.covered and n + 1 in s.covered else None
    if token in _ORS:
        return "or"
    if token in _ANDS:
        return "and"
    if token in LOOSE:
        return "but"
    return "," if token in (",", ";") else None
