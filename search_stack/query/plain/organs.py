"""A disorder of an organ by its name, which most begin with the adjective: "sarcoidosis involving the heart" is cardiac
sarcoidosis. Where it has none, the organ is where it must be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites import groups
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.siting import AT, is_nowhere
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

ADJECTIVES = {
    "bowel": ("intestinal", "gastrointestinal"),
    "brain": ("cerebral", "cns"),
    "cervix": ("cervical",),
    "colon": ("colonic",),
    "eye": ("ocular",),
    "gut": ("gastrointestinal", "intestinal"),
    "heart": ("cardiac",),
    "kidney": ("renal",),
    "liver": ("hepatic",),
    "lung": ("pulmonary",),
    "mouth": ("oral",),
    "ovary": ("ovarian",),
    "pancreas": ("pancreatic",),
    "skin": ("cutaneous",),
    "spine": ("spinal",),
    "spleen": ("splenic",),
    "stomach": ("gastric",),
}
"""What names of disorders of an organ begin with, where that is not the organ itself."""
_OR = re.compile(r"\s*(?:,|/|\band\b|\bor\b)+\s*(?:(?:the|his|her|their)\s+)?(?P<organ>[a-z]+)", re.IGNORECASE)
_BESIDE = re.compile(r"(?<=\w)\s+(?P<organ>[a-z]+)" + ENDS, re.IGNORECASE)
"""Behind a name: "amyloidosis heart"."""
_WORD = re.compile(r"\w+")
_AT = re.compile(
    r"(?<=\w)\s+(?:(?P<link>involving|affecting|in|of|from)\s+(?:the|his|her|their)|(?P<alone>involving|affecting)|with)"
    r"\s+(?P<organ>lymph\s+nodes?|[a-z]+)(?P<involved>\s+involvement)?(?!\w)",
    re.IGNORECASE,
)


def in_organs(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with such names as the lexicon has them."""
    for found in reversed(list(_AT.finditer(shadow.text))):
        link = (found["link"] or found["alone"] or "").lower()
        if not link and not found["involved"]:
            continue  # "with fever"
        text = shadow.text
        heads = s.known.ending(text, found.start(), *CONDITIONS)
        head = min(heads, key=lambda m: m.begin, default=None)
        if head is None or is_nowhere(s.known, head.concept) or _goes_on(s, text, found.end()):
            continue
        end = found.end("involved") if found["involved"] else found.end("organ")
        organ = _singular(found["organ"].lower())
        if name := next(_names(s, text[head.begin : head.end], organ, head), ""):
            shadow = shadow.rewritten(head.begin, end, name)
        elif link in AT and _is_site(organ):
            shadow = shadow.rewritten(found.start(), end, f" of the {organ}")
    return _beside(s, shadow)


def _beside(s: Stretch, shadow: Shadow) -> Shadow:
    for found in reversed(list(_BESIDE.finditer(shadow.text))):
        text, organ = shadow.text, _singular(found["organ"].lower())
        heads = s.known.ending(text, found.start(), "disorder") if organ in ADJECTIVES or _is_site(organ) else []
        head = min(heads, key=lambda m: m.begin, default=None)
        if head is None or is_nowhere(s.known, head.concept):
            continue
        if any(not s.known.is_of(m, "anatomy") for m in s.known.ending(text, found.end())):
            continue
        if name := next(_names(s, text[head.begin : head.end], organ, head), ""):
            shadow = shadow.rewritten(head.begin, found.end(), name)
    return shadow


def _goes_on(s: Stretch, text: str, at: int) -> bool:
    """Whether another organ shares the name: "clot in the lung or leg"."""
    other = _OR.match(text, at)
    organ = _singular(other["organ"].lower()) if other else ""
    return bool(organ) and (organ in ADJECTIVES or _is_site(organ) or s.is_part(organ))


def _singular(organ: str) -> str:
    if organ in ADJECTIVES:
        return organ
    return organ[:-3] + "y" if organ.endswith("ries") else organ.removesuffix("s")


def _names(s: Stretch, head: str, organ: str, mention: Mention) -> Iterator[str]:
    """The ways to say it that are the whole name of a kind of it, or of its like."""
    own = {mention.concept, *s.known.lexicon.concepts[mention.concept].parents}
    for name in (f"{head} of the {organ}", *(f"{one} {head}" for one in (organ, *ADJECTIVES.get(organ, ())))):
        for m in s.known.named(name):
            kin = not own.isdisjoint(s.known.lexicon.ancestors(m.concept)) and m.concept != mention.concept
            if kin and _is_all(m, name):
                yield name


def _is_all(mention: Mention, name: str) -> bool:
    """Whether all words of ``name`` are the mention's: a crush injury of the hand is no hand injury alone."""
    inside = " ".join(name[begin:end] for begin, end in mention.parts)
    return set(_WORD.findall(name)) <= {*_WORD.findall(inside), "of", "the"}


def _is_site(organ: str) -> bool:
    return any(g.part for g in groups(organ, 0, len(organ)))
