"""The days between two criteria in time, as the builder's fields have them, and back."""

from __future__ import annotations

from dataclasses import dataclass

from search_stack.query.nodes import Near
from search_stack.query.timed import MOST_DAYS
from search_stack.query.tree import QueryError

ORDERS = {"after": "after", "before": "before", "either": "before or after"}


@dataclass(frozen=True, slots=True)
class Edge:
    """From ``fewest`` to ``most`` days of ``order`` lie between two criteria; without a limit ``most`` is empty."""

    fewest: str
    most: str
    order: str

    @classmethod
    def of(cls, near: Near) -> Edge:
        least, most = near.least, near.most
        if (least is None and most is None) or (most and least == -most):
            return cls("0", _open(most), "either")
        if most is not None and most <= 0 and (least is None or least < 0):
            return cls(str(-most), _open(None if least is None else -least), "before")
        return cls(str(-MOST_DAYS if least is None else least), _open(most), "after")

    def bounds(self) -> tuple[int | None, int | None]:
        """The days from the second to the first.

        Raises:
            QueryError: they are no numbers of days, or both orders are asked for from another day on than the same.
        """
        fewest, most = _days(self.fewest or "0"), _days(self.most) if self.most else None
        if self.order == "before":
            return None if most is None else -most, -fewest
        if self.order != "either":
            return fewest, most
        if fewest:
            raise QueryError("Before or after begins with the same day.", "Give 0 days at least, or one order.")
        return None if most is None else -most, most


def _open(days: int | None) -> str:
    return "" if days is None else str(days)


def _days(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= len(str(MOST_DAYS)) and int(digits) <= MOST_DAYS:
        return int(text)
    raise QueryError("This is no number of days.", f"Give one from 0 to {MOST_DAYS:,}.")
