"""How headings are written: the data table ``forms.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.sections.aspects import aspect_table, key


@dataclass(frozen=True, slots=True)
class Reading:
    """What headings of ``keys`` stand for, before one of ``words`` where there are some, in a note that heads one of
    the aspects ``beside`` where there are some, and none of ``but``; no ``aspect``: they are none."""

    keys: frozenset[str]
    words: frozenset[str]
    aspect: str
    beside: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Styled:
    """When a line that is written like a note's headings, and listed nowhere, ends a section."""

    habit: int
    words: int
    inside: frozenset[str]
    but: frozenset[str]


@dataclass(frozen=True, slots=True)
class EndsKin:
    """What ends the lines about a family, and words behind it by which it does not."""

    inside: frozenset[str]
    words: frozenset[str]
    but: frozenset[str]


@dataclass(frozen=True, slots=True)
class Forms:
    """Keys of headings and words beside them; `forms.toml` says what each set is for."""

    usual: frozenset[str]
    unmistakable: frozenset[str]
    titles: frozenset[str]
    beside: frozenset[str]
    leads: frozenset[str]
    verbs: frozenset[str]
    phrases: frozenset[str]
    outside: frozenset[str]
    before: frozenset[str]
    behind: frozenset[str]
    speakers: frozenset[str]
    answers: frozenset[str]
    signs: frozenset[str]
    columns: frozenset[str]
    letters: frozenset[str]
    readings: tuple[Reading, ...]
    styled: Styled
    ends_kin: EndsKin
    kin: frozenset[str]
    kin_answers: frozenset[str]
    own: tuple[str, ...]
    anchor: re.Pattern[str] = field(init=False)
    """What may be an unmistakable one."""
    short: tuple[str, ...] = field(init=False)
    """What those of small letters begin with."""
    written: tuple[str, ...] = field(init=False)
    """The titles as they are written."""

    def __post_init__(self) -> None:
        small = "|".join(word.replace(" ", "[ /.]") for word in self.unmistakable) or "(?!)"
        written = tuple(w for title in self.titles for w in (title.title().replace(" Of ", " of "), title.upper()))
        object.__setattr__(self, "anchor", re.compile(rf"\b(?:(?i:{small})|{'|'.join(written) or '(?!)'})\b"))
        short = {w.replace(" ", "/") if w[1] == " " else w.split()[0] for w in self.unmistakable}
        object.__setattr__(self, "short", tuple(short))
        object.__setattr__(self, "written", written)

    def is_unmistakable(self, words: str, written: str) -> bool:
        """Whether the heading of the key ``words``, as ``written``, is one without any sign."""
        return words in self.unmistakable or (words in self.titles and written in self.written)

    def may_anchor(self, text: str) -> bool:
        """Whether the text can hold an unmistakable one: a look that costs less than the pattern."""
        lower = text.lower()
        return any(word in lower for word in self.short) or any(title in text for title in self.written)


def read_forms() -> dict[str, Any]:
    """The rules as they stand in the file, with their examples."""
    return tomllib.loads(files("search_stack.language.sections").joinpath("forms.toml").read_text("utf-8"))


@cache
def shipped_forms() -> Forms:
    """The forms that ship with the package, read once."""
    data = read_forms()
    aspects, but = set(data["usual"]["aspects"]), {key(word) for word in data["usual"]["but"]}
    usual = {k for k, aspect in aspect_table().aspects.items() if aspect in aspects and len(k) > 1} - but
    unmistakable = frozenset(data["unmistakable"]["words"])
    return Forms(
        usual=unmistakable.union(usual, data["usual"]["and"]),
        unmistakable=unmistakable,
        titles=frozenset(data["titles"]["words"]),
        beside=frozenset(data["unmistakable"]["beside"]),
        leads=frozenset(data["leads"]["words"]),
        verbs=frozenset(data["leads"]["verbs"]),
        phrases=frozenset(data["leads"]["phrases"]),
        outside=frozenset(data["leads"]["outside"]),
        before=frozenset(data["linking"]["before"]),
        behind=frozenset(data["linking"]["behind"]),
        speakers=frozenset(data["speakers"]["words"]),
        answers=frozenset(data["answers"]["words"]),
        signs=frozenset(data["signs"]["words"]),
        columns=frozenset(data["columns"]["words"]),
        letters=frozenset(data["letters"]["words"]),
        styled=Styled(
            data["styled"]["habit"],
            data["styled"]["words"],
            frozenset(data["styled"]["inside"]),
            frozenset(data["styled"]["but"]),
        ),
        ends_kin=EndsKin(
            frozenset(data["ends_kin"]["inside"]),
            frozenset(data["ends_kin"]["words"]),
            frozenset(data["ends_kin"]["but"]) | frozenset(data["styled"]["but"]),
        ),
        kin=frozenset(data["of_kin"]["kin"]),
        kin_answers=frozenset(data["of_kin"]["answers"]),
        own=tuple(data["of_kin"]["own"]),
        readings=tuple(
            Reading(
                frozenset(row["keys"]),
                frozenset(row.get("words", ())),
                row["aspect"],
                frozenset(row.get("beside", ())),
                frozenset(row.get("but", ())),
            )
            for row in data["readings"]
        ),
    )
