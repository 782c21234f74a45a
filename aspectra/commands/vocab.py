"""Import vocabularies, list and check lexicon files."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from aspectra.console import Group, command, err, out, say, settings
from aspectra.terminal import add_row
from ingest.vocab import Converted, convert, install, open_vocabulary
from ingest.vocab.convert import count_names
from ingest.vocab.detect import OWN, form
from ingest.vocab.entry import Left
from ingest.vocab.install import check as check_fit
from ingest.vocab.install import file_name
from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import KINDS
from search_stack.language.lexicon.files import Placed, read_placed
from search_stack.language.lexicon.load import load_lexicon, own_files, shipped

FILE = click.argument("file", type=click.Path(path_type=Path))
NEXT = "Notes get the new labels with: aspectra reindex --labels-only"


@click.group(cls=Group)
def vocab() -> None:
    """Import vocabularies, list and check lexicon files."""


@vocab.command(name="import")
@FILE
@click.option("--name", help="Name of the lexicon file; FILE's own where not given.")
@click.option("--kind", type=click.Choice(KINDS), default="disorder", show_default=True, help="What its concepts are.")
@command
def import_(file: Path, name: str | None, kind: str) -> None:
    """Make FILE (OBO, CSV, or UMLS MRCONSO rows, gzipped or not) into a file of the lexicon folder.

    A lexicon file is taken as it is. An existing file of the same name is replaced; where anything
    is wrong with FILE, nothing changes.
    """
    target = file_name(name or re.sub(r"[^a-z0-9._-]+", "-", _stem(file).lower()).strip("-.") or "imported")
    folder = settings().lexicon_folder
    left: Left = Counter()
    found = form(file)
    if found == OWN:
        done = Converted(read_placed(file))
    else:
        by_id = {p.concept.id: p.concept for p in shipped()}
        with _bar() as bar:
            task = bar.add_task(f"reading {file.name}", total=file.stat().st_size)
            entries = open_vocabulary(file, found, left, lambda read: bar.update(task, completed=read))
            done = convert(entries, file, kind, by_id)
    if not done.placed:
        raise AspectraError(f"{file} holds no concept that could be used.", "Nothing was changed.")
    path = install(done.placed, folder, target)
    for line in _report(done, left, path):
        say(line)


def _stem(file: Path) -> str:
    return Path(file.name.removesuffix(".gz")).stem


def _report(done: Converted, left: Left, path: Path) -> list[str]:
    lines = [f"{len(done.placed):,} concepts with {done.names:,} names in {path}."]
    notes = [
        *((n, f"{why} left out") for why, n in left.items()),
        (done.merged, "duplicates merged"),
        (done.shipped, "left to the shipped concept of the same name"),
        (done.nameless, "left out without a name that a note could hold"),
        (done.orphaned, "parents left out that are nowhere"),
    ]
    lines += [f"{n:,} {what}." for n, what in notes if n]
    return [*lines, NEXT]


def _bar() -> Progress:
    times = (TextColumn("{task.percentage:>3.0f}%"), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), BarColumn(), *times, console=err)


@vocab.command(name="list")
@command
def list_() -> None:
    """List the lexicon files with their concepts and names: the shipped ones, then your own."""
    folder = settings().lexicon_folder
    table = Table("file", "concepts", "names", box=None, pad_edge=False)
    by_file: dict[str, list[Placed]] = defaultdict(list)
    for p in shipped():
        by_file[p.file].append(p)
    broken: AspectraError | None = None
    for path in own_files(folder):
        try:
            by_file[path.name] = read_placed(path)
        except AspectraError as e:
            by_file[path.name] = []
            broken = broken or e
    for name, placed in by_file.items():
        add_row(table, name, *((f"{n:,}" for n in _counts(placed)) if placed else ("cannot be used", "")))
    out.print(table)
    if broken:
        raise broken
    say(f"{len(load_lexicon(folder)):,} concepts together. Your own files: {folder}")


def _counts(placed: Sequence[Placed]) -> tuple[int, int]:
    return len(placed), sum(count_names(p.concept) for p in placed)


@vocab.command()
@FILE
@command
def check(file: Path) -> None:
    """Check a lexicon FILE, alone and together with the others, without installing it."""
    placed = read_placed(file)
    check_fit(placed, settings().lexicon_folder, file.name)
    concepts, names = _counts(placed)
    say(f"{file}: {concepts:,} concepts with {names:,} names; nothing is wrong with it.")


COMMANDS = (vocab,)
