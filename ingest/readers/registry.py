"""Every format, and which of them something is of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

from ingest.readers import (
    codes,
    csv_reader,
    facts,
    fhir,
    jsonl_reader,
    merges,
    mtsamples,
    omop,
    openi,
    patients,
    text_reader,
)
from ingest.readers.columns import Columns
from ingest.readers.days import today
from ingest.readers.fields import spelt
from ingest.readers.format import Format, Kind, Rank, Request
from ingest.readers.source import Source
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable
from search_stack.core.settings import NOTE_CHARACTERS

FORMATS = (
    csv_reader.FORMAT,
    jsonl_reader.FORMAT,
    text_reader.FORMAT,
    openi.FORMAT,
    mtsamples.FORMAT,
    patients.FORMAT,
    merges.FORMAT,
    facts.FORMAT,
    codes.FORMAT,
    omop.FORMAT,
    fhir.FORMAT,
)
AUTO = "auto"
CHOICES = (AUTO, *(f.name for f in FORMATS))
"""What a person may name as the format."""


def open_source(
    where: Path | str,
    format: str = AUTO,
    columns: Columns | None = None,
    collection: str | None = None,
    note_characters: int = NOTE_CHARACTERS,
    follow_links: bool = False,
    latest_day: date | None = None,
    names: str | None = None,
) -> Source:
    """Open what is at ``where``, a path or an address. ``columns`` serve tables; ``collection`` names the
    notes, where the file's name shall not. A note of more than ``note_characters`` is rejected. Symbolic
    links in a folder are left out, those to files unless ``follow_links``. Notes and births after ``latest_day``,
    else after tomorrow, are rejected: no clock of another time zone is further ahead. ``names`` is the pattern of the
    names of text files (`ingest.readers.names`).

    Raises:
        AspectraError: the place, its format or its columns are not what can be read.
    """
    named = _named(format)
    kind = _kind(str(where))
    bare, ending = bare_name(Path(where)) if kind != "address" else ("", "")
    latest_day = latest_day or today() + timedelta(days=1)
    told, own, bare = spelt(str(where)), collection and spelt(collection), spelt(bare)
    path = Path(where)
    request = Request(told, path, kind, bare, ending, columns, own, note_characters, follow_links, latest_day, names)
    form = named or detect(request)
    if kind not in form.holds:
        first = form.holds[0]
        article = {"file": "a file", "folder": "a folder", "address": "an address"}
        raise AspectraError(
            f"{request.shown} is {article[kind]}, and {form.name} is read from {article[first]}.", f"Name the {first}."
        )
    if columns is not None and not form.takes_columns:
        raise AspectraError(
            f"{request.shown}: format {form.name} takes no columns.", "Leave --column out, or give --format."
        )
    if names is not None and not form.takes_names:
        raise AspectraError(
            f"{request.shown}: format {form.name} takes nothing from the names of files.",
            "Leave --names out, or give --format text.",
        )
    return form.open(request)


def detect(request: Request) -> Format:
    """The format that what is there is of, for sure or by its name. With columns of the person's own it
    is one that takes them, where any may be it.

    Raises:
        AspectraError: it cannot be told.
    """
    takers = [f for f in FORMATS if f.takes_columns] if request.columns is not None else []
    if found := _surest(takers, request) or _surest(FORMATS, request):
        return found
    raise AspectraError(
        f"{request.shown}: its format cannot be told from its name.",
        f"Give --format, one of {', '.join(CHOICES[1:])}.",
    )


def _surest(formats: Iterable[Format], request: Request) -> Format | None:
    ranked = [(f.rank(request), f) for f in formats]
    rank, found = max(ranked, key=lambda r: r[0], default=(Rank.NO, None))
    return found if rank else None


def bare_name(path: Path) -> tuple[str, str]:
    """Name and ending of a path, without .gz.

    >>> bare_name(Path("reports.csv.gz"))
    ('reports', '.csv')
    """
    name = path.resolve().name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    plain = Path(name)
    known = any(plain.suffix.lower() in f.endings for f in FORMATS)
    return (plain.stem, plain.suffix.lower()) if known else (name, "")


def _named(format: str) -> Format | None:
    """The format of that name; None for `AUTO`."""
    if format == AUTO:
        return None
    if found := next((f for f in FORMATS if f.name == format), None):
        return found
    raise AspectraError(f"Unknown format {format!r}.", f"Use one of {', '.join(CHOICES)}.")


def _kind(where: str) -> Kind:
    """
    Raises:
        AspectraError: there is nothing that could be read.
    """
    if "://" in where:
        return "address"
    path = Path(where)
    try:
        if path.is_dir():
            return "folder"
        if not path.exists():
            raise AspectraError(f"{path} does not exist.", "Check the path.")
        if not path.is_file():
            raise AspectraError(f"{path} is neither a file nor a folder.", "Write the notes to a file first.")
        if path.stat().st_size == 0:
            raise AspectraError(f"{path} is empty.", "Check that the export has run to its end.")
    except OSError as e:
        raise unreadable(path, e, "Check its permissions.") from e
    return "file"
