"""Words beside a drug or a test that say no more than its name: "administration", "serum", "check"."""

from __future__ import annotations

import re

from search_stack.language.amounts import is_valued
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow

_TREATED_WITH = re.compile(
    r"(?<!\w)(?:(?:treatment|therapy)\s+with|exposure\s+to|(?:administration|receipt)\s+of)\s+(?=\w)", re.IGNORECASE
)
_GIVEN = re.compile(r"\s+(?P<what>administration)(?!\w|\s+(?:error|record))", re.IGNORECASE)
_SERUM = re.compile(r"(?<!\w)(?P<of>serum|plasma)\s+(?=\w)", re.IGNORECASE)
"""Before a test, which is told of the blood anyway: "serum ferritin"."""
_CHECKED = re.compile(r"\s+(?P<what>checks?)(?!\w)", re.IGNORECASE)
"""Behind a test, that it is done: "without an INR check"."""


def needless(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without them."""
    for found in list(_TREATED_WITH.finditer(shadow.text)):
        before = s.known.matcher.mentions(shadow.text, 0, found.start())
        if any(m.end == len(shadow.text[: found.start()].rstrip()) for m in before):
            continue  # "asthma treatment with omalizumab"
        behind = s.known.matcher.mentions(shadow.text, found.end(), len(shadow.text))
        if any(m.begin == found.end() and s.known.lexicon.concepts[m.concept].kind == "drug" for m in behind):
            shadow = s.left_aside(shadow, *found.span())
    for found in list(_GIVEN.finditer(shadow.text)):
        named = s.known.matcher.mentions(shadow.text, 0, found.start())
        if any(m.end == found.start() and s.known.lexicon.concepts[m.concept].kind == "drug" for m in named):
            shadow = s.left_aside(shadow, *found.span("what"))
    for found in list(_SERUM.finditer(shadow.text)):
        named = s.known.matcher.mentions(shadow.text, found.start(), len(shadow.text))
        whole = any(m.begin <= found.start() for m in named)  # "serum protein electrophoresis"
        if not whole and any(m.begin == found.end() and is_valued(m.concept, s.known.lexicon) for m in named):
            shadow = s.left_aside(shadow, *found.span("of"))
    for found in list(_CHECKED.finditer(shadow.text)):
        named = s.known.matcher.mentions(shadow.text, 0, found.start())
        if any(m.end == found.start() and is_valued(m.concept, s.known.lexicon) for m in named):
            shadow = s.left_aside(shadow, *found.span("what"))
    return shadow
