"""Exports as page and API order, follow and fetch them: each in a folder of its own in the data folder."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from flask import Response, send_from_directory
from werkzeug.exceptions import NotFound

from ingest.cohorts.records import Request
from ingest.handover.ageing import exports_folder
from ingest.handover.export import Form, Order
from ingest.handover.jobs import DONE, Job, Jobs
from search_stack.cohorts.version import Operand, Version
from ui import who
from ui.kept import still_kept
from ui.seen import about, saw_numbers
from ui.services import services

CALLED: dict[Form, str] = {
    "csv": "cohort.csv",
    "json": "cohort.jsonl",
    "parquet": "cohort.parquet",
    "omop": "omop",
    "fhir": "cohort.json",
}
"""What the output is called, by format."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a version is to be written."""

    form: Form
    text: bool = True
    plain_cells: bool = False
    references: bool = False
    definition: int | None = None


def jobs() -> Jobs:
    return Jobs.of(services().ledger)


def ordered(version: Version, wish: Wish, request: Request | None = None) -> int:
    """The number of a new export of ``version``, its folder made beside those of the others."""
    folder = _folder() / secrets.token_hex(16)
    folder.mkdir(parents=True, mode=0o700)
    order = Order(wish.form, folder / CALLED[wish.form], not wish.plain_cells, wish.references)
    return jobs().add(version.operand, order, wish.text, wish.definition, who.name(), request)


def saw_ordered(number: int, version: Version) -> None:
    about(export=number, cohort=version.cohort_id, number=version.number)
    saw_numbers(version.numbers)


def files(job: Job) -> list[str]:
    """By their paths below the folder of the export; none of one that was asked for elsewhere, or is not done."""
    folder = job.output.parent
    if job.state != DONE or folder.parent != _folder():
        return []
    own = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in own if not any(name.startswith(".") for name in path.parts))


def sent(job: Job, name: str) -> Response:
    """A file of an export that is done.

    Raises:
        NotFound: it has none of that name.
    """
    if name not in files(job):
        raise NotFound
    about(file=name)
    # Of one that was forgotten since, the entry of who had it written tells whose data are in it.
    if isinstance(job.of, Operand) and (version := still_kept(job.of)):
        saw_numbers(version.numbers)
    return send_from_directory(job.output.parent, name, as_attachment=True)


def _folder() -> Path:
    return exports_folder(services().settings)
