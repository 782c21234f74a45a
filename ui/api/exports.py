"""Cohorts handed over: written by the worker into a folder of the data folder, told by number, fetched file by file."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Response, make_response, send_from_directory, url_for
from pydantic import BaseModel, Field
from werkzeug.exceptions import NotFound

from ingest.cohorts.records import Request
from ingest.handover.export import Form, Order
from ingest.handover.jobs import Job, Jobs, job_json
from search_stack.cohorts.rows import NONE
from search_stack.cohorts.version import Operand
from search_stack.core.errors import NotKept
from ui import who
from ui.api import answers
from ui.api.blueprints import part
from ui.api.cohorts import referred, store
from ui.api.once import Idempotent
from ui.api.shapes import GREATEST, From, Reference
from ui.seen import about, saw_numbers
from ui.services import services

blueprint = part("exports", "Cohorts handed over with their evidence, written in the background.", 400, 404)
CALLED: dict[Form, str] = {
    "csv": "cohort.csv",
    "json": "cohort.jsonl",
    "parquet": "cohort.parquet",
    "omop": "omop",
    "fhir": "cohort.json",
}
"""What the output is called, by format."""


class Exported(BaseModel):
    number: int = Field(ge=1, le=GREATEST, description="Of the export.")


class ExportedFile(Exported):
    name: str = Field(max_length=255, description="Of a file of it.")


class NewExport(Reference):
    """A version of a kept cohort, and how it is written."""

    format: Form
    text: bool = Field(True, description="Whether words of notes are in it, or their offsets only.")
    plain_cells: bool = Field(False, description="In CSV: leave alone what a spreadsheet would take for a formula.")
    references: bool = Field(False, description="In FHIR: refer to patients as Patient/ID besides, where they can be.")
    definition: int | None = Field(None, ge=1, le=2**31 - 1, description="In OMOP: the number of the cohort.")


@blueprint.post("/exports", responses={201: answers.Export})
def add(header: Idempotent, body: NewExport) -> Response:
    """Have a version written by the worker."""
    request = header.request()
    earlier = jobs().asked_by(request) if request else None
    number = earlier or _ordered(body, request)
    version = referred(body)
    about(export=number, cohort=version.cohort_id, number=version.number)
    saw_numbers(version.numbers)
    response = make_response(_plain(jobs().job(number)), 201)
    response.location = url_for("api_exports.one", number=number)
    if earlier:
        response.headers["Idempotent-Replayed"] = "true"
    return response


@blueprint.get("/exports", responses={200: answers.ExportPage})
def several(query: From) -> dict[str, Any]:
    """All exports that the worker was given, in order of number."""
    found = jobs().page(query.after, query.limit)
    return {"items": [_plain(j) for j in found], "next": found[-1].id if len(found) == query.limit else None}


@blueprint.get("/exports/<int:number>", responses={200: answers.Export})
def one(path: Exported) -> dict[str, Any]:
    """How far an export is, and once it is done, its files."""
    return _plain(jobs().job(path.number))


@blueprint.get("/exports/<int:number>/files/<path:name>", responses={200: answers.FILE})
def file(path: ExportedFile) -> Response:
    """A file of an export that is done."""
    job = jobs().job(path.number)
    if path.name not in _files(job):
        raise NotFound
    about(file=path.name)
    if isinstance(job.of, Operand):
        with suppress(NotKept):  # forgotten since: whose data are in it, tells the entry of who had it written
            version = store().version(job.of.cohort, job.of.number)
            saw_numbers(version.numbers if version.id == job.of.id else NONE.patient)
    return send_from_directory(job.output.parent, path.name, as_attachment=True)


def _ordered(body: NewExport, request: Request | None) -> int:
    """The number of a new export, its folder made beside those of the others."""
    of = referred(body).operand
    folder = _exports() / secrets.token_hex(16)
    folder.mkdir(parents=True, mode=0o700)
    order = Order(body.format, folder / CALLED[body.format], not body.plain_cells, body.references)
    return jobs().add(of, order, body.text, body.definition, who.name(), request)


def jobs() -> Jobs:
    return Jobs.of(services().ledger)


def _exports() -> Path:
    return services().settings.data_dir.absolute() / "exports"


def _files(job: Job) -> list[str]:
    """By their paths below the folder of the export; none of one that was asked for elsewhere, or is not done."""
    folder = job.output.parent
    if job.state != "done" or folder.parent != _exports():
        return []
    own = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(str(path) for path in own if not any(name.startswith(".") for name in path.parts))


def _plain(job: Job) -> dict[str, Any]:
    of = {"name": job.of.cohort, "version": job.of.number} if isinstance(job.of, Operand) else None
    return {**job_json(job), "of": of, "files": _files(job)}
