"""What decisions and marks measure: the precision of a query, of its criteria and of each assertion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from search_stack.review.agreement import Z
from search_stack.review.decisions import Outcome
from search_stack.review.marks import Item, Marked


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the 95 % interval of the share."""

    right: int
    judged: int
    patients: int
    """Among whom they were judged."""
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.right / self.judged

    def json(self) -> dict[str, Any]:
        return {"precision": self.value, **asdict(self)}


@dataclass(frozen=True, slots=True)
class Precision:
    """Measures without anything judged are left out."""

    query: Share | None
    criteria: Mapping[str, Share]
    assertions: Mapping[str, Share]
    doubtful: int
    """Patients left out because the verdict is doubt."""
    disputed: int
    """Because reviewers differ and nobody has settled it."""
    disputed_items: int
    """Pieces of evidence that one reviewer calls right and another wrong."""
    elsewhere: int
    """Patients who were judged and are not in the version."""


def precision(outcomes: Mapping[int, Outcome], marks: Marked, members: Collection[int]) -> Precision:
    """
    Args:
        members: patients of the version that is measured.
    """
    own = {patient: outcome for patient, outcome in outcomes.items() if patient in members}
    verdicts = Counter(outcome.verdict for outcome in own.values())
    judged = {p: o.verdict == "include" for p, o in own.items() if o.verdict in ("include", "exclude")}
    items, disputed = _agreed(marks)
    here = {item: told for item, told in items.items() if told[0] in members}
    return Precision(
        query=share((p, right) for p, right in judged.items()) if judged else None,
        criteria=_by(here, "criterion"),
        assertions=_by(here, "assertion"),
        doubtful=verdicts["doubt"],
        disputed=verdicts[None],
        disputed_items=disputed,
        elsewhere=len(outcomes) - len(own),
    )


def qrels(name: str, outcomes: Mapping[int, Outcome], marks: Marked) -> dict[str, dict[str, int]]:
    """Relevance judgements: of the query ``name`` its patients, by number; of ``name``/1, /2, … the places that were
    judged for its criteria, in the order of their words."""
    relevance: Mapping[str | None, int] = {"include": 1, "exclude": 0}
    told = {str(p): relevance[o.verdict] for p, o in outcomes.items() if o.verdict in relevance}
    items, _ = _agreed(marks)
    out = {name: told} if told else {}
    for number, criterion in enumerate(criteria_of(marks), 1):
        own = {item.place: int(right) for item, (_, right) in items.items() if item.criterion == criterion}
        out |= {f"{name}/{number}": own} if own else {}
    return out


def criteria_of(marks: Marked) -> tuple[str, ...]:
    """Those that anything was marked for, in the order of their words."""
    return tuple(sorted({item.criterion for own in marks.values() for item in own}))


def share(told: Iterable[tuple[int, bool]]) -> Share:
    """Of what was judged (patient, right), at least one.

    The interval is Wilson's (1927). Several things judged of one patient are no independent ones: its number is then
    divided by the design effect (Kish, "Survey Sampling", 1965), as Franco, Little, Louis and Slud (2019) found
    to hold for samples in clusters. Where all are right, or none, the effect cannot be told, and patients count.
    """
    counts: Counter[int] = Counter()
    rights: Counter[int] = Counter()
    for patient, right in told:
        counts[patient] += 1
        rights[patient] += right
    n, hits = counts.total(), rights.total()
    p = hits / n
    apart = sum((rights[patient] - p * counts[patient]) ** 2 for patient in counts)
    if hits in (0, n):
        effective = float(len(counts))
    elif apart:
        effective = n * min(1.0, n * p * (1 - p) / apart)
    else:
        effective = float(n)
    return Share(hits, n, len(counts), *wilson(p, effective))


def wilson(p: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a proportion.

    >>> [round(end, 3) for end in wilson(0.8, 10)]
    [0.49, 0.943]
    """
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def _agreed(marks: Marked) -> tuple[dict[Item, tuple[int, bool]], int]:
    """By item, whose it is and whether it is right, where all who marked it agree; and how many others there are."""
    told: dict[Item, set[tuple[int, bool]]] = {}
    for own in marks.values():
        for item, mark in own.items():
            told.setdefault(item, set()).add((mark.patient, mark.reading == "right"))
    agreed = {item: next(iter(said)) for item, said in told.items() if len(said) == 1}
    return agreed, len(told) - len(agreed)


def _by(items: Mapping[Item, tuple[int, bool]], what: str) -> dict[str, Share]:
    """A share for each value of a field of items that is not empty."""
    values = sorted({getattr(item, what) for item in items} - {""})
    return {value: share(told for item, told in items.items() if getattr(item, what) == value) for value in values}
