"""What a drug did to somebody: "rash from penicillin", "cough due to lisinopril", "anaphylaxis to contrast"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from dataclasses import replace

from search_stack.query.items import Notice
from search_stack.query.nodes import Finding
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import all_of, any_of
from search_stack.query.write import write

_CAUSED = frozenset(
    (
        ("from",),
        ("due", "to"),
        ("caused", "by"),
        ("secondary", "to"),
        ("because", "of"),
        ("induced", "by"),
        ("attributed", "to"),
        ("brought", "on", "by"),
        ("triggered", "by"),
    )
)
"""Between a reaction and the drug."""
_ALLERGIC = frozenset((("to",), ("with",)))
"""Likewise, where the drug is said to be an allergy: "anaphylaxis to penicillin"; others are "resistant to" one."""
_LISTED = frozenset((("or",), ("and",), ("&",), ("/",), (",", "or"), (",", "and")))
_HAPPENED, _DRUG = frozenset(("finding", "symptom", "disorder")), frozenset(("drug",))
_REACTED, _BORNE = ("present", "historical"), ("present", "allergy", "historical")
_TOLD = "Lists of allergies tell it otherwise: who had {} before{} is not counted."


def with_reactions(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said``, of a reaction that is denied the drug as taken: "no rash from penicillin".

    A notice offers what lists of allergies have: there a reaction is over, and nobody takes the drug.
    """
    order = sorted(range(len(said)), key=lambda n: said[n].mention.begin)
    out = list(said)
    for at in range(1, len(order)):
        reaction, drug = said[order[at - 1]], said[order[at]]
        between = _between(s, reaction, drug)
        allergic = between in _ALLERGIC and _says(drug) == "allergy"
        if not (_is_of(s, reaction, _HAPPENED) and _is_of(s, drug, _DRUG) and (between in _CAUSED or allergic)):
            continue
        reactions = [said[n] for n in reversed(_list(s, said, order[at - 1 :: -1], _HAPPENED))]
        drugs = _list(s, said, order[at:], _DRUG)
        for n in drugs:
            if said[n].denies and said[n].trigger == reaction.trigger:
                taken = Finding(s.known.name_of(said[n].mention.concept), "present")
                out[n] = replace(said[n], node=taken, trigger=None, excludes=False)
        if all(_says(one) == "present" for one in reactions):
            _offer(s, reactions, [said[n] for n in drugs])
    return out


def _offer(s: Stretch, reactions: Sequence[Said], drugs: Sequence[Said]) -> None:
    """Reactions at any time, and their drugs whatever became of them."""
    place = s.shadow.span(reactions[0].mention.begin, drugs[-1].mention.end)
    names = [[s.known.name_of(one.mention.concept) for one in ones] for ones in (reactions, drugs)]
    wider = all_of(
        any_of(Finding(name, says) for name in own for says in ways)
        for own, ways in zip(names, (_REACTED, _BORNE), strict=True)
    )
    happened, borne = (" or ".join(own) for own in names)
    known = any(_says(one) == "allergy" for one in drugs)
    told = _TOLD.format(happened, "" if known else f", or is allergic to {borne},")
    line = s.instead(*place, write(wider))
    s.reading.notices.append(Notice("past", told, s.typed(*place), line))


def _list(s: Stretch, said: Sequence[Said], order: Sequence[int], kinds: Set[str]) -> list[int]:
    """From the first of ``order`` on, all that stand in a list with it."""
    out = [order[0]]
    for n in order[1:]:
        first, second = sorted((said[out[-1]], said[n]), key=lambda one: one.mention.begin)
        between = _between(s, first, second)
        # "rash, hives or itching": the comma is an "or" once one has been there.
        if not (_is_of(s, said[n], kinds) and (between in _LISTED or (between == (",",) and len(out) > 1))):
            break
        out.append(n)
    return out


def _between(s: Stretch, first: Said, second: Said) -> tuple[str, ...]:
    """The words between two names, those that tell of either included."""
    return tuple(s.tokens[bisect_left(s.starts, first.mention.end) : bisect_right(s.ends, second.mention.begin)])


def _is_of(s: Stretch, one: Said, kinds: Set[str]) -> bool:
    return s.known.lexicon.concepts[one.mention.concept].kind in kinds


def _says(one: Said) -> str:
    return one.node.assertion if isinstance(one.node, Finding) else ""
