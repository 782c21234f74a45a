"""What the files hold: stories with patients and notes, hand-written cases, shared phrases (README.md)."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

NoteType = Literal[
    "radiology report",
    "discharge summary",
    "clinic letter",
    "progress note",
    "operative note",
    "emergency department note",
]
Sex = Literal["F", "M"]
Band = Literal["young", "middle", "old"]


def _ordered(gap: tuple[int, int]) -> tuple[int, int]:
    if not 0 <= gap[0] <= gap[1]:
        raise ValueError("the least number of days comes first")
    return gap


Gap = Annotated[tuple[int, int], AfterValidator(_ordered)]
"""Days: least, most."""


def _unwrap(text: str) -> str:
    return re.sub(r"\s*\n(?!- )", " ", text.strip()) if "\n" in text else text


Text = Annotated[str, AfterValidator(_unwrap)]
"""A template of a few words; its lines are joined, unless the next is an item of a list."""
Facts = dict[str, Text]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)


class Code(_Table):
    """A structured fact of a patient, or of the patients of a story."""

    system: str
    code: str
    name: str
    at: str = ""
    """Key of the note whose day it has; the first note where it is empty."""
    days: int = 0
    """From that day on; what is negative is before it."""
    value: float | None = None
    number: str = ""
    """Label of a number of the notes that is the value."""
    unit: str = ""
    path: str = ""
    """Of a story's code: of the patients on this path alone."""


class Profile(_Table):
    """A patient of a story; what else the file says of one are facts, which slots stand for."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: Facts
    sex: Sex
    age: int
    """At the first note."""
    path: str = ""
    codes: tuple[Code, ...] = ()

    def own(self) -> dict[str, str]:
        return {"path": self.path, **self.__pydantic_extra__}


class Event(_Table):
    """One note of a trajectory; ``text`` and ``title`` are templates (see ``prose``)."""

    key: str
    """Later notes name this event's date by it: ``{m:key}``, ``{d:key}``, ``{since:key}``."""
    type: NoteType
    title: Text
    after: Gap | dict[str, Gap]
    """Days after the note before it on the same path; a table of paths where it happens on these alone."""
    text: str

    def gap(self, path: str) -> Gap | None:
        """None where it does not happen."""
        return self.after.get(path) if isinstance(self.after, dict) else self.after


class Story(_Table):
    """Patients who go through the same events, or through those of their path."""

    patients: tuple[Profile, ...]
    usual: Facts = {}
    """Facts of all patients who have no other."""
    when: dict[str, dict[str, Facts]] = {}
    """Facts of the patients of whom a fact has a value: ``when.path.toe``."""
    notes: tuple[Event, ...]
    codes: tuple[Code, ...] = ()
    """Of all patients who have the note, or of those on a path."""

    def events(self, profile: Profile) -> list[tuple[Event, Gap]]:
        """What happens to the patient, and how long after what was before."""
        return [(event, gap) for event in self.notes if (gap := event.gap(profile.path)) is not None]

    def codes_of(self, profile: Profile) -> list[Code]:
        """The story's, then the patient's own."""
        keys = {"", *(event.key for event, _ in self.events(profile))}
        shared = [code for code in self.codes if code.path in ("", profile.path) and code.at in keys]
        return [*shared, *profile.codes]

    def facts(self, profile: Profile) -> dict[str, str]:
        """The closer to the patient, the stronger."""
        facts, own = dict(self.usual), profile.own()
        for fact, by_value in self.when.items():
            facts |= by_value.get(own.get(fact, ""), {})
        return facts | own

    def idle(self) -> str | None:
        """A value that ``when`` or ``after`` names and no patient has."""
        named = [("path", path) for event in self.notes if isinstance(event.after, dict) for path in event.after]
        named += [("path", code.path) for code in self.codes if code.path]
        named += [(fact, value) for fact, by_value in self.when.items() for value in by_value]
        held = {item for profile in self.patients for item in profile.own().items()}
        return next((value for fact, value in named if (fact, value) not in held), None)


class Case(_Table):
    """One complete note, written to show one phenomenon that tools get wrong."""

    phenomenon: str
    patient_id: str
    type: NoteType
    date: date
    title: str
    text: Annotated[str, AfterValidator(str.strip)]


class CaseFile(_Table):
    cases: tuple[Case, ...]


class Phrases(_Table):
    """Words that all stories share."""

    phrases: Facts
    drawn: dict[str, tuple[str, ...]]
    """Facts of which each patient is dealt one."""
    family: tuple[str, ...]
    """For patients of whom the story does not tell it."""
    first: dict[Sex, tuple[str, ...]]
    social: dict[Band, tuple[str, ...]]
    pronouns: dict[Sex, dict[str, str]]


class Style(_Table):
    """How one note is set."""

    upper: bool = False
    colon: bool = False
    inline: bool = False
    """The section's text follows its heading on the same line."""
    item: Literal["1.", "1)", "-", "•"] = "1."
    spaced: bool = True
    """A blank line stands between sections."""
    width: int = 0
    """Hard line breaks at this column; 0 for none, -1 for a note without any line break."""


class Styles(_Table):
    styles: dict[str, Style]
    of_type: dict[NoteType, tuple[str, ...]]
