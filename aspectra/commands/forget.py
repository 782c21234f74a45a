"""Forget one patient: all that there is of them here, and what cannot be reached."""

from __future__ import annotations

import sys

import click

from access.audit.entry import Action, Entry
from access.audit.trail import Trail, commander
from aspectra.console import command, say, settings, warn
from aspectra.terminal import line
from ingest.ledger import Ledger
from ingest.ledger.forgetting import Forgetting, Held
from ingest.work.removal import forget as take_out
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError

NOT_REACHED = (
    "Not reached: backups, exports and other files that were written before, and files of rejects, which may name its "
    "notes; the audit trail, which tells of ids; free pages of the database and segments of the engine until they are "
    "overwritten. A later ingest that brings the patient takes it in anew: take it out of the source first."
)


@click.command()
@click.option("--patient", "patient_id", required=True, help="The patient's id, as the source has it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
def forget(patient_id: str, yes: bool) -> None:
    """Delete all that there is of one patient: notes, structured facts, sex and dates, the id itself, and what
    reviewers said of the patient, from the index and from the ledger.

    Where the id was merged with others, all of the person. It can be stopped: the same command goes on.
    """
    config = settings()
    ledger = Ledger.from_settings(config)
    forgetting = Forgetting(ledger.engine)
    held = forgetting.held(patient_id)
    if held is None:
        raise AspectraError("No patient has that id.", "Check the id.")
    client = connect(config)
    if not yes and sys.stdin.isatty():
        merged = f", which {len(held.ids)} ids count as ({line(', '.join(held.ids))})" if len(held.ids) > 1 else ""
        click.confirm(f"Forget patient {line(held.ids[0])}{merged}: {_said(held)}? It cannot be undone.", abort=True)
    about: dict[str, str | int] = {
        "what": "forget",
        "notes": held.notes,
        "facts": held.facts,
        "decisions": held.decisions,
    }
    Trail.from_settings(config, ledger).add(Entry(commander(), Action.FORGET, patients=held.ids, about=about))
    (counting, naming), files = forgetting.versions(held), forgetting.exports(held)
    whole = take_out(held, ledger, client, config)
    say(f"Forgotten: {_said(held)}, and what else was known of the patient.")
    if counting:
        say(f"Kept versions count the patient still, by a number that is nobody's: {line(', '.join(counting))}.")
    if naming:
        say(f"Kept versions whose query names the id, to be deleted with their cohort: {line(', '.join(naming))}.")
    if files:
        say(f"Exports that may hold the patient, to be removed: {line(', '.join(files))}.")
    say(NOT_REACHED)
    if not whole:
        warn("Notes or facts of the patient came in meanwhile, and stay: take them out of the source, run this again.")
        sys.exit(1)


def _said(held: Held) -> str:
    return f"{held.notes:,} notes, {held.facts:,} facts, {held.decisions:,} words of reviewers"


COMMANDS = (forget,)
