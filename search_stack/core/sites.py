"""Where in the body something is, in words: a side, a part of the body, or a side of one: "left lower lobe"; before it
how severe it is there, where that is told: "severe", "mild left knee"."""

from __future__ import annotations

SIDES = ("left", "right", "bilateral")
GRADES = ("mild", "moderate", "severe")


def graded(site: str) -> tuple[str, str]:
    """How severe it is there, and where; one of them may be empty.

    >>> graded("severe left knee"), graded("left"), graded("mild")
    (('severe', 'left knee'), ('', 'left'), ('mild', ''))
    """
    first, _, rest = site.partition(" ")
    return (first, rest) if first in GRADES else ("", site)


def split(site: str) -> tuple[str, str]:
    """Its side and its part; one of them may be empty.

    >>> split("left lower lobe"), split("knee"), split("bilateral")
    (('left', 'lower lobe'), ('', 'knee'), ('bilateral', ''))
    """
    first, _, rest = site.partition(" ")
    return (first, rest) if first in SIDES else ("", site)


def joined(side: str, part: str) -> str:
    """What `split` splits, or `graded`."""
    return f"{side} {part}".strip()
