"""Notes on their way into the index, prepared once and not in every task that works on them.

To prepare a note of two million characters takes from eight seconds to a minute, and to write
it many tasks. So a process keeps what it has prepared, also half-way, until the note is written.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ingest.ledger import StoredNote
from search_stack.core.steps import Steps
from search_stack.index.documents import LabelledPassage, preparation
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller

MOST = 8_000_000
"""Characters of the notes that are kept, at most, but for the last one; some 5 bytes each."""


@dataclass(slots=True)
class _Kept:
    version: int
    characters: int
    labeller: Labeller
    steps: Steps[list[LabelledPassage]]
    passages: list[LabelledPassage] | None = None


class Prepared:
    """Prepares notes as `prepare` does, as far as there is time."""

    def __init__(self, encoder: Encoder, limit: int) -> None:
        self._encoder = encoder
        self._limit = limit
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def __call__(
        self, stored: StoredNote, labeller: Labeller, in_time: Callable[[], bool]
    ) -> list[LabelledPassage] | None:
        """The note's passages; None where time runs out, and the next call for it goes on from there."""
        kept = self._kept.pop(stored.key, None)
        if kept is None or kept.version != stored.version or kept.labeller is not labeller:
            steps = preparation(stored, labeller, self._encoder, self._limit)
            kept = _Kept(stored.version, len(stored.note.text), labeller, steps)
        while kept.passages is None and in_time():
            try:
                next(kept.steps)
            except StopIteration as end:
                kept.passages = end.value
        self._kept[stored.key] = kept
        while len(self._kept) > 1 and sum(k.characters for k in self._kept.values()) > MOST:
            self._kept.popitem(last=False)
        return kept.passages

    def forget(self, stored: StoredNote) -> None:
        """Let go of a note that is written to its end, or cannot be."""
        self._kept.pop(stored.key, None)
