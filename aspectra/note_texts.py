"""Texts of the notes that were judged, by id: of the shared data, or a site's own."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from ingest.readers.mtsamples import note as mtsamples_note
from ingest.readers.openi import note as openi_note
from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets import own_notes

MTSAMPLES, OPENI = "notes/mtsamples.jsonl", "reports/openi.csv"
VISITS = ("notes/aci_bench_train.csv", "notes/aci_bench_valid.csv")
COLLECTION = "gold"


def note_texts(data: Path) -> dict[str, str]:
    """Of ``data``: a file of JSON lines of id and text, else the folder of the shared data.

    Raises:
        AspectraError: a file cannot be read.
    """
    if data.is_file():
        return {note.id: note.text for note in own_notes.load(data).values()}
    return dict(_shared(data))


def _shared(data: Path) -> Iterator[tuple[str, str]]:
    try:
        for line in (data / MTSAMPLES).read_text(encoding="utf-8").splitlines():
            made = mtsamples_note(json.loads(line), COLLECTION)
            yield made.note_id, made.text
        for name in VISITS:
            with (data / name).open(newline="", encoding="utf-8") as file:
                yield from ((f"aci-{row['encounter_id']}", row["note"]) for row in csv.DictReader(file))
        with (data / OPENI).open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                made = openi_note(row, COLLECTION)
                yield made.note_id, made.text
    except (OSError, ValueError, KeyError) as e:
        raise AspectraError(
            f"{data}: the shared notes cannot be read ({type(e).__name__}).", "Name their folder."
        ) from e
