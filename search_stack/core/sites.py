"""Where in the body something is, in words: a side, a part of the body, or a side of one: "left lower lobe"."""

from __future__ import annotations

SIDES = ("left", "right", "bilateral")


def split(site: str) -> tuple[str, str]:
    """Its side and its part; one of them may be empty.

    >>> split("left lower lobe"), split("knee"), split("bilateral")
    (('left', 'lower lobe'), ('', 'knee'), ('bilateral', ''))
    """
    first, _, rest = site.partition(" ")
    return (first, rest) if first in SIDES else ("", site)


def joined(side: str, part: str) -> str:
    """What `split` splits."""
    return f"{side} {part}".strip()
