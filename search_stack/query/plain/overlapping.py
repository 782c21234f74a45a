"""Names that only others make together: "brain mets from lung cancer" are no lung metastases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from search_stack.query.plain.stretch import Said, Stretch

_SIDES = frozenset(("left", "right", "bilateral"))
_PUT = frozenset(("placed", "placement", "insertion", "inserted", "implantation", "implanted"))
"""Whose device was put in has it, and notes that tell of it in other words name no such step."""


_WAS_DONE = frozenset(("taken", "sent", "done", "drawn", "obtained", "performed", "ordered", "collected"))
_HAD = frozenset(("had", "has", "have", "having", "a", "an"))
"""Of a name that tells that somebody had it: "had a fall" beside "fall in hospital"."""


def own_names(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said`` without what is but drawn over others, and without the placing of a device that has its own name."""
    kept = [
        one for one in said if not any(drawn(s, one, said) for drawn in (_is_drawn, _is_placing, _is_sided, _is_wider))
    ]
    return [_without_side(s, one) for one in kept]


def _is_whole(one: Said) -> bool:
    return max(one.tokens) - min(one.tokens) + 1 == len(one.tokens)


def _is_drawn(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """Whether it takes each of its words, which stand apart, from another name that stands together, but for what links
    them: "fall with head injury" is a fall and a head injury."""
    if _is_whole(one):
        return False
    others = (o for o in said if o is not one and _is_whole(o))
    own = {n for n in one.tokens if s.tokens[n] not in s.table.function}
    return own <= {n for other in others for n in other.tokens}


def _is_placing(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """ "Chest tube placed" is the tube: "tube placement" beside it says no more."""
    if not s.known.is_of(one.mention, "procedure"):
        return False
    devices = (o for o in said if o is not one and s.known.is_of(o.mention, "device"))
    return any(
        o.tokens & one.tokens and {s.tokens[n] for n in one.tokens - o.tokens} <= _PUT and not one.tokens <= o.tokens
        for o in devices
    )


def _is_sided(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """Whether another name of the same has all of it but the side: "left total hip" of "left total hip replacement"."""
    same = (o for o in said if o is not one and o.mention.concept == one.mention.concept and not o.tokens <= one.tokens)
    return any(o.tokens & one.tokens and {s.tokens[n] for n in one.tokens - o.tokens} <= _SIDES for o in same)


def _is_wider(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """Whether another name is a kind of it, and has all of its words but that it was done or had: "cultures taken"
    beside "blood cultures"."""
    kinds = s.known.lexicon.ancestors
    return any(
        one.tokens & o.tokens
        and one.mention.concept in kinds(o.mention.concept)
        and {s.tokens[n] for n in one.tokens - o.tokens} <= _WAS_DONE | _HAD
        for o in said
        if o is not one
    )


def _without_side(s: Stretch, one: Said) -> Said:
    """``one`` without a side before it that its name does not need: of a "left total hip" the side is a word."""
    rest = one.tokens - {one.first}
    if not rest or s.tokens[one.first] not in _SIDES or s.tokens[one.first] in _name(s, one).split():
        return one
    if s.typed(*s.shadow.span(s.starts[one.first], s.ends[one.first])).lower() not in _SIDES:
        return one  # "left or right total hip" is written out
    begin = s.starts[min(rest)]
    mentions = s.known.named(s.shadow.text, begin, s.ends[max(rest)])
    same = any(m.concept == one.mention.concept and m.begin == begin for m in mentions)
    return replace(one, tokens=rest, first=min(rest)) if same else one


def _name(s: Stretch, one: Said) -> str:
    return s.known.lexicon.concepts[one.mention.concept].name
