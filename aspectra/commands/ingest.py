"""Bring notes in, list and replay those that failed, delete notes."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import click
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from aspectra.console import command, counting_bar, err, out, say, settings, warn
from aspectra.stack import up
from aspectra.stack.services import is_running
from aspectra.terminal import add_row, line
from ingest.ledger import Ledger
from ingest.ledger.tables import FAILED, PENDING
from ingest.readers import AUTO, CHOICES, Columns, Source, columns_of, load_columns, open_source
from ingest.run import Summary, Watcher, run_ingest
from ingest.run import wait as wait_for_workers
from ingest.work.dispatch import make_queue
from ingest.work.fact_writer import waiting as facts_waiting
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

INCOMPLETE = 3
"""Exit code of a command that came to its end and could not take in all it was given."""


@click.command()
@click.argument("path", type=click.Path(), required=False)
@click.option("--format", type=click.Choice(CHOICES), default=AUTO, help="What PATH holds.")
@click.option("--column", "columns", multiple=True, metavar="FIELD=NAME", help="Column of a field; repeat at will.")
@click.option("--mapping", type=click.Path(path_type=Path), help="TOML file with the columns.")
@click.option("--names", metavar="PATTERN", help="What names of text files tell: '{patient_id}/{date} {type}'.")
@click.option("--collection", help="Name of the collection; the file's own where not given.")
@click.option("--follow-links", is_flag=True, help="Read files that symbolic links in a folder lead to.")
@click.option(
    "--replace",
    is_flag=True,
    help="Take out structured facts of the collection, and parents of codes, that PATH no longer brings.",
)
@click.option("--wait/--no-wait", default=True, help="Wait until every note can be found.")
@click.option("--failed", "list_failed", is_flag=True, help="List the notes that were set aside as failed.")
@click.option("--retry", is_flag=True, help="Give the failed notes another set of attempts.")
@command
def ingest(
    path: str | None,
    format: str,
    columns: tuple[str, ...],
    mapping: Path | None,
    names: str | None,
    collection: str | None,
    follow_links: bool,
    replace: bool,
    wait: bool,
    list_failed: bool,
    retry: bool,
) -> None:
    """Ingest what is at PATH: notes in a csv, jsonl or text file, gzipped or not, or in a folder of text files; a table
    of patients, of merged patients, of structured facts or of codes, where --format says so; or an export of OMOP
    tables or FHIR resources, with all of these.

    Ends with 0 where all went in but a few records, with 3 where more than 1 in 100 was rejected, a file
    seems cut off, or notes of it are failed; with 1 on errors and with 130 where it was stopped.
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
            with _stoppable(ledger), closing(_Bars(config)) as bars:
                wait_for_workers(ledger, config, bars)
            failed = ledger.counts()[FAILED]
            say(f"{failed:,} notes are failed now.")
            if failed:
                sys.exit(INCOMPLETE)
        return
    if path is None:
        raise AspectraError("No PATH is given.", "Name a file or a folder: aspectra ingest reports.csv")
    asked = _columns(columns, mapping)
    source = open_source(
        path, format, asked, collection, config.note_characters, follow_links, config.latest_day, names
    )
    done = ingest_source(source, ledger, config, wait, replace)
    report(done, ledger, source.remarks)
    if done.loud:
        sys.exit(INCOMPLETE)


def _columns(columns: tuple[str, ...], file: Path | None) -> Columns | None:
    if file and columns:
        raise AspectraError("Both --mapping and --column are given.", "Keep one of them.")
    if file:
        return load_columns(file)
    if not columns:
        return None
    options: dict[str, object] = {}
    for column in columns:
        name, equals, value = column.partition("=")
        if not equals:
            raise AspectraError(f"--column {column} names no column.", "Write it as --column note_id=REPORT_NO")
        before = options.get(name)
        options[name] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return columns_of(options)


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


def ingest_source(source: Source, ledger: Ledger, config: Settings, wait: bool, replace: bool = False) -> Summary:
    """Take ``source`` in with bars on the terminal, and wait for the workers where asked to."""
    with _stoppable(ledger), closing(_Bars(config, source)) as bars:
        return run_ingest(source, ledger, config, wait, bars, replace)


@contextmanager
def _stoppable(ledger: Ledger) -> Iterator[None]:
    """Ctrl-C and a termination signal end the command with a word on what is left."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except BaseException as e:
        if not _interrupted(e):
            raise
        waiting = ledger.counts()[PENDING]
        err.print(
            f"\nStopped. {waiting:,} notes wait in the ledger: a running worker goes on with them. "
            "The same command takes in the rest of the file."
        )
        sys.exit(130)
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupted(error: BaseException | None) -> bool:
    """Whether it came of an interrupt: one inside a lock's release breaks on its way out with an error of its own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class _Bars(Watcher):
    """A bar while the source is read, then one while notes are indexed; what died on this machine is brought back."""

    def __init__(self, config: Settings, source: Source | None = None) -> None:
        self._config = config
        self._source = source
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._stage = ""

    def reading(self, done: int) -> None:
        if self._bar is None and self._source:
            work = self._source.work
            self._show(_reading_bar(), f"reading {line(self._source.name)}", work.total if work else None)
        self._update(done)

    def indexing(self, done: int, total: int) -> None:
        self._count("indexing", done, total)

    def writing_facts(self, done: int, total: int) -> None:
        self._count("writing facts", done, total)

    def _count(self, stage: str, done: int, total: int) -> None:
        if self._stage != stage:
            self._show(counting_bar(), stage, total)
            self._stage = stage
        self._update(done)

    def stopped(self) -> None:
        for name in ("engine", "broker", "worker"):
            if not is_running(self._config, name):
                say(f"{name} does not run; starting it.")
                up(self._config, [name], say)

    def close(self) -> None:
        if self._bar:
            self._bar.stop()

    def _show(self, bar: Progress, what: str, total: int | None) -> None:
        self.close()
        self._bar = bar
        bar.start()
        self._task = bar.add_task(what, total=total)

    def _update(self, done: int) -> None:
        if self._bar:
            self._bar.update(self._task, completed=done)


def _reading_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
    )


def report(done: Summary, ledger: Ledger, remarks: Sequence[str] = ()) -> None:
    """The closing summary; where much is missing, its last line is on standard error."""
    if done.index_lacks:
        say("The index lacks passages of notes that were indexed before. Build it anew: aspectra reindex")
    if done.notes or not (done.facts or done.gone_facts or done.codes or done.merges):
        say(
            f"{done.notes:,} notes: {done.new:,} new, {done.unchanged:,} unchanged, {done.changed:,} changed; "
            f"{done.rejected:,} rejected, {done.failed:,} failed."
        )
    if done.withdrawn:
        say(f"{done.withdrawn:,} notes that were here were withdrawn, and are deleted.")
        say_words(done.words, kept=False)
    if done.patients:
        say(
            f"{done.patients:,} patients: of {done.told:,} more or other is known now; "
            f"{done.without_notes:,} have no note yet."
        )
    if done.merges:
        say(f"{done.merged:,} patients count as another one now, {done.unmerged:,} as themselves again.")
    for told in _of_codes(done):
        say(told)
    rate = f", {done.notes_per_second:.1f} notes/s" if done.notes else ""
    say(f"{done.seconds:.1f} s{rate}.")
    if done.lines_left_out:
        say(f"{done.lines:,} lines were read, and {done.lines_left_out:,} of them left out.")
    if done.skipped:
        say(f"Left out by rule: {'; '.join(f'{n:,} × {reason}' for reason, n in done.skipped.items())}.")
    for remark in remarks:
        say(remark)
    if done.rejects_file:
        say(f"What was rejected, line by line: {done.rejects_file}")
    if done.failed:
        say("What failed: aspectra ingest --failed")
    if waiting := ledger.counts()[PENDING]:
        say(f"{waiting:,} notes wait for a worker.")
    if waiting := facts_waiting(ledger):
        say(f"{waiting:,} facts wait for a worker.")
    if done.loud:
        warn(_missing(done))


def _of_codes(done: Summary) -> Iterator[str]:
    left_out = "" if done.notes else f"; {done.rejected:,} rejected"
    if done.facts or done.gone_facts:
        numbers = f"{done.new_facts:,} new, {done.facts - done.new_facts:,} unchanged, {done.gone_facts:,} taken out"
        yield f"{done.facts:,} facts: {numbers}{left_out}."
    if done.codes:
        unchanged = done.codes - done.new_codes - done.changed_codes
        numbers = f"{done.new_codes:,} new, {unchanged:,} unchanged, {done.changed_codes:,} renamed"
        yield f"{done.codes:,} codes: {numbers}, {done.gone_codes:,} taken out{left_out}."
    if done.kept_back:
        yield "Nothing was replaced: what was left out of the file may be what is there."


def _missing(done: Summary) -> str:
    """One line that cannot be taken for success."""
    parts = []
    if done.cut:
        parts.append("the file ends inside a quote or a line and may have been cut off")
    if done.rejected:
        records = done.records + done.rejected
        lines = f" ({done.lines_left_out:,} of {done.lines:,} lines)" if done.lines_left_out else ""
        parts.append(f"{done.rejected:,} of {records:,} records{lines} were rejected, see {done.rejects_file}")
    if done.kept_back:
        parts.append("so nothing was replaced")
    if done.failed:
        parts.append(f"{done.failed:,} notes failed, see aspectra ingest --failed")
    return f"NOT EVERYTHING WENT IN: {'; '.join(parts)}."


def say_words(worded: int, kept: bool) -> None:
    """What became of what reviewers wrote of patients whose notes went."""
    if worded:
        what = "keep" if kept else "lost"
        say(f"{worded:,} decisions of reviewers on their patients {what} their words, which may quote them.")


@click.command()
@click.argument("notes", nargs=-1)
@click.option("--collection", help="Delete every note and structured fact of this collection.")
@click.option("--keep-words", is_flag=True, help="Keep what reviewers wrote of the patients, which may quote a note.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
def delete(notes: tuple[str, ...], collection: str | None, keep_words: bool, yes: bool) -> None:
    """Delete NOTES, by note id, from the index and from the ledger, and what may quote them: the reasons, comments and
    texts of reviewers about their patients. Verdicts stay."""
    from ingest.work.fact_writer import index_facts
    from ingest.work.removal import remove_deleted
    from ingest.work.writer import Writer

    if not notes and collection is None:
        raise AspectraError("Nothing is named.", "Name notes, or a collection: aspectra delete --collection demo")
    config = settings()
    ledger = Ledger.from_settings(config)
    what = f"{len(notes)} notes" if notes else f"every note and fact of the collection {collection}"
    worded = ledger.words_about(notes or None, collection)
    if not yes and sys.stdin.isatty():
        said = f", and the words of {worded:,} decisions of reviewers" if worded and not keep_words else ""
        click.confirm(f"Delete {line(what)}{said}? It cannot be undone.", abort=True)
    found = ledger.mark_deleting(notes or None, collection, keep_words)
    facts = ledger.facts.mark_deleting(collection) if collection is not None and not notes else 0
    client = connect(config)
    remove_deleted(ledger, Writer(client, config), client, config)
    index_facts(ledger, client, config)
    say(f"{len(found):,} notes deleted.")
    say_words(worded, keep_words)
    if facts:
        say(f"{facts:,} facts deleted.")
    if missing := sorted(set(notes) - set(found)):
        raise AspectraError(f"Not in the ledger: {', '.join(missing)}.", "Check the note ids.")


COMMANDS = (ingest, delete)
