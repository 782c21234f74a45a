"""Damaged exports: whatever becomes of a line, it is told, and no value is quoted."""

from __future__ import annotations

import copy
import csv
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.readers import FactRecord, Record, Rejected, Skipped, Withdrawn, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Merge, Note, Patient, StructuredFact

EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"
RESOURCES = [
    json.loads(line) for path in sorted((EXAMPLES / "fhir").glob("*.ndjson")) for line in path.read_text().splitlines()
]
TABLES = {path.stem: path.read_text() for path in sorted((EXAMPLES / "omop").glob("*.csv"))}
SECRET = "Xq7secret"
ODD: list[Any] = [
    None, True, 0, -1, 7.5, 1e300, "", " ", SECRET, "\x00", "\ud800", [], {}, [[]], [None], [SECRET], {"value": SECRET},
    {"coding": SECRET}, {"coding": [SECRET, {}]}, {"reference": SECRET}, {"reference": f"#{SECRET}"}, "2019-02-30",
]  # fmt: skip
CELLS = ["", "0", "-1", "1e400", "NA", r"\N", SECRET, '"', '""', "\n", ",", "\x00", "2019-13-01", "9" * 400, "\ud800"]


def told(records: Iterator[Record]) -> list[Record]:
    found = list(records)
    for record in found:
        assert isinstance(
            record.item, Note | Patient | Merge | StructuredFact | FactRecord | Rejected | Skipped | Withdrawn
        )
        if isinstance(record.item, Rejected):
            assert SECRET not in f"{record.item.field} {record.item.reason}"
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


@st.composite
def damaged_resources(draw: st.DrawFn) -> str:
    resource = copy.deepcopy(draw(st.sampled_from(RESOURCES)))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(resource)) or [("id",)]))
        parent = resource
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = copy.deepcopy(draw(st.sampled_from(ODD)))
    line = json.dumps(resource)
    return line[: draw(st.integers(1, len(line)))] if draw(st.integers(0, 9)) == 0 else line


@settings(max_examples=200, deadline=None)
@given(st.lists(damaged_resources(), min_size=1, max_size=4))
def test_every_line_of_fhir_comes_to_something(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.ndjson"
        path.write_text("\n".join(lines))
        found = told(iter(open_source(path, "fhir")))
    assert len({record.done for record in found}) >= 1
    assert len(found) >= len(lines)


@st.composite
def damaged_tables(draw: st.DrawFn) -> tuple[str, str, bool]:
    """A table's name, its text, and whether it is still well formed."""
    name = draw(st.sampled_from([name for name in TABLES if name != "CONCEPT"]))
    header, *rows = csv.reader(io.StringIO(TABLES[name]))
    for _ in range(draw(st.integers(1, 3))):
        row = draw(st.sampled_from(rows))
        row[draw(st.integers(0, len(row) - 1))] = draw(st.sampled_from(CELLS))
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    text = out.getvalue()
    if draw(st.integers(0, 4)):
        return name, text, True
    at = draw(st.integers(len(",".join(header)) + 2, len(text)))
    return name, text[:at] + draw(st.sampled_from(CELLS)) + text[at + draw(st.integers(0, 5)) :], False


@settings(max_examples=120, deadline=None)
@given(damaged_tables(), st.booleans())
def test_every_row_of_omop_comes_to_something(table: tuple[str, str, bool], with_concepts: bool) -> None:
    name, text, whole = table
    with tempfile.TemporaryDirectory() as folder:
        if with_concepts:
            (Path(folder) / "CONCEPT.csv").write_text(TABLES["CONCEPT"])
        (Path(folder) / f"{name}.csv").write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            found = told(iter(open_source(folder, "omop")))
        except AspectraError:
            assert name == "DEATH"  # of a person in no other table
            return
    if whole:
        rows = len(list(csv.reader(io.StringIO(text)))) - 1
        assert len({record.last_line for record in found}) >= rows
