"""An export from its begin to files under their final names."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args

from ingest.handover.gathering import Gathering
from ingest.handover.spool import Reached, Spool
from search_stack.cohorts.version import Found, Version
from search_stack.core.errors import AspectraError
from search_stack.core.file_lock import file_lock
from search_stack.core.files import disk_errors, sync_folder
from search_stack.handover import omop
from search_stack.handover.cover import Cover, whole
from search_stack.handover.files import measured, private_file
from search_stack.handover.row import Row
from search_stack.handover.tables import write_csv, write_json_lines

Form = Literal["csv", "json", "parquet", "omop", "fhir"]
FORMS: tuple[Form, ...] = get_args(Form)
PROVENANCE = "provenance.json"
OMOP_FILES = frozenset({*(f"{name}.csv" for name in omop.TABLES), PROVENANCE})
Progress = Callable[[str, int, int], None]
"""Hears a stage, what is done of it, and of how many."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be written, and where."""

    form: Form
    output: Path
    """A file; of OMOP a folder."""
    guard: bool = True
    """Of CSV: keep spreadsheets from formulas."""
    references: bool = False
    """Of FHIR: refer to Patient/ID."""
    force: bool = False
    """Replace what is there, and begin anew what was interrupted."""
    resume: bool = False

    @property
    def work(self) -> Path:
        """Where it is made, beside its place."""
        return self.output.with_name(f".{self.output.name}.export")

    @property
    def begun(self) -> bool:
        """Whether rows are kept there."""
        return (self.work / "progress.json").exists()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the files, the one that says that all are there last."""
        if self.form == "omop":
            return (self.output.name,)
        own = (self._beside("evidence.jsonl"),) if self.form == "fhir" else ()
        return (*own, self._beside(PROVENANCE), self.output.name)

    @property
    def provenance(self) -> Path:
        return self.output / PROVENANCE if self.form == "omop" else self.output.with_name(self._beside(PROVENANCE))

    def is_there(self, began: datetime) -> bool:
        """Whether the export that began then is under its final name."""
        if not self.provenance.is_file() or not self.output.exists():
            return False
        said = json.loads(self.provenance.read_bytes())
        return bool(said["export"]["at"] == began.isoformat())

    def _beside(self, what: str) -> str:
        return f"{self.output.name}.{what}"


@dataclass(frozen=True, slots=True)
class Written:
    """An export that is done."""

    files: tuple[Path, ...]
    patients: int
    counts: Counter[str]
    """Of the evidence: rows, by kind and by the state of their notes."""
    remarks: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        files = [str(path) for path in self.files]
        return {"files": files, "patients": self.patients, "evidence": dict(self.counts), "remarks": [*self.remarks]}


def export(order: Order, cover: Cover, gathering: Gathering, progress: Progress) -> Written:
    """Write a cohort out. What is under the final names is whole: as it was before, or as ordered.

    Args:
        cover: its ``began`` is put back where an interrupted export goes on.

    Raises:
        AspectraError: there is something already; what was interrupted is another export; it cannot be written.
            What was gathered stays, to be resumed.
    """
    check(order)
    total = len(cover.found.patients)
    with disk_errors(order.output):
        _make_private(order.work)
        with file_lock(order.work / "lock", lambda _: None, 0.0):
            spool = _spool(order, cover)
            if not _is_placed(order):
                cover = replace(cover, began=spool.reached.began)
                progress("patients", spool.reached.patients, total)
                for done in spool.add(_portions(gathering, spool.reached)):
                    progress("patients", done, total)
                _render(order, cover, spool, progress)
                _place(order)
            shutil.rmtree(order.work)
        sync_folder(order.output.parent)
    said = json.loads(order.provenance.read_bytes())
    return Written(_final(order), total, spool.reached.counts, tuple(said["remarks"]))


def check(order: Order) -> None:
    """
    Raises:
        AspectraError: files of that name are there, or what was interrupted.
    """
    out = order.output
    if not out.name or not out.parent.is_dir():
        raise AspectraError(f"{out}: there is no such folder to write into.", "Make the folder, or mend the path.")
    if out.is_dir():
        foreign = {path.name for path in out.iterdir()} - OMOP_FILES
        if order.form != "omop" or foreign:
            raise AspectraError(f"{out} is a folder with something else.", "Choose another place.")
    there = [out.with_name(name) for name in order.names if out.with_name(name).exists()]
    # Without the last file, those beside it are of an export that was cut off while it put them in place.
    if there and not order.force and (out in there or not order.resume) and not _is_placed(order):
        raise AspectraError(f"{there[-1]} is there already.", "Choose another name, or replace it by --force.")
    if order.begun and not order.resume and not order.force:
        raise AspectraError(
            f"An export to {out} was interrupted.", "Let it go on by --resume, or begin it anew by --force."
        )
    if order.resume and not order.begun:
        raise AspectraError(f"No export to {out} was interrupted.", "Leave --resume out.")


def job_of(order: Order, cover: Cover) -> dict[str, Any]:
    """All that must be the same for an export to go on; what differs is named by these words."""
    found = cover.found
    return {
        "format": order.form,
        "version": found.name if isinstance(found, Version) else "",
        "digest": found.digest if isinstance(found, Version) else digest_of(found),
        "index generation": cover.generation,
        "lexicon": cover.lexicon,
        "ledger": found.provenance.ledger,
        "version of Aspectra": cover.program,
        "choice of text": cover.text,
        "choice of cells": order.guard,
        "choice of references": order.references,
        "definition id": cover.definition,
    }


def digest_of(found: Found) -> str:
    """SHA-256 of a cohort that is not kept: of its query, patients and evidence."""
    digest = hashlib.sha256(json.dumps([found.unit, found.origin.json()], sort_keys=True).encode())
    rows, notes = found.rows, found.notes
    for column in (found.numbers, rows.patient, rows.day, rows.note, notes.key, notes.version):
        digest.update(hashlib.sha256(column.astype("<i8").tobytes()).digest())
    return digest.hexdigest()


def _make_private(folder: Path) -> None:
    """A folder for its owner only.

    Raises:
        AspectraError: somebody else made it, or it leads elsewhere: what is written there they could read.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise AspectraError(f"{folder} is not this user's own folder.", "Remove it, or choose another place.")
    folder.chmod(0o700)


def _is_placed(order: Order) -> bool:
    """Whether all that was made is under its final names, and only the folder it was made in is left."""
    out = order.work / "out"
    return order.resume and out.is_dir() and not any((out / name).exists() for name in order.names)


def _spool(order: Order, cover: Cover) -> Spool:
    job = job_of(order, cover)
    return Spool.resume(order.work, job) if order.resume else Spool.begin(order.work, job, cover.began)


def _portions(gathering: Gathering, reached: Reached) -> Iterator[tuple[int, int, Iterable[Row]]]:
    verdicts = gathering.settled(reached.began)
    for patients in gathering.portions(reached.last):
        yield int(patients[-1]), len(patients), gathering.rows(patients, verdicts)


def _render(order: Order, cover: Cover, spool: Spool, progress: Progress) -> None:
    """All files in the folder "out", which is there when they are, with the provenance of them."""
    out, ready = order.work / "making", order.work / "out"
    for folder in (out, ready):
        shutil.rmtree(folder, ignore_errors=True)
    out.mkdir(mode=0o700)
    into = out / order.output.name
    total = spool.reached.counts["rows"]

    def rows() -> Iterator[Row]:
        for number, row in enumerate(spool.rows(), 1):
            if number % 10_000 == 0 or number == total:
                progress("rows", number, total)
            yield row

    if order.form == "omop":
        into.mkdir(mode=0o700)
        told = omop.write_omop(into, rows, cover)
    elif order.form == "fhir":
        from search_stack.handover.fhir import write_group  # its models take as long to load as all else here

        evidence = write_json_lines(out / order.names[0], rows())
        told = write_group(into, _first_rows(rows()), cover, order.references)
        told.rows |= evidence.rows
        told.columns |= evidence.columns
    elif order.form == "csv":
        told = write_csv(into, rows(), order.guard)
    elif order.form == "json":
        told = write_json_lines(into, rows())
    else:
        from search_stack.handover.parquet import write_parquet

        told = write_parquet(into, rows(), cover)
    folder = into if order.form == "omop" else out
    told.remarks += _remarks(spool.reached.counts)
    said = whole(cover, spool.reached.counts, told, {p.name: measured(p) for p in sorted(folder.iterdir())})
    with private_file(folder / order.provenance.name) as file:
        file.write((json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode())
    sync_folder(folder)
    out.replace(ready)


def _remarks(counts: Counter[str]) -> list[str]:
    out = []
    for state in ("changed", "deleted"):
        if number := counts[f"notes {state}"]:
            out.append(f"{number:,} notes were {state} since the cohort was found: their words are left out.")
    if number := counts["rows of patient"]:
        out.append(f"{number:,} patients are in the cohort without evidence.")
    return out


def _first_rows(rows: Iterator[Row]) -> Iterator[Row]:
    return (next(own) for _, own in groupby(rows, lambda r: r.patient_no))


def _place(order: Order) -> None:
    """Rename what is done to its final names, the one that says that all are there last."""
    old = order.work / "old"
    shutil.rmtree(old, ignore_errors=True)
    for name in order.names:
        place = order.output.with_name(name)
        if place.is_dir():
            place.replace(old)
        (order.work / "out" / name).replace(place)
    sync_folder(order.output.parent)


def _final(order: Order) -> tuple[Path, ...]:
    if order.form == "omop":
        return tuple(sorted(order.output.iterdir()))
    return tuple(order.output.with_name(name) for name in reversed(order.names))
