"""How the installation does, for who runs it: numbers, kinds and names of collections; no text, no id of anybody."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request

from ingest.work.dispatch import make_queue
from search_stack.core.errors import AspectraError
from ui.admin_filters import Filters
from ui.administration_page import ALL, page, runs_of
from ui.seen import about
from ui.services import whole
from ui.wording import counted

blueprint = Blueprint("administration", __name__)


@blueprint.get("/admin")
def show() -> str | tuple[str, int]:
    try:
        return _page(filters=Filters.read(request.args))
    except AspectraError as e:
        return _page(problem=f"{e.message} {e.remedy}"), 400


@blueprint.get("/admin/runs")
def runs() -> Response:
    """How far the runs are that go on, for the script that asks again and again."""
    wanted = Filters.read(request.args).runs
    going = [row for row in runs_of(whole().ledger.engine, whole().settings, wanted) if row.goes_on]
    told = [{"number": row.progress.run.number, "percent": row.percent, "words": row.words} for row in going]
    return jsonify({"over": not going, "runs": told})


@blueprint.post("/admin/failed")
def again() -> str:
    """Give the failed notes of a collection another set of attempts."""
    collection = request.form.get("collection", "")
    # Who runs the installation states no purpose: within none, no note would be found to have failed.
    number = make_queue(whole().ledger, whole().settings).retry_failed(collection)
    about(what="try again", number=number)
    if not number:  # the name may be anything
        return _page("No note of that collection has failed.")
    about(collection=collection)
    tried = "is" if number == 1 else "are"
    return _page(f"{counted(number, 'note')} of {collection} {tried} tried again.")


def _page(said: str = "", problem: str = "", filters: Filters = ALL) -> str:
    return render_template("administration.html", page=page(whole(), said, problem, filters))
