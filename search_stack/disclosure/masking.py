"""Counts of patients in which nobody stands out: small cells hidden, and what they could be worked out from. Pure.

Primary and complementary suppression as in Willenborg & de Waal, Elements of Statistical Disclosure Control, 2001,
chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST = 5
"""Patients of whom a number may be told."""


def is_small(patients: int, least: int = LEAST) -> bool:
    """Whether so many patients are too few to be told of; nobody at all is told as few are, so that it cannot be told
    whether somebody whom one knows is there."""
    return patients < least


def shown_steps(steps: Sequence[int], least: int = LEAST) -> list[int | None]:
    """Numbers of patients after each criterion, each step within the one before; None where it is not told.

    The last is told where it is large enough, and then each before it that is as large as the next that is told, or
    larger by at least ``least``.

    >>> shown_steps([40, 12, 10, 10])
    [40, None, 10, 10]
    >>> shown_steps([40, 12, 3])
    [40, 12, None]
    """
    out: list[int | None] = [None] * len(steps)
    behind: int | None = None
    for n in reversed(range(len(steps))):
        here = steps[n]
        close = behind is not None and 0 < here - behind < least
        if not is_small(here, least) and not close:
            out[n] = behind = here
    return out


def shown_parts(parts: Sequence[int], whole: int, apart: bool, least: int = LEAST) -> list[int | None]:
    """Numbers of the patients of a group of ``whole`` who have each value of something; None where it is not told.

    Hidden are few patients, though not that there is nobody, and values that all but a few have: those few would be
    known by what they lack. Where values are ``apart``, each patient having exactly one, the rest of the group would
    tell a single hidden value: then the smallest told one is hidden too, until the hidden ones are several and together
    no fewer than ``least``.

    >>> shown_parts([20, 17, 3], 40, apart=True)
    [20, None, None]
    >>> shown_parts([38, 20, 9], 40, apart=False)
    [None, 20, 9]
    """
    out: list[int | None] = [None if 0 < n < least or 0 < whole - n < least else n for n in parts]
    while apart and any(n is None for n in out) and (told := [n for n in out if n is not None]):
        hidden = [n for n, shown in zip(parts, out, strict=True) if shown is None]
        if len(hidden) > 1 and sum(hidden) >= least:
            break
        out[out.index(min(told))] = None
    return out
