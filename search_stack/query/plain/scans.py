"""Scans: "CT head without contrast" leaves nobody out, "non-contrast CT" denies nothing, "CTA chest" is no other."""

from __future__ import annotations

import re

from search_stack.language.lexicon.mention import Mention
from search_stack.query.items import Part
from search_stack.query.nodes import Words
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import any_of

_WITHOUT = re.compile(
    r"(?<![\w-])(?:(?:without|w/o|no)\s+(?:(?:iv|oral|intravenous|gadolinium)\s+)?|non[\s-]?|un)(?:contrast(?:ed)?|enhanced)(?!\w|\s+(?:allerg|react|neph))",
    re.IGNORECASE,
)
_SCANS = re.compile(r"\b(?:ct|mri|tomography|imaging|angiogra\w+)\b", re.IGNORECASE)
_WAYS = ("without contrast", "w/o contrast", "noncontrast", "non-contrast", "unenhanced")
"""As notes head such a scan."""

_CTA = re.compile(
    r"(?<!\w)CTAs?\s+(?P<where>(?:of\s+(?:the\s+)?)?(?:chest|head|neck|brain|abdomen|pelvis|aorta)(?:(?:\s*/\s*|\s+and\s+|\s+)(?:chest|head|neck|brain|abdomen|pelvis)(?!\w))*)(?!\w)",
    re.IGNORECASE,
)
"""An angiography and where, which is no other scan: "CTA chest negative"."""
_WHERE = re.compile(r"\b(?:of|the|and)\b|/|\s+")


def angiographies(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without where an angiography was, which is a word beside it."""
    for found in list(_CTA.finditer(shadow.text)):
        place = shadow.span(*found.span("where"))
        s.parts.append(Part(Words(" ".join(_WHERE.sub(" ", found["where"].lower()).split())), *place))
        shadow = shadow.blank(*found.span("where"))
    return shadow


def without_contrast(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without it beside the scan that it tells of; any way to write it is looked for."""
    for found in reversed(list(_WITHOUT.finditer(shadow.text))):
        text = shadow.text
        named = s.known.named(text)
        if any(
            _is_scan(s, m) and (_ends_at(text, m.end, found.start()) or _ends_at(text, found.end(), m.begin))
            for m in named
        ):
            ways = any_of(map(Words, _WAYS))
            s.reading.ways.append(ways)
            s.parts.append(Part(ways, *shadow.span(*found.span())))
            shadow = shadow.blank(*found.span())
    return shadow


def _ends_at(text: str, end: int, begin: int) -> bool:
    return end <= begin and not text[end:begin].strip()


def _is_scan(s: Stretch, mention: Mention) -> bool:
    concept = s.known.lexicon.concepts[mention.concept]
    return concept.kind == "procedure" and _SCANS.search(concept.name) is not None
