"""A part of a collection to learn from, another to measure on."""

from __future__ import annotations

import zlib
from typing import Literal, get_args

Half = Literal["first", "second"]
HALVES: tuple[Half, ...] = get_args(Half)
ASIDE = 0.2


def half_of(id: str) -> Half:
    """The half that a note belongs to, by its id alone, whatever file it comes in.

    >>> [half_of(f"CXR{n}") for n in range(4)]
    ['second', 'first', 'second', 'first']
    """
    return HALVES[zlib.crc32(id.encode()) >> 7 & 1]


def kept_aside(id: str) -> bool:
    """Whether a patient is of the fifth whose notes only measure, by the id alone.

    >>> sum(kept_aside(f"P-{n}") for n in range(1000))
    220
    """
    return (zlib.crc32(id.encode()) >> 7 & 0xFFFF) < ASIDE * 0x10000
