"""A table of codes, CSV: system, code, parent, and where known the name of the code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ingest.readers import csv_reader
from ingest.readers.columns import guessed, shown
from ingest.readers.facts import system
from ingest.readers.fields import identifier, label
from ingest.readers.format import Format, Request
from ingest.readers.source import Source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import CodeParent

CODE_COLUMNS = {
    "system": ("system", "code_system", "codesystem", "coding_system", "vocabulary", "vocabulary_id", "terminology"),
    "code": ("code", "child", "concept_code"),
    "parent": ("parent", "parent_code", "broader", "ancestor"),
    "name": ("name", "display", "description", "concept_name", "label"),
}
NEEDED = ("system", "code", "parent")


def code_parent(row: Mapping[str, str], columns: Mapping[str, str]) -> CodeParent:
    """Build a row of the table of parents; ``columns``: by field.

    Raises:
        FieldError: system or code is empty or too long, or the parent is too long.
    """
    parent = row[columns["parent"]]
    return CodeParent(
        system=system(row[columns["system"]]),
        code=identifier(row[columns["code"]], "code"),
        parent=identifier(parent, "parent") if parent.strip() else "",
        name=label(row[columns["name"]]) if "name" in columns else "",
    )


def _open(request: Request) -> Source:
    delimiter, names = csv_reader.sniff(request.path)
    columns = guessed(CODE_COLUMNS, names, request.shown)
    if missing := [field for field in NEEDED if field not in columns]:
        wanted = f"format codes needs the columns {', '.join(NEEDED)}, and there is no {missing[0]}"
        raise AspectraError(f"{request.shown}: {wanted}. {shown(names, CODE_COLUMNS)}", "Name them so in the header.")
    make = partial(code_parent, columns=columns)
    read = partial(csv_reader.read, request.path, delimiter, names, columns["code"], make)
    return request.file("codes", request.collection_name("codes"), read)


FORMAT = Format("codes", _open)
