"""What reviewers fill in besides their verdict: fields of a cohort, and values that are checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Any, Literal, get_args

from search_stack.core.errors import AspectraError

Kind = Literal["number", "choice", "date", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LONGEST_NAME, LONGEST_VALUE, LONGEST_QUOTE, MOST_CHOICES = 64, 500, 1_000, 50


@dataclass(frozen=True, slots=True)
class Field:
    """What a cohort's reviewers are asked to fill in."""

    id: int
    name: str
    kind: Kind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """Where a value stands in a note; offsets in its text, half-open."""

    note: int
    """By key."""
    version: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Value:
    said: str
    """A number, a day as 2027-03-01, one of the choices, or words."""
    quote: Quote | None = None

    def json(self) -> dict[str, Any]:
        quote = self.quote
        told = {"quote": [quote.note, quote.version, quote.begin, quote.end]} if quote else {}
        return {"value": self.said, **told}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Value:
        """What `json` gave."""
        return cls(data["value"], Quote(*data["quote"]) if "quote" in data else None)


def checked_field(name: str, kind: str, choices: Sequence[str]) -> tuple[str, Kind, tuple[str, ...]]:
    """
    Raises:
        AspectraError: this can be no field.
    """
    name = " ".join(name.split())
    known = next((one for one in KINDS if one == kind), None)
    if not name or len(name) > LONGEST_NAME or known is None:
        raise AspectraError(
            "This can be no field.", f"Give it a name of up to {LONGEST_NAME} characters and one of the kinds."
        )
    given = tuple(dict.fromkeys(" ".join(one.split()) for one in choices if one.strip()))
    wrong = not 2 <= len(given) <= MOST_CHOICES or any(len(one) > LONGEST_NAME for one in given)
    if known == "choice" and wrong:
        raise AspectraError(
            f"{name} needs choices.", f"Give 2 to {MOST_CHOICES}, of up to {LONGEST_NAME} characters each, a line each."
        )
    return name, known, given if known == "choice" else ()


def checked_value(field: Field, typed: str) -> str:
    """``typed`` as it is kept; empty for nothing.

    >>> checked_value(Field(1, "size", "number"), " 2.50 ")
    '2.5'

    Raises:
        AspectraError: it is no value of ``field``. What was typed is not repeated.
    """
    typed = typed.strip()
    if not typed:
        return ""
    if field.kind == "number":
        return _number(field.name, typed)
    if field.kind == "date":
        return _day(field.name, typed)
    if field.kind == "choice" and typed not in field.choices:
        raise AspectraError(f"{field.name}: this is none of the choices.", f"Take {' or '.join(field.choices)}.")
    if len(typed) > LONGEST_VALUE:
        raise AspectraError(f"{field.name} is too long.", f"At most {LONGEST_VALUE} characters are kept.")
    return typed


def _number(name: str, typed: str) -> str:
    try:
        value = float(typed)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise AspectraError(f"{name} is no number.", "Write it as 12 or 12.5.")
    return f"{value:.15g}"


def _day(name: str, typed: str) -> str:
    try:
        return date.fromisoformat(typed).isoformat()
    except ValueError:
        raise AspectraError(f"{name} is no day.", "Write it as 2027-03-01.") from None


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where ``quote`` stands in ``text`` first, whatever the white space between its words.

    >>> find_quote("A small\\n  effusion.", "small effusion")
    (2, 18)
    """
    words = [re.escape(word) for word in quote.split()]
    found = re.search(r"\s+".join(words), text) if words else None
    return found.span() if found else None
