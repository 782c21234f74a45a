"""What every page of a kept cohort shows of it: name, version, what it asks, and the ways to its other pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from access.roles import Right
from ingest.cohorts.records import Cohort
from ingest.cohorts.words import asked_line, origin_words
from search_stack.cohorts.version import Combined, Operand, Operation, Version
from ui.kept import still_kept
from ui.who import may

JOINED: dict[Operation, str] = {"union": "or in", "intersection": "and in", "difference": "and not in"}


@dataclass(frozen=True, slots=True)
class Made:
    """A version that another was made of; ``url`` is empty where it is not kept any more."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Question:
    """Where a version comes from."""

    words: str
    line: str
    """What asks it anew; empty where no line can."""
    made: tuple[Made, ...] = ()
    joined: str = ""
    """What stands between those that it was made of."""


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Head:
    cohort: Cohort
    version: Version
    question: Question
    tabs: tuple[Tab, ...]

    @property
    def newest(self) -> bool:
        return self.version.number == self.cohort.newest.number


def head(cohort: Cohort, version: Version, current: str) -> Head:
    """
    Args:
        current: the tab that the reader is on.
    """
    pages = [("Overview", url_of(version)), ("Patients", _url("cohorts.members", version))]
    pages.append(("Changes", url_for("comparing.changed", cohort=cohort.id)))
    if may(Right.REVIEW):
        pages.append(("Review", url_for("reviewing.begin", cohort=cohort.id)))
    if may(Right.ADJUDICATE):
        pages.append(("Agreement", url_for("adjudicating.agreement", cohort=cohort.id)))
    if may(Right.EXPORT):
        pages.append(("Export", _url("exporting.ask", version)))
    return Head(cohort, version, question(version), tuple(Tab(name, url, name == current) for name, url in pages))


def url_of(version: Version) -> str:
    return _url("cohorts.version", version)


def _url(endpoint: str, version: Version) -> str:
    return url_for(endpoint, cohort=version.cohort_id, number=version.number)


def question(version: Version) -> Question:
    origin = version.origin
    if isinstance(origin, Combined):
        return Question("", "", tuple(map(_made, origin.operands)), JOINED[origin.operation])
    return Question(origin_words(origin), asked_line(origin))


def _made(operand: Operand) -> Made:
    found = still_kept(operand)
    return Made(operand.name, url_of(found) if found else "")
