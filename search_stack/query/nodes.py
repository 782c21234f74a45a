"""What a query tree is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from search_stack.core.amounts import Amount
from search_stack.core.schema import ASSERTIONS, MARKS, RESULTS, STATUSES_OF, UNAFFECTED, WHATEVER

ANY = WHATEVER
SAYS = (*ASSERTIONS, UNAFFECTED, *MARKS, ANY)
"""What may be asked of a concept."""


def said_of_kind(kind: str) -> tuple[str, ...]:
    """What may be asked of a concept of ``kind``."""
    results = RESULTS if kind == "procedure" else ()
    return (*ASSERTIONS, *STATUSES_OF.get(kind, (UNAFFECTED,)), *results, ANY)


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every one of ``children`` holds: in the same passage, note or patient, as the scope says."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of ``children`` holds."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``child`` does not hold."""

    child: Node


@dataclass(frozen=True, slots=True)
class Finding:
    """A concept with what a note says of it."""

    name: str
    """The lexicon's name."""
    assertion: str = "present"
    """One of `SAYS`: an assertion, `UNAFFECTED`, a status or result (`search_stack.core.schema.MARKS`), or `ANY`."""
    less: tuple[str, ...] = ()
    """What does not count: narrower concepts, and other names of the concept itself, by the lexicon's names, in
    alphabetical order."""
    amount: Amount | None = None
    """What a number beside the mention must tell of it; where there is one, nothing narrower is left out."""
    site: str = ""
    """Where in the body it must be and how severe there, as `search_stack.core.sites` has it; empty for wherever.
    Likewise."""

    @property
    def is_whole(self) -> bool:
        """Whether it counts whatever numbers tell of it, wherever it is: so that narrower ones can be left out."""
        return self.amount is None and not self.site


@dataclass(frozen=True, slots=True)
class Topic:
    """What a passage is about: a concept and, where given, the aspect of it."""

    entity: str
    """The lexicon's name."""
    aspect: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Words that stand in the passage, its heading or its title, in any order and inflection."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side, as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class FieldIs:
    """A field of the note or passage has this value: see `search_stack.query.fields`."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A structured fact of the patient: a code, and for a measured value what it is compared with.

    A code stands for all that are below it: those that begin with it, and those that a parent table puts there.
    """

    system: str
    """Lower case: icd10, loinc, atc, …"""
    code: str
    compare: str = ""
    """One of `COMPARISONS`, or empty for whatever value."""
    value: float = 0.0
    unit: str = ""
    """Values in another unit are left out; empty: whatever unit they are in."""


COMPARISONS = ("<", "<=", ">", ">=", "=")

# --- time: each narrows the evidence of what it holds, which must stand in one note ---


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The evidence of patients who have it in ``number`` notes, or on that many days."""

    number: int
    unit: Literal["notes", "days"]
    child: Node


@dataclass(frozen=True, slots=True)
class Pick:
    """Each patient's first or last evidence in time."""

    which: Literal["first", "last"]
    child: Node


@dataclass(frozen=True, slots=True)
class During:
    """Evidence from the day ``after`` on, and before the day ``before``; each ISO, or empty where open."""

    after: str
    before: str
    child: Node


@dataclass(frozen=True, slots=True)
class AtAge:
    """Evidence at an age of at least ``least`` and at most ``most`` years, in whole years; None where open."""

    least: int | None
    most: int | None
    child: Node


@dataclass(frozen=True, slots=True)
class Near:
    """Evidence of ``child`` that lies from ``least`` to ``most`` days after some evidence of ``anchor``, both included.

    Negative days are before it; None where open.
    """

    least: int | None
    most: int | None
    child: Node
    anchor: Node


@dataclass(frozen=True, slots=True)
class Together:
    """Evidence of ``children`` where one note, encounter, day or year of a patient has all of them."""

    by: Literal["note", "encounter", "day", "year"]
    children: tuple[Node, ...]


TOGETHER = ("note", "encounter", "day", "year")
Leaf: TypeAlias = Finding | Topic | Words | Phrase | FieldIs | Fact
Timed: TypeAlias = AtLeast | Pick | During | AtAge | Near | Together
Node: TypeAlias = AllOf | AnyOf | Not | Timed | Leaf
