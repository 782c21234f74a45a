"""What the arbiter looks at of one mention: what the rules said, the words around it, its section, and its note.

Each feature is a short text "what=value". They are hashed before they are weighed: no word of a note gets into a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from search_stack.core.schema import Finding, Section
from search_stack.language.assertion import Judgement, Sentence

NEAR, FAR = 4, 12
"""Words on each side that count by their place, and those that count wherever they are."""
BEFORE = 14
"""Last words of the sentence before."""
READERS = 3
"""Times that a leaflet speaks to its readers or of people at large, at least."""
_ANYBODY = re.compile(r"\b(?:you|your|yours|people|patients|children|infants)\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:s?he|him|his|hers?|patient|pt|mr|mrs|ms|miss|yo|y/o|(?:year|month|week|day)s?[- ]old|(?:fe)?male|gentleman"
    r"|lady|(?:wo)?man|boy|girl|i)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\byou (?:were|had|have been|have had|came|presented|underwent|received|told|are being)\b"
    r"|\byour (?:surgery|operation|stay|admission|hospital|visit)\b|\d/\d{2,4}\b",
    re.IGNORECASE,
)
"""What somebody in particular is told: a letter, or instructions at discharge."""
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|\n")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A mention as the rules judge it, and where it stands."""

    finding: Finding
    judgement: Judgement
    sentence: Sentence
    before: tuple[int, int]
    """Offsets of the sentence before it in its section; (0, 0) for the first."""
    section: Section
    denies: bool = False
    """Whether its own words deny."""
    beside: int = 1
    """Mentions in its sentence."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What the rules say in the whole note."""

    said: Mapping[str, Counter[str]]
    """By concept, how often each assertion."""
    aspects: frozenset[str]
    is_general: bool = False
    """Whether it is about nobody: a leaflet, what a textbook says of a disease."""

    @property
    def is_imaging(self) -> bool:
        return {"findings", "impression"} <= self.aspects

    @property
    def sees(self) -> bool:
        """Whether it is a report of imaging, in which nothing is done or planned."""
        does = ("procedure", "operat", "surgery", "plan", "present illness")
        of_imaging = self.is_imaging or {"comparison", "impression"} <= self.aspects
        return of_imaging and not any(word in aspect for aspect in self.aspects for word in does)

    @property
    def is_operation(self) -> bool:
        return any("procedure" in a for a in self.aspects)


def overview(text: str, judged: Sequence[Judged], sections: Sequence[Section]) -> Overview:
    said: dict[str, Counter[str]] = {}
    for one in judged:
        said.setdefault(one.finding.concept, Counter())[one.finding.assertion] += 1
    return Overview(said, frozenset(s.aspect for s in sections), is_general(text))


def is_general(text: str) -> bool:
    """Whether a note names no patient, but readers or people at large, and tells nobody what happened to them.

    >>> is_general("Call your doctor if you have a fever. Most children recover. Give your child fluids.")
    True
    """
    if len(list(islice(_ANYBODY.finditer(text), READERS))) < READERS:
        return False
    return _SOMEBODY.search(text) is None and _TOLD.search(text) is None


def features(text: str, one: Judged, note: Overview) -> list[str]:
    """Of one mention; each at most once."""
    return list(
        dict.fromkeys((*_of_rules(one), *_of_words(text, one), *_of_before(text, one), *_of_note(text, one, note)))
    )


def status_features(rule: str, kind: str) -> list[str]:
    """Of a drug, procedure or device besides: what the rules say of its status."""
    return [f"status={rule}", f"status={rule} {kind}"]


def _of_rules(one: Judged) -> Iterator[str]:
    rule, kind, aspect = one.finding.assertion, one.finding.kind, one.section.aspect
    headed = "headed" if one.section.heading else "guessed"
    yield from (f"rule={rule}", f"kind={kind}", f"rule={rule} {kind}", f"concept={one.finding.concept}")
    yield from (f"concept={one.finding.concept} {rule}", f"aspect={aspect} {headed}")
    yield from (f"aspect={aspect} {kind}", f"aspect={aspect} {rule}")
    yield from (f"heading={w}" for w in _WORD.findall(one.section.heading.lower()))
    if one.denies:
        yield "denies"
    for s in one.judgement.said:
        side = "before" if s.before else "behind"
        distance = 0 if s.distance == 0 else 1 if s.distance < 3 else 2 if s.distance < 7 else 3
        yield from (f"said={s.says} {side}", f"said={s.says} {side} {distance}", f"said={s.says} {aspect}")
        yield from (f"trigger={s.words}", f"trigger={s.words} {kind}", f"trigger={s.words} {side} {distance}")


def _of_words(text: str, one: Judged) -> Iterator[str]:
    begin, end = one.finding.begin, one.finding.end
    left = ["^", *(_said(t) for t in _TOKEN.findall(text, one.sentence.begin, begin))]
    right = [*(_said(t) for t in _TOKEN.findall(text, end, one.sentence.end)), "$"]
    yield from (f"left {n}={w}" for n, w in enumerate(left[:0:-1][:NEAR], 1))
    yield from (f"right {n}={w}" for n, w in enumerate(right[:-1][:NEAR], 1))
    yield from (f"left={w}" for w in left[-FAR:])
    yield from (f"right={w}" for w in right[:FAR])
    yield from (f"anywhere left={w}" for w in left[1:])
    yield from (f"anywhere right={w}" for w in right[:-1])
    yield from (f"pair left={a} {b}" for a, b in pairwise(left[-8:]))
    yield from (f"pair right={a} {b}" for a, b in pairwise(right[:6]))
    yield f"close left={' '.join(left[-2:])}"
    yield f"close right={' '.join(right[:2])}"
    yield f"first={left[1] if len(left) > 1 else '@'}"
    yield f"length={min((len(left) + len(right)) // 5, 6)}"
    yield f"words={text[begin:end].lower()}"
    if len(left) == len(right) == 1:
        yield "alone"
    if text[one.sentence.end - 1 : one.sentence.end] == "?":
        yield "asked"


def _of_before(text: str, one: Judged) -> Iterator[str]:
    yield from (f"before={_said(t)}" for t in _TOKEN.findall(text, *one.before)[-BEFORE:])
    if one.before != (0, 0) and text[one.before[1] - 1] == ":":
        yield "opened"
    if one.sentence.lead != (0, 0):
        yield from (f"lead={_said(t)}" for t in _TOKEN.findall(text, *one.sentence.lead))


def _of_note(text: str, one: Judged, note: Overview) -> Iterator[str]:
    rule, kind, aspect = one.finding.assertion, one.finding.kind, one.section.aspect
    said = note.said.get(one.finding.concept, Counter())
    for assertion, times in said.items():
        if times > (assertion == rule):
            yield from (f"elsewhere={assertion}", f"elsewhere={assertion} {rule}")
    if said.total() <= 1:
        yield "only"
    yield f"place={5 * one.finding.begin // max(1, len(text))}"
    yield f"beside={min(one.beside, 6)}"
    if note.is_imaging:
        yield f"imaging {aspect} {kind}"
    if note.is_operation:
        yield f"operation {aspect} {kind}"


def _said(token: str) -> str:
    return "#" if token.isdigit() else token.lower()
