"""A cohort from a list of patient ids: every line counts as a patient, or is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from pyroaring import BitMap

from ingest.cohorts.finding import provenance
from ingest.ledger import Ledger
from ingest.readers import csv_reader
from ingest.readers.columns import GUESSES, guessed, shown
from ingest.readers.fields import identifier
from ingest.readers.record import FieldError, Rejected
from ingest.readers.streams import InputFile, Lines, RecordTooLongError
from search_stack.cohorts.version import Found, Imported, Version
from search_stack.core.errors import AspectraError
from search_stack.core.schema import UNKNOWN, Patient
from search_stack.inference.bundle import sha256

AT_ONCE = 5_000
"""Ids that are looked up together."""
NOBODY = "no patient has this id"
GIVEN = "patient_ids"
"""The field of a request that holds a list."""


@dataclass(frozen=True, slots=True)
class PatientList:
    """What a list brought."""

    found: Found
    left_out: tuple[Rejected, ...]
    """Lines or positions that brought no patient of their own, in their order; no value is in them."""


@dataclass(frozen=True, slots=True)
class _Id:
    place: int
    """Line or position, from 1."""
    patient_id: str


Item: TypeAlias = _Id | Rejected


def read_list(path: Path, ledger: Ledger, column: str = "") -> PatientList:
    """The patients of ``path``: one id a line, or a table with a column of them.

    Args:
        column: of a table; empty takes one that is called like an id of patients, else the lines themselves.

    Raises:
        AspectraError: the file cannot be read, lacks ``column``, or names no patient of the ledger.
    """
    digest = _digest(path)
    numbers, told = _numbers(_ids(path, column), ledger.people.numbers, path.name, "line")
    if not numbers:
        raise AspectraError(
            f"{path}: none of its {told.ids:,} ids is a patient's here.",
            "Check the column, and that the ids are written as in the notes.",
        )
    return _listed(numbers, told, digest, ledger)


def given_list(patient_ids: Sequence[str], digest: str, ledger: Ledger) -> PatientList:
    """The patients of a request.

    Args:
        digest: SHA-256 of the request.

    Raises:
        AspectraError: the ledger knows none of them.
    """
    numbers, told = _numbers(_of_items(patient_ids), ledger.people.numbers, GIVEN, "position")
    if not numbers:
        raise AspectraError("None of these ids is a patient's here.", "Write them as they are in the notes.")
    return _listed(numbers, told, digest, ledger)


def left_out_of(version: Version, patient_ids: Sequence[str], ledger: Ledger) -> tuple[Rejected, ...]:
    """What `given_list` said when it made ``version`` of these ids, whoever has become known since."""

    members = ledger.people.as_counted(version).patients

    def then(asked: Collection[str]) -> dict[str, int]:
        return {one: no for one, no in ledger.people.numbers(asked).items() if no in members}

    return _numbers(_of_items(patient_ids), then, GIVEN, "position")[1].left_out


@dataclass(frozen=True, slots=True)
class _Told:
    ids: int
    unknown: int
    duplicate: int
    left_out: tuple[Rejected, ...]


def _numbers(
    items: Iterator[Item], look_up: Callable[[Collection[str]], Mapping[str, int]], source: str, word: str
) -> tuple[BitMap, _Told]:
    """The numbers of the patients of ``items``, and what became of every item.

    Args:
        word: what a place in ``source`` is called.
    """
    known: dict[str, int] = {}
    seen: dict[str, int] = {}
    left_out: list[Rejected] = []
    ids = unknown = duplicate = 0
    for batch in _batches(items):
        known |= look_up({one.patient_id for one in batch if isinstance(one, _Id)} - known.keys())
        for one in batch:
            if isinstance(one, Rejected):
                left_out.append(one)
                continue
            ids += 1
            first = seen.setdefault(one.patient_id, one.place)
            if first != one.place:
                duplicate += 1
                left_out.append(Rejected(source, one.place, "patient_id", f"{word} {first} has this id already"))
            elif one.patient_id not in known:
                unknown += 1
                left_out.append(Rejected(source, one.place, "patient_id", NOBODY))
    return BitMap(known.values()), _Told(ids, unknown, duplicate, tuple(left_out))


def _listed(numbers: BitMap, told: _Told, digest: str, ledger: Ledger) -> PatientList:
    origin = Imported(told.ids, told.unknown, told.duplicate, digest)
    found = Found(unit="patient", origin=origin, patients=numbers, provenance=provenance(ledger))
    return PatientList(found, told.left_out)


def _of_items(patient_ids: Iterable[str]) -> Iterator[Item]:
    for position, value in enumerate(patient_ids, 1):
        try:
            yield _Id(position, identifier(value, "patient_id"))
        except FieldError as e:
            yield Rejected(GIVEN, position, "patient_id", e.reason)


def _digest(path: Path) -> str:
    with InputFile(path):  # says what is wrong with it
        return sha256(path)


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _ids(path: Path, column: str) -> Iterator[Item]:
    delimiter, names = _table(path)
    chosen = column or guessed({"patient_id": GUESSES["patient_id"]}, names, str(path)).get("patient_id", "")
    if column and column not in names:
        raise AspectraError(f"{path}: it has no such column. {shown(names)}", "Name one of them: --column NAME")
    if not chosen and len(names) > 1:
        raise AspectraError(f"{path}: no column is called patient_id. {shown(names)}", "Name it: --column NAME")
    return _of_table(path, delimiter, names, chosen) if chosen else _of_lines(path)


def _table(path: Path) -> tuple[str, list[str]]:
    try:
        return csv_reader.sniff(path)
    except AspectraError:
        return "", []  # no header: lines are read as they are


def _of_table(path: Path, delimiter: str, names: list[str], column: str) -> Iterator[Item]:
    for record in csv_reader.read(path, delimiter, names, column, partial(_patient, column=column)):
        if isinstance(record.item, Patient):
            yield _Id(record.last_line, record.item.patient_id)
        elif isinstance(record.item, Rejected):
            yield record.item


def _patient(row: Mapping[str, str], column: str) -> Patient:
    return Patient(identifier(row[column], "patient_id"), UNKNOWN)


def _of_lines(path: Path) -> Iterator[Item]:
    with InputFile(path) as file:
        lines = Lines(file)
        while True:
            lines.begin_record()
            try:
                text = next(lines).decode()
                if text.strip():
                    yield _Id(lines.number, identifier(text, "patient_id"))
            except StopIteration:
                return
            except (FieldError, RecordTooLongError) as e:
                reason = e.reason if isinstance(e, FieldError) else str(e)
                yield Rejected(path.name, lines.number, "patient_id", reason)
            except UnicodeDecodeError:
                yield Rejected(path.name, lines.number, "patient_id", "not valid UTF-8")
