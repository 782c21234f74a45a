"""What has changed between two versions of a cohort, or since the newest."""

from __future__ import annotations

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.console import command, out, say
from aspectra.terminal import add_row, json_line, line
from ingest.cohorts.finding import difference
from ingest.cohorts.plain import Listing, changes_json
from search_stack.cohorts.changes import Changes, circumstances, need_in_order
from search_stack.cohorts.rows import Ints
from search_stack.cohorts.version import Found, Version
from search_stack.core.cohort_names import referred
from search_stack.core.errors import AspectraError

LISTED = 20
"""Patients of each kind that are listed for a person."""


@click.command()
@click.argument("versions", nargs=-1, required=True, metavar="NAME [FROM] [TO] | A@1 A@2")
@click.option("--all", "everyone", is_flag=True, help=f"List every patient, not the first {LISTED} of each kind.")
@JSON
@command
def diff(versions: tuple[str, ...], everyone: bool, as_json: bool) -> None:
    """Tell which patients are new, gone or in by other evidence, and why: from one version to a later one, or with
    one version, or none, to what its query finds now."""
    place = Place.here()
    name, numbers = asked(versions)
    old = place.store.version(name, numbers[0] if numbers else None)
    new: Found = place.store.version(name, numbers[1]) if len(numbers) > 1 else place.finder.again(old)
    if isinstance(new, Version):
        need_in_order(old, new)
    found = difference(old, new, place.ledger)
    if as_json:
        click.echo(json_line(changes_json(old, new, found, place.ledger.people)))
    else:
        _print(old, new, found, Listing(place.ledger.people, found), None if everyone else LISTED)


def asked(versions: tuple[str, ...]) -> tuple[str, list[int]]:
    """The cohort and the numbers of up to two versions that the arguments name.

    >>> asked(("copd", "1", "3")), asked(("copd@1", "copd@3")), asked(("copd",))
    (('copd', [1, 3]), ('copd', [1, 3]), ('copd', []))

    Raises:
        AspectraError: they name no versions of one cohort.
    """
    name, first = referred(versions[0])
    numbers = [] if first is None else [first]
    for text in versions[1:]:
        other, number = referred(text if "@" in text else f"{name}@{text}")
        if other.lower() != name.lower():
            raise AspectraError(
                "These are versions of two cohorts.", f"Compare them: aspectra cohort compare {versions[0]} {text}"
            )
        numbers += [] if number is None else [number]
    if len(numbers) > 2:
        raise AspectraError("More than two versions are named.", "Write it as: aspectra cohort diff NAME 1 2")
    return name, numbers


def _print(old: Version, new: Found, found: Changes, listing: Listing, most: int | None) -> None:
    to = new.name if isinstance(new, Version) else "now"
    say(f"From {line(old.name)} to {line(to)}: {len(old.patients):,} patients, then {len(new.patients):,}.")
    if told := circumstances(old, new):
        say(f"Other than before: {', '.join(told)}.")
    if found.none:
        say("Nothing has changed: the same patients, by the same evidence.")
        return
    for kind, patients in (("new", found.new), ("gone", found.gone), ("changed", found.changed)):
        reasons = ", ".join(f"{why} {n:,}" for why, n in found.reasons(patients).items())
        say(f"{len(patients):,} {kind}" + (f": {reasons}" if reasons else ""))
    for kind, patients in (("new", found.new), ("gone", found.gone), ("changed", found.changed)):
        _print_patients(kind, patients, listing, most)


def _print_patients(kind: str, patients: Ints, listing: Listing, most: int | None) -> None:
    if not len(patients):
        return
    table = Table(kind, "evidence", "day", "note", "because of", box=None, pad_edge=False)
    for one in listing.of(patients[:most]):
        for row in one["evidence"] or [{"moved": "", "day": "", "note": "", "key": None, "why": ""}]:
            note = row["note"] or (f"deleted note {row['key']}" if row["key"] else "")
            add_row(table, one["patient"] or "", row["moved"], row["day"] or "no date", note, row["why"])
    out.print(table)
    if most is not None and len(patients) > most:
        say(f"and {len(patients) - most:,} more: --all lists them")


COMMANDS = (diff,)
