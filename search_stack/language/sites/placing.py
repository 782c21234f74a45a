"""Which of the sites that a sentence names are those of what it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from search_stack.core.sites import joined
from search_stack.language.sites.groups import Group, groups

Span = tuple[int, int]
FARTHEST = 160
"""Characters between what is named and its site."""
NAME = "\x01"
"""Stands for what is named between a mention and a site."""
STOP = (
    r"(?:of|in|on|at|to|with|without|from|is|are|was|were|be|been|has|have|had|shows?|showed|demonstrat\w*|reveal\w*|denie[sd]|but|no|not"
    r"|nor|neither|which|that|who|whose|for|by|after|before|during|than|while|whereas|then|due|he|she|they|it|patient|pt|status|because"
    r"|consistent|secondary|via|through|using|under|over|if|when|where|did|does|do|will|would|may|can|could|should|this|there|negative)"
)
_WORD = rf"(?!{STOP}\b)(?:[\w'/+-]|\.(?=\d))+"
_ADJECTIVES = rf"(?:{_WORD}[\s-]+){{0,5}}"
_PRE = re.compile(
    rf"[\s-]*(?:{_ADJECTIVES}{NAME}\s*(?:\band\b|\bor\b|/|&)\s*)*(?:{_ADJECTIVES}{NAME}\s+)?{_ADJECTIVES}",
    re.IGNORECASE,
)
"""Between a site and what stands behind it in the same noun phrase, or is listed with that."""
_JOINS = re.compile(r"\band\b|\bor\b|[/&]", re.IGNORECASE)
_PREPOSITION = (
    r"(?:in|of|on|at|over|within|involving|to|throughout|along|around|about|into|near|overlying|affecting|beneath|from|adjacent\s+to"
    r"|inside|across|behind|down|up|radiating\s+(?:to|down|into))"
)
_SEEN = (
    r"(?:(?:(?:is|are|was|were|has\s+been)\s+)?(?:again\s+)?(?:seen|noted|present|identified|located|visible|visualized|found"
    r"|localized|performed|done|centered|more\s+\w+)\s+)?"
)
_GOES_ON = re.compile(rf"\b{_PREPOSITION}\b", re.IGNORECASE)
_DETERMINER = r"(?:(?:the|his|her|their|both|a|an|this|that|patient's|pt's|either)\s+)?"
_LISTED = rf"(?:\s*(?:,\s*(?:and\s+|or\s+)?|\band\s+|\bor\s+|/\s*|&\s*)(?:{_WORD}[\s-]+){{0,3}}{NAME})*"
_POST = re.compile(
    rf"{_LISTED}(?:\s*\(?{_SEEN}(?:{_WORD}\s+){{0,4}}?{_SEEN}{_PREPOSITION}\s+{_DETERMINER}{_ADJECTIVES}|\s*[,(]?\s*{_SEEN})",
    re.IGNORECASE,
)
"""Between what is named and the site behind it, or what is listed with it: "pain and swelling of the left knee"."""
_TOGETHER = re.compile(r"(?:[\s,/&]|\band\b|\bor\b|\bas\s+well\s+as\b|\bthe\b|\bin\b|\bon\b|\bof\b)*", re.IGNORECASE)
"""Between sites that are listed."""
_BOTH = re.compile(rf"\s*(?:\band\b|\bor\b|&|/)\s*(?:{_WORD}\s+)?", re.IGNORECASE)
"""Between sides: "a large right and small left effusion"."""
_LEADS = re.compile(
    r"(?:[\s\d.)•*-]|\b(?:in|on|at|over|the|his|her|exam(?:ination)?|inspection|palpation|of|both|mri|ct|x-?ray|ultrasound)\b)*",
    re.IGNORECASE,
)
"""What may stand before a site that leads its clause."""
_NEXT = re.compile(r";|\.\s|(?<!:)(?:\n|,?\s+(?:but|while|whereas|however)\b)")
"""Where a clause of its own begins."""
_LEAD_END = re.compile(
    r"\s*(?:(?:is|was|are|were|and|,)\s+)?(?:[:,–-]|\b(?:shows?|showed|demonstrat\w*|reveal\w*|has|have|had|with|there|he|she|is|was|are|were)\b)",
    re.IGNORECASE,
)
"""What stands behind one."""


def placed(
    text: str,
    begin: int,
    end: int,
    mentions: Sequence[Sequence[Span]],
    found: Sequence[Group],
    *,
    strictly: bool = False,
) -> list[tuple[str, ...]]:
    """For each of ``mentions`` the sites that are its own, of those ``found`` in ``text[begin:end]``.

    Args:
        mentions: the spans of each, in order.
        strictly: only those of its own noun phrase and behind it, none that leads the clause.
    """
    return [sites(one) for one in grouped(text, begin, end, mentions, found, strictly=strictly)]


def grouped(
    text: str,
    begin: int,
    end: int,
    mentions: Sequence[Sequence[Span]],
    found: Sequence[Group],
    *,
    strictly: bool = False,
) -> list[list[Group]]:
    """What `placed` tells the sites of, as it stands there."""
    if not found:
        return [[]] * len(mentions)
    named = [(parts[0][0], parts[-1][1]) for parts in mentions]
    leading = [] if strictly else _leading(text, begin, end, found)
    return [_of(text, n, mentions, named, found, leading) for n in range(len(mentions))]


def _of(
    text: str,
    n: int,
    mentions: Sequence[Sequence[Span]],
    named: Sequence[Span],
    found: Sequence[Group],
    leading: Sequence[tuple[Span, list[Group]]],
) -> list[Group]:
    begin, parts = named[n][0], mentions[n]
    around = [g for g in found if any(g.begin < e and b < g.end for b, e in parts)]
    others = [span for m, spans in enumerate(mentions) if m != n for span in spans]
    # "Pulmonary embolism or DVT": what another name says is its own.
    found = [g for g in found if not all(any(b <= begin < e for b, e in others) for begin, _ in g.spans)]
    amid = [g for g in found if g not in around and _amid(text, g, parts)]
    around = sorted((*around, *amid), key=lambda g: g.begin)
    if not any(g.side for g in around):
        first = min((g.begin for g in around), default=begin)
        before = _pre(text, min(begin, first), named, found)
        around = [*(before if not around or _adds(around, before) else ()), *around]
    if any(g.side for g in around) and any(g.part for g in around):
        return [*around, *_listed_behind(text, parts[-1][1], around, found, named)]
    behind = _post(text, n, named, found)
    if around and not _adds(around, behind):
        return around
    led = () if around or behind else next((led for (b, e), led in leading if b <= begin < e), ())
    return [*around, *behind, *led]


def _amid(text: str, group: Group, parts: Sequence[Span]) -> bool:
    """Whether it stands between words of the name, and is not that of another that is listed with it: "calcified left
    granuloma", not "right pleural and left pericardial effusion"."""
    gaps = ((e, b) for (_, e), (b, _) in pairwise(parts) if e <= group.begin and group.end <= b)
    return any(not _JOINS.search(f"{text[b : group.begin]} {text[group.end : e]}") for b, e in gaps)


def _listed_behind(
    text: str, end: int, around: Sequence[Group], found: Sequence[Group], named: Sequence[Span]
) -> list[Group]:
    """What is listed with the part by which the name ends: "nodule in the right upper lobe and the left lower lobe"."""
    out = [g for g in around if g.end == end][-1:]
    for one in found:
        if out and one.begin >= out[-1].end:
            if not _TOGETHER.fullmatch(text, out[-1].end, one.begin) or _is_anothers(text, one, named):
                break
            out.append(one)
    return out[1:]


def _adds(around: Sequence[Group], behind: Sequence[Group]) -> bool:
    """Whether what stands behind tells the side, or the part, that is not told yet."""
    has_side = any(g.side for g in around)
    return bool(behind) and all(
        bool(g.part and not g.side) if has_side else bool(g.side and not g.part) for g in behind
    )


def sites(found: Sequence[Group]) -> tuple[str, ...]:
    """``found`` as sites: a side that stands for itself is that of the parts."""
    if not found:
        return ()
    sides = {g.side for g in found if not g.part}
    lone = "bilateral" if len(sides) > 1 else next(iter(sides), "")
    parts = [g for g in found if g.part]
    if not parts:
        return (lone,)
    return tuple(dict.fromkeys(joined(g.side or lone, g.part) for g in parts))


def _pre(text: str, begin: int, named: Sequence[Span], found: Sequence[Group]) -> list[Group]:
    before = [g for g in found if g.end <= begin]
    if not before or begin - before[-1].end > FARTHEST:
        return []
    gap = masked(text, before[-1].end, begin, named)
    inside = any(b < before[-1].end and before[-1].begin < e for b, e in named)
    if not _PRE.fullmatch(gap) or (inside and not _JOINS.search(gap)):
        return []  # "Chest pain radiating" radiates from there; "knee pain and swelling" is all of the knee.
    return _listed_before(text, before)


def _listed_before(text: str, before: Sequence[Group]) -> list[Group]:
    out = [before[-1]]
    for one in reversed(before[:-1]):
        if one.end > out[-1].begin:
            if one.end == out[-1].end:
                out.append(one)  # The other one of "upper and lower lobes".
                continue
            break
        if not (_TOGETHER if one.part else _BOTH).fullmatch(text, one.end, out[-1].begin):
            break
        out.append(one)
    return out[::-1]


def _post(text: str, n: int, named: Sequence[Span], found: Sequence[Group]) -> list[Group]:
    end = named[n][1]
    after = [g for g in found if g.begin >= end]
    if not after or after[0].begin - end > FARTHEST:
        return []
    gap = masked(text, end, after[0].begin, named)
    if not _POST.fullmatch(gap) or not (gap.strip() or after[0].side):
        return []  # "OSA tonsils" tells of both.
    if not _GOES_ON.search(gap) and _is_anothers(text, after[0], named):
        return []
    out = [after[0]]
    for one in after[1:]:
        listed = _TOGETHER.fullmatch(text, out[-1].end, one.begin) and not _is_anothers(text, one, named)
        if one.begin >= out[-1].end and not listed:
            break
        out.append(one)
    return out


def _is_anothers(text: str, group: Group, named: Sequence[Span]) -> bool:
    """Whether what is named behind the site has it: "cough, left knee pain"."""
    after = next((b for b, e in named if e > group.begin and group.begin <= b <= group.end + FARTHEST), None)
    inside = any(b < group.end and group.begin < e for b, e in named)
    return inside or (after is not None and _PRE.fullmatch(masked(text, group.end, after, named)) is not None)


def masked(text: str, begin: int, end: int, named: Sequence[Span]) -> str:
    """``text[begin:end]``, each that is named there as one sign."""
    out, at = [], begin
    for b, e in named:
        if b >= at and e <= end:
            out += [text[at:b], NAME]
            at = e
    return "".join((*out, text[at:end]))


def _leading(text: str, begin: int, end: int, found: Sequence[Group]) -> list[tuple[Span, list[Group]]]:
    """The stretches that begin with sites, up to where another clause begins, and these sites."""
    starts = [begin, *(m.end() for m in _NEXT.finditer(text, begin, end)), end]
    out: list[tuple[Span, list[Group]]] = []
    for b, e in pairwise(starts):
        inside = [g for g in found if b <= g.begin and g.end <= e]
        if not inside or not _LEADS.fullmatch(text, b, inside[0].begin):
            continue
        first = [inside[0]]
        for one in inside[1:]:
            if one.begin < first[-1].end or _TOGETHER.fullmatch(text, first[-1].end, one.begin):
                first.append(one)
        if _LEAD_END.match(text, first[-1].end, e):
            out.append(((first[-1].end, e), first))
    return out


LONGEST_HEADING = 60
"""Characters of a heading that says where what stands below it is."""


@lru_cache(maxsize=512)
def sites_of_heading(heading: str) -> tuple[str, ...]:
    """The sites that a section is about.

    >>> sites_of_heading("LEFT KNEE:"), sites_of_heading("History of present illness:")
    (('left knee',), ())
    """
    return sites(groups(heading, 0, len(heading))) if len(heading) <= LONGEST_HEADING else ()
