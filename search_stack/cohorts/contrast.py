"""Two groups of patients side by side: how many share what, and how far apart they are, in standardised differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pyroaring import BitMap

Kind = Literal["sex", "age band", "note type", "finding"]
KINDS: tuple[Kind, ...] = get_args(Kind)
NOT_KNOWN = "not known"
OLDEST_BAND = 90


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a group of patients."""

    size: int
    ages: tuple[int, ...]
    """Of those whose age is known."""
    having: Mapping[tuple[Kind, str], int]
    """How many have each value: a sex, an age band, a note of the type, a finding with its assertion."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value in both groups: how many have it, their share, and the difference of the shares, standardised."""

    kind: Kind
    value: str
    first: int
    second: int
    first_share: float
    second_share: float
    standardised: float | None
    """None where it is without bound: everyone has it in one group, and nobody in the other."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Ages of a group; mean and standard deviation are None where too few are known."""

    known: int
    mean: float | None
    deviation: float | None


@dataclass(frozen=True, slots=True)
class Contrast:
    only_first: int
    both: int
    only_second: int
    ages: tuple[Spread, Spread]
    age: float | None
    """Standardised difference of the mean ages; None where it is not known or without bound."""
    differences: tuple[Difference, ...]
    """The greatest first, kind by kind."""


def contrast(first: BitMap, second: BitMap, one: Profile, other: Profile) -> Contrast:
    """The groups ``first`` and ``second``, which may share patients, with the profile of each."""
    both = first.intersection_cardinality(second)
    spreads = spread(one.ages), spread(other.ages)
    return Contrast(
        only_first=len(first) - both,
        both=both,
        only_second=len(second) - both,
        ages=spreads,
        age=_of_means(*spreads),
        differences=tuple(sorted(_differences(one, other), key=_order)),
    )


def _differences(one: Profile, other: Profile) -> Iterable[Difference]:
    for kind, value in one.having.keys() | other.having.keys():
        a, b = one.having.get((kind, value), 0), other.having.get((kind, value), 0)
        p, q = _share(a, one.size), _share(b, other.size)
        yield Difference(kind, value, a, b, p, q, of_shares(p, q))


def _order(d: Difference) -> tuple[int, float, str]:
    size = math.inf if d.standardised is None else abs(d.standardised)
    return KINDS.index(d.kind), -size, d.value


def _share(count: int, size: int) -> float:
    return count / size if size else 0.0


def of_shares(p: float, q: float) -> float | None:
    """The standardised difference of two shares, (p - q) / sqrt((p(1 - p) + q(1 - q)) / 2); None without bound.

    Austin, P. C. (2009). Balance diagnostics for comparing the distribution of baseline covariates between treatment
    groups in propensity-score matched samples. Statistics in Medicine 28(25), 3083-3107.

    >>> of_shares(0.5, 0.5), of_shares(1.0, 0.0), round(of_shares(0.6, 0.4), 3)
    (0.0, None, 0.408)
    """
    return _standardised(p - q, (p * (1 - p) + q * (1 - q)) / 2)


def of_means(mean: float, variance: float, other: float, other_variance: float) -> float | None:
    """The standardised difference of two means, (m1 - m2) / sqrt((s1² + s2²) / 2), with the variances of the samples
    (Austin 2009, as in `of_shares`); None without bound.

    >>> of_means(60.0, 100.0, 50.0, 100.0)
    1.0
    """
    return _standardised(mean - other, (variance + other_variance) / 2)


def _standardised(difference: float, variance: float) -> float | None:
    if variance > 0:
        return difference / math.sqrt(variance)
    return None if difference else 0.0


def _of_means(a: Spread, b: Spread) -> float | None:
    if a.mean is None or b.mean is None or a.deviation is None or b.deviation is None:
        return None
    return of_means(a.mean, a.deviation**2, b.mean, b.deviation**2)


def spread(ages: Iterable[int]) -> Spread:
    """Mean and standard deviation of a sample."""
    known = list(ages)
    if not known:
        return Spread(0, None, None)
    mean = sum(known) / len(known)
    if len(known) == 1:
        return Spread(1, mean, None)
    return Spread(len(known), mean, math.sqrt(sum((age - mean) ** 2 for age in known) / (len(known) - 1)))


def band(age: int | None) -> str:
    """
    >>> band(0), band(47), band(104), band(None)
    ('0-9', '40-49', '90 and older', 'not known')
    """
    if age is None:
        return NOT_KNOWN
    decade = age // 10 * 10
    return f"{OLDEST_BAND} and older" if age >= OLDEST_BAND else f"{decade}-{decade + 9}"


class Counting:
    """Counts what patients of two groups have; a patient who has a value is told of once."""

    def __init__(self, first: BitMap, second: BitMap) -> None:
        self._groups = (first, second)
        self._having: tuple[Counter[tuple[Kind, str]], Counter[tuple[Kind, str]]] = (Counter(), Counter())
        self._ages: tuple[list[int], list[int]] = ([], [])

    def has(self, patient: int, kind: Kind, value: str) -> None:
        for group, having in zip(self._groups, self._having, strict=True):
            if patient in group:
                having[kind, value] += 1

    def is_of_age(self, patient: int, age: int | None) -> None:
        self.has(patient, "age band", band(age))
        for group, ages in zip(self._groups, self._ages, strict=True):
            if age is not None and patient in group:
                ages.append(age)

    def profiles(self) -> tuple[Profile, Profile]:
        one, other = (
            Profile(len(group), tuple(ages), dict(having))
            for group, ages, having in zip(self._groups, self._ages, self._having, strict=True)
        )
        return one, other
