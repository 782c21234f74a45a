"""Make training pairs of notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from rich.progress import Progress

from aspectra.console import command, counting_bar, say, settings
from aspectra.note_texts import given_notes, notes_of, write_pairs
from ingest.ledger import Ledger
from ingest.readers import AUTO, CHOICES, Rejected, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.halves import HALVES, Half, half_of
from search_stack.core.schema import Note
from search_stack.evaluation.datasets import asked as asked_lines
from search_stack.evaluation.datasets.mining import as_data, mine_findings
from search_stack.evaluation.datasets.mining import mine as mined
from search_stack.language.labeller import load_labeller


@dataclass(slots=True)
class _Rejected:
    """A damaged file may have millions: one is shown, the others are counted."""

    count: int = 0
    first: Rejected | None = None


@click.command()
@click.argument("path", type=click.Path(), required=False)
@click.option("--format", type=click.Choice(CHOICES), default=AUTO, help="What PATH holds.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File to write, for aspectra train --data.")
@click.option(
    "--asked",
    type=click.Path(path_type=Path),
    help="Instead: tab-separated lines that people asked, with note, begin and end of the passage that answers each, "
    "or how well, by grade. PATH then holds the notes as JSON lines of id and text, or is the folder of the shared "
    "data.",
)
@click.option("--findings", is_flag=True, help="Instead: each finding, present and absent, asks for what says so.")
@click.option("--half", type=click.Choice(HALVES), help="Read only this half of the notes, drawn by their ids.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many notes only.")
@command
def mine(
    path: str | None,
    format: str,
    out: Path,
    asked: Path | None,
    findings: bool,
    half: Half | None,
    limit: int | None,
) -> None:
    """Make pairs of query and passage from the notes at PATH, or without PATH from those in the ledger: what a
    section is about and its heading are the query, its text is the answer.

    The file holds the notes' text: keep it where the notes may be kept.
    """
    config = settings()
    if asked:
        if findings or half or limit:
            raise AspectraError("--asked goes with none of --findings, --half and --limit.", "Leave them out.")
        notes = given_notes(Path(path)) if path else notes_of(Ledger.from_settings(config))
        _write_asked(asked, notes, out)
        return
    labeller = load_labeller(config.lexicon_folder, config.mentions)
    rejected = _Rejected()
    given = _of_file(path, format, rejected) if path else notes_of(Ledger.from_settings(config))
    read = 0

    def counted() -> Iterator[Note]:
        nonlocal read
        for note in given:
            if limit and read >= limit:
                return
            if half and half_of(note.note_id) != half:
                continue
            read += 1
            bar.update(task, completed=read)
            yield note

    with counting_bar() as bar:
        task = bar.add_task("notes read", total=limit)
        found = list((mine_findings if findings else mined)(counted(), labeller))
    data = as_data(found, out.stem)
    if not data["queries"]:
        raise AspectraError(
            f"{read:,} notes, and no headed section in them names a concept of the lexicon.",
            "Check the notes, or bring a lexicon: aspectra vocab import FILE",
        )
    write_pairs(data, out)
    say(f"{out}: {len(data['queries']):,} queries of {len(found):,} notes; {read:,} were read.")
    if first := rejected.first:
        where = ":".join(filter(None, (first.source, str(first.line or ""), first.field)))
        say(f"{rejected.count:,} records could not be read, the first at {where}: {first.reason}")


def _write_asked(file: Path, notes: Iterable[Note], out: Path) -> None:
    lines = asked_lines.load(file)
    wanted = {line.note for line in lines}
    with Progress(transient=True) as bar:
        read = {n.note_id: n for n in bar.track(notes, description="notes read") if n.note_id in wanted}
    data = asked_lines.pairs(lines, read, out.stem)
    write_pairs(data, out)
    say(f"{out}: {len(data['queries']):,} queries of {len(data['documents']):,} notes.")


def _of_file(path: str, format: str, rejected: _Rejected) -> Iterator[Note]:
    for record in open_source(path, format):
        if isinstance(record.item, Rejected):
            rejected.count += 1
            rejected.first = rejected.first or record.item
        elif isinstance(record.item, Note):
            yield record.item


COMMANDS = (mine,)
