"""The page on which a cohort is named and kept."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.cohorts.store import LONGEST_DESCRIPTION
from ingest.cohorts.words import origin_words
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Version
from ui.frame import Frame

LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Existing:
    """A cohort that is called so already."""

    name: str
    next: int
    """The version that this becomes."""
    asks: str


@dataclass(frozen=True, slots=True)
class KeepPage:
    frame: Frame
    action: str
    """Address that keeps it."""
    title: str
    what: str
    """In words."""
    hidden: tuple[tuple[str, str], ...]
    name: str
    description: str
    unit: Unit | None
    """None where it is no query."""
    existing: Existing | None
    problem: str = ""
    longest: int = LONGEST_DESCRIPTION
    longest_name: int = LONGEST_NAME


@dataclass(frozen=True, slots=True)
class ForgetPage:
    """What would be lost."""

    frame: Frame
    id: int
    name: str
    versions: int


def existing(newest: Version) -> Existing:
    return Existing(newest.cohort, newest.number + 1, origin_words(newest.origin))
