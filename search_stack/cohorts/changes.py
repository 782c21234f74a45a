"""What has changed from one version of a cohort to a later one: pure functions over what both hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from search_stack.cohorts.rows import NO_NOTE, NONE, Ints, Rows, among
from search_stack.cohorts.version import GONE, UNLABELLED, Asked, Found, NoteStates, Version, merged, microseconds
from search_stack.core.errors import AspectraError

Reason = Literal[
    "new note", "deleted note", "changed note", "relabelled note", "structured fact", "merged patient", "other"
]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""Why a row came or went. "merged patient": it counts as another patient's, or as its own again. "other": neither its
note nor that note's labels changed, as far as is known; so it is by another note of the patient, by what is known of
them, or by another query."""
_NEW, _DELETED, _CHANGED, _RELABELLED, _FACT, _MERGED, _OTHER = range(len(REASONS))
QUERY = "the query"
"""Among the circumstances, where it is another one."""
Mask: TypeAlias = NDArray[np.bool_]
Moved = Literal["came", "went", "rewritten"]


@dataclass(frozen=True, slots=True, eq=False)
class Regrouped:
    """Who came to count as another patient, or as itself again, between two versions."""

    stays: Mapping[int, int]
    """By number, as whom it counts now."""
    notes: Ints
    """What came under their ids, by key, sorted."""

    def numbers(self, away: bool) -> Ints:
        """Of those that count as another now, or as themselves again; sorted."""
        found = sorted(no for no, by in self.stays.items() if (no != by) == away)
        return np.array(found, dtype=np.int64)

    @property
    def everyone(self) -> set[int]:
        return {*self.stays.keys(), *self.stays.values()}


NOBODY = Regrouped({}, NONE.note)


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Rows of evidence that came, went or were rewritten, with the reason of each."""

    rows: Rows
    reason: Ints
    """(N,): places in `REASONS`."""

    def __len__(self) -> int:
        return len(self.rows)

    def of_patients(self, patients: Ints) -> Moves:
        """Those of ``patients``, which are sorted."""
        keep = among(self.rows.patient, patients)
        return Moves(self.rows.where(keep), self.reason[keep])


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Patients by number, sorted; and the evidence that made the difference."""

    new: Ints
    gone: Ints
    changed: Ints
    """In both, by other evidence."""
    came: Moves
    went: Moves
    rewritten: Moves
    """Rows of both, whose note has another text now."""
    regrouped: Collection[int] = ()
    """Who counts as another patient by now or as itself again, or whom others came to count as."""

    @property
    def none(self) -> bool:
        return not len(self.everyone)

    @property
    def everyone(self) -> Ints:
        """Who is new, gone or changed, sorted."""
        return np.sort(np.concatenate([self.new, self.gone, self.changed]))

    def reasons(self, patients: Ints) -> dict[Reason, int]:
        """How many of ``patients`` each reason moved; "other" counts only where no other reason is known, and "merged
        patient" also of those who have no evidence."""
        moves = [m.of_patients(patients) for m in (self.came, self.went, self.rewritten)]
        told: set[tuple[int, int]] = set()
        for move in moves:
            told |= set(zip(move.rows.patient.tolist(), move.reason.tolist(), strict=True))
        known = {patient for patient, reason in told if reason != _OTHER}
        told = {(patient, reason) for patient, reason in told if reason != _OTHER}
        unknown = [patient for patient in patients.tolist() if patient not in known]
        told |= {(patient, _MERGED if patient in self.regrouped else _OTHER) for patient in unknown}
        counts = Counter(reason for _, reason in told)
        return {name: counts[place] for place, name in enumerate(REASONS) if counts[place]}


def changes(old: Found, new: Found, regrouped: Regrouped = NOBODY) -> Changes:
    """From ``old`` to ``new``, which was found later.

    Args:
        regrouped: between the two.
    """
    kept_old, kept_new = _shared(old.rows, new.rows)
    came, went, both = new.rows.where(~kept_new), old.rows.where(~kept_old), old.rows.where(kept_old)
    rewritten = both.where(_rewritten(both, old, new))
    before, after = old.numbers, new.numbers
    moved = np.unique(np.concatenate([came.patient, went.patient, rewritten.patient]))
    return Changes(
        new=np.setdiff1d(after, before, assume_unique=True),
        gone=np.setdiff1d(before, after, assume_unique=True),
        changed=np.intersect1d(moved, np.intersect1d(before, after, assume_unique=True), assume_unique=True),
        came=Moves(came, _why_came(came, old, new, _now_of_others(came, old.rows, regrouped))),
        went=Moves(went, _why_went(went, old, new, _no_longer_of(went, came, regrouped))),
        rewritten=Moves(rewritten, np.full(len(rewritten), _CHANGED, dtype=np.int64)),
        regrouped=regrouped.everyone,
    )


def need_in_order(old: Version, new: Version) -> None:
    """
    Raises:
        AspectraError: they are no versions of one cohort, or ``new`` is the older one.
    """
    if old.cohort_id != new.cohort_id:
        raise AspectraError(f"{old.name} and {new.name} are versions of two cohorts.", "Compare them instead.")
    if new.number < old.number:
        raise AspectraError(f"{new.name} is older than {old.name}.", "Name the older version first.")


def need_two(first: Version, second: Version) -> None:
    """
    Raises:
        AspectraError: they are one and the same version.
    """
    if (first.cohort_id, first.number) == (second.cohort_id, second.number):
        raise AspectraError(f"{first.name} would be compared with itself.", "Choose another one, or another version.")


def circumstances(old: Found, new: Found) -> tuple[str, ...]:
    """What else is other than it was, in words."""
    then, now = old.provenance, new.provenance
    asked = isinstance(old.origin, Asked) and isinstance(new.origin, Asked)
    told: Sequence[tuple[str, object, object]] = (
        (
            QUERY if asked else "what it was made of",
            old.origin.json() | {"line": ""},
            new.origin.json() | {"line": ""},
        ),
        ("what must satisfy it together", old.unit, new.unit),
        ("the versions of the cohorts it names", then.cohorts, now.cohorts),
        ("the lexicon", then.lexicon, now.lexicon),
        ("the rules of the language", then.rules, now.rules),
        ("the labels of the index", then.labels, now.labels),
        ("what is known of patients", then.people, now.people),
        ("the ledger", then.ledger, now.ledger),
    )
    return tuple(what for what, a, b in told if a != b)


def _shared(a: Rows, b: Rows) -> tuple[Mask, Mask]:
    """Which rows of ``a`` are in ``b``, and which of ``b`` in ``a``."""
    columns = [np.concatenate(pair) for pair in ((a.patient, b.patient), (a.day, b.day), (a.note, b.note))]
    order = np.lexsort((np.arange(len(columns[0])), *columns[::-1]))
    same = np.ones(max(0, len(order) - 1), dtype=bool)
    for column in columns:
        ordered = column[order]
        same &= ordered[1:] == ordered[:-1]
    # Rows stand once in each, so an equal neighbour is the other's.
    twice = np.zeros(len(order), dtype=bool)
    twice[order[:-1][same]] = True
    twice[order[1:][same]] = True
    return twice[: len(a)], twice[len(a) :]


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The states of the notes of rows: (N,) each."""

    known: Mask
    version: Ints
    labels: list[str]
    updated: Ints


def _seen(notes: Ints, states: NoteStates, names: Sequence[str]) -> _Seen:
    """
    Args:
        names: of the labels that ``states`` tells by their places.
    """
    known = among(notes, states.key)
    if not len(states):
        zero = np.zeros(len(notes), dtype=np.int64)
        return _Seen(known, zero, [""] * len(notes), zero)
    place = np.minimum(np.searchsorted(states.key, notes), len(states) - 1)
    called = ["" if n == UNLABELLED else names[n] for n in states.labels[place].tolist()]
    return _Seen(known, states.version[place], called, states.updated[place])


def _rewritten(rows: Rows, old: Found, new: Found) -> Mask:
    then = _seen(rows.note, old.notes, old.provenance.labels)
    now = _seen(rows.note, new.notes, new.provenance.labels)
    differs: Mask = then.version != now.version
    return then.known & now.known & differs


def _relabelled(a: _Seen, b: _Seen) -> Mask:
    return np.array([x != y for x, y in zip(a.labels, b.labels, strict=True)], dtype=bool)


def _no_longer_of(went: Rows, came: Rows, regrouped: Regrouped) -> Mask:
    """Which rows count as another patient's by now."""
    apart = came.of_patients(regrouped.numbers(away=False))
    moved: Mask = among(went.patient, regrouped.numbers(away=True)) | among(went.note, regrouped.notes)
    moved |= (went.note == NO_NOTE) & among(went.day, _facts_days(apart))
    return moved


def _now_of_others(came: Rows, before: Rows, regrouped: Regrouped) -> Mask:
    """Which rows counted as another patient's before, or that patient as another."""
    of_facts = came.note == NO_NOTE
    moved: Mask = among(came.note, regrouped.notes) | of_facts & among(came.patient, regrouped.numbers(away=False))
    for heir in set(regrouped.stays.values()):
        merged = np.array(sorted(no for no, by in regrouped.stays.items() if by == heir != no), dtype=np.int64)
        days = _facts_days(before.of_patients(merged))
        moved |= of_facts & (came.patient == heir) & among(came.day, days)
    return moved


def _facts_days(rows: Rows) -> Ints:
    """On which structured facts are, sorted."""
    return np.unique(rows.day[rows.note == NO_NOTE])


def _why_went(rows: Rows, old: Found, new: Found, moved: Mask) -> Ints:
    then = _seen(rows.note, old.notes, old.provenance.labels)
    now = _seen(rows.note, merged([new.past, new.notes]), new.provenance.labels)
    told = then.known & now.known
    return _first(
        len(rows),
        (told & (now.version == GONE), _DELETED),
        (moved, _MERGED),
        (rows.note == NO_NOTE, _FACT),
        (told & (now.version != then.version), _CHANGED),
        (told & _relabelled(then, now), _RELABELLED),
    )


def _why_came(rows: Rows, old: Found, new: Found, moved: Mask) -> Ints:
    then = _seen(rows.note, merged([old.past, old.notes]), old.provenance.labels)
    now = _seen(rows.note, new.notes, new.provenance.labels)
    since = microseconds(old.provenance.seen)
    # Of a note that was in no evidence then, only its key and the ledger's times tell.
    later = ~then.known & now.known & (now.updated > since)
    unheard = np.array([bool(name) and name not in old.provenance.labels for name in now.labels], dtype=bool)
    unheard &= bool(old.provenance.labels)
    return _first(
        len(rows),
        (~then.known & (rows.note > old.provenance.last_note), _NEW),
        (then.known & (then.version == GONE), _NEW),
        (moved, _MERGED),
        (rows.note == NO_NOTE, _FACT),
        (later & (now.version == 1), _NEW),
        (then.known & (now.version != then.version), _CHANGED),
        (later, _CHANGED),
        (then.known & _relabelled(then, now), _RELABELLED),
        (~then.known & unheard, _RELABELLED),
    )


def _first(count: int, *several: tuple[Mask, int]) -> Ints:
    """(N,): the reason of the first mask that holds."""
    masks, reasons = zip(*several, strict=True)
    return np.select(list(masks), [np.int64(r) for r in reasons], np.int64(_OTHER)) if count else NONE.note


def by_patient(moved: Mapping[Moved, Moves]) -> dict[int, list[tuple[Moved, int, int, Reason]]]:
    """By patient, what moved: how, on which day, in which note, and why."""
    out: dict[int, list[tuple[Moved, int, int, Reason]]] = {}
    for how, moves in moved.items():
        columns = (moves.rows.patient, moves.rows.day, moves.rows.note, moves.reason)
        for patient, day, note, reason in zip(*(c.tolist() for c in columns), strict=True):
            out.setdefault(patient, []).append((how, day, note, REASONS[reason]))
    return out
