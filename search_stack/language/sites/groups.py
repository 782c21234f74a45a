"""The sites that a stretch of text names, each side with the part that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from search_stack.core.sites import joined, split
from search_stack.language.alternation import any_of
from search_stack.language.sites.table import PAIR, SHORT, SIDED, parts

_SUFFIX = r"(?:[\s-]sided?\b|sided\b|\s+hand\s+side\b)?"
_SIDE = re.compile(
    rf"(?<!\w)(?:(?P<left>l(?:ef)?t(?!\w){_SUFFIX})|(?P<right>r(?:igh)?t(?!\w){_SUFFIX})"
    r"|(?P<both>b(?:ilateral(?:ly)?\b|ilat\b|/l(?!\w)|oth\b(?:\s+sides)?))|(?P<sign>(?-i:[LR](?=\s[a-z]))))"
    r"|(?P<bracketed>(?-i:\([LR]\)))",
    re.IGNORECASE,
)
_HANDED = r"[\s-]+hand(?:ed(?:ness)?\b|[\s-]+(?:domin|prefer)\w+)"
_NO_SIDE_BEHIND = {
    "left": re.compile(
        rf"{_HANDED}|\s+(?:the|ama|against|without|in|over|alone|open|behind|untreated|to|for|him|her|his|work|home|before"
        r"|after|with(?:out)?|atrial\s+appendage)\b",
        re.IGNORECASE,
    ),
    "right": re.compile(
        rf"{_HANDED}|\s+(?:now|away|after|before|there|here|at|to|then|about|when|heart\s+cath\w*|decision|thing|direction"
        r"|amount|dose)\b",
        re.IGNORECASE,
    ),
}
"""Behind the word: "left the hospital", "right now", "left-handed"."""
_NO_SIDE_BEFORE = {
    "left": re.compile(r"\b(?:was|has|is|had|s?he|be)\s\Z", re.IGNORECASE),
    "right": re.compile(r"\b(?:all\s|left[\s-]to[\s-])\Z", re.IGNORECASE),
}
"""Before it: "was left", "all right", "left to right shunt"."""
NEARBY = 9
"""Characters before it that these need."""
_SAYS = {"left": "left", "right": "right", "both": "bilateral"}
_WHICH = r"(?:upper|middle|mid|lower)"
_SHARED = re.compile(
    rf"\b{_WHICH}(?P<more>(?:\s*(?:,\s*(?:and\s+)?|\band\b|\bor\b|/|&)\s*{_WHICH})+)\s+"
    r"(?P<what>lobes?|lung\s+zones?|zones?|quadrants?|extremit(?:y|ies)|limbs?)\b",
    re.IGNORECASE,
)
"""What stands once behind several: "upper and lower lobes"."""
_SINGULAR = {"lobes": "lobe", "quadrants": "quadrant", "extremities": "extremity", "limbs": "limb"}
_MODIFIER = (
    r"(?:proximal|distal|medial|lateral|anterior|posterior|mid|middle|deep|superficial|inner|outer|central|main|upper|lower"
    r"|superior|inferior|common|great(?:er)?|lesser|big|small|anterolateral|posterolateral|posteromedial|anteromedial|dorsal|ventral"
    r"|volar|plantar|dominant|native|entire|whole|third|segment|aspect|side|part|portion|of|the|her|his)"
)
_BETWEEN = re.compile(rf"(?:[\s-]|\band\b|\bor\b|/|&|>|<|,\s*(?:and|or)\b|\b{_MODIFIER}\b)*", re.IGNORECASE)
"""What may stand between a side and its part, or another part of that side."""
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\s*(?!or\s*\Z)(?:and|&|/|>|<|or)+\s*")
"""Between two sides that are both meant."""
_BEHIND = re.compile(r"\s*(?:,\s*|-\s*|\(\s*|on\s+(?:the|his|her)\s+|of\s+the\s+)?", re.IGNORECASE)
"""What may stand between a part and its side behind it: "knee, left", "lobe on the right"."""


@dataclass(frozen=True, slots=True)
class Group:
    """A side, a part, or a side of a part, at ``begin`` to ``end``; ``spans`` are those of its own words, ``named``
    that of the part, where there is one."""

    begin: int
    end: int
    side: str
    part: str
    spans: tuple[tuple[int, int], ...]
    named: tuple[int, int] | None = None

    @property
    def site(self) -> str:
        return joined(self.side, self.part)


@cache
def _parts() -> re.Pattern[str]:
    short = [name for name in (*parts(), *SHORT) if _is_short(name)]
    return re.compile(
        rf"\b(?:(?P<long>{any_of((*_named(), *SIDED))})"
        rf"|(?P<short>(?-i:{'|'.join(sorted(short, key=len, reverse=True))})))(?!\w)"
        r"(?!\s+(?:view|projection|sinus\s+rhythm|artery\s+bypass|output|function|failure)\b)",
        re.IGNORECASE,
    )


@cache
def _named() -> dict[str, str]:
    """The part that each name stands for, also of several."""
    one = {called.lower(): name for called, name in parts().items() if not _is_short(called)}
    return {plural: name for called, name in one.items() for plural in _plurals(called)} | one


def _is_short(called: str) -> bool:
    """Whether it is an abbreviation, also of several: "LEs"."""
    return called.removesuffix("s").isupper()


def _plurals(called: str) -> tuple[str, ...]:
    first, _, last = called.partition(" of ")
    ends = [first[:-1] + "ies"] if re.search(r"[^aeiou]y$", first) else [first + "s", first + "es"]
    return tuple(f"{end} of {last}" if last else end for end in ends)


@dataclass(frozen=True, slots=True)
class _Word:
    begin: int
    end: int
    side: str = ""
    part: str = ""
    weak: bool = False
    """Whether it is no side by itself: "both", and a letter that stands before nothing that is named."""


def _words(text: str, begin: int, end: int, named: Sequence[int]) -> list[_Word]:
    found = [*_part_words(text, begin, end)]
    for m in _SIDE.finditer(text, begin, end):
        kind = m.lastgroup or ""
        if any(w.begin < m.end() and m.start() < w.end for w in found) or _is_no_side(text, begin, m, kind):
            continue
        side = _SAYS.get(kind) or ("left" if "L" in m[0] else "right")
        alone = kind == "sign" or m[0] in ("LT", "RT")
        weak = m[0].lower() == "both" or (alone and not any(0 < b - m.end() <= 1 for b in named))
        found.append(_Word(m.start(), m.end(), side, "", weak))
    return sorted(found, key=lambda w: w.begin)


def _is_no_side(text: str, begin: int, word: re.Match[str], kind: str) -> bool:
    """Whether it is another word that is written so."""
    if kind not in _NO_SIDE_BEHIND:
        return False
    before = text[max(begin, word.start() - NEARBY) : word.start()]
    return bool(_NO_SIDE_BEHIND[kind].match(text, word.end()) or _NO_SIDE_BEFORE[kind].search(before))


def _part_words(text: str, begin: int, end: int) -> Iterator[_Word]:
    taken: list[tuple[int, int]] = []
    for m in _SHARED.finditer(text, begin, end):
        what = _SINGULAR.get(m["what"].lower(), m["what"].lower())
        for one in re.finditer(_WHICH, text[m.start() : m.end("more")], re.IGNORECASE):
            which = "middle" if one[0].lower() == "mid" else one[0].lower()
            if name := _named().get(f"{which} {what}"):
                yield _Word(m.start() + one.start(), m.end(), "", name)
        taken.append(m.span())
    for m in _parts().finditer(text, begin, end):
        if any(b < m.end() and m.start() < e for b, e in taken):
            continue
        if short := m["short"]:
            site = SHORT.get(short) or parts()[short]
        else:
            long = " ".join(m["long"].lower().split())
            site = SIDED.get(long) or _named()[long]
        yield _Word(m.start(), m.end(), *split(site))


def groups(text: str, begin: int, end: int, named: Sequence[int] = ()) -> list[Group]:
    """The sites that ``text[begin:end]`` names, in order.

    Args:
        named: where names of concepts begin; before one, and before a part, a single letter may be a side: "R hip fx".

    >>> [g.site for g in groups("Opacities in the right upper and lower lobes, knee (L)", 0, 54)]
    ['right upper lobe', 'right lower lobe', 'left knee']
    """
    words = _words(text, begin, end, named)
    sides = [w for w in words if w.side and not w.part]
    used: set[_Word] = set()
    out: list[Group] = []
    for n, word in enumerate(words):
        if not word.part:
            continue
        own = _before(text, words, n) if not word.side else []
        if not own and not word.side and (behind := _behind(text, words, n)):
            own = [behind]
        used.update(own)
        said = [word.side] if word.side else sorted({w.side for w in own})
        if len(said) > 1 and not _OR.search(text, min(w.begin for w in own), word.begin):
            said = ["bilateral"]
        spans = tuple(sorted({*((w.begin, w.end) for w in own), (word.begin, word.end)}))
        for side in said or [""]:
            out.append(Group(spans[0][0], spans[-1][1], side, word.part, spans, (word.begin, word.end)))
    for word in sides:
        if word in used or word.weak:
            continue
        out.append(Group(word.begin, word.end, word.side, "", ((word.begin, word.end),)))
    return _both(text, sorted(out, key=lambda g: (g.begin, g.end)))


def _before(text: str, words: Sequence[_Word], n: int) -> list[_Word]:
    """The sides right before the part, or before other parts that it is listed with: "left knee and ankle"."""
    at = words[n].begin
    found: list[_Word] = []
    for word in reversed(words[:n]):
        if word.end > at:
            continue  # The other one of "upper and lower lobes".
        if not _BETWEEN.fullmatch(text, word.end, at):
            break
        if word.part and (found or word.side):
            break
        if word.side:
            found.append(word)
        elif found:
            break
        at = word.begin
    return found


def _behind(text: str, words: Sequence[_Word], n: int) -> _Word | None:
    """The side right behind the part that has none, where it is not that of another part."""
    after = next((w for w in words[n + 1 :] if w.begin >= words[n].end), None)
    if after is None or after.part or after.weak or not _BEHIND.fullmatch(text, words[n].end, after.begin):
        return None
    further = words[words.index(after) + 1 :]
    own = further and further[0].part and _BETWEEN.fullmatch(text, after.end, further[0].begin)
    return None if own else after


def _both(text: str, found: list[Group]) -> list[Group]:
    """Two sides that stand side by side as one: "left and right", "R > L"."""
    out: list[Group] = []
    for one in found:
        before = out[-1] if out else None
        if (
            before
            and not before.part
            and not one.part
            and {before.side, one.side} == PAIR
            and _TOGETHER.fullmatch(text, before.end, one.begin)
        ):
            out[-1] = replace(before, end=one.end, side="bilateral", spans=before.spans + one.spans)
        else:
            out.append(one)
    return out
