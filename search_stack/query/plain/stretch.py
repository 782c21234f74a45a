"""A stretch while it is being read, and what is found in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from search_stack.core.amounts import Amount
from search_stack.language.assertion.scopes import Match
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites import Severity, severities
from search_stack.query.items import Notice, NoticeKind, Part, Reading, Timing
from search_stack.query.nodes import Finding, Node, Not
from search_stack.query.plain.known import Known
from search_stack.query.shadow import Shadow
from search_stack.query.wording import Wording, wording

HABITS = frozenset(("tobacco-use", "alcohol-use"))
OTHER_THAN = r"(?:other\s+than|except(?:\s+for|ing)?|apart\s+from|excluding|but\s+not)"
"""Before the kind of a name that does not count."""
EXCLUDING = frozenset(("without", "not", "w/o"))
"""Denials that say what must not be there, and not what a note denies."""
_LISTED = re.compile(r"\b(?:inclu|exclu|eligib|criteria|(?-i:O(?:UT|ut)\s*:))", re.IGNORECASE)
_HEADS_LIST = re.compile(r"\b(?:(?P<in>inclu|(?-i:I[Nn]\s*:))|exclu|(?-i:O(?:UT|ut)\s*:))", re.IGNORECASE)
PAST = frozenset(
    ("s / p", "h / o", "r / o", "hx", "hx of", "status post", "history of", "pmh", "pmh of", "pmhx", "psh")
)
"""Shorthand before what somebody had; left aside before words that bear no assertion."""
TALKED = 4
"""Words of asking from which a line counts as talked, and not as a list of terms."""


@dataclass(frozen=True, slots=True)
class Said:
    """A finding of the stretch: its node, its tokens, and the words that decided what is said of it."""

    node: Node
    mention: Mention
    tokens: frozenset[int]
    first: int
    trigger: tuple[int, int] | None
    excludes: bool
    amount: tuple[int, int] | None = None
    """Where in the line its amount stands."""
    allowed: tuple[int, int] | None = None
    """Where in the line kinds of it stand that do not count."""

    sited: tuple[int, int] | None = None
    """Where in the line its site stands."""
    found: tuple[int, int] | None = None
    """Where in the line it stands what the test found."""

    @property
    def denies(self) -> bool:
        return isinstance(self.node, Not) or (isinstance(self.node, Finding) and self.node.assertion == "absent")


def with_more(one: Said, place: tuple[int, int]) -> tuple[int, int]:
    """``place`` of the line, and those of its amount, its site, its result, and of the kinds that do not count."""
    places = [place, *(more for more in (one.amount, one.sited, one.found, one.allowed) if more)]
    return min(begin for begin, _ in places), max(end for _, end in places)


@dataclass(slots=True)
class Stretch:
    """One stretch of ``line``. Each step takes its part out of ``shadow``, and the next one reads the rest."""

    known: Known
    line: str
    shadow: Shadow
    reading: Reading
    asking: int
    """How many words of the line belong to asking, or may."""
    elsewhere: bool
    """Whether the line has more than this stretch."""
    listed: bool = False
    """Whether it belongs to the criteria of a protocol."""
    table: Wording = field(default_factory=wording)
    parts: list[Part] = field(default_factory=list)
    """Fields that were said in words."""
    timings: list[Timing] = field(default_factory=list)
    """Operators of time that were said in words."""
    cuts: set[int] = field(default_factory=set)
    """Where in the line a semicolon stands for such an operator."""
    unmentioned: set[int] = field(default_factory=set)
    """Where in the line words end that say "never mentioned"."""
    never: set[int] = field(default_factory=set)
    """Where in the line words end that say that something never was: "never had"."""
    loose: set[int] = field(default_factory=set)
    """Where in the line a semicolon stands before a statement of its own: "stroke; on aspirin or warfarin"."""
    alike: set[tuple[int, int]] = field(default_factory=set)
    """Where in the line alternatives stand that share words: signs between them bind tighter than any other."""
    begun: dict[tuple[int, int], Sequence[str]] = field(default_factory=dict)
    """By where in the line a word stands that is cut short, the names that begin so."""
    either: int | None = None
    """Where in the line "any of the following" ends."""
    some: tuple[int, int, int] | None = None
    """Where in the line "at least two of" stands, and how many it asks for."""
    corrected: set[int] = field(default_factory=set)
    """Where in the line words begin that were taken for misspelt names."""
    anyhow: list[tuple[int, int]] = field(default_factory=list)
    """Where in the line "any mention of" stands."""
    ever_before: list[tuple[int, int]] = field(default_factory=list)
    """Where in the line "ever" stands, or "current or past", before what it is said of."""
    ever_behind: list[tuple[int, int]] = field(default_factory=list)
    """Likewise behind it."""
    amounts: dict[int, tuple[Amount, tuple[int, int]]] = field(default_factory=dict)
    """By where in the line the name ends that it is told of, an amount, and where it stands."""
    seconds: dict[int, Finding] = field(default_factory=dict)
    """By the same place, what a second number is told of: "BP over 180/110"."""
    together: set[int] = field(default_factory=set)
    """Of these places, those of which both numbers are told at once: "BP 180/110"."""
    topics: list[tuple[int, int, str]] = field(default_factory=list)
    """Offsets in the shadow of words for an aspect, and the aspect."""
    tokens: Sequence[str] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    matches: Sequence[Match] = ()
    denied: set[tuple[int, int]] = field(default_factory=set)
    """Where in the line words stand that are denied with a name beside them."""
    failed: set[int] = field(default_factory=set)
    """Tokens at which words begin that tell of a drug behind them: all that stands before has it."""
    spoken: frozenset[int] = frozenset()
    """Tokens at which triggers begin that say something of a name."""
    covered: frozenset[int] = frozenset()
    """Tokens that belong to findings."""

    _seen: tuple[str, tuple[Mention, ...]] = ("", ())

    def mentions(self) -> tuple[Mention, ...]:
        """The concepts that the shadow names as it stands."""
        text = self.shadow.text
        if self._seen[0] != text:
            self._seen = text, tuple(self.known.named(text))
        return self._seen[1]

    def severities(self) -> list[Severity | None]:
        """How severe each of them must be."""
        return severities(self.shadow.text, 0, len(self.shadow.text), self.mentions(), self.known.lexicon)

    def beginning(self, at: int) -> list[Mention]:
        """Those of them that begin at ``at``, or behind how severe they must be."""
        both = zip(self.mentions(), self.severities(), strict=True)
        return [m for m, told in both if at in (m.begin, told.begin if told else m.begin)]

    @property
    def excluded(self) -> bool:
        """Whether it stands in a list of what excludes."""
        headings = list(_HEADS_LIST.finditer(self.line[: self.shadow.begins[0]]))
        return bool(headings) and not headings[-1]["in"]

    def is_part(self, word: str) -> bool:
        """Whether it is a part of the body."""
        return word.lower() in self.table.parts or self.known.is_anatomy(word)

    def typed(self, begin: int, end: int) -> str:
        """What stands from ``begin`` to ``end`` of the line."""
        return " ".join(self.line[begin:end].split())

    def instead(self, begin: int, end: int, written: str) -> str:
        """The line with ``written`` for what stands from ``begin`` to ``end`` of it, but for blanks at its ends."""
        before, there, behind = self.line[:begin], self.line[begin:end], self.line[end:]
        if not written:
            return before + behind
        left, right = (
            _blanks_before(there) or _blanks_before(written),
            _blanks_behind(there) or _blanks_behind(written),
        )
        return _apart(_apart(before, left, written.strip()), right, behind)

    def leave_aside(self, begin: int, end: int, why: str = "", kind: NoticeKind = "field") -> None:
        """What stands from ``begin`` to ``end`` of the shadow asks for nothing, which is told where it is said why."""
        self.shadow = self.left_aside(self.shadow, begin, end, why, kind)

    def left_aside(
        self, shadow: Shadow, begin: int, end: int, why: str = "", kind: NoticeKind = "field", line: str = ""
    ) -> Shadow:
        """The same of a shadow that is being made; ``line`` asks for it after all."""
        place = shadow.span(begin, end)
        if why:
            typed = self.typed(*place)
            told = f'"{typed.strip(" ,")}" was left aside: {why}.'
            self.reading.notices.append(Notice(kind, told, typed, line))
        self.reading.aside.append(place)
        return shadow.blank(begin, end)

    @classmethod
    def of(cls, known: Known, line: str, begin: int, end: int, reading: Reading) -> Stretch:
        words = line.lower().replace(",", " ").replace("?", " ").split()
        asking = sum(w in wording().frames for w in words)
        elsewhere = len(line[begin:end].strip()) < len(line.strip())
        listed = elsewhere and _LISTED.search(line) is not None
        return cls(known, line, Shadow.of(line, begin, end), reading, asking, elsewhere, listed)


def _blanks_before(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _blanks_behind(text: str) -> str:
    return text[len(text.rstrip()) :]


def _apart(before: str, blanks: str, behind: str) -> str:
    """Joined by ``blanks``; where there are none, by one where words would meet."""
    meet = not blanks and before[-1:].isalnum() and behind[:1].isalnum()
    return f"{before}{' ' if meet else blanks}{behind}"
