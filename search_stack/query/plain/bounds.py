"""Bounds that leave their name out, "HR > 120 or < 50", and changes, "creatinine rose from 1 to 3", as comparisons."""

from __future__ import annotations

import re
from itertools import pairwise

from search_stack.language.amounts import is_valued
from search_stack.language.lexicon.mention import Mention
from search_stack.language.units import NUMBER, number_of
from search_stack.query.asked import SEXES
from search_stack.query.items import Notice
from search_stack.query.plain.comparing import Comparison, comparisons, name_before
from search_stack.query.plain.stretch import Stretch

_OR = re.compile(r"\s*,?\s*or\s+", re.IGNORECASE)
_BY_SEX = re.compile(
    rf"(?P<whose>\s*\(?\s*(?:(?:in|for|if)\s+)?{SEXES}\s*\)?)(?P<sign>\s*,?\s*(?:(?:and|or)\s+)?)", re.IGNORECASE
)
"""Between two bounds of which each is of one sex: "Hb < 13 in men or < 12 in women"."""
_AND = re.compile(r"\s*,?\s*(?:and|but)\s+", re.IGNORECASE)
_CHANGED = re.compile(
    rf"\s+(?:(?:has|have|had|was|went|going|gone|rose|risen|rising|rises|increas\w+|climb\w+|jump\w+|up|fell|fallen|falling|falls|dropp?\w*|decreas\w+|down|declin\w+|chang\w+)\s+)*"
    rf"from\s+(?P<first>{NUMBER})\s*%?\s+(?:up\s+|down\s+)?to\s+(?P<last>{NUMBER})(?![\d/])",
    re.IGNORECASE,
)

_RANGED = re.compile(r"\s+from\b", re.IGNORECASE)
"""Nothing says that it changed: it may be a range as well."""
_AGES = re.compile(
    r"(?<!\w)aged?\s*[<>≤≥]=?\s*\d{1,3}\s*(?:years?\s+|yrs?\s+)?or\s+(?P<second>[<>≤≥]=?\s*\d{1,3})(?!\d)",
    re.IGNORECASE,
)


def bounds(s: Stretch) -> None:
    """Each bound with its name, and what changed as what it came to."""
    for ages in reversed(list(_AGES.finditer(s.shadow.text))):
        s.shadow = s.shadow.rewritten(*ages.span("second"), f"age {ages['second']}")
    _changes(s)
    found = [c for c in comparisons(s.shadow.text) if c.one_sided]
    for first, second in reversed(list(pairwise(found))):
        mention = name_before(s, first)
        if mention is None or name_before(s, second) is not None:
            continue
        text = s.shadow.text
        if sexed := _BY_SEX.fullmatch(text, first.end, second.begin):
            name, bound = text[mention.begin : mention.end], text[second.begin : second.end]
            s.shadow = s.shadow.rewritten(sexed.start("sign"), second.end, f" or {name} {bound}")
        elif _OR.fullmatch(text, first.end, second.begin):
            name, bound = text[mention.begin : mention.end], text[second.begin : second.end]
            s.shadow = s.shadow.rewritten(second.begin, second.end, f"{name} {bound}")
        elif _AND.fullmatch(text, first.end, second.begin) and (between := _between(first, second)):
            s.shadow = s.shadow.rewritten(first.begin, second.end, between)


def _between(first: Comparison, second: Comparison) -> str:
    """Both as one range; empty where they do not bound it from both sides."""
    least = next((c.amount.least for c in (first, second) if c.amount.least is not None), None)
    most = next((c.amount.most for c in (first, second) if c.amount.most is not None), None)
    if least is None or most is None or least >= most:
        return ""
    unit = first.amount.unit or second.amount.unit
    return f"between {least:g} and {most:g} {unit}".rstrip()


def _changes(s: Stretch) -> None:
    for mention in reversed(_valued(s)):
        if found := _CHANGED.match(s.shadow.text, mention.end):
            rose = number_of(found["last"]) > number_of(found["first"])
            if rose and _RANGED.match(found[0]):
                _tell_range(s, mention, found)
            s.shadow = s.shadow.rewritten(mention.end, found.end(), f" {'>=' if rose else '<='} {found['last']}")


def _tell_range(s: Stretch, mention: Mention, found: re.Match[str]) -> None:
    """That "creatinine from 2 to 4" is one that rose, and how a range is asked for."""
    begin, end = s.shadow.span(mention.begin, found.end())
    typed, between = s.typed(begin, end), f"{found['first']}-{found['last']}"
    told = f'"{typed}" was read as a rise to {found["last"]} or more; {between} asks for what lies between.'
    line = f"{s.line[: s.shadow.span(mention.begin, mention.end)[1]]} {between}{s.line[end:]}"
    s.reading.notices.append(Notice("field", told, typed, line))


def _valued(s: Stretch) -> list[Mention]:
    return sorted((m for m in s.mentions() if is_valued(m.concept, s.known.lexicon)), key=lambda m: m.end)
