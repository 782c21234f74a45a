"""What is said of a criterion's time, as the builder's fields have it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeAlias

from search_stack.query.fields import day_behind, day_of
from search_stack.query.nodes import TOGETHER, AllOf, AtAge, AtLeast, During, Near, Node, Pick, Timed, Together
from search_stack.query.timed import during, together
from search_stack.query.tree import QueryError

Lone: TypeAlias = AtLeast | Pick | During | AtAge
ONE = {
    "first": "the first of each patient",
    "last": "the last of each patient",
    "notes": "in at least so many notes",
    "days": "on at least so many days",
    "during": "between two dates",
    "age": "at an age",
}
"""What may be said of one criterion, or of one group."""
SEVERAL = {by: f"in the same {by}" for by in TOGETHER}
"""What may be said of several at once."""
MOST_AGE, MOST_TIMES = 150, 9_999


@dataclass(frozen=True, slots=True)
class When:
    """``kind`` is a key of `ONE` or `SEVERAL`; it tells which of the others count. Empty: no limit."""

    kind: str
    number: str = "2"
    since: str = ""
    until: str = ""
    """The last day that counts."""
    least: str = ""
    most: str = ""

    @classmethod
    def of(cls, node: Timed) -> When | None:
        """None of what lies between two: that is an edge."""
        if isinstance(node, Near):
            return None
        if isinstance(node, Together):
            return cls(node.by)
        if isinstance(node, AtLeast):
            return cls(node.unit, str(node.number))
        if isinstance(node, Pick):
            return cls(node.which)
        if isinstance(node, During):
            last = (date.fromisoformat(node.before) - timedelta(days=1)).isoformat() if node.before else ""
            return cls("during", since=node.after, until=last)
        return cls("age", least=_shown(node.least), most=_shown(node.most))

    @property
    def kinds(self) -> Mapping[str, str]:
        """What may be said in its place, in words."""
        return SEVERAL if self.kind in SEVERAL else ONE

    def over(self, child: Node) -> Node:
        """``child`` at that time.

        Raises:
            QueryError: a number, day or age is missing, is none, or leaves nothing.
        """
        if self.kind in SEVERAL:
            return together(self.kind, child.children if isinstance(child, AllOf) else [child])
        if self.kind in ("first", "last"):
            return Pick("first" if self.kind == "first" else "last", child)
        if self.kind in ("notes", "days"):
            number = _number(self.number, MOST_TIMES, "a number of times")
            if not number:
                raise QueryError("At least 0 asks for nothing.", "Give a number from 1 on.")
            return AtLeast(number, "notes" if self.kind == "notes" else "days", child)
        if self.kind == "during":
            return self._between(child)
        if self.kind == "age":
            least, most = (_number(age, MOST_AGE, "an age") if age else None for age in (self.least, self.most))
            if least is not None and most is not None and least > most:
                raise QueryError("No age is from the one to the other.", "Give the younger age first.")
            return AtAge(least, most, child)
        raise QueryError("When is not said.", "Choose one of the list.")

    def _between(self, child: Node) -> Node:
        if not (self.since or self.until):
            raise QueryError("No date is given.", "Give the first day, the last, or both: 2019-01-01, 2019-01 or 2019.")
        try:
            after = day_of(self.since).isoformat() if self.since else ""
            before = day_behind(self.until).isoformat() if self.until else ""
        except ValueError as e:
            raise QueryError(str(e), "Write it as 2019-01-01, 2019-01 or 2019.") from None
        if after and before and after >= before:
            raise QueryError("No day is from the one to the other.", "Give the earlier date first.")
        return during(after, before, child)


def _shown(number: int | None) -> str:
    return "" if number is None else str(number)


def _number(text: str, most: int, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most:
        return int(text)
    raise QueryError(f"This is not {what}.", f"Give a whole number up to {most:,}.")
