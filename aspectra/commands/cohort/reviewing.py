"""How far the review of a kept cohort is, and how its reviewers agree."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.console import command, out, say
from aspectra.terminal import add_row, json_line, line
from ingest.review.store import Reviews
from search_stack.review.agreement import Agreement, agreements
from search_stack.review.decisions import disagreements
from search_stack.review.queue import progress


@click.command()
@click.argument("cohort", metavar="NAME")
@JSON
@command
def review(cohort: str, as_json: bool) -> None:
    """Show how far the review of a cohort is: decisions by reviewer, Cohen's kappa, what is left to settle.

    Patients are reviewed on the page, under /cohorts/ID/review.
    """
    place = Place.here()
    version = place.ledger.people.as_counted(place.version(cohort))
    reviews = Reviews(place.ledger.engine, version.cohort_id)
    standing, final = reviews.standing(), reviews.final()
    everybody = progress(standing, version)
    pairs = list(agreements(standing))
    disputed = [patient for patient in disagreements(standing) if patient in version.patients]
    waiting = [patient for patient in disputed if patient not in final]
    if as_json:
        told = {"cohort": version.cohort, "id": version.cohort_id, "version": version.number}
        counts = {"patients": len(version.patients), "disputed": len(disputed), "unsettled": len(waiting)}
        people = [asdict(one) for one in everybody]
        click.echo(json_line({**told, **counts, "reviewers": people, "agreement": [_pair(one) for one in pairs]}))
        return
    say(f"{line(version.name)}: {len(version.patients):,} patients, reviewed under /cohorts/{version.cohort_id}/review")
    if not everybody:
        say("Nobody has decided yet.")
        return
    table = Table("reviewer", "decided", "include", "exclude", "doubt", "evidence changed", box=None, pad_edge=False)
    for one in everybody:
        said = (str(n) for n in (one.include, one.exclude, one.doubt, one.changed))
        add_row(table, one.reviewer, f"{one.decided} of {one.total}", *said)
    out.print(table)
    for pair in pairs:
        k = pair.kappa
        kappa = f"kappa {k.value:.2f} ({k.low:.2f} to {k.high:.2f}, 95 %)" if k else "kappa cannot be told"
        say(f"{line(pair.first)} and {line(pair.second)}: {pair.agreed} of {pair.patients} alike, {kappa}.")
    if disputed:
        say(f"Patients with two verdicts: {len(disputed)}, not settled: {len(waiting)}.")


def _pair(one: Agreement) -> dict[str, object]:
    counts = {"patients": one.patients, "agreed": one.agreed, "counts": one.counts}
    return {"first": one.first, "second": one.second, **counts, "kappa": asdict(one.kappa) if one.kappa else None}


COMMANDS = (review,)
