"""Work in steps: a generator that yields where it may be put down, and returns what it made."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_T = TypeVar("_T")
Steps = Generator[None, None, _T]


def finished(steps: Steps[_T]) -> _T:
    """What ``steps`` make, worked through to their end.

    >>> def three():
    ...     yield
    ...     return 3
    >>> finished(three())
    3
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # what the generator returns
