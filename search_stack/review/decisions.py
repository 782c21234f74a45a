"""What reviewers decided, as rows that are only ever added; what stands of it now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from search_stack.review.fields import Value

Verdict = Literal["include", "exclude", "doubt"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody says of a patient, before it is kept."""

    patient: int
    """By number."""
    version: int
    """Of the cohort, that was looked at."""
    evidence: str
    """Digest of the evidence that this version has of the patient."""
    verdict: Verdict
    reason: str = ""
    comment: str = ""
    values: Mapping[int, Value] = field(default_factory=dict)
    """By the id of the field."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A row as it is kept."""

    id: int
    reviewer: str
    made: datetime
    given: Given

    @property
    def patient(self) -> int:
        return self.given.patient

    @property
    def verdict(self) -> Verdict:
        return self.given.verdict


@dataclass(frozen=True, slots=True)
class Undone:
    """A row that takes another back."""

    of: int


Event: TypeAlias = Decision | Undone


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands, of whoever decided."""

    by: Mapping[str, Mapping[int, Decision]]
    """By reviewer, then patient."""
    last: Mapping[str, Decision]
    """By reviewer: what an undo takes back."""

    def of(self, reviewer: str) -> Mapping[int, Decision]:
        return self.by.get(reviewer, {})

    @property
    def reviewers(self) -> tuple[str, ...]:
        return tuple(sorted(self.by))

    def about(self, patient: int) -> dict[str, Decision]:
        """By reviewer."""
        return {name: self.by[name][patient] for name in self.reviewers if patient in self.by[name]}

    @property
    def patients(self) -> tuple[int, ...]:
        """Of whom anybody decided, sorted."""
        return tuple(sorted({patient for own in self.by.values() for patient in own}))


def standing(events: Iterable[Event]) -> Standing:
    """Of each reviewer and patient the last decision that was not taken back.

    Args:
        events: in the order in which they were kept.
    """
    kept = list(events)
    undone = {one.of for one in kept if isinstance(one, Undone)}
    by: dict[str, dict[int, Decision]] = {}
    last: dict[str, Decision] = {}
    for one in kept:
        if isinstance(one, Decision) and one.id not in undone:
            by.setdefault(one.reviewer, {})[one.patient] = one
            last[one.reviewer] = one
    return Standing(by, last)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds of a patient after all."""

    verdict: Verdict | None
    """None where reviewers differ and nobody has settled it."""
    settled: bool
    """Whether it was adjudicated."""


def outcomes(standing: Standing, final: Mapping[int, Decision]) -> dict[int, Outcome]:
    """By patient, of whom anybody decided: what was adjudicated, else what all reviewers say alike."""
    out = {}
    for patient in sorted({*standing.patients, *final}):
        said = {one.verdict for one in standing.about(patient).values()}
        if patient in final:
            out[patient] = Outcome(final[patient].verdict, True)
        else:
            out[patient] = Outcome(said.pop() if len(said) == 1 else None, False)
    return out


def disagreements(standing: Standing) -> tuple[int, ...]:
    """Patients of whom two reviewers say two things, sorted."""
    several = (p for p in standing.patients if len({d.verdict for d in standing.about(p).values()}) > 1)
    return tuple(several)


def final_of(events: Iterable[Event]) -> dict[int, Decision]:
    """By patient, the last adjudication that was not taken back, whoever made it."""
    kept = list(events)
    undone = {one.of for one in kept if isinstance(one, Undone)}
    return {one.patient: one for one in kept if isinstance(one, Decision) and one.id not in undone}
