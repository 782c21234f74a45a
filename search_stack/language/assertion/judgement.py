"""What is judged, and what was judged of it by which words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """``text[begin:end]``, and what holds for it from outside."""

    text: str
    begin: int
    end: int
    aspect: str = ""
    """Of the section that it is in; "family history" makes its mentions the family's where nothing else is said."""
    lead: tuple[int, int] = (0, 0)
    """Offsets of words before it that hold for it too: "return if you have:" over a list."""
    asked: bool = False
    """Whether it is part of a question."""


@dataclass(frozen=True, slots=True)
class Target:
    """A mention to be judged, by its offsets in the text."""

    begin: int
    end: int
    kind: str = ""
    """One of `search_stack.language.lexicon.concepts.KINDS`, or empty where it is unknown."""
    chronic: bool = False
    """Whether it does not go away: who has a history of it has it."""
    denies: bool = False
    """Whether its own words deny: the "no" of "no known drug allergies" is part of the name, and says nothing of the
    name itself nor of what stands beside it."""
    passing: bool = False
    """Whether it ends: where it is not chronic it is over in a list of past illnesses."""
    valued: bool = False
    """Whether a number says it: "BMI 31" is obesity."""
    habit: bool = False
    """Whether it is of now where a list of past illnesses names it."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one trigger says of a mention."""

    says: str
    """One of `search_stack.language.assertion.table.SAYS`."""
    words: str
    """The trigger, its words apart by one space, in lower case."""
    before: bool
    """Whether it stands before the mention."""
    distance: int
    """Words between it and the mention."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``assertion`` is one of `search_stack.core.schema.ASSERTIONS`; the trigger is None where no words decided."""

    assertion: str = "present"
    trigger_begin: int | None = None
    trigger_end: int | None = None
    temporality: str = "recent"
    experiencer: str = "patient"
    settled: bool = False
    """Whether a tick, a sign or an answer of a form decided: nothing else is weighed against it."""
    denied: bool = False
    """Whether it is denied, of whomever: "no family history of" is of the family, and denied."""
    said: tuple[Said, ...] = ()
    """All that was said of the mention, the nearest trigger of each kind."""
