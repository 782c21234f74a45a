"""Cohorts handed over from the page: ordered, followed, fetched. A worker writes them."""

from __future__ import annotations

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ingest.cohorts.records import Cohort
from ingest.handover.export import FORMS
from ingest.handover.jobs import Job
from search_stack.cohorts.version import Operand, Version
from ui import kept
from ui.cohort_head import head, url_of
from ui.export_page import AskPage, ExportPage, is_over, job_row, percent, size, words
from ui.forms import whole_number
from ui.frame import frame
from ui.handover import Wish, files, jobs, ordered, saw_ordered, sent
from ui.kept import GREATEST, LAST_VERSION, still_kept

blueprint = Blueprint("exporting", __name__)
WHOLE = "Write the number of the definition as a whole number above 0."


@blueprint.get("/cohorts/<int:cohort>/versions/<int:number>/export")
def ask(cohort: int, number: int) -> str:
    return _ask(kept.version(cohort, number))


@blueprint.post("/cohorts/<int:cohort>/versions/<int:number>/export")
def order(cohort: int, number: int) -> str | tuple[str, int] | Response:
    version, wish = kept.version(cohort, number), _wish()
    if wish is None:
        return _ask(version, f"Choose a format. {WHOLE}"), 400
    export = ordered(version, wish)
    saw_ordered(export, version)
    return redirect(url_for("exporting.show", export=export), 303)


@blueprint.get("/exports/<int:export>")
def show(export: int) -> str:
    job = _job(export)
    of = still_kept(job.of) if isinstance(job.of, Operand) else None
    told = []
    for name in files(job):
        url = url_for("exporting.file", export=job.id, name=name)
        told.append((name, url, size((job.output.parent / name).stat().st_size)))
    page = ExportPage(
        frame=frame(),
        row=job_row(job),
        back=url_of(of) if of else "",
        over=is_over(job),
        failed=is_over(job) and bool(job.problem),
        problem=job.problem,
        percent=percent(job),
        state=url_for("exporting.state", export=job.id),
        files=tuple(told),
    )
    return render_template("export.html", page=page)


@blueprint.get("/exports/<int:export>/state")
def state(export: int) -> Response:
    """How far it is, for the script that asks again and again."""
    job = _job(export)
    return jsonify({"over": is_over(job), "percent": percent(job), "words": words(job)})


@blueprint.get("/exports/<int:export>/files/<path:name>")
def file(export: int, name: str) -> Response:
    return sent(_job(export), name)


def _ask(version: Version, problem: str = "") -> str:
    cohort = kept.cohort(version.cohort_id)
    own = (job for job in jobs().all() if _is_of(job, cohort))
    page = AskPage(frame(), head(cohort, version, "Export"), tuple(map(job_row, own)), problem)
    return render_template("cohort_export.html", page=page)


def _is_of(job: Job, cohort: Cohort) -> bool:
    """Not of another that had the name before."""
    return isinstance(job.of, Operand) and job.of.cohort == cohort.name and job.made >= cohort.made


def _job(number: int) -> Job:
    return jobs().job(min(number, GREATEST))


def _wish() -> Wish | None:
    """None where the form says what cannot be."""
    form = request.form.get("format", "")
    definition = request.form.get("definition", "").strip() if form == "omop" else ""  # hidden beside the others
    number = whole_number(definition, LAST_VERSION)
    if form not in FORMS or (definition and not number):
        return None
    return Wish(
        form,
        text="text" in request.form,
        plain_cells="plain_cells" in request.form,
        references="references" in request.form,
        definition=number,
    )
