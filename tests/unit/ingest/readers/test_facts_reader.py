"""Tables of structured facts and of codes: what is read, and what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ingest.readers import Rejected, open_source
from ingest.readers.record import Item
from search_stack.core.errors import AspectraError
from search_stack.core.schema import CodeParent, StructuredFact

HEADER = "patient_id,day,system,code,name,value,unit,encounter_id"


def items(path: Path, format: str = "facts") -> list[Item | Rejected]:
    return [record.item for record in open_source(path, format)]


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_every_field_is_read(tmp_path: Path) -> None:
    rows = "p1,2020-03-04,LOINC,718-7,Hemoglobin,7.5,g/dL,e1\n p2 ,20200305,icd10, I48.0 ,,,,\n"
    assert items(written(tmp_path / "labs.csv", f"{HEADER}\n{rows}")) == [
        StructuredFact("p1", "loinc", "718-7", date(2020, 3, 4), "Hemoglobin", 7.5, "g/dL", "e1", "labs"),
        StructuredFact("p2", "icd10", "I48.0", date(2020, 3, 5), collection="labs"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "subject_id;charttime;vocabulary_id;concept_code;display;value;valuenum;valueuom;hadm_id",
        "MRN;Event Date;Code System;Code;Code Name;result;value-as-number;Units;Visit ID",
    ],
)
def test_columns_go_by_the_usual_names(tmp_path: Path, header: str) -> None:
    row = "p1;2020-03-04 10:00:00;LOINC;718-7;Hemoglobin;about 7;7.5;g/dL;e1"
    told = StructuredFact("p1", "loinc", "718-7", date(2020, 3, 4), "Hemoglobin", 7.5, "g/dL", "e1", "labs")
    assert items(written(tmp_path / "labs.csv", f"{header}\n{row}\n")) == [told]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        (",2020-03-04,loinc,718-7,,,,", "patient_id", "empty"),
        ("p1,4.3.2020,loinc,718-7,,,,", "day", "not an ISO date"),
        ("p1,2020-03-04,,718-7,,,,", "system", "empty"),
        ("p1,2020-03-04,http://loinc.org,718-7,,,,", "system", "holds a colon"),
        (f"p1,2020-03-04,{'x' * 65},718-7,,,,", "system", "longer than 64 characters"),
        ("p1,2020-03-04,loinc,,,,,", "code", "empty"),
        (f"p1,2020-03-04,loinc,{'1' * 256},,,,", "code", "longer than 255 characters"),
        ("p1,2020-03-04,loinc,718-7,,<0.5,,", "value", "not a number"),
        ("p1,2020-03-04,loinc,718-7,,nan,,", "value", "not a number"),
        ("p1,2020-03-04,loinc,718-7,,1e999,,", "value", "not a number"),
        ("p1,2020-03-04,loinc,718-7,,1_000,,", "value", "not a number"),
        (f"p1,2020-03-04,loinc,718-7,,1,{'x' * 65},", "unit", "longer than 64 characters"),
        ("p1,2020-03-04,loinc", "", "3 columns where the header has 8"),
    ],
)
def test_a_bad_row_is_rejected_without_its_values(tmp_path: Path, row: str, field: str, reason: str) -> None:
    bad, good = items(written(tmp_path / "a.csv", f"{HEADER}\n{row}\np2,,icd10,I48,,,,\n"))
    assert bad == Rejected("a.csv", 2, field, reason)
    assert good == StructuredFact("p2", "icd10", "I48", collection="a")


@pytest.mark.parametrize(
    ("format", "header", "missing"),
    [
        ("facts", "patient_id,code", "system"),
        ("facts", "system,code,value", "patient_id"),
        ("codes", "system,code", "parent"),
        ("codes", "code,parent", "system"),
    ],
)
def test_a_table_that_lacks_a_column_is_an_error(tmp_path: Path, format: str, header: str, missing: str) -> None:
    path = written(tmp_path / "a.csv", f"{header}\nsecret,x,y\n")
    with pytest.raises(AspectraError, match=f"there is no {missing}") as e:
        open_source(path, format)
    assert "secret" not in str(e.value)


def test_codes_with_their_parents_and_names(tmp_path: Path) -> None:
    rows = "ICD10,I48,I30-I52,Atrial fibrillation\nicd10,I30-I52,,\nicd10,,I48,\n,I49,I48,\n"
    assert items(written(tmp_path / "c.csv", f"system,code,parent,name\n{rows}"), "codes") == [
        CodeParent("icd10", "I48", "I30-I52", "Atrial fibrillation"),
        CodeParent("icd10", "I30-I52"),
        Rejected("c.csv", 4, "code", "empty"),
        Rejected("c.csv", 5, "system", "empty"),
    ]
