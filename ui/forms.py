"""What comes in the fields of forms."""

from __future__ import annotations


def whole_number(text: str) -> int | None:
    """The number that a field holds, small enough for a database; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
