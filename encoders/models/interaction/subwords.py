"""fastText's character n-grams, so that a word that training never saw has a vector (Bojanowski et al., "Enriching Word
Vectors with Subword Information", TACL 2017, section 3.2)."""

from __future__ import annotations

SHORTEST, LONGEST = 3, 6
"""Letters of an n-gram, the marks of begin and end counted."""


def buckets_of(word: str, buckets: int) -> list[int]:
    """The bucket of every n-gram of ``<word>``, as fastText has them.

    >>> len(buckets_of("gout", 1000))  # <go gou out ut>, <gou gout out>, <gout gout>, <gout>
    10
    """
    marked = f"<{word}>"
    grams = (
        marked[begin : begin + size]
        for begin in range(len(marked))
        for size in range(SHORTEST, LONGEST + 1)
        if begin + size <= len(marked)
    )
    return [_fnv1a(gram.encode()) % buckets for gram in grams]


def _fnv1a(text: bytes) -> int:
    """32 bits; fastText takes the bytes as signed."""
    out = 2166136261
    for byte in text:
        out ^= byte if byte < 128 else byte | 0xFFFFFF00
        out = (out * 16777619) & 0xFFFFFFFF
    return out
