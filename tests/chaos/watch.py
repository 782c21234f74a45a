"""Searches that go on meanwhile: they may fail while the engine is away, and must never answer wrongly."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable

from search_stack.core.client import EngineUnavailable
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Hit
from search_stack.retrieval.searcher import Searcher
from tests.chaos.check import Shown, edition_of
from tests.chaos.workload import ANCHOR, EVERYWHERE, Model, note_id

PAUSE = 0.05
LISTED = 20


class Watch:
    """Searches until it is told that it is over, and keeps what was wrong.

    Args:
        disturbed: whether a fault is there, or just was, while which searches may fail.
        complete: whether the index must hold every anchor.
    """

    def __init__(
        self,
        searcher: Searcher,
        model: Model,
        seed: int,
        disturbed: Callable[[], bool],
        complete: Callable[[], bool],
    ) -> None:
        self._searcher = searcher
        self._model = model
        self._chance = random.Random(seed)
        self._disturbed = disturbed
        self._complete = complete
        self._anchors = 0
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []

    def count_anchors(self) -> int:
        """Passages that the anchors have; from now on every search must count as many."""
        self._anchors = self._searcher.ask(ANCHOR).counts.passages
        return self._anchors

    def search(self, over: threading.Event) -> None:
        ways = (self._anchors_are_counted, self._hits_are_true, self._one_note_is_current)
        turn = 0
        while not over.wait(PAUSE):
            turn += 1
            disturbed = self._disturbed()
            try:
                ways[turn % len(ways)]()
                self.outcomes["answered"] += 1
            except EngineUnavailable:
                self.outcomes["engine away"] += 1
            except AspectraError as e:
                # A part of the engine that is not back yet, or nothing to search at all.
                if not disturbed and not self._disturbed():
                    self._note(f"a search failed though nothing was broken: {e}")
                self.outcomes["refused"] += 1
            except Exception as e:
                self._note(f"a search raised {type(e).__name__}: {e}")

    def _note(self, problem: str) -> None:
        self.outcomes["wrong"] += 1
        if len(self.wrong) < LISTED:
            self.wrong.append(f"{time.strftime('%H:%M:%S')} {problem}")

    def _anchors_are_counted(self) -> None:
        complete = self._complete()
        found = self._searcher.ask(ANCHOR, size=50)
        if complete and self._complete() and found.counts.passages != self._anchors:
            self._note(f"{found.counts.passages} passages of anchors counted, there are {self._anchors}")

    def _hits_are_true(self) -> None:
        oldest = self._model.oldest()
        found = self._searcher.ask(EVERYWHERE, size=100)
        hits = [hit for group in found.groups for hit in group.hits]
        if len({hit.passage_id for hit in hits}) < len(hits):
            self._note("a passage was shown twice")
        for hit in hits:
            self._judge(hit, oldest)

    def _one_note_is_current(self) -> None:
        oldest = self._model.oldest()
        if not oldest:
            return
        number = self._chance.choice(sorted(oldest))
        found = self._searcher.ask(f"{EVERYWHERE} note:{note_id(number)}", size=50)
        if found.counts.passages and oldest[number] > self._model.newest()[number]:
            self._note(f"{note_id(number)} was deleted, and {found.counts.passages} passages of it are counted")
        for group in found.groups:
            for hit in group.hits:
                self._judge(hit, oldest)

    def _judge(self, hit: Hit, oldest: dict[int, int]) -> None:
        shown = Shown(hit.passage_id, hit.note_key, hit.note_id, hit.patient_id, hit.begin, hit.end, hit.text)
        try:
            edition = edition_of(shown)
        except ValueError as e:
            self._note(f"a search showed what no note says: {e}")
            return
        number = int(hit.note_id.removeprefix("n"))
        least, most = oldest.get(number, 1), self._model.newest()[number]
        if not least <= edition <= most:
            self._note(f"edition {edition} of {hit.note_id} was shown, only {least} to {most} may be")
