"""Tables of merged patients: what is read, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers import Rejected, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Merge


def written(folder: Path, content: str) -> Path:
    path = folder / "x.csv"
    path.write_text(content)
    return path


@pytest.mark.parametrize(
    "header", ["patient_id,replaced_by", "MRN,Surviving ID", "person_id,merged_into", "mrn,survivor"]
)
def test_every_row_is_a_merge_and_an_empty_survivor_takes_one_back(tmp_path: Path, header: str) -> None:
    source = open_source(written(tmp_path, f"{header}\nA, B \nC,\n,D\n1.5E+11,E\nF,1.5E+11\n"), "merges")
    inexact = "a number in scientific notation, or too large for a floating-point one: digits may be lost"
    assert [record.item for record in source] == [
        Merge("A", "B"),
        Merge("C"),
        Rejected("x.csv", 4, "patient_id", "empty"),
        Rejected("x.csv", 5, "patient_id", inexact),
        Rejected("x.csv", 6, "replaced_by", inexact),
    ]


@pytest.mark.parametrize(("header", "missing"), [("patient_id,b", "replaced_by"), ("a,replaced_by", "patient_id")])
def test_both_columns_are_needed(tmp_path: Path, header: str, missing: str) -> None:
    with pytest.raises(AspectraError, match=f"there is no {missing}"):
        open_source(written(tmp_path, f"{header}\nA,B\n"), "merges")
