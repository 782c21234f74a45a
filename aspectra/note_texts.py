"""Notes to learn from: those that were judged or asked, of the shared data or a site's own, and all of the ledger."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ingest.ledger import Ledger
from ingest.readers.mtsamples import note as mtsamples_note
from ingest.readers.openi import note as openi_note
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.core.schema import Note
from search_stack.evaluation.datasets import own_notes
from search_stack.evaluation.datasets.records import rows

MTSAMPLES, OPENI = "notes/mtsamples.jsonl", "reports/openi.csv"
VISITS = ("notes/aci_bench_train.csv", "notes/aci_bench_valid.csv")
SECTIONS = {"mts-train": "notes/mts_dialog_trainingset.csv", "mts-valid": "notes/mts_dialog_validationset.csv"}
"""Files of sections of notes, by what the ids of theirs begin with."""
COLLECTION = "gold"
AT_ONCE = 200
"""Notes of the ledger."""


def note_texts(data: Path) -> dict[str, str]:
    """Texts by id of `given_notes`."""
    return {note.note_id: note.text for note in given_notes(data)}


def section_texts(data: Path) -> dict[str, str]:
    """Texts by id of MTS-Dialog's sections, each as a note of its own; only the fresh part of the gold has such.

    Raises:
        AspectraError: a file cannot be read.
    """
    return {
        f"{name}-{row['ID']}": row["section_text"]
        for name, file in SECTIONS.items()
        for _, row in rows(data / file, "sections", ("ID", "section_text"))
    }


def given_notes(data: Path) -> Iterator[Note]:
    """Of ``data``: a file of JSON lines of id and text, else the folder of the shared data.

    Raises:
        AspectraError: a file cannot be read.
    """
    if data.is_file():
        return (Note(own.id, own.text, own.id) for own in own_notes.load(data).values())
    return _shared(data)


def _shared(data: Path) -> Iterator[Note]:
    try:
        for line in (data / MTSAMPLES).read_text(encoding="utf-8").splitlines():
            yield mtsamples_note(json.loads(line), COLLECTION)
        for name in VISITS:
            with (data / name).open(newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    name_of = f"aci-{row['encounter_id']}"
                    yield Note(name_of, row["note"], name_of, collection=COLLECTION)
        with (data / OPENI).open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                yield openi_note(row, COLLECTION)
    except (OSError, ValueError, KeyError) as e:
        raise AspectraError(
            f"{data}: the shared notes cannot be read ({type(e).__name__}).", "Name their folder."
        ) from e


def notes_of(ledger: Ledger) -> Iterator[Note]:
    """Every note that belongs in an index, in the order in which they came."""
    key = 0
    while stored := ledger.after(key, AT_ONCE):
        for one in stored:
            yield one.note
        key = stored[-1].key


def write_pairs(data: Mapping[str, Any], file: Path) -> None:
    """``data`` in the entity/aspect format; only you may read it, for it holds the notes' text."""
    write_whole(file, json.dumps(data, ensure_ascii=False), "Choose another --out.", private=True)
