"""Make training pairs of notes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from aspectra.console import command, counting_bar, say, settings
from ingest.labelling import Labeller
from ingest.ledger import Ledger
from ingest.mining import mine as mined
from ingest.mining import mine_findings
from ingest.readers import FORMATS, Rejected, open_collection
from search_stack.errors import AspectraError
from search_stack.halves import HALVES, Half, half_of
from search_stack.lexicon.load import load_lexicon
from search_stack.schema import Note

AT_ONCE = 200


@dataclass(slots=True)
class _Rejected:
    """A damaged file may have millions: one is shown, the others are counted."""

    count: int = 0
    first: Rejected | None = None


@click.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--format", type=click.Choice(["auto", *FORMATS]), default="auto", help="What PATH holds.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File to write, for aspectra train --data.")
@click.option("--findings", is_flag=True, help="Instead: each finding, present and absent, asks for what says so.")
@click.option("--half", type=click.Choice(HALVES), help="Read only this half of the notes, drawn by their ids.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many notes only.")
@command
def mine(path: Path | None, format: str, out: Path, findings: bool, half: Half | None, limit: int | None) -> None:
    """Make pairs of query and passage from the notes at PATH, or without PATH from those in the ledger: what a
    section is about and its heading are the query, its text is the answer.

    The file holds the notes' text: keep it where the notes may be kept.
    """
    config = settings()
    labeller = Labeller(load_lexicon(config.lexicon_folder))
    rejected = _Rejected()
    notes = _of_file(path, format, rejected) if path else _of_ledger(Ledger.from_settings(config))
    read = 0

    def counted() -> Iterator[Note]:
        nonlocal read
        for note in notes:
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
    queries = [q for one in found for q in one.queries]
    if not queries:
        raise AspectraError(
            f"{read:,} notes, and no headed section in them names a concept of the lexicon.",
            "Check the notes, or bring a lexicon: aspectra vocab import FILE",
        )
    data = {"name": out.stem, "documents": [one.document for one in found], "queries": queries}
    _write(out, json.dumps(data, ensure_ascii=False))
    say(f"{out}: {len(queries):,} queries of {len(found):,} notes; {read:,} were read.")
    if first := rejected.first:
        where = ":".join(filter(None, (first.source, str(first.line or ""), first.field)))
        say(f"{rejected.count:,} records could not be read, the first at {where}: {first.reason}")


def _of_file(path: Path, format: str, rejected: _Rejected) -> Iterator[Note]:
    for record in open_collection(path, format):
        if isinstance(record.item, Rejected):
            rejected.count += 1
            rejected.first = rejected.first or record.item
        else:
            yield record.item


def _of_ledger(ledger: Ledger) -> Iterator[Note]:
    key = 0
    while stored := ledger.after(key, AT_ONCE):
        for one in stored:
            yield one.note
        key = stored[-1].key


def _write(out: Path, text: str) -> None:
    """Whole or not at all, and for its owner alone."""
    fresh = out.with_name(f".{out.name}.part")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        fresh.replace(out)
    except OSError as e:
        fresh.unlink(missing_ok=True)
        raise AspectraError(f"{out}: cannot be written ({e.strerror}).", "Choose another --out.") from e


COMMANDS = (mine,)
