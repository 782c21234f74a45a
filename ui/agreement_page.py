"""The pages for who adjudicates: agreement in numbers, decisions side by side, what is to be filled in."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.cohorts.records import Cohort
from ingest.ledger.listing import ListedPatient
from search_stack.review.agreement import Agreement
from search_stack.review.decisions import VERDICTS, Decision, Verdict
from search_stack.review.fields import KINDS, Field, Kind
from search_stack.review.queue import Progress
from ui.evidence_view import EvidenceView
from ui.frame import Frame
from ui.review_page import KEYS, SaidView, Typed


@dataclass(frozen=True, slots=True)
class PairView:
    first: str
    second: str
    patients: int
    agreed: int
    kappa: str
    """With its interval, in words."""
    rows: tuple[tuple[Verdict, tuple[int, ...]], ...]
    """By the verdict of the first, counts by the verdict of the second."""


@dataclass(frozen=True, slots=True)
class AgreementPage:
    frame: Frame
    cohort: Cohort
    total: int
    """Patients of the newest version."""
    progress: tuple[Progress, ...]
    pairs: tuple[PairView, ...]
    disputed: int
    settled: int
    verdicts: tuple[Verdict, ...] = VERDICTS

    @property
    def waiting(self) -> int:
        return self.disputed - self.settled


@dataclass(frozen=True, slots=True)
class AdjudicatePage:
    frame: Frame
    cohort: Cohort
    patient: ListedPatient
    record: str
    asked: str
    evidence: EvidenceView
    notice: str
    problem: str
    said: tuple[SaidView, ...]
    settled: Decision | None
    waiting: int
    """Patients that nobody has settled, this one among them where it is not."""
    undo: int | None
    next: str
    typed: Typed | None
    verdicts: tuple[tuple[Verdict, str], ...] = tuple(KEYS.items())


@dataclass(frozen=True, slots=True)
class NothingToSettle:
    frame: Frame
    cohort: Cohort
    settled: tuple[tuple[str, str, Decision], ...]
    """Address and id of a patient, and what holds."""


@dataclass(frozen=True, slots=True)
class FieldsPage:
    frame: Frame
    cohort: Cohort
    fields: tuple[Field, ...]
    problem: str
    kinds: tuple[Kind, ...] = KINDS


def pair_view(one: Agreement) -> PairView:
    known = one.kappa
    numbers = f"{known.value:.2f} ({known.low:.2f} to {known.high:.2f})" if known else "cannot be told"
    said = numbers.replace("-", "\N{MINUS SIGN}")
    rows = tuple((row, tuple(columns.values())) for row, columns in one.counts.items())
    return PairView(one.first, one.second, one.patients, one.agreed, said, rows)
