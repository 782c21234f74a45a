"""Names that only others make together: "brain mets from lung cancer" are no lung metastases."""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.query.plain.stretch import Said, Stretch

_PUT = frozenset(("placed",))
"""Not "placement", which is a step of its own, and can be set in time."""


def own_names(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said`` without what is but drawn over others, and without the placing of a device that has its own name."""
    return [one for one in said if not _is_drawn(s, one, said) and not _is_placing(s, one, said)]


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
    if s.known.lexicon.concepts[one.mention.concept].kind != "procedure":
        return False
    devices = (o for o in said if o is not one and s.known.lexicon.concepts[o.mention.concept].kind == "device")
    return any(
        o.tokens & one.tokens and {s.tokens[n] for n in one.tokens - o.tokens} <= _PUT and not one.tokens <= o.tokens
        for o in devices
    )
