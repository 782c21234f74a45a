"""Drugs that a laboratory names for what a germ yields to, and nobody takes by that: "R: ampicillin  S: gentamicin"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.lexicon.mention import Mention

_HINT = re.compile(r"\b[RSI]\b|\b(?:resist|sensitiv|suscept|intermed)", re.IGNORECASE)
"""What every such statement holds."""
_GERM = re.compile(
    r"\b(?:e\.? ?coli|staph\w*|strep\w*|ms?rsa|mssa|klebsiella|pseudomonas|proteus|enterococc\w*|enterobact\w*|serratia"
    r"|citrobacter|acinetobacter|salmonella|h\.? ?influenzae|isolates?|organisms?|grew|cultures?|cfu|bacteri\w*"
    r"|(?:heavy|moderate|scant\w*|light|profuse|pure|mixed|no) growth|gram (?:stain|neg\w*|pos\w*))\b",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:sensitive|resistant|susceptible|intermediate|resistance|susceptibility|sensitivity)\s+to\b(?!\s+\w+ing\b)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:(?<=\s)|\A)(?:[RSI]|(?i:resistant|sensitive|susceptible|intermediate)(?i:\s+to)?)\s*:")
_VERDICT = re.compile(
    r"(?:\s*:|\s+-)?\s*(?:[<>=≤≥]{0,2}\s?\d+(?:\.\d+)?(?:/\d+)?\s+)?"
    r"(?:\(?[RSI]\)?(?=\s*(?:[,;.|\n]|\s{2}|\Z))|(?i:resistant|sensitive|susceptible|intermediate)\b(?!\s+to\b))"
)
"""Behind a drug: "S", "(R)", ">=32 R", ": Resistant"."""
_OTHER = re.compile(r"[;\n]|\.\s|\b(?:treated|given|started|start|switched|on|received|continue|so|therefore|will)\b")
"""There the list ends: "resistant to ampicillin; started ceftriaxone"."""


NEAR = 40
"""Characters behind the sentence in which what is got may be named again."""


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return found if found >= 0 else len(text)


def of_susceptibility(text: str, begin: int, end: int, drugs: Sequence[Mention]) -> frozenset[Mention]:
    """Those of the ``drugs`` of the sentence ``text[begin:end]`` that are named for what a germ yields to."""
    if not drugs or not _HINT.search(text, begin, end):
        return frozenset()
    germ = _GERM.search(text, begin, end) is not None
    # "S:" in a row of them may be read as a heading, at which the sentence ends.
    first = text.rfind("\n", 0, begin) + 1
    labels = [m.end() for m in _LABEL.finditer(text, first, _line_end(text, end))]
    opens = [m.end() for m in _TO.finditer(text, begin, end)] if germ else []
    opens += labels if germ or len(labels) > 1 else []
    listed = {d for d in drugs if any(at <= d.begin and not _OTHER.search(text, at, d.begin) for at in opens)}
    told = {d for d in drugs if _VERDICT.match(text, d.end, end)}
    if not (germ or len(told) > 1 or (told and not text[begin : drugs[0].begin].strip())):
        told = set()
    named = listed | told
    # "Sensitive to Bactrim, discharged on p.o. Bactrim."
    got = {d.concept for d in drugs if d not in named}
    behind = text[end : end + NEAR].lower()
    return frozenset(d for d in named if d.concept not in got and text[d.begin : d.end].lower() not in behind)
