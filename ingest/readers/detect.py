"""Which format a path holds, from its ending and the head of the file."""

from __future__ import annotations

from pathlib import Path

from ingest.readers import csv_reader, jsonl_reader, mtsamples, openi, text_reader
from search_stack.errors import AspectraError

FORMATS = ("csv", "jsonl", "text", "openi", "mtsamples")
RESERVED = ("fhir", "omop")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".psv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".txt": "text",
}


def bare_name(path: Path) -> tuple[str, str]:
    """Name and ending of a path, without .gz.

    >>> bare_name(Path("reports.csv.gz"))
    ('reports', '.csv')
    """
    name = path.resolve().name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    plain = Path(name)
    return (plain.stem, plain.suffix.lower()) if plain.suffix.lower() in ENDINGS else (name, "")


def check_format(form: str) -> None:
    """
    Raises:
        AspectraError: the format is not one that can be read.
    """
    if form in RESERVED:
        raise AspectraError(f"Format {form} cannot be read yet.", "Export the notes as csv or jsonl and read those.")
    if form not in (*FORMATS, "auto"):
        raise AspectraError(f"Unknown format {form!r}.", f"Use one of auto, {', '.join(FORMATS)}.")


def check_path(path: Path, follow_links: bool = False) -> None:
    """
    Raises:
        AspectraError: there is nothing at the path that could be read.
    """
    try:
        if path.is_dir():
            folder = text_reader.Folder(path, follow_links)
            if next(folder.files(), None) is None:
                linked = " but symbolic links" if folder.links else ""
                raise AspectraError(
                    f"Folder {path} holds no .txt file{linked}.",
                    "Name a folder of .txt files, or a single csv or jsonl file; --follow-links reads links to files.",
                )
            return
        if not path.exists():
            raise AspectraError(f"{path} does not exist.", "Check the path.")
        if not path.is_file():
            raise AspectraError(f"{path} is neither a file nor a folder.", "Write the notes to a file first.")
        if path.stat().st_size == 0:
            raise AspectraError(f"{path} is empty.", "Check that the export has run to its end.")
    except OSError as e:
        raise AspectraError(f"{path} cannot be read: {e.strerror}.", "Check its permissions.") from e


def detect(path: Path, mapped: bool) -> str:
    """The format of ``path``; with a mapping of the user's own (``mapped``) a csv or jsonl
    file is always read by it.

    Raises:
        AspectraError: the format cannot be told, or is one that cannot be read.
    """
    if path.is_dir():
        return "text"
    form = ENDINGS.get(bare_name(path)[1])
    if form is None:
        raise AspectraError(
            f"{path}: its format cannot be told from its name.", f"Give --format, one of {', '.join(FORMATS)}."
        )
    if form == "csv" and not mapped and set(openi.HEADER) <= set(csv_reader.sniff(path)[1]):
        return "openi"
    if form == "jsonl":
        keys = set(jsonl_reader.head_keys(path))
        if "resourceType" in keys and not mapped:
            check_format("fhir")
        if not mapped and set(mtsamples.KEYS) <= keys:
            return "mtsamples"
    return form
