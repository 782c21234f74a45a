"""Groups that differ by a few patients tell of these few, however large they are. Pure.

Asking for what lies within and around a known group is how counts of large groups give single people away (Denning,
Denning & Schwartz, The Tracker: A Threat to Statistical Database Security, ACM TODS 4(1), 1979). Each equation of a
tracker takes the difference of two groups of which one lies within the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyroaring import BitMap

from search_stack.disclosure.masking import LEAST


def tells_of_few(asked: BitMap, answered: Iterable[BitMap], least: int = LEAST) -> bool:
    """Whether ``asked`` lies within, or around, a group that was answered, and differs from it by fewer than ``least``
    patients; the very same group tells nothing new."""
    return any(_differ_by_few(asked, earlier, least) for earlier in answered)


def _differ_by_few(one: BitMap, other: BitMap, least: int) -> bool:
    few = abs(len(one) - len(other))
    return 0 < few < least and len(one & other) == min(len(one), len(other))
