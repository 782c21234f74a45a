"""Where in the body what is asked for must be: "left hip fracture", "pneumonia of the right lower lobe"."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from search_stack.core.schema import DENIED
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites import SITELESS, Group, grouped, groups, sites
from search_stack.query.nodes import Finding, Leaf, Node
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import all_of, any_of, leaves, mapped

_EITHER = "or"


def with_sites(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """The findings with the sites that stand beside them, as a note's mentions have theirs."""
    text = s.shadow.text
    order = sorted(range(len(said)), key=lambda n: said[n].mention.begin)
    mentions = [said[n].mention for n in order]
    found = groups(text, 0, len(text), [m.begin for m in mentions])
    told = grouped(text, 0, len(text), [m.parts for m in mentions], found, strictly=True)
    out = list(said)
    for n, of_one in zip(order, told, strict=True):
        out[n] = _at(s, said[n], of_one, mentions)
    return out


def _at(s: Stretch, one: Said, found: Sequence[Group], mentions: Sequence[Mention]) -> Said:
    name = s.known.name_of(one.mention.concept)
    asked = [leaf for leaf in leaves(one.node) if isinstance(leaf, Finding) and leaf.name == name]
    beyond = [_beyond(one.mention, g) for g in found if not all(_holds(one.mention, span) for span in g.spans)]
    siteless = s.known.is_of(one.mention, *SITELESS)
    if not beyond or not asked or siteless or any(leaf.less for leaf in asked):
        return one
    either = _EITHER in s.shadow.text[beyond[0].begin : beyond[-1].end].lower().split()
    where = [g.site for g in beyond] if either else sites(beyond)

    def sited(leaf: Leaf) -> Node:
        if not isinstance(leaf, Finding) or leaf.name != name:
            return leaf
        each = [replace(leaf, site=site) for site in where]
        return any_of(each) if either and leaf.assertion not in DENIED else all_of(each)  # "no tear of knee or hip"

    tokens = {n for g in beyond for n in _tokens(s, g.begin, g.end)}
    between = _between(one.tokens, tokens)
    others = {n for m in mentions if m is not one.mention for part in m.parts for n in _tokens(s, *part)}
    place = None
    if others.isdisjoint(between):
        tokens |= {n for n in between if s.tokens[n] in s.table.function}
        place = s.shadow.span(s.starts[between[0]], s.ends[between[-1]])
    return replace(one, node=mapped(one.node, sited), tokens=one.tokens | tokens, sited=place)


def _between(name: frozenset[int], site: set[int]) -> range:
    """From the name to the end of its site, or from where that begins to the name."""
    if min(site) > max(name):
        return range(max(name) + 1, max(site) + 1)
    if max(site) < min(name):
        return range(min(site), min(name))
    return range(min(name | site), max(name | site) + 1)


def _tokens(s: Stretch, begin: int, end: int) -> range:
    return range(bisect_right(s.ends, begin), bisect_left(s.starts, end))


def _holds(mention: Mention, span: tuple[int, int]) -> bool:
    """Whether the words are the name's own: "right sided heart failure"."""
    return any(begin <= span[0] < end for begin, end in mention.parts)


def _beyond(mention: Mention, group: Group) -> Group:
    """The site, without the part that the name says itself: "left knee pain" is knee pain on the left."""
    said = group.side and group.named and _holds(mention, group.named)
    return replace(group, part="") if said else group
