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
    """What headings of ``keys`` stand for before one of ``words``; no ``aspect``: they are none."""

    keys: frozenset[str]
    words: frozenset[str]
    aspect: str


@dataclass(frozen=True, slots=True)
class Forms:
    """Keys of headings and words beside them; `forms.toml` says what each set is for."""

    usual: frozenset[str]
    unmistakable: frozenset[str]
    beside: frozenset[str]
    before: frozenset[str]
    behind: frozenset[str]
    speakers: frozenset[str]
    answers: frozenset[str]
    signs: frozenset[str]
    readings: tuple[Reading, ...]
    anchor: re.Pattern[str] = field(init=False)
    """One of the unmistakable ones."""
    beginnings: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        shapes = sorted((word.replace(" ", "[ /.]") for word in self.unmistakable), key=len, reverse=True)
        object.__setattr__(self, "anchor", re.compile(rf"\b(?:{'|'.join(shapes) or '(?!)'})\b", re.IGNORECASE))
        object.__setattr__(
            self, "beginnings", tuple({w.replace(" ", "/") if w[1] == " " else w.split()[0] for w in self.unmistakable})
        )

    def may_anchor(self, text: str) -> bool:
        """Whether the text can hold an unmistakable one: a look that costs less than the pattern."""
        lower = text.lower()
        return any(word in lower for word in self.beginnings)


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
        usual=frozenset(usual | unmistakable),
        unmistakable=unmistakable,
        beside=frozenset(data["unmistakable"]["beside"]),
        before=frozenset(data["linking"]["before"]),
        behind=frozenset(data["linking"]["behind"]),
        speakers=frozenset(data["speakers"]["words"]),
        answers=frozenset(data["answers"]["words"]),
        signs=frozenset(data["signs"]["words"]),
        readings=tuple(
            Reading(frozenset(row["keys"]), frozenset(row["words"]), row["aspect"]) for row in data["readings"]
        ),
    )
