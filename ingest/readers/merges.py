"""A table of merged patients, CSV: patient_id, and replaced_by, the id of the patient as whom that one counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ingest.readers import csv_reader
from ingest.readers.columns import GUESSES, guessed, shown
from ingest.readers.fields import identifier
from ingest.readers.format import Format, Request
from ingest.readers.source import Source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Merge

MERGE_COLUMNS = {
    "patient_id": GUESSES["patient_id"],
    "replaced_by": ("replaced_by", "merged_into", "surviving_patient_id", "surviving_id", "survivor"),
}


def merge(row: Mapping[str, str], columns: Mapping[str, str]) -> Merge:
    """Build a merge from a row; ``columns``: by field.

    Raises:
        FieldError: an id is empty that must not be, or cannot be one.
    """
    by = row[columns["replaced_by"]]
    own = identifier(row[columns["patient_id"]], "patient_id")
    return Merge(own, identifier(by, "replaced_by") if by.strip() else "")


def _open(request: Request) -> Source:
    delimiter, names = csv_reader.sniff(request.path)
    columns = guessed(MERGE_COLUMNS, names, request.shown)
    if missing := [field for field in MERGE_COLUMNS if field not in columns]:
        wanted = f"format merges needs the columns {', '.join(MERGE_COLUMNS)}, and there is no {missing[0]}"
        raise AspectraError(f"{request.shown}: {wanted}. {shown(names, MERGE_COLUMNS)}", "Name them so in the header.")
    make = partial(merge, columns=columns)
    read = partial(csv_reader.read, request.path, delimiter, names, columns["patient_id"], make)
    return request.file("merges", request.collection_name("merges"), read)


FORMAT = Format("merges", _open)
