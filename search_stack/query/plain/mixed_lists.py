"""Lists that end in alternatives of one sort, behind what is of another: "sepsis, lactate > 4, vasopressors or
ventilation", "gout, colchicine or prednisone". Of one sort they are all alternatives: "fever, cough or dyspnea"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.denied import is_shut
from search_stack.query.plain.stretch import Stretch

_COMMA = re.compile(r"\s*,\s*(?:(?:an?|the)\s+)?")
_AND_ON = re.compile(
    r"\s*,?\s+(?:and|but)\s+(?:(?:is|was|are|were|also|still|currently|now)\s+)*(?:on|taking|receiving|given|takes)\s+(?:(?:an?|the|either)\s+)*",
    re.IGNORECASE,
)
"""Before alternatives, that they are what is taken: "QTc > 500 and on a macrolide or an antipsychotic"."""
_OR = re.compile(r"\s*,?\s+(?:or|and/or)\s+(?:(?:an?|the)\s+)?", re.IGNORECASE)
_OPENS = ("-", "–", "—", ":", "(")
_TUMOR = "tumor"
_NUMBER, _CONDITION, _DONE = "number", "condition", "done"


def before_alternatives(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """The comma behind the last item of another sort than the alternatives that end its list."""
    if s.listed:
        return []
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    named = _longest(m for m in mentions if kinds[m.concept].kind != "anatomy")
    out = []
    for n in range(1, len(named) - 1):
        one, other = named[n : n + 2]
        if not _OR.fullmatch(text, one.end, other.begin) or is_shut(text, one.begin):
            continue
        alternatives = (one, other)
        if _opened(text, named, n):
            continue
        for before, behind in zip(reversed(named[:n]), reversed(named[1 : n + 1]), strict=True):
            comma = _COMMA.fullmatch(text, before.end, behind.begin)
            taken = _AND_ON.fullmatch(text, before.end, behind.begin)
            if taken and all(s.known.is_of(m, "drug") for m in alternatives):
                out.append(taken.start())
                break
            if comma is None:
                break
            if _is_of_another(s, before, alternatives):
                out.append(text.index(",", before.end))
                break
    return out


def _opened(text: str, named: Sequence[Mention], n: int) -> bool:
    """Whether a sign opens the list of the name at ``n``: "stroke mimics - migraine, seizure or hypoglycemia"."""
    while n and _COMMA.fullmatch(text, named[n - 1].end, named[n].begin):
        n -= 1
    return text[: named[n].begin].rstrip().endswith(_OPENS)


def _longest(mentions: Iterable[Mention]) -> list[Mention]:
    """In their order, without those that lie in a longer one."""
    out: list[Mention] = []
    for one in sorted(mentions, key=lambda m: (m.begin, -m.end)):
        if not out or one.begin >= out[-1].end:
            out.append(one)
    return out


def _sort(s: Stretch, mention: Mention) -> str:
    if amount_at(s, mention) is not None:
        return _NUMBER
    if s.known.is_of(mention, *DONE_OR_TAKEN):
        return _DONE
    return _CONDITION


def _is_of_another(s: Stretch, before: Mention, alternatives: Sequence[Mention]) -> bool:
    sort, sorts = _sort(s, before), {_sort(s, one) for one in alternatives}
    if sort != _NUMBER and _TUMOR in s.known.lexicon.ancestors(before.concept):  # What a tumor bears, or comes with.
        return not any(s.known.is_of(one, "disorder") for one in alternatives)
    return _NUMBER in sorts or sorts == {_DONE} if sort == _CONDITION else sort not in sorts
