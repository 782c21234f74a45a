"""Whether questions have the patients that readers of the notes say they have, beside a search for the words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.cohorts.rows import Ints
from search_stack.core.errors import AspectraError
from search_stack.evaluation.compare import Interval, Share, paired_bootstrap, share
from search_stack.evaluation.datasets.cohort_questions import CohortQuestion
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, of_counts
from search_stack.query.nodes import AllOf, Words
from search_stack.query.tree import QueryError
from search_stack.retrieval.searcher import Searcher

Counted = Callable[[str], frozenset[str]]
"""The patients that a system counts for a line; `QueryError` where it refuses it."""
Progress = Callable[[str, int, int], None]
OURS, WORDS = "aspectra", "words"


@dataclass(frozen=True, slots=True)
class Answered:
    """What a system counts for one question, beside what is meant; debatable patients are in none."""

    right: frozenset[str]
    wrong: frozenset[str]
    missed: frozenset[str]
    refused: bool = False

    @property
    def exact(self) -> bool:
        return not self.wrong and not self.missed and not self.refused

    @property
    def f1(self) -> float:
        """1 where nobody is meant and nobody is counted."""
        if self.refused:
            return 0.0
        return of_counts(len(self.right), *self._sizes).f1 if any(self._sizes) else 1.0

    @property
    def _sizes(self) -> tuple[int, int]:
        return len(self.right) + len(self.wrong), len(self.right) + len(self.missed)


@dataclass(frozen=True, slots=True)
class CohortsReport:
    """Figures by system; intervals are of ours minus the other's, over questions."""

    questions: Sequence[CohortQuestion]
    answered: Mapping[str, Sequence[Answered]]

    def exact(self, system: str) -> Share:
        """Questions whose patients are counted exactly."""
        hits = [float(one.exact) for one in self.answered[system]]
        return share(hits, [1.0] * len(hits)) or Share(0.0, 0.0, 1.0)

    def f1(self, system: str) -> float:
        """Mean over questions."""
        return sum(one.f1 for one in self.answered[system]) / len(self.questions)

    def patients(self, system: str) -> PrecisionRecall:
        """Of all patients of all questions."""
        answered = self.answered[system]
        right, wrong, missed = (sum(len(getattr(a, what)) for a in answered) for what in ("right", "wrong", "missed"))
        return of_counts(right, right + wrong, right + missed)

    def refused(self, system: str) -> int:
        return sum(one.refused for one in self.answered[system])

    def minus(self, other: str, value: Callable[[Answered], float]) -> Interval:
        """Ours minus ``other``, by question."""
        ours, others = ([value(one) for one in self.answered[system]] for system in (OURS, other))
        return paired_bootstrap(ours, others)

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return {
            "questions": len(self.questions),
            **{
                system: {
                    "exact": asdict(self.exact(system)),
                    "f1": self.f1(system),
                    "patients": asdict(self.patients(system)),
                    "refused": self.refused(system),
                }
                for system in self.answered
            },
            "intervals": {
                system: {
                    "exact": asdict(self.minus(system, lambda a: float(a.exact))),
                    "f1": asdict(self.minus(system, lambda a: a.f1)),
                }
                for system in self.answered
                if system != OURS
            },
        }


def evaluate(
    questions: Sequence[CohortQuestion], systems: Mapping[str, Counted], progress: Progress | None = None
) -> CohortsReport:
    """Ask each system each question."""
    answered: dict[str, list[Answered]] = {name: [] for name in systems}
    for number, question in enumerate(questions, 1):
        for name, counted in systems.items():
            answered[name].append(_answered(question, counted))
        if progress:
            progress("questions", number, len(questions))
    return CohortsReport(questions, answered)


def of_index(searcher: Searcher, names: Callable[[Ints], Mapping[int, str]]) -> dict[str, Counted]:
    """What `aspectra cohort run` counts, and whoever has a note with each word of the line that asks for something.

    Args:
        names: ids of patients by their numbers.
    """

    def product(line: str) -> frozenset[str]:
        found, _ = searcher.cohort(searcher.understand(line).query, "patient")
        return frozenset(names(found.patients).values())

    def by_words(line: str) -> frozenset[str]:
        # The words without what only asks ("patients with"), which no note has.
        said = searcher.understand(line).words or line
        found, _ = searcher.cohort(AllOf(tuple(Words(w) for w in said.split())), "note")
        return frozenset(names(found.patients).values())

    return {OURS: product, WORDS: by_words}


def check(questions: Sequence[CohortQuestion], there: frozenset[str]) -> None:
    """
    Raises:
        AspectraError: patients who are meant are not in the index; counting them as missed would tell nothing.
    """
    missing = frozenset().union(*(q.patients | q.among for q in questions)) - there
    if missing:
        raise AspectraError(
            f"{len(missing):,} of the patients are not here.", "Ingest the notes that were read: aspectra ingest PATH"
        )


def _answered(question: CohortQuestion, counted: Counted) -> Answered:
    try:
        found = counted(question.line) - question.debatable
    except QueryError:
        return Answered(frozenset(), frozenset(), question.patients, refused=True)
    if question.among:
        found &= question.among
    return Answered(found & question.patients, found - question.patients, question.patients - found)
