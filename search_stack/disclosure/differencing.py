"""What the sizes of several groups tell together of few patients. Pure.

Numbers of large groups give single people away by sums and differences of them (Denning, Denning & Schwartz, The
Tracker: A Threat to Statistical Database Security, ACM TODS 4(1), 1979): who is told 43, and of these 20 and 20,
knows of 3 more. Which sets can be reckoned so is a question of linear algebra (Chin & Özsoyoğlu, Auditing and Inference
Control in Statistical Databases, IEEE TSE 8(6), 1982). Patients who are in the same groups form an *atom*; each group
that was told is a row of noughts and ones, a column for each atom. A set of patients can be reckoned where its own row
is a sum of multiples of those rows, hence it is made of whole atoms.

It is reckoned modulo a prime that is drawn anew, where a row that depends on others over the fractions depends on them
too, but for one prime in a million; what is random besides errs to the side of telling nothing, or by one in 2^31.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from search_stack.disclosure.masking import LEAST

Ints = NDArray[np.int64]
WORK, SETS = 1 << 24, 64
"""What is looked at, at most; where that does not suffice, the group counts as telling of few."""


class Adds(Enum):
    """What a group's size adds to those that were told."""

    NOTHING = auto()
    """It could be reckoned before."""
    NEWS = auto()
    FEW = auto()
    """With it a set of few patients could be reckoned, or that cannot be ruled out."""


def adds(asked: BitMap, told: Sequence[BitMap], least: int = LEAST) -> Adds:
    """
    Args:
        told: groups of which none can be reckoned from the others.
        least: patients in a set that may be reckoned.
    """
    field, atoms = _Field(), _Atoms.of([*told, asked])
    few = np.flatnonzero(atoms.sizes < least)
    few = few[np.argsort(-atoms.sizes[few], kind="stable")]
    rows = np.eye(len(atoms.rows), dtype=np.int64)
    # Sums of rows that are nought in every large atom: only these can be the row of few patients.
    sums, _ = field.nought_in(rows, atoms, np.flatnonzero(atoms.sizes >= least))
    nothing, spanning = field.nought_in(sums, atoms, few)
    if nothing[:, -1].any():
        return Adds.NOTHING
    # A sum that is nought in a whole set of atoms which spans as much as all of them is nought. The row of few patients
    # is nought in all atoms but few, so it misses none of several such sets that share no atom.
    chosen, weight, rest = [spanning], 0, few
    while len(chosen[-1]) and (weight := weight + int(atoms.sizes[chosen[-1]].min())) < least:
        if len(chosen) == SETS:
            return Adds.FEW
        rest = rest[~np.isin(rest, chosen[-1])]
        chosen.append(field.nought_in(sums, atoms, rest)[1])
    if len(chosen[-1]) == len(spanning):
        return Adds.NEWS
    near = np.concatenate(chosen)
    return (
        Adds.FEW if field.any_of_few(sums @ atoms.columns(near) % field.prime, atoms.sizes[near], least) else Adds.NEWS
    )


@dataclass(frozen=True, slots=True)
class _Atoms:
    rows: Sequence[Ints]
    """Of each group its atoms, in order."""
    sizes: Ints

    @staticmethod
    def of(groups: Sequence[BitMap]) -> _Atoms:
        everybody = np.array(BitMap.union(BitMap(), *groups).to_array(), np.int64)
        where = [np.searchsorted(everybody, np.array(group.to_array(), np.int64)) for group in groups]
        random = np.random.default_rng()
        signs = np.zeros(len(everybody), np.uint64)  # equal for patients of the same groups
        for members in where:
            signs[members] += random.integers(0, 1 << 64, dtype=np.uint64)
        _, atom_of, sizes = np.unique(signs, return_inverse=True, return_counts=True)
        return _Atoms([np.flatnonzero(np.bincount(atom_of[members])) for members in where], sizes.astype(np.int64))

    def columns(self, atoms: Ints) -> Ints:
        """Noughts and ones, a row for each group."""
        out = np.zeros((len(self.rows), len(atoms)), np.int64)
        for here, row in zip(out, self.rows, strict=True):
            if len(row):
                here[:] = row[np.minimum(np.searchsorted(row, atoms), len(row) - 1)] == atoms
        return out

    def weighed(self, weights: Ints) -> Ints:
        """For each atom the sum of its groups' ``weights``."""
        out = np.zeros(len(self.sizes), np.int64)
        for row, weight in zip(self.rows, weights, strict=True):
            out[row] += weight
        return out


class _Field:
    """Numbers modulo a prime below 2^31, of which two can be multiplied in 64 bits."""

    def __init__(self) -> None:
        self._random = np.random.default_rng()
        self.prime = next(n for n in iter(lambda: int(self._random.integers(1 << 30, 1 << 31)), 0) if _is_prime(n))

    def nought_in(self, sums: Ints, atoms: _Atoms, among: Ints) -> tuple[Ints, Ints]:
        """What is left of ``sums``, a sum of rows each, where only those count that are nought in each of the atoms
        ``among``; and atoms that span as much as all of these, the first ones of the order first."""
        chosen: list[int] = []
        while len(sums) and len(among):
            mixed = (self._drawn(len(sums))[:, None] * sums % self.prime).sum(axis=0) % self.prime
            among = among[atoms.weighed(mixed)[among] % self.prime != 0]
            next_ones = among[: len(sums)]
            for atom, column in zip(next_ones, atoms.columns(next_ones).T, strict=True):
                values = sums[:, column == 1].sum(axis=1) % self.prime
                if (used := np.flatnonzero(values)).size:
                    first = used[0]
                    factors = values * pow(int(values[first]), -1, self.prime) % self.prime
                    sums = np.delete((sums - factors[:, None] * sums[first]) % self.prime, first, axis=0)
                    chosen.append(int(atom))
        return sums, np.array(chosen, np.int64)

    def any_of_few(self, rows: Ints, sizes: Ints, least: int) -> bool:
        """Whether a sum of multiples of ``rows`` is one in some columns of together fewer than ``least`` patients, and
        nought in all others; or whether there are too many sets of columns to tell.

        It is so for the columns in which each vector that is at right angles to all rows sums up to nought. Of a random
        one this is asked instead: for two halves of the columns, one of which has the sum that the other lacks.
        """
        found = np.vstack([self._at_right_angles(rows, 2), sizes])
        none = np.zeros((3, 1), np.int64)
        halves, last, begin = [none], [np.array([-1])], [np.array([len(sizes)])]
        for _ in range(least // 2):
            sums, ends, begins = halves[-1], last[-1], begin[-1]
            if sums.shape[1] * len(sizes) > WORK:
                return True
            old, new = np.nonzero(ends[:, None] < np.arange(len(sizes)))
            more = (sums[:, old] + found[:, new]) % np.array([[self.prime], [self.prime], [1 << 40]])
            kept = more[2] < least
            halves.append(more[:, kept])
            last.append(new[kept])
            begin.append(np.where(begins[old] == len(sizes), new, begins[old])[kept])
        return self._meet(np.concatenate(halves, axis=1), np.concatenate(last), np.concatenate(begin), least)

    def _meet(self, sums: Ints, last: Ints, begin: Ints, least: int) -> bool:
        """Whether two sets, of which one ends before the other begins, sum up to nought, neither being both empty nor
        too large."""
        keys = sums[0] << 31 | sums[1]
        wanted = -sums[0] % self.prime << 31 | -sums[1] % self.prime
        order = np.argsort(keys)
        low, high = (np.searchsorted(keys[order], wanted, side) for side in ("left", "right"))
        if (high - low).sum() > WORK:
            return True
        one = np.repeat(np.arange(len(keys)), high - low)
        other = order[np.arange(len(one)) - np.repeat(np.cumsum(high - low) - (high - low), high - low) + low[one]]
        size = sums[2][one] + sums[2][other]
        return bool(((last[one] < begin[other]) & (size > 0) & (size < least)).any())

    def _at_right_angles(self, rows: Ints, count: int) -> Ints:
        """Random vectors of those whose product with each row is nought."""
        rows, pivots = rows.copy(), list[int]()
        for column in range(rows.shape[1]):
            at = len(pivots)
            if at == len(rows):
                break
            if (used := np.flatnonzero(rows[at:, column])).size:
                rows[[at, at + used[0]]] = rows[[at + used[0], at]]
                rows[at] = rows[at] * pow(int(rows[at, column]), -1, self.prime) % self.prime
                others = np.flatnonzero(rows[:, column])
                others = others[others != at]
                rows[others] = (rows[others] - rows[others, column][:, None] * rows[at]) % self.prime
                pivots.append(column)
        out = self._drawn((count, rows.shape[1]))
        out[:, pivots] = 0
        for vector in out:
            vector[pivots] = -(rows[: len(pivots)] * vector % self.prime).sum(axis=1) % self.prime
        return out

    def _drawn(self, shape: int | tuple[int, int]) -> Ints:
        return self._random.integers(0, self.prime, shape)


def _is_prime(number: int) -> bool:
    return bool((number % np.arange(2, 46_341) != 0).all())  # as far as the root of 2^31
