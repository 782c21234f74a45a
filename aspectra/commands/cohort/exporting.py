"""A cohort handed over, with its evidence, in the formats that others read."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.commands.cohort.running import UNIT, tree_of
from aspectra.console import command, out, say, stage_bars, warn
from aspectra.terminal import add_row, json_line, line
from ingest.cohorts.words import moment, origin_words
from ingest.handover.ageing import exports_folder, remove_old
from ingest.handover.export import FORMS, Form, Order, Written, check, export
from ingest.handover.jobs import Job, Query, job_json
from ingest.handover.preparing import cover, gathering
from ingest.ledger.ledger import now
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Found, Operand, Version
from search_stack.core.account import present_user
from search_stack.core.cohort_names import is_reference
from search_stack.core.errors import AspectraError
from search_stack.query.tree_json import from_json, to_json
from search_stack.query.write import readable


@click.command(name="export")
@click.argument("what", nargs=-1, required=True, metavar="NAME[@VERSION] | QUERY")
@click.option(
    "--format", "form", type=click.Choice(FORMS), required=True, help="OMOP makes a folder, the others a file."
)
@click.option("--output", type=click.Path(path_type=Path), required=True, help="Where it is written.")
@click.option("--text/--no-text", default=True, help="Write words of notes, or their offsets only.")
@UNIT
@click.option("--plain-cells", is_flag=True, help="In CSV: leave alone what a spreadsheet would take for a formula.")
@click.option("--references", is_flag=True, help="In FHIR: refer to patients as Patient/ID besides, where they can be.")
@click.option("--definition-id", type=click.IntRange(1, 2**31 - 1), help="In OMOP: the cohort's number.")
@click.option("--resume", is_flag=True, help="Go on with an export that was interrupted.")
@click.option("--force", is_flag=True, help="Replace what is there; begin anew what was interrupted.")
@click.option("--background", is_flag=True, help="Have the worker write it: see aspectra cohort exports.")
@JSON
@command
def export_cohort(
    what: tuple[str, ...],
    form: str,
    output: Path,
    text: bool,
    unit: str,
    plain_cells: bool,
    references: bool,
    definition_id: int | None,
    resume: bool,
    force: bool,
    background: bool,
    as_json: bool,
) -> None:
    """Write patients and evidence of a kept version, or of QUERY, a line or a tree in JSON, run now."""
    order = Order(cast(Form, form), output.absolute(), not plain_cells, references, force, resume)
    check(order)
    place = Place.here()
    if background:
        if resume:
            raise AspectraError("The worker goes on by itself.", "Leave --resume out.")
        of = _named(" ".join(what), place, cast(Unit, unit))
        number = place.jobs.add(of, order, text, definition_id, present_user())
        if as_json:
            click.echo(json_line({"export": number}))
        else:
            say(f"The worker writes it as export {number}: aspectra cohort exports")
        return
    found = _found(" ".join(what), place, cast(Unit, unit))
    if not as_json:
        name = found.name if isinstance(found, Version) else "A query, run now"
        say(f"{line(name)}: {line(origin_words(found.origin))}")
    sheet = cover(found, place.store, place.searcher, form, present_user(), now(), text, definition_id)
    rows = gathering(found, place.store, place.searcher, place.ledger, text)
    try:
        with stage_bars() as progress:
            done = export(order, sheet, rows, progress)
    except BaseException:
        if order.begun:
            warn("What was gathered is kept: the same command with --resume goes on.")
        raise
    if as_json:
        click.echo(json_line(done.json()))
    else:
        _print(done)


def _found(what: str, place: Place, unit: Unit) -> Found:
    """A kept version where ``what`` names one; else what it asks for."""
    if is_reference(what, [c.name for c in place.store.cohorts()]):
        return place.version(what)
    node, told = tree_of(what, place.searcher)
    return place.finder.find(node, unit, what if told else "")


def _named(what: str, place: Place, unit: Unit) -> Operand | Query:
    """What `_found` would find, to be found later."""
    if is_reference(what, [c.name for c in place.store.cohorts()]):
        return place.version(what).operand
    node, told = tree_of(what, place.searcher)
    return Query(to_json(place.searcher.plan(node).node), what if told else "", unit)


@click.command(name="exports")
@click.option(
    "--remove-older",
    "days",
    type=click.IntRange(1),
    help="Remove the files of those of page and API, of every purpose, that ended so many days ago.",
)
@JSON
@command
def list_exports(days: int | None, as_json: bool) -> None:
    """List the exports that the worker writes or has written, the newest first."""
    place = Place.here()
    if days:
        before = now() - timedelta(days=days)
        removed = remove_old(place.ledger.engine, exports_folder(place.settings), before)
        say(f"The files of {len(removed):,} {'export' if len(removed) == 1 else 'exports'} were removed.")
        return
    jobs = place.jobs.all()
    if as_json:
        click.echo(json_line([_job_json(job) for job in jobs]))
        return
    if not jobs:
        say("No export was given to the worker: aspectra cohort export … --background")
        return
    table = Table("export", "of", "format", "state", "progress", "asked", "by", "output", box=None, pad_edge=False)
    for job in jobs:
        progress = f"{job.done:,} of {job.total:,} {job.stage}" if job.total else ""
        add_row(table, str(job.id), _of(job), job.form, job.state, progress, moment(job.made), job.by, str(job.output))
    out.print(table)
    for job in jobs:
        if job.problem:
            say(f"Export {job.id}: {line(job.problem)}")


def _of(job: Job) -> str:
    return job.of.name if isinstance(job.of, Operand) else readable(from_json(job.of.tree))


def _job_json(job: Job) -> dict[str, Any]:
    of = job.of.name if isinstance(job.of, Operand) else {"query": job.of.tree, "line": job.of.line}
    return {**job_json(job), "of": of, "output": str(job.output)}


def _print(done: Written) -> None:
    say(f"{done.patients:,} patients, {done.counts['rows']:,} rows of evidence:")
    for path in done.files:
        say(f"  {line(str(path))}")
    for remark in done.remarks:
        say(remark)


COMMANDS = (export_cohort, list_exports)
