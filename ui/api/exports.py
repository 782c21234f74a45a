"""Cohorts handed over: written by the worker into a folder of the data folder, told by number, fetched file by file."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, url_for
from pydantic import BaseModel, Field

from ingest.handover.export import Form
from ingest.handover.jobs import Job, job_json
from search_stack.cohorts.version import Operand
from ui.api import answers
from ui.api.blueprints import part
from ui.api.cohorts import referred
from ui.api.once import Idempotent
from ui.api.shapes import GREATEST, From, Reference, shown_by
from ui.handover import Wish, files, jobs, ordered, saw_ordered, sent

blueprint = part("exports", "Cohorts handed over with their evidence, written in the background.", 400, 404)


class Exported(BaseModel):
    number: int = Field(ge=1, le=GREATEST, description="Of the export.")


class ExportedFile(Exported):
    name: str = Field(max_length=255, description="Of a file of it.")


class NewExport(Reference):
    """A version of a kept cohort, and how it is written."""

    model_config = shown_by(cohort=1, format="csv", text=False)
    format: Form
    text: bool = Field(True, description="Whether words of notes are in it, or their offsets only.")
    plain_cells: bool = Field(False, description="In CSV: leave alone what a spreadsheet would take for a formula.")
    references: bool = Field(False, description="In FHIR: refer to patients as Patient/ID besides, where they can be.")
    definition: int | None = Field(None, ge=1, le=2**31 - 1, description="In OMOP: the number of the cohort.")

    @property
    def wish(self) -> Wish:
        return Wish(self.format, self.text, self.plain_cells, self.references, self.definition)


@blueprint.post("/exports", responses={201: answers.Export})
def add(header: Idempotent, body: NewExport) -> Response:
    """Have a version written by the worker."""
    request = header.request()
    earlier = jobs().asked_by(request) if request else None
    version = referred(body)
    number = earlier or ordered(version, body.wish, request)
    saw_ordered(number, version)
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
    return sent(jobs().job(path.number), path.name)


def _plain(job: Job) -> dict[str, Any]:
    of = {"name": job.of.cohort, "version": job.of.number} if isinstance(job.of, Operand) else None
    return {**job_json(job), "of": of, "files": files(job)}
