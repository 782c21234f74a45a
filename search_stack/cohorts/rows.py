"""Evidence: where a criterion holds, as sorted integer arrays. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from search_stack.index.passage import UNDATED

Ints = NDArray[np.int64]
Unit = Literal["note", "patient"]
"""What criteria in different passages may share, and what is counted."""
NO_NOTE = -1
"""The note of a structured fact."""
_STRIDE = 1 << 24
"""More days than lie between any two, so that patient and day are one number."""


@dataclass(frozen=True, eq=False)
class Rows:
    """(N,) int64 each, in the order of patient, day, note, and none twice.

    Its patients and notes are worked out once: what is kept is asked again and again.
    """

    patient: Ints
    day: Ints
    note: Ints

    @classmethod
    def of(cls, patient: Any, day: Any, note: Any) -> Rows:
        """Rows from columns in any order."""
        columns = [np.asarray(c, dtype=np.int64) for c in (patient, day, note)]
        order = _order(*columns)
        ordered = [c[order] for c in columns]
        fresh = np.ones(len(order), dtype=bool)
        if len(order):
            fresh[1:] = np.logical_or.reduce([c[1:] != c[:-1] for c in ordered])
        return cls(*(c[fresh] for c in ordered))

    @classmethod
    def together(cls, several: Sequence[Rows]) -> Rows:
        """All rows of ``several``, each once."""
        if len(several) == 1:
            return several[0]
        if not several:
            return NONE
        return cls.of(*(np.concatenate([getattr(r, name) for r in several]) for name in ("patient", "day", "note")))

    def __len__(self) -> int:
        return len(self.patient)

    def where(self, keep: NDArray[np.bool_]) -> Rows:
        if keep.all():
            return self
        return Rows(self.patient[keep], self.day[keep], self.note[keep])

    def patients(self) -> Ints:
        return self._patients

    def notes(self) -> Ints:
        """Of structured facts there are none."""
        return self._notes

    @cached_property
    def _patients(self) -> Ints:
        return _once(self.patient)

    @cached_property
    def _notes(self) -> Ints:
        return _once(np.sort(self.note[self.note != NO_NOTE]))

    def units(self, unit: Unit) -> Ints:
        """Its patients or notes, sorted."""
        return self.patients() if unit == "patient" else self.notes()

    def of_units(self, units: Ints, unit: Unit) -> Rows:
        """Those of ``units``, which are sorted."""
        return self.of_patients(units) if unit == "patient" else self.of_notes(units)

    def of_patients(self, patients: Ints) -> Rows:
        """Those of ``patients``, which are sorted."""
        return self.where(among(self.patient, patients))

    def of_notes(self, notes: Ints) -> Rows:
        """Those of ``notes``, which are sorted."""
        return self.where(among(self.note, notes))

    def on_days_of(self, others: Rows) -> NDArray[np.bool_]:
        """(N,): whether one of ``others`` is of the same patient and day."""
        return among(self.patient * _STRIDE + self.day, _once(others.patient * _STRIDE + others.day))

    @property
    def nbytes(self) -> int:
        """Of its columns, and at most of its patients and notes."""
        return 5 * int(self.patient.nbytes)


_EMPTY = np.empty(0, dtype=np.int64)
NONE = Rows(_EMPTY, _EMPTY, _EMPTY)


def _order(patient: Ints, day: Ints, note: Ints) -> Ints:
    """(N,): the places of rows in the order of patient, day, note. Quick where they come in sorted runs, as they do."""
    line = patient * _STRIDE + day
    order = np.argsort(line, kind="stable")
    line, note = line[order], note[order]
    mixed = (line[1:] == line[:-1]) & (note[1:] < note[:-1])
    if mixed.any():
        ties = among(line, _once(line[1:][mixed]))
        order[ties] = order[ties][np.lexsort((note[ties], line[ties]))]
    return order


def _once(values: Ints) -> Ints:
    """Sorted ``values``, each once; `numpy.unique` hashes them, which takes twenty times as long."""
    fresh = np.ones(len(values), dtype=bool)
    fresh[1:] = values[1:] != values[:-1]
    return values[fresh]


def among(values: Ints, known: Ints) -> NDArray[np.bool_]:
    """(N,): which of ``values`` are among ``known``, which is sorted."""
    if not len(known):
        return np.zeros(len(values), dtype=bool)
    found = np.searchsorted(known, values)
    return np.asarray(known[np.minimum(found, len(known) - 1)] == values)


__all__ = ["NONE", "NO_NOTE", "UNDATED", "Ints", "Rows", "Unit", "among"]
