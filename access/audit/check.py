"""Whether a trail is whole: nothing edited, nothing missing, the end where it was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from access.audit.entry import BEGIN, HASHES, Head, bound, place_of


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is kept."""

    number: int
    at: datetime
    columns: Mapping[str, str]
    digest: str


@dataclass(frozen=True, slots=True)
class Problem:
    number: int
    """Of the entry where it shows."""
    what: str


def problems(rows: Iterable[Row], witnesses: Sequence[Head]) -> tuple[int, list[Problem]]:
    """How many entries there are, and what is wrong with them.

    Args:
        rows: all, in order of number.
        witnesses: where the trail ended at other times, told by others than its database.
    """
    found: list[Problem] = []
    asked = {head.number: head.digest for head in witnesses if head.number}
    count, last, previous, before = 0, 0, BEGIN, ""
    for row in rows:
        if row.number != last + 1:
            found.append(Problem(row.number, _missing(last + 1, row.number - 1)))
        elif (form := row.columns.get("form", "")) not in HASHES:
            found.append(Problem(row.number, f"Entry {row.number} has a form that this version does not know."))
        elif place_of(form) < place_of(before):
            # Else whoever breaks the older hash could write entries by it where a newer one was in use.
            found.append(Problem(row.number, f"Entry {row.number} has an older form than the one before it."))
        elif row.digest != bound(previous, row.number, row.at, row.columns):
            found.append(Problem(row.number, f"Entry {row.number}, or the one before it, was changed."))
        else:
            before = form
        if asked.pop(row.number, row.digest) != row.digest:
            found.append(Problem(row.number, f"Entry {row.number} is not the one that was written."))
        count, last, previous = count + 1, row.number, row.digest
    if (end := max(asked, default=0)) > last:
        found.append(Problem(end, f"{_missing(last + 1, end)} The end was cut off."))
    return count, found


def _missing(first: int, last: int) -> str:
    return f"Entry {first} is missing." if first == last else f"Entries {first} to {last} are missing."
