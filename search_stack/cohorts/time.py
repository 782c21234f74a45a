"""Evidence compared in time: pure functions over `Rows`. Undated evidence is in no answer of theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from search_stack.cohorts.rows import NO_NOTE, NONE, UNDATED, Ints, Rows, among

_STRIDE = 1 << 24
"""Days between two patients on the one line that both stand on; more than any record has."""
_ZERO = 1 << 22
"""Put to each day, so that none is negative."""


def _line(rows: Rows) -> Ints:
    """(N,): where each row's patient and day stand on the one line."""
    return rows.patient * _STRIDE + rows.day + _ZERO


def dated(rows: Rows) -> Rows:
    return rows.where(rows.day != UNDATED)


def at_least(rows: Rows, number: int, unit: str) -> Rows:
    """The rows of patients who have ``number`` different notes, or days; a structured fact counts as a note of its day.

    Counting notes needs no date, so undated ones count.
    """
    rows = dated(rows) if unit == "days" else rows
    if not len(rows):
        return rows
    fresh = np.ones(len(rows), dtype=bool)
    same_patient = rows.patient[1:] == rows.patient[:-1]
    if unit == "days":
        fresh[1:] = ~(same_patient & (rows.day[1:] == rows.day[:-1]))
    patients, counts = np.unique(rows.patient[fresh], return_counts=True)
    return rows.of_patients(patients[counts >= number])


def pick(rows: Rows, which: str) -> Rows:
    """Each patient's rows of the first or the last day."""
    rows = dated(rows)
    if not len(rows):
        return rows
    starts = np.flatnonzero(np.r_[True, rows.patient[1:] != rows.patient[:-1]])
    ends = np.r_[starts[1:], len(rows)] - 1
    day = rows.day[starts] if which == "first" else rows.day[ends]
    return rows.where(rows.day == np.repeat(day, ends - starts + 1))


def during(rows: Rows, after: int | None, before: int | None) -> Rows:
    """Rows from the day ``after`` on and before the day ``before``."""
    rows = dated(rows)
    keep = np.ones(len(rows), dtype=bool)
    if after is not None:
        keep &= rows.day >= after
    if before is not None:
        keep &= rows.day < before
    return rows.where(keep)


def near(rows: Rows, anchors: Rows, least: int | None, most: int | None, shut: bool = False) -> Rows:
    """Rows with an anchor of the same patient such that ``least`` <= day - anchor's day <= ``most``; ``shut``: those
    without."""
    rows, anchors = dated(rows), dated(anchors)
    line = np.sort(_line(anchors))
    base = rows.patient * _STRIDE
    place = _line(rows)
    lowest = base if most is None else np.maximum(base, place - most)
    highest = base + _STRIDE - 1 if least is None else np.minimum(base + _STRIDE - 1, place - least)
    found = np.searchsorted(line, highest, side="right") - np.searchsorted(line, lowest, side="left")
    return rows.where((found > 0) != shut)


def at_age(rows: Rows, ages: Ints, least: int | None, most: int | None) -> Rows:
    """Rows at an age in whole years; ``ages`` (N,) is negative where not known."""
    keep = ages >= (0 if least is None else max(0, least))
    if most is not None:
        keep &= ages <= most
    return rows.where(keep)


def together(
    several: Sequence[Rows], groups: Sequence[Ints], shut: Sequence[Rows] = (), shut_groups: Sequence[Ints] = ()
) -> Rows:
    """The rows of ``several`` in groups that all of them have a row in, and none of ``shut``; a patient's own.

    Args:
        groups: of each row of each, negative where it has none.
        shut_groups: the same of ``shut``.
    """
    kept = [r.where(g >= 0) for r, g in zip(several, groups, strict=True)]
    keys = [_pairs(r.patient, g[g >= 0]) for r, g in zip(kept, groups, strict=True)]
    if not keys:
        return NONE
    shared = np.unique(keys[0])
    for other in keys[1:]:
        shared = np.intersect1d(shared, other)
    for rows, group in zip(shut, shut_groups, strict=True):
        shared = np.setdiff1d(shared, _pairs(rows.patient[group >= 0], group[group >= 0]))
    return Rows.together([r.where(among(k, shared)) for r, k in zip(kept, keys, strict=True)])


def _pairs(patient: Ints, group: Ints) -> Ints:
    """One number for a patient and a group; groups are below 2^31."""
    return patient * (1 << 31) + group


def groups_by(rows: Rows, by: str) -> Ints:
    """(N,): the note, day or year of each row; -1 where it has none."""
    if by == "note":
        return np.where(rows.note == NO_NOTE, -1, rows.note)
    # From 0 on, lest a day before 1970 counts as none.
    if by == "day":
        return np.where(rows.day == UNDATED, -1, rows.day + _ZERO)
    return np.where(rows.day == UNDATED, -1, years_of(rows.day))


def years_of(days: Ints) -> Ints:
    """(N,): the calendar year of each day."""
    return days.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970


def facts_of(rows: Rows) -> Rows:
    """Structured facts that have a day."""
    return dated(rows.where(rows.note == NO_NOTE))


def shared_facts(several: Sequence[Rows]) -> Rows:
    """Structured facts of a patient's day on which all of ``several`` have one."""
    first, *others = several
    found = first.where(first.note == NO_NOTE)
    for rows in others:
        found = found.where(found.on_days_of(facts_of(rows)))
    return found


def shared_notes(several: Sequence[Rows]) -> Ints:
    """The notes that all of ``several`` have a row in; a structured fact is in every note of its patient's day."""
    every = Rows.together(list(several))
    held = every.where(every.note != NO_NOTE)
    for rows in several:
        held = held.where(among(held.note, rows.notes()) | held.on_days_of(facts_of(rows)))
    return held.notes()
