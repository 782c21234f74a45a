"""How much is done, in numbers that no busy machine changes."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(what: Callable[[], object]) -> int:
    """How many functions ``what`` calls, built-in ones as well, and how often a generator goes on."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        what()
    finally:
        sys.setprofile(before)
    return count
