"""Bring notes in, list and replay those that failed, delete notes."""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from aspectra.console import command, counting_bar, err, out, say, settings, warn
from aspectra.stack import up
from aspectra.stack.services import is_running
from aspectra.terminal import add_row, line
from ingest.dispatch import Dispatcher, make_queue
from ingest.ledger import Ledger
from ingest.ledger.tables import FAILED, PENDING
from ingest.prepare_index import ensure_index
from ingest.readers import FORMATS, Collection, Mapping, load_mapping, mapping_of, open_collection
from ingest.rejects import Rejects, remove_old
from ingest.run import Stalled, Summary, summary, take_in, wait_until_indexed
from search_stack.client import connect, engine_errors
from search_stack.errors import AspectraError
from search_stack.index import Indexes
from search_stack.inference.bundle import load_bundle
from search_stack.settings import Settings

INCOMPLETE = 3
"""Exit code of a command that came to its end and could not take in all it was given."""
GIVE_UP = 600.0
"""Seconds without any note indexed after which waiting ends; the notes stay in the ledger."""


@click.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--format", type=click.Choice(["auto", *FORMATS]), default="auto", help="What PATH holds.")
@click.option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; repeat at will.")
@click.option("--mapping", type=click.Path(path_type=Path), help="TOML file with the columns.")
@click.option("--collection", help="Name of the collection; the file's own where not given.")
@click.option("--follow-links", is_flag=True, help="Read files that symbolic links in a folder lead to.")
@click.option("--wait/--no-wait", default=True, help="Wait until every note can be found.")
@click.option("--failed", "list_failed", is_flag=True, help="List the notes that were set aside as failed.")
@click.option("--retry", is_flag=True, help="Give the failed notes another set of attempts.")
@command
def ingest(
    path: Path | None,
    format: str,
    columns: tuple[str, ...],
    mapping: Path | None,
    collection: str | None,
    follow_links: bool,
    wait: bool,
    list_failed: bool,
    retry: bool,
) -> None:
    """Ingest the notes at PATH: a csv, jsonl or text file, gzipped or not, or a folder of text files.

    Ends with 0 where all went in but a few records, with 3 where more than 1 in 100 was rejected, a file
    seems cut off, or notes failed; with 1 on errors and with 130 where it was stopped.
    """
    config = settings()
    ledger = Ledger.from_settings(config)
    if list_failed:
        _list_failed(ledger)
        return
    if retry:
        count = make_queue(ledger, config).retry_failed()
        say(f"{count:,} failed notes are tried again.")
        if count and wait:
            with _stoppable(ledger):
                _wait(ledger, config)
            failed = ledger.counts()[FAILED]
            say(f"{failed:,} notes are failed now.")
            if failed:
                sys.exit(INCOMPLETE)
        return
    if path is None:
        raise AspectraError("No PATH is given.", "Name a file or a folder: aspectra ingest reports.csv")
    mapped = _mapping(columns, mapping)
    found = open_collection(path, format, mapped, collection, config.note_characters, follow_links)
    done = ingest_collection(found, ledger, config, wait)
    report(done, ledger, found.links)
    if done.loud:
        sys.exit(INCOMPLETE)


def _mapping(columns: tuple[str, ...], file: Path | None) -> Mapping | None:
    if file and columns:
        raise AspectraError("Both --mapping and --column are given.", "Keep one of them.")
    if file:
        return load_mapping(file)
    if not columns:
        return None
    options: dict[str, object] = {}
    for column in columns:
        name, equals, value = column.partition("=")
        if not equals:
            raise AspectraError(f"--column {column} names no column.", "Write it as --column note_id=REPORT_NO")
        before = options.get(name)
        options[name] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return mapping_of(options)


def _list_failed(ledger: Ledger) -> None:
    failed = ledger.failed()
    if not failed:
        say("No note has failed.")
        return
    table = Table("note", "collection", "attempts", "last error", box=None, pad_edge=False)
    for s in failed:
        add_row(table, s.note.note_id, s.note.collection, str(s.attempts), s.last_error)
    out.print(table)
    say(f"{len(failed):,} failed. Try them again: aspectra ingest --retry")


def ingest_collection(found: Collection, ledger: Ledger, config: Settings, wait: bool) -> Summary:
    """Take ``found`` in, and wait for the workers where asked to."""
    with _stoppable(ledger):
        return _ingest(found, ledger, config, wait)


def _ingest(found: Collection, ledger: Ledger, config: Settings, wait: bool) -> Summary:
    client = connect(config)
    ensure_index(client, config, load_bundle(config.encoder_bundle, "bi").manifest, ledger)
    failed_before = ledger.counts()[FAILED]
    run = ledger.start_run(str(found.path), found.format)
    folder = config.data_dir / "rejects"
    remove_old(folder, config.rejects_keep_days)
    rejects = Rejects(folder / f"run-{run}.jsonl", config.rejects_lines)
    dispatcher = Dispatcher(ledger, config)
    began = time.monotonic()
    with closing(rejects):
        with _bytes_bar() as bar:
            task = bar.add_task(f"reading {line(found.path.name)}", total=found.total_bytes)
            last = 0.0

            def chunk_done(read: int, totals: Counter[str]) -> None:
                nonlocal last
                bar.update(task, completed=read)
                if time.monotonic() - last > 1:
                    last = time.monotonic()
                    dispatcher.try_tick()

            totals = take_in(found, found.path.name, ledger, run, rejects, chunk_done)
        ledger.finish_run(run, {k: totals[k] for k in ("new", "unchanged", "changed", "rejected")})
        if wait:
            _wait(ledger, config, dispatcher)
            expected = ledger.expected_passages()
            with engine_errors(config):
                indexes = Indexes(client, config)
                indexes.refresh()
                if indexes.count() < expected:
                    say("The index lacks passages of notes that were indexed before. Build it anew: aspectra reindex")
    return summary(totals, ledger, failed_before, time.monotonic() - began, rejects)


@contextmanager
def _stoppable(ledger: Ledger) -> Iterator[None]:
    """Ctrl-C and a termination signal end the command with a word on what is left."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        waiting = ledger.counts()[PENDING]
        err.print(
            f"\nStopped. {waiting:,} notes wait in the ledger: a running worker goes on with them. "
            "The same command takes in the rest of the file."
        )
        sys.exit(130)
    finally:
        signal.signal(signal.SIGTERM, before)


def _bytes_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
    )


def _wait(ledger: Ledger, config: Settings, dispatcher: Dispatcher | None = None) -> None:
    total = ledger.counts()[PENDING]
    if not total:
        return
    with counting_bar() as bar:
        task = bar.add_task("indexing", total=total)

        def progress(counts: dict[str, int]) -> None:
            bar.update(task, completed=max(0, total - counts[PENDING]))

        wait_until_indexed(ledger, dispatcher or Dispatcher(ledger, config), progress, _Stall(config))


class _Stall:
    """Nothing moves: bring back what died on this machine, and say so; in the end give up."""

    def __init__(self, config: Settings) -> None:
        self._config = config
        self._looked = 0.0

    def __call__(self, seconds: float) -> None:
        if seconds > GIVE_UP:
            raise Stalled(
                f"No note was indexed for {GIVE_UP / 60:.0f} minutes; the notes are safe in the ledger.",
                "See `aspectra status`; then run the same command again.",
            )
        if seconds < 3 or time.monotonic() - self._looked < 5:
            return
        self._looked = time.monotonic()
        for name in ("engine", "broker", "worker"):
            if not is_running(self._config, name):
                say(f"{name} does not run; starting it.")
                up(self._config, [name], say)


def report(done: Summary, ledger: Ledger, links: int = 0) -> None:
    """The closing summary; where much is missing, its last line is on standard error."""
    say(
        f"{done.notes:,} notes: {done.new:,} new, {done.unchanged:,} unchanged, {done.changed:,} changed; "
        f"{done.rejected:,} rejected, {done.failed:,} failed."
    )
    say(f"{done.seconds:.1f} s, {done.notes_per_second:.1f} notes/s.")
    if done.lines_left_out:
        say(f"{done.lines:,} lines were read, and {done.lines_left_out:,} of them left out.")
    if links:
        say(f"{links:,} symbolic links were left out. --follow-links reads those that lead to files.")
    if done.rejects_file:
        say(f"What was rejected, line by line: {done.rejects_file}")
    if done.failed:
        say("What failed: aspectra ingest --failed")
    if waiting := ledger.counts()[PENDING]:
        say(f"{waiting:,} notes wait for a worker.")
    if done.loud:
        warn(_missing(done))


def _missing(done: Summary) -> str:
    """One line that cannot be taken for success."""
    parts = []
    if done.cut:
        parts.append("the file ends inside a quote or a line and may have been cut off")
    if done.rejected:
        records = done.notes + done.rejected
        lines = f" ({done.lines_left_out:,} of {done.lines:,} lines)" if done.lines_left_out else ""
        parts.append(f"{done.rejected:,} of {records:,} records{lines} were rejected, see {done.rejects_file}")
    if done.failed:
        parts.append(f"{done.failed:,} notes failed, see aspectra ingest --failed")
    return f"NOT EVERYTHING WENT IN: {'; '.join(parts)}."


@click.command()
@click.argument("notes", nargs=-1)
@click.option("--collection", help="Delete every note of this collection.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
def delete(notes: tuple[str, ...], collection: str | None, yes: bool) -> None:
    """Delete NOTES, by note id, from the index and from the ledger."""
    from ingest.removal import remove_deleted
    from ingest.writer import Writer

    if not notes and collection is None:
        raise AspectraError("Nothing is named.", "Name notes, or a collection: aspectra delete --collection demo")
    config = settings()
    ledger = Ledger.from_settings(config)
    what = f"{len(notes)} notes" if notes else f"every note of the collection {collection}"
    if not yes and sys.stdin.isatty():
        click.confirm(f"Delete {line(what)}? It cannot be undone.", abort=True)
    found = ledger.mark_deleting(notes or None, collection)
    client = connect(config)
    remove_deleted(ledger, Writer(client, config), client, config)
    say(f"{len(found):,} notes deleted.")
    if missing := sorted(set(notes) - set(found)):
        raise AspectraError(f"Not in the ledger: {', '.join(missing)}.", "Check the note ids.")


COMMANDS = (ingest, delete)
