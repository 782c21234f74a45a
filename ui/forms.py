"""What comes in the fields of forms and addresses."""

from __future__ import annotations

LARGEST = 10**18 - 1
"""That any database takes."""


def whole_number(text: str, most: int = LARGEST) -> int | None:
    """The number that a field holds; None where it is none, or more than ``most``.

    >>> whole_number("30"), whole_number("31", 30), whole_number("-1"), whole_number("²")
    (30, None, None, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if number <= most else None
