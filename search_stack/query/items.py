"""What a line consists of, from left to right: criteria, the signs between them, stretches in plain language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from search_stack.query.nodes import Node

Sign = Literal["(", ")", "and", "or", "but", "not", "deny", ","]
"""``but`` joins like ``and``, but loosely: what stands on either side of it stays together. ``deny`` is a "no" in plain
language whose object is a bracket or a phrase. A comma takes the conjunction of its list."""


@dataclass(frozen=True, slots=True)
class Mark:
    sign: Sign
    begin: int
    end: int
    typed: bool = False
    """Whether it was written as an operator (AND, -), which may not stand alone."""


@dataclass(frozen=True, slots=True)
class Part:
    """A criterion, and where in the line it stands."""

    node: Node
    begin: int
    end: int
    bracketed: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """A stretch in plain language."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Timing:
    """Words that set criteria in time: "first", "at least twice", "within 30 days after".

    ``make`` takes one criterion, or two for a relation; it may raise QueryError.
    """

    make: Callable[..., Node]
    takes: Literal["next", "previous", "both", "earlier", "merging"]
    """Which: the one after it, the one before, one on each side, or the two before ("… after it"), the first of which
    stays a criterion of its own unless it is ``merging`` ("fever and cough in the same note")."""
    begin: int
    end: int
    typed: bool = False
    wide: bool = False
    """Whether it takes all of a list of alternatives before it: "stroke or embolism within a week after surgery"."""
    needs: Literal["days", "ages", ""] = "days"
    """What the sources must tell for it to be asked."""


Item = Mark | Part | Plain | Timing


NoticeKind = Literal[
    "spelling",
    "abbreviation",
    "brackets",
    "denial",
    "unknown",
    "field",
    "time",
    "people",
    "fact",
    "past",
    "site",
    "severity",
]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the person should know of how the line was read.

    ``line`` asks for it the other way; empty where there is none.
    """

    kind: NoticeKind
    message: str
    typed: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """Whether the sources tell any patient's sex, any age, any day."""

    sexes: bool = True
    ages: bool = True
    days: bool = True


@dataclass(slots=True)
class Reading:
    """What reading gathers besides criteria: offsets of what was left aside, and notices."""

    aside: list[tuple[int, int]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    told: Sources = Sources()
    """Where something is never told, words for it are no criterion."""
    ways: list[Node] = field(default_factory=list)
    """Alternatives that are but ways to write one thing, and were not typed."""
    one_only: bool = False
    """Whether of two alternatives not both may hold."""
