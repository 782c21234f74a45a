"""Measure a kept cohort by what its reviewers decided, or the ranking by passages that were judged."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import PURPOSE, Place
from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.judged_passages import measure
from aspectra.console import command, out, say, write_figures
from aspectra.terminal import add_row, line
from ingest.review.store import Reviews
from search_stack.core.errors import NotPossible
from search_stack.evaluation import trec
from search_stack.evaluation.datasets.judgments import PARTS, Part
from search_stack.review.decisions import outcomes
from search_stack.review.precision import Precision, Share, criteria_of, precision, qrels


@click.command()
@click.argument("what", metavar="NAME[@VERSION] | FILE")
@click.option("--part", type=click.Choice(PARTS), help="Of FILE: the queries to tune on, or those to measure on.")
@click.option(
    "--qrels",
    "qrels_file",
    type=click.Path(path_type=Path),
    help="Write the judgements in TREC's format: NAME with patients by number, NAME/1, NAME/2, … with the places "
    "judged for each criterion.",
)
@options.figures()
@PURPOSE
@command
def judgments(what: str, part: Part | None, qrels_file: Path | None, json_file: Path | None) -> None:
    """Of a kept cohort: the precision of its query, of each criterion and of each assertion, by its review. A patient
    counts with the verdict that all reviewers gave or that was adjudicated.

    Of a FILE of judged passages (aspectra judge; docs/judging.md): how well the notes that are here are ranked for its
    queries, beside BM25.
    """
    if Path(what).is_file():
        measure(Path(what), part, json_file)
    else:
        _of_cohort(what, qrels_file, json_file)


def _of_cohort(cohort: str, qrels_file: Path | None, json_file: Path | None) -> None:
    place = Place.here()
    version = place.ledger.people.as_counted(place.version(cohort))
    reviews = Reviews(place.ledger.engine, version.cohort_id)
    marks, held = reviews.marks(), outcomes(reviews.standing(), reviews.final())
    found = precision(held, marks, frozenset(version.patients))
    if found.query is None and not found.criteria:
        raise NotPossible(
            f"Nothing is judged of {version.name} yet.",
            f"Review it on the page: /cohorts/{version.cohort_id}/review. Doubt and unsettled verdicts do not count.",
        )
    table = Table("of", "precision", "95 %", "right", "judged", "patients", box=None, pad_edge=False)
    if found.query:
        _row(table, "the query", found.query)
    for name, share in found.criteria.items():
        _row(table, f"criterion: {name}", share)
    for name, share in found.assertions.items():
        _row(table, f"assertion: {name}", share)
    out.print(table)
    if left_out := _left_out(found):
        say(left_out)
    write_figures(json_file, _figures(version.name, len(version.patients), found, criteria_of(marks)))
    if qrels_file:
        trec.write_qrels(qrels_file, qrels(version.cohort, held, marks))
        say(f"{line(str(qrels_file))}: relevance judgements.")


def _row(table: Table, name: str, share: Share) -> None:
    ends = f"{share.low:.3f} to {share.high:.3f}"
    add_row(table, name, f"{share.value:.3f}", ends, str(share.right), str(share.judged), str(share.patients))


def _left_out(found: Precision) -> str:
    told = (
        (found.doubtful, "in doubt"),
        (found.disputed, "with two verdicts that nobody has settled"),
        (found.elsewhere, "not in this version"),
    )
    patients = ", ".join(f"{number} {what}" for number, what in told if number)
    said = [f"Patients left out: {patients}." if patients else ""]
    if found.disputed_items:
        said.append(f"Evidence left out that one reviewer calls right and another wrong: {found.disputed_items}.")
    return " ".join(said).strip()


def _figures(name: str, patients: int, found: Precision, criteria: tuple[str, ...]) -> dict[str, object]:
    query = found.query.json() if found.query else None
    numbers = {criterion: number for number, criterion in enumerate(criteria, 1)}
    left_out = {
        "doubtful": found.doubtful,
        "disputed": found.disputed,
        "elsewhere": found.elsewhere,
        "disputed_items": found.disputed_items,
    }
    return {
        "cohort": name,
        "patients": patients,
        "query": query,
        "criteria": {one: {**share.json(), "qrels": numbers[one]} for one, share in found.criteria.items()},
        "assertions": {one: share.json() for one, share in found.assertions.items()},
        "left_out": left_out,
    }


COMMANDS = (judgments,)
