"""Cancers as they are written short, and where they have spread to."""

from __future__ import annotations

import re

from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_SHORT = re.compile(r"(?<![\w-])(?P<what>(?:[^\W\d_]{3,}\s+)?[^\W\d_]{3,})\s+ca(?![\w+-])", re.IGNORECASE)
_ADENO = re.compile(
    r"(?<!\w)adeno\s?ca(?!\w)(?:\s+of)?(?:\s+the)?\s+(?P<place>[^\W\d_]{3,})(?!\w)|(?<!\w)adeno\s?ca(?!\w)",
    re.IGNORECASE,
)
_OF = re.compile(
    r"(?<![\w-])ca(?P<of>\s+(?:of\s+(?:the\s+)?)?(?:left\s+|right\s+)?(?P<place>[^\W\d_]{3,}))(?!\w)", re.IGNORECASE
)
_SPREAD = re.compile(
    r"(?<!\w)(?P<how>metastatic(?:\s[^\W\d_]+){1,3}|spread|metasta[sz]i[sz]ed|metastatic)\s+to\s+(?:the\s+|his\s+|her\s+)?"
    r"(?P<one>[^\W\d_]{3,})(?:(?P<and>\s*(?:,|and|or)\s+)(?:the\s+)?(?P<two>[^\W\d_]{3,}))?(?!\w)",
    re.IGNORECASE,
)
_SURVIVORS = re.compile(r"(?<![\w-])(?P<kind>[^\W\d_]{3,}\s+cancer)(?P<who>\s+survivors?)(?!\w)", re.IGNORECASE)
_HOW = re.compile(r"(?:spread|metasta[sz]i[sz]ed|metastatic)$", re.IGNORECASE)


def cancers(s: Stretch, shadow: Shadow) -> Shadow:
    shadow = shadow.written(_ADENO, lambda m: _adeno(s, m))
    shadow = shadow.written(_SHORT, lambda m: f"{m['what']} {_cancer(s, m['what'])}")
    shadow = shadow.written(_OF, lambda m: _of_part(s, m))
    shadow = shadow.written(_SURVIVORS, lambda m: _survivors(s, m))
    return shadow.written(_SPREAD, lambda m: _spread(s, m))


def _of_part(s: Stretch, found: re.Match[str]) -> str:
    """ "Ca breast" and "ca of the breast" in full."""
    if not s.is_part(found["place"]):
        return found[0]
    named = s.known.lexicon.find(f"{found['place']} cancer") and found["of"].strip() == found["place"]
    return f"{found['place']} cancer" if named else f"cancer{found['of']}"


def _adeno(s: Stretch, found: re.Match[str]) -> str:
    """ "Adenoca of the lung" by the name that its place makes; elsewhere the word in full."""
    place = found["place"] or ""
    if s.known.lexicon.find(f"{place} adenocarcinoma"):
        return f"{place} adenocarcinoma"
    return f"{place} cancer" if s.is_part(place) else f"adenocarcinoma{f' {place}' if place else ''}"


def _survivors(s: Stretch, found: re.Match[str]) -> str:
    """ "Breast cancer survivors" with the cancer, which no name of theirs tells."""
    known = s.known.lexicon.find(found["kind"])
    return f"{found['kind']}, cancer{found['who']}" if known else found[0]


def _cancer(s: Stretch, place: str) -> str:
    """What "ca" behind it is, a cancer of it and no calcium: "endometrial ca", "basal cell ca"."""
    for what in (place, place.split()[-1]):
        for word in ("carcinoma", "cancer") if what.endswith("cell") else ("cancer", "carcinoma"):
            if s.known.lexicon.find(f"{what} {word}"):
                return word
    return "ca"


def _spread(s: Stretch, found: re.Match[str]) -> str:
    """ "Metastatic breast cancer to bone" as breast cancer with bone metastasis, where that has a name."""
    one, two = found["one"], found["two"]
    if not s.known.lexicon.find(f"{one} metastasis"):
        return found[0]
    how = "" if _HOW.match(found["how"]) else f"{found['how']} "
    if two and not s.known.lexicon.find(f"{two} metastasis"):
        return f"{how}with {one} metastasis{found['and']}{two}"
    return f"{how}with {one} metastasis" + (f"{found['and']}{two} metastasis" if two else "")
