"""Which passages of different notes have the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b

from search_stack.core.schema import Passage


def wordings(passages: Iterable[Passage]) -> list[str]:
    """For each passage of one note, a digest of its heading and words, whatever their case and spaces.

    What a note says again gets a digest of its own, so that passages of one digest are of as many notes: their number
    is exact without looking at the notes.
    """
    times: Counter[str] = Counter()
    out = []
    for passage in passages:
        said = "\0".join(" ".join(part.casefold().split()) for part in (passage.section, passage.text))
        times[said] += 1
        out.append(blake2b(f"{said}\0{times[said]}".encode(), digest_size=16).hexdigest())
    return out
