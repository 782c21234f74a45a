"""Tables of patients: who they are, and what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ingest.readers import Rejected, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Patient, Person


def items(path: Path) -> list[Note | Patient | Rejected]:
    return [record.item for record in open_source(path, "patients")]


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_every_field_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "patients.csv",
        "patient_id,sex,birth_date,death_date\np1,F,1950-02-28,\n p2 ,male,19601231,2020-01-01 10:00:00\np3,,,\n"
        "p4,,,9999-12-31\np5,,,2999-12-31\n",
    )
    assert items(path) == [
        Patient("p1", Person("female", date(1950, 2, 28))),
        Patient("p2", Person("male", date(1960, 12, 31), date(2020, 1, 1))),
        Patient("p3", Person()),
        Patient("p4", Person()),
        Patient("p5", Person(death_date=date(2999, 12, 31))),
    ]


@pytest.mark.parametrize(
    ("header", "person"),
    [
        ("SUBJECT_ID;Gender;dob;dod", Person("female", date(1950, 1, 1), date(2020, 1, 1))),
        ("mrn;Patient Sex;Date of Birth;date-of-death", Person("female", date(1950, 1, 1), date(2020, 1, 1))),
        ("person_id;gender;town;year", Person("female")),
        ("patientid;colour;birthdate;year", Person("", date(1950, 1, 1))),
    ],
)
def test_columns_go_by_the_usual_names_and_others_are_left_alone(tmp_path: Path, header: str, person: Person) -> None:
    path = written(tmp_path / "patients.csv", f"{header}\np1;f;1950-01-01;2020-01-01\n")
    assert items(path) == [Patient("p1", person)]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        (",F,,", "patient_id", "empty"),
        ("p\x01,F,,", "patient_id", "holds a control character"),
        ("x" * 256 + ",F,,", "patient_id", "longer than 255 characters"),
        ("p1,F,1.2.1950,", "birth_date", "not an ISO date"),
        ("p1,F,,2020-02-30", "death_date", "not an ISO date"),
        ("p1,F", "", "2 columns where the header has 4"),
    ],
)
def test_a_bad_row_is_rejected_without_its_values(tmp_path: Path, row: str, field: str, reason: str) -> None:
    path = written(tmp_path / "a.csv", f"patient_id,sex,birth_date,death_date\n{row}\np2,m,,\n")
    bad, good = items(path)
    assert bad == Rejected("a.csv", 2, field, reason)
    assert good == Patient("p2", Person("male"))


@pytest.mark.parametrize("header", ["note_id,sex", "patient_id,colour", "id,sex"])
def test_a_table_that_tells_of_no_patient_is_an_error(tmp_path: Path, header: str) -> None:
    path = written(tmp_path / "a.csv", f"{header}\nsecret,F\n")
    with pytest.raises(AspectraError, match="patients needs") as e:
        open_source(path, "patients")
    assert "secret" not in str(e.value)


def test_nobody_is_born_in_the_future(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "patient_id,birth_date\np1,2199-01-01\n")
    (record,) = open_source(path, "patients")
    assert isinstance(record.item, Rejected)
    assert (record.item.field, record.item.reason[:6]) == ("birth_date", "after ")


def test_a_column_that_is_there_twice_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "patient_id,patient_id,sex\np1,p2,F\n")
    with pytest.raises(AspectraError, match="patient_id"):
        open_source(path, "patients")


def test_it_is_only_read_where_it_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "patients.csv", "patient_id,sex\np1,F\n")
    with pytest.raises(AspectraError, match="note_id"):
        open_source(path)
