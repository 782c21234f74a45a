"""How severe what a sentence names is: "severe left-sided headache", "mild to moderate MR", "headache, severe".

A grade belongs to the name that its own noun phrase ends in ("severe asthma with cough" says nothing of the cough), or
to the one that it stands behind: after a sign, in brackets, with "is".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_stack.core.sites import GRADES, joined
from search_stack.language.lexicon.concepts import CONDITIONS, Lexicon
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites.placing import FARTHEST, NAME, STOP, Span, masked

_GRADE = (
    r"(?:(?P<mild>mild(?:ly)?|slight(?:ly)?|minimal(?:ly)?)|(?P<moderate>mod(?:erate(?:ly)?)?)"
    r"|(?P<severe>sev(?:ere(?:ly)?)?|marked(?:ly)?|profound(?:ly)?|critical))"
)
_STEMS = ("mild", "slight", "minimal", "mod", "sev", "marked", "profound", "critical")
"""One of them stands in any grade; to look for them takes a tenth of the time of the pattern."""
_ONE = re.compile(rf"(?<!\w){_GRADE}(?!\w)", re.IGNORECASE)
_ANY = re.sub(r"\?P<\w+>", "?:", _GRADE)
_CHAIN = re.compile(
    rf"(?<![\w-]){_ANY}(?P<more>(?:\s*[-–/]\s*|[\s-]+(?:(?:to|or|and)[\s-]+)?){_ANY})*(?!\w|[-–]\w)", re.IGNORECASE
)
_FROM_ONE_ON = re.compile(r"\bto\b|[-–]", re.IGNORECASE)
_NARROWED = "critical"
"""Said so of a narrowing alone."""
_NARROWING = re.compile(r"stenosis|narrowing|occlusion|ischemia")
_NO_GRADE = re.compile(
    r"(?:\bnot(?:\s+(?:very|that|so|too|particularly|really|a|an))?|n['’]t|\b(?:less|more|most|least|increasingly|if|than|from))\s+\Z",
    re.IGNORECASE,
)
"""Before one that is denied or compared: "is not severe", "less severe"."""
_BEFORE = 24
"""Characters before a grade that this needs."""
_WORD = rf"(?!{STOP}\b|(?:and|or|vs|versus)\b)(?:[\w'’/+-]|\.(?=\d))+"
_LISTED = r"(?<=al|ar|ic|ve|us|nt|ed|ng|ry|le)\s+(?:and|or)\s+"
"""Between adjectives: "severe aortic and mitral stenosis"; not "severe nausea and vomiting"."""
_PRE = re.compile(rf"\s+(?:{_WORD}(?:,\s*|{_LISTED}|\s+)){{0,5}}|,\s*(?:{_WORD}(?:,\s*|\s+)){{1,3}}", re.I)
"""Between a grade and the name that its noun phrase ends in."""
_BLANK = re.compile(r"\s+")
_HOW = (
    r"(?:(?:now|still|only|quite|very|fairly|rather|relatively|also|currently|overall"
    r"|at\s+(?:least|most|worst)|graded|rated|as)\s+)*"
)
_IS = (
    r"(?:(?:which|that)\s+)?(?:is|was|are|were|has\s+been|have\s+been|had\s+been|remain(?:s|ed)|appear(?:s|ed)|seem(?:s|ed)"
    r"|become|became|(?:is|was)\s+(?:noted|felt|thought|considered|described|judged)(?:\s+(?:to\s+be|as))?)"
)
_PLACE = rf"(?:\s+(?:in|of|at|on)\s+(?:the\s+|his\s+|her\s+)?(?:{_WORD}\s+){{0,3}}{_WORD})?"
_POST = re.compile(
    rf"(?:\s*,\s*|\s*[:(–-]\s*(?:graded\s+|rated\s+)?|\s+|\s+of\s+|{_PLACE},?\s+{_IS}\s+{_HOW}"
    rf"|(?:\s*(?:,\s*(?:and\s+|or\s+)?|\band\s+|\bor\s+|/|&)\s*{NAME})+\s+(?:both\s+)?(?:are|were)\s+(?:both\s+|all\s+)?{_HOW})",
    re.IGNORECASE,
)
"""Between a name, or names that are listed, and the grade behind."""
_ENDS = re.compile(
    r"\s*(?:\Z|[.,;:)/!?]|\n|(?:and|or|but|in|with|on|at|since|without|today|now|that|which|per|by|for|after|when|while|though|due|because"
    r"|persistent|intermittent|constant|enough|to|severity|intensity|degree|range)\b)",
    re.IGNORECASE,
)
"""Behind a grade that no noun follows."""
_NOUN = re.compile(r"\s+(?:severity|intensity|degree)\b", re.IGNORECASE)
_OF = re.compile(r"\s+of\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Severity:
    """What ``text[begin:end]`` says of a name: one or several of `GRADES`."""

    begin: int
    end: int
    grades: tuple[str, ...]


def severities(text: str, begin: int, end: int, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Severity | None]:
    """For each of ``mentions`` how severe it is in ``text[begin:end]``; None where nothing tells it."""
    out: list[Severity | None] = [None] * len(mentions)
    said = text[begin:end].lower() if mentions else ""
    if not any(stem in said for stem in _STEMS):
        return out
    parts = [m.parts for m in mentions]
    for chain in _chains(text, begin, end, parts):
        for n in _owners(text, end, chain, parts):
            concept = lexicon.concepts[mentions[n].concept]
            grades = _grades(text, chain, concept.id) if concept.kind in CONDITIONS else ()
            if grades and out[n] is None:
                out[n] = Severity(*chain, grades)
    return out


def at_grades(grades: Sequence[str], sites: Sequence[str]) -> tuple[str, ...]:
    """What is so severe at ``sites``.

    >>> at_grades(("mild", "moderate"), ("left",)), at_grades(("severe",), ())
    (('mild left', 'moderate left'), ('severe',))
    """
    return tuple(joined(grade, site) for grade in grades for site in sites or ("",))


def _chains(text: str, begin: int, end: int, mentions: Sequence[Sequence[Span]]) -> Iterator[Span]:
    """Where grades stand that are no name's own, those nearest to their names first."""
    for found in reversed(list(_CHAIN.finditer(text, begin, end))):
        named = any(b < found.end() and found.start() < e for spans in mentions for b, e in spans)
        if not named and not _NO_GRADE.search(text, max(begin, found.start() - _BEFORE), found.start()):
            yield found.span()


def _grades(text: str, chain: Span, concept: str) -> tuple[str, ...]:
    narrowed = _NARROWING.search(concept) is not None
    told = [m for m in _ONE.finditer(text, *chain) if narrowed or m[0].lower() != _NARROWED]
    said = sorted({GRADES.index(m.lastgroup or "") for m in told})
    if said and _FROM_ONE_ON.search(text, *chain):
        said = [*range(said[0], said[-1] + 1)]
    return tuple(GRADES[n] for n in said)


def _owners(text: str, end: int, chain: Span, mentions: Sequence[Sequence[Span]]) -> list[int]:
    """Those of ``mentions`` whose grade it is."""
    behind = _behind(text, end, chain, mentions)
    if behind and text[chain[1] : chain[1] + 1] == ",":
        return behind  # "Cough, mild, left knee pain."
    return _before(text, chain, mentions) or behind


def _before(text: str, chain: Span, mentions: Sequence[Sequence[Span]]) -> list[int]:
    """Those that the noun phrase ends in which it opens; also between their words: "valve: mild regurgitation"."""
    between = _BLANK if text[chain[0] : chain[1]].lower().endswith("ly") else _PRE
    out: list[int] = []
    for n, spans in enumerate(mentions):
        first = next((b for b, _ in spans if b >= chain[1]), None)
        if first is None or first - chain[1] > FARTHEST:
            continue
        others = [one for m, one in enumerate(mentions) if m != n]
        if spans[0][0] < chain[0]:  # "Moderate mitral and mild tricuspid regurgitation"
            is_anothers = any(chain[1] <= b < first for b, _ in _spans(others))
        else:
            others = [one for one in others if not _share(spans, one)]
            is_anothers = False
        if not is_anothers and between.fullmatch(masked(text, chain[1], first, _spans(others))):
            out.append(n)
    return out


def _share(some: Sequence[Span], others: Sequence[Span]) -> bool:
    """Whether they have words in common: "mitral and tricuspid regurgitation"."""
    return any(b < end and begin < e for b, e in some for begin, end in others)


def _behind(text: str, end: int, chain: Span, mentions: Sequence[Sequence[Span]]) -> list[int]:
    """Those that it stands behind, where no noun follows."""
    if chain[1] < end and not _ENDS.match(text, chain[1], end):
        return []
    out: list[int] = []
    for n, spans in enumerate(mentions):
        last = spans[-1][1]
        if last > chain[0] or chain[0] - last > FARTHEST:
            continue
        others = [one for m, one in enumerate(mentions) if m != n]
        gap = masked(text, last, chain[0], _spans(others))
        if _POST.fullmatch(gap) and bool(_OF.fullmatch(gap)) == bool(_NOUN.match(text, chain[1])):
            out.append(n)
    return out


def _spans(mentions: Sequence[Sequence[Span]]) -> list[Span]:
    return sorted(span for spans in mentions for span in spans)
