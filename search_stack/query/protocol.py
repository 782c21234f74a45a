"""The layout of a pasted protocol: headings of inclusion and exclusion, numbered lists, sentences, talk of consent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)]\s+")
_LONE = re.compile(r"\s*\(?(?:\d{1,2}[.)]|[a-h]\))\s+(?=[A-Za-z])")
"""The number of the one line of a list that was pasted."""
_HEADING = re.compile(
    r"""(?:^|(?<=[\n;.]))\s*(?:[-•*]\s+)?
    (?:(?:key|main|major|all|and|the|patients?|subjects?|participants?|people|we|who|they|study)\s+)*
    (?:(?:will|must|can|may|are|is|were|was|to|be|meeting|meet|with|have|please)\s+)*
    (?:(?P<exclude>exclusions?(?:\s+criteria)?|excl\b\.?|excluded?|excludes|must\s+not\s+have|not\s+eligible|ineligib\w+|not\s+allowed
         |do\s+not\s+include|don't\s+include|(?-i:OUT|Out)(?=\s*:)
         |(?:cannot|can\s+not|must\s+not)\s+(?:take\s+part|have|be\s+included)|not\s+be\s+included|none\s+of(?:\s+the\s+following)?)
      |(?P<include>inclusions?(?:\s+criteria)?|incl\b\.?|included?|includes|must\s+have|eligib\w+|required|take\s+part
         |all\s+of\s+the\s+following|(?-i:IN|In)(?=\s*:)|(?:cohort\s+definition|population|exposures?|interventions?|comparators?|outcomes?|selection(?:\s+criteria)?)(?=\s*[:\n])))
    (?:\s+(?:if|when|they|have|had|are|following|the|any|of|with|patients?|subjects?))*
    (?:\s*\([^()\n]*\))?
    (?:\s*:|\s*(?=\n)|\s*[–—]\s|\s+-\s|\s+(?=[-•*✔✓✘✗➢►]\s|\(?(?:1|a|i)[.)]\s))""",
    re.VERBOSE | re.IGNORECASE,
)
_INLINE = re.compile(
    r"(?<=[\s).])(?:(?:key|main|to\s+be)\s+)?(?P<any>(?P<exclude>exclusions?|excluded?|excl\.?|do\s+not\s+include|ineligibility)"
    r"|(?P<include>inclusions?|include|incl\.?))(?:\s+(?:criteria|patients?\s+with))?"
    r"(?:\s*:|[ \t]+[-–—]\s|\s+(?=\(?(?:1|a|i)[.)]\s))",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"(?:(?:^|(?<=\n))\s*(?:[-•*]\s+|\(?\w[.)]\s+)?|(?<=\s))(?:and\s+)?"
    r"(?:any(?:\s+one)?|at\s+least\s+one|one(?:\s+or\s+more)?|either)\s+of"
    r"(?:(?:\s+the)?\s+following)?(?:\s+\w+)?\s*:?\s*(?=\n|\(?(?:1|a|i)[.)]\s)",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"[^\n;•]*\b(?:informed|signed|written|declined|gave|given)\s+(?:\w+\s+)?consent\b[^\n;•]*", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[a-z)\]])\.(?=\s+[A-Z]|\s*$)|(?<![\w.-])(?P<last>[\w-]*\w)(?P<stop>\.)(?=\s+\w|\s*$)")
_CUT_SHORT = re.compile(
    r"abd|adm|ant|approx|appt|assoc|avg|ca|cf|dept|diag|diff|dr|dx|eg|esp|est|etc|excl?|ext|fam|fx|gen|hist|hosp|hrs?|hx|ie|incl?"
    r"|inf|int|lat|max|med|mths|min|mos?|mrs?|ms|neg|nos?|pos|poss|post|prev|prob|prof|pts?|resp|rx|st|sup|susp|temp|tx|var|vit|vol"
    r"|vs|wks?|yrs?",
    re.IGNORECASE,
)
"""Words that a full stop cuts short, and ends no sentence: "approx. three", "hx. of stroke"."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in a line parts of their own begin, by offset."""

    eithers: Mapping[int, int]
    """Where "any of the following" stands, and its end."""
    headings: Mapping[int, tuple[int, bool]]
    """Headings with their end, and whether they exclude."""
    numbers: Mapping[int, int]
    """Numbers of a list, and their end."""
    stops: frozenset[int]
    """Full stops that end a sentence."""

    @classmethod
    def of(cls, line: str) -> Layout:
        found = [*_HEADING.finditer(line), *_INLINE.finditer(line)]
        headings = {_begin(m): (m.end(), bool(m["exclude"])) for m in found if m[0].strip()}
        numbers = list(_NUMBER.finditer(line))
        firsts = [m for m in numbers if m[0].strip(" ().").lower() in ("1", "a", "i")]
        listed = bool(firsts) and (len(numbers) > 1 or bool(headings))
        numbered = [m for m in numbers if listed or (_LONE.match(line) and not line[: m.start()].strip())]
        inside = [range(begin, end) for begin, (end, _) in headings.items()]
        return cls(
            eithers={_begin(m): m.end() for m in _EITHER.finditer(line)},
            headings=headings,
            numbers={m.start(): m.end() for m in numbered if not any(m.start() in r for r in inside)},
            stops=frozenset(at for m in _SENTENCE_END.finditer(line) if (at := _stop(m, line)) is not None),
        )

    def opener(self, at: int) -> int:
        """Where what opens a part at ``at`` ends; 0 where nothing does."""
        if at in self.eithers:
            return self.eithers[at]
        return self.headings[at][0] if at in self.headings else self.numbers.get(at, 0)

    def breaks(self, at: int) -> bool:
        """Whether a heading, number or full stop stands at ``at``."""
        return at in self.headings or at in self.numbers or at in self.stops


def _stop(found: re.Match[str], line: str) -> int | None:
    """Where the full stop is that ends a sentence, also before a small letter; one behind a word that is cut short, a
    letter, or the number of an item ends none."""
    last = found["last"]
    if last is None:
        return found.start()
    numbers_item = last.isdigit() and line[: found.start()].rstrip(" ")[-1:] in ("", "\n", ";", ":", ".", ",")
    ended = (len(last) > 1 or last.isdigit()) and _CUT_SHORT.fullmatch(last) is None
    return found.start("stop") if ended and not numbers_item else None


def _begin(found: re.Match[str]) -> int:
    return found.start() + len(found[0]) - len(found[0].lstrip())


def consent(line: str) -> list[tuple[int, int]]:
    """Where one of the items of a protocol asks for consent, which no note answers; a line of one item means notes that
    tell of it."""
    return [m.span() for m in _CONSENT.finditer(line) if line[: m.start()].strip() or line[m.end() :].strip()]
