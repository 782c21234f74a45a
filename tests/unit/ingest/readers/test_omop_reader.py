"""OMOP: tables in every form they are exported in, and what their rows bring."""

from __future__ import annotations

import csv
import gzip
import tracemalloc
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.readers import Rejected, Skipped, Work, open_source
from ingest.readers.fields import INEXACT
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Patient, Person, StructuredFact

EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "omop"
NAMES = ("CONDITION_OCCURRENCE", "DRUG_EXPOSURE", "PROCEDURE_OCCURRENCE", "MEASUREMENT")
CONCEPTS = [
    {"concept_id": 1, "concept_name": "Atrial fibrillation", "vocabulary_id": "SNOMED", "concept_code": "49436004"},
    {"concept_id": 2, "concept_name": "Fibrillation", "vocabulary_id": "ICD10CM", "concept_code": "I48.91"},
    {"concept_id": 3, "concept_name": "gram per deciliter", "vocabulary_id": "UCUM", "concept_code": "g/dL"},
    {"concept_id": 4, "concept_name": "Letter", "vocabulary_id": "Note Class", "concept_code": "x"},
    {"concept_id": 5, "concept_name": "EHR note", "vocabulary_id": "Type Concept", "concept_code": "y"},
]
Rows = Sequence[dict[str, Any]]


def table(path: Path, rows: Rows, delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as f:
        out = csv.DictWriter(f, list(dict.fromkeys(key for row in rows for key in row)), delimiter=delimiter)
        out.writeheader()
        out.writerows(rows)
    return path


def items(folder: Path, **options: Any) -> list[Any]:
    return [r.item for r in open_source(folder, "omop", collection="x", **options)]


def brought(tmp_path: Path, name: str, *rows: dict[str, Any], concepts: bool = True) -> list[Any]:
    table(tmp_path / f"{name}.csv", rows)
    if concepts:
        table(tmp_path / "CONCEPT.csv", CONCEPTS)
    return items(tmp_path)


def condition(**more: Any) -> dict[str, Any]:
    return {"person_id": "p1", "condition_concept_id": 1} | more


def measured(**more: Any) -> dict[str, Any]:
    return {"person_id": "p1", "measurement_concept_id": 1} | more


def fact(
    code: str = "49436004", system: str = "snomed", name: str = "Atrial fibrillation", **more: Any
) -> StructuredFact:
    return StructuredFact("p1", system, code, name=name, collection="x", **more)


# Files


def test_the_example_is_read_whole() -> None:
    source = open_source(EXAMPLE)
    records = list(source)
    assert (source.format, source.collection, list(source.remarks)) == ("omop", "omop", [])
    assert source.work == Work(records[-1].done, "bytes")
    assert [r.done for r in records] == sorted(r.done for r in records)
    assert [r.last_line for r in records] == sorted(r.last_line for r in records)
    kinds = [type(r.item).__name__ for r in records]
    assert {k: kinds.count(k) for k in kinds} == {"Patient": 4, "Note": 4, "StructuredFact": 12}
    assert [r.item for r in source] == [r.item for r in records]


def typed(rows: Rows) -> Rows:
    """As databases type the columns: numbers, days and moments, and no text for them."""

    def value(name: str, text: str) -> object:
        if not text:
            return None
        if name.endswith("_id") or name.endswith("_of_birth"):
            return int(text) if name != "vocabulary_id" and name != "domain_id" and name != "concept_class_id" else text
        if name.endswith("_datetime"):
            return datetime.fromisoformat(text)
        if name.endswith("_date"):
            return datetime.strptime(text, "%Y%m%d" if len(text) == 8 else "%Y-%m-%d").date()
        return Decimal(text) if name == "value_as_number" else text

    return [{name: value(name, text) for name, text in row.items()} for row in rows]


def read_csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t" if path.name == "CONCEPT.csv" else ","))


@pytest.mark.parametrize("form", ["tab", "lower case", "gzip", "parquet", "parts", "floats"])
def test_every_form_of_the_tables_says_the_same(tmp_path: Path, form: str) -> None:
    for path in EXAMPLE.glob("*.csv"):
        rows, name = read_csv(path), path.stem
        if form == "tab":
            table(tmp_path / f"{name}.tsv", rows, "\t")
        elif form == "lower case":
            table(tmp_path / f"{name.lower()}.csv", [{k.upper(): v for k, v in row.items()} for row in rows])
        elif form == "gzip":
            (tmp_path / f"{name}.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
        elif form == "parquet":
            pq.write_table(pa.Table.from_pylist(list(typed(rows))), tmp_path / f"{name.lower()}.parquet")
        elif form == "parts":
            (tmp_path / name / "year=2021").mkdir(parents=True)
            (tmp_path / name / "_SUCCESS").touch()
            first, others = (
                pa.Table.from_pylist(list(r), pa.schema([(k, pa.string()) for k in rows[0]]))
                for r in (rows[:1], rows[1:])
            )
            pq.write_table(first, tmp_path / name / "part-0.snappy.parquet")
            pq.write_table(others, tmp_path / name / "year=2021" / "part-1.parquet")
        else:
            floats = ({k: f"{v}.0" if k.endswith("concept_id") and v else v for k, v in row.items()} for row in rows)
            table(tmp_path / f"{name}.csv", list(floats))
    expected = [r.item for r in open_source(EXAMPLE, collection="x")]
    source = open_source(tmp_path, collection="x")
    records = list(source)
    assert source.format == "omop"
    assert [r.item for r in records] == expected
    assert source.work == Work(records[-1].done, "bytes")


def test_a_vocabulary_is_read_without_quoting(tmp_path: Path) -> None:
    header = "concept_id\tconcept_name\tvocabulary_id\tconcept_code\n"
    content = f'{header}1\tThe "so called\tSNOMED\t49436004\n2\tx\tICD10CM\n3\t"q ""d"\tSNOMED\t7\n\n'
    (tmp_path / "CONCEPT.csv").write_text(content)
    table(tmp_path / "CONDITION_OCCURRENCE.csv", [condition(), condition(condition_concept_id=3)])
    assert items(tmp_path) == [
        Rejected("CONCEPT.csv", 3, "", "3 columns where the header has 4"),
        fact(name='The "so called'),
        fact("7", name='q "d'),
    ]


def test_a_concept_without_a_code_is_rejected(tmp_path: Path) -> None:
    table(tmp_path / "CONCEPT.csv", [CONCEPTS[0], CONCEPTS[1] | {"concept_code": ""}])
    table(tmp_path / "CONDITION_OCCURRENCE.csv", [condition()])
    assert items(tmp_path) == [Rejected("CONCEPT.csv", 3, "concept_code", "empty"), fact()]


def test_damage_is_told_by_line_and_costs_no_other_row(tmp_path: Path) -> None:
    (tmp_path / "NOTE.csv").write_bytes(
        b'note_id,person_id,note_text\n1,1,"a\nb"\n2,1\n3,1,fi\xe8vre\n4,1,"no "end" of it\nx\n5,1,last\n'
    )
    found = [
        (r.item.line, r.item.field) if isinstance(r.item, Rejected) else r.item.note_id
        for r in open_source(tmp_path, "omop")
    ]
    assert found == ["1", (4, ""), (5, "note_text"), (6, ""), "5"]


def test_links_are_left_out_and_told(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    table(folder / "PERSON.csv", [{"person_id": 1}])
    (folder / "NOTE.csv").symlink_to(table(tmp_path / "n.csv", [{"note_id": 1, "person_id": 1, "note_text": "t"}]))
    source = open_source(folder, "omop")
    assert [type(r.item) for r in source] == [Patient]
    assert source.remarks[-1].startswith("1 symbolic links were left out")
    assert [type(r.item) for r in open_source(folder, "omop", follow_links=True)] == [Patient, Note]


def test_what_is_missing_is_told_beforehand(tmp_path: Path) -> None:
    table(tmp_path / "PERSON.csv", [{"person_id": 1}])
    table(tmp_path / "DEVICE_EXPOSURE.csv", [{"person_id": 1}])
    table(tmp_path / "LOCATION.csv", [{"location_id": 1}])
    assert open_source(tmp_path, "omop").remarks == [
        "There is no table CONCEPT: concepts are kept as omop:ID, and notes have no type.",
        "Tables that are not read: device_exposure.",
    ]


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="holds no table of OMOP"):
        open_source(tmp_path, "omop")
    note = table(tmp_path / "NOTE.csv", [{"note_id": 1, "text": "secret"}])
    with pytest.raises(AspectraError, match=r"table note needs person_id, note_text\. Its columns: note_id, text"):
        list(open_source(tmp_path, "omop"))
    note.rename(tmp_path / "note.csv")
    (tmp_path / "NOTE.parquet").write_bytes(b"PAR1")
    with pytest.raises(AspectraError, match="note is there twice"):
        open_source(tmp_path, "omop")
    (tmp_path / "note.csv").unlink()
    with pytest.raises(AspectraError, match=r"NOTE\.parquet is damaged"):
        list(open_source(tmp_path, "omop"))
    (tmp_path / "NOTE.parquet").unlink()
    (tmp_path / "note" / "_delta_log").mkdir(parents=True)
    (tmp_path / "note" / "a.parquet").touch()
    with pytest.raises(AspectraError, match="Delta table"):
        open_source(tmp_path, "omop")


def test_a_column_that_is_there_twice_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "note.csv").write_text("note_id,NOTE_ID,person_id,note_text,x,x\n")
    with pytest.raises(AspectraError, match="column note_id is there more than once"):
        list(open_source(tmp_path, "omop"))


def test_a_folder_of_something_else_is_not_taken_for_omop(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("t")
    (tmp_path / "person.txt").write_text("t")
    table(tmp_path / "note.csv", [{"id": 1}])
    assert open_source(tmp_path).format == "text"


@pytest.mark.parametrize("damage", ["cut off", "names", "pages"])
def test_a_damaged_parquet_file_is_an_error(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "note.parquet"
    rows = [{"note_id": n, "person_id": 1, "note_text": f"note {n}"} for n in range(100)]
    pq.write_table(pa.Table.from_pylist(rows), path)
    whole = path.read_bytes()
    damaged = {
        "cut off": whole[: len(whole) // 2],
        "names": whole.replace(b"note_text", b"note\x80text"),
        "pages": whole[:4] + b"\xff" * 60 + whole[64:],
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(AspectraError, match=r"note\.parquet"):
        list(open_source(tmp_path, "omop"))


def test_bytes_that_are_no_text_in_parquet_reject_their_row(tmp_path: Path) -> None:
    texts = pa.array([b"fi\xe8vre", b"fever"]).cast(pa.binary()).view(pa.string())
    ids = pa.array([1, 2])
    pq.write_table(pa.table({"note_id": ids, "person_id": ids, "note_text": texts}), tmp_path / "note.parquet")
    assert items(tmp_path) == [
        Rejected("note.parquet", 1, "note_text", "holds half a character (a lone surrogate)"),
        Note("2", "fever", "2", collection="x"),
    ]


def test_memory_does_not_grow_with_the_tables(tmp_path: Path) -> None:
    long = "x" * 20_000
    with gzip.open(tmp_path / "MEASUREMENT.csv.gz", "wt", compresslevel=1) as f:
        f.write("measurement_id,person_id,measurement_concept_id,value_source_value\n")
        f.writelines(f"{n},1,1,{n}{long}\n" for n in range(1, 1500))
    notes = [{"note_id": n, "person_id": 1, "note_text": f"{n}{long * 5}"} for n in range(300)]
    pq.write_table(pa.Table.from_pylist(notes), tmp_path / "note.parquet", use_dictionary=False, write_batch_size=10)
    notes.clear()
    arrow = count = 0
    tracemalloc.start()
    try:
        for _ in open_source(tmp_path, "omop"):
            arrow, count = max(arrow, pa.total_allocated_bytes()), count + 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 1499 + 300
    assert peak < 16 * 2**20
    assert arrow < 20 * 2**20


# Rows


@pytest.mark.parametrize(
    ("row", "person"),
    [
        ({"gender_concept_id": 8532, "birth_datetime": "1950-02-28 10:00:00"}, Person("female", date(1950, 2, 28))),
        ({"gender_concept_id": 8507, "year_of_birth": 1950}, Person("male", date(1950, 7, 1))),
        ({"gender_concept_id": 0, "gender_source_value": "F"}, Person("female")),
        ({"gender_concept_id": 8507, "gender_source_value": "F"}, Person("male")),
        ({"year_of_birth": "1950", "month_of_birth": "2", "day_of_birth": ""}, Person("", date(1950, 2, 15))),
        ({"year_of_birth": "1950", "month_of_birth": "2", "day_of_birth": "28"}, Person("", date(1950, 2, 28))),
        ({"year_of_birth": "NA", "birth_datetime": r"\N"}, Person()),
        ({}, Person()),
    ],
)
def test_persons(tmp_path: Path, row: dict[str, Any], person: Person) -> None:
    assert brought(tmp_path, "PERSON", {"person_id": 7} | row) == [Patient("7", person)]


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ({"person_id": ""}, "person_id", "empty"),
        ({"person_id": "x" * 256}, "person_id", "longer than 255 characters"),
        ({"gender_concept_id": "F"}, "gender_concept_id", "not a whole number"),
        ({"year_of_birth": 1950, "month_of_birth": 13}, "year_of_birth", "not an ISO date"),
        ({"birth_datetime": "28.2.1950"}, "birth_datetime", "not an ISO date"),
    ],
)
def test_persons_who_are_rejected(tmp_path: Path, row: dict[str, Any], field: str, reason: str) -> None:
    assert brought(tmp_path, "PERSON", {"person_id": 7} | row) == [Rejected("PERSON.csv", 2, field, reason)]


def test_a_death_in_9999_is_none(tmp_path: Path) -> None:
    rows = ({"person_id": 7, "death_date": "99991231"}, {"person_id": 8, "death_datetime": "9999-01-01T00:00:00"})
    table(tmp_path / "PERSON.csv", [{"person_id": 9}])
    assert brought(tmp_path, "DEATH", *rows)[1:] == [Patient("7", Person()), Patient("8", Person())]


def test_deaths(tmp_path: Path) -> None:
    rows = ({"person_id": 7, "death_date": "20200101"}, {"person_id": 8, "death_datetime": "2020-01-01"})
    table(tmp_path / "PERSON.csv", [{"person_id": 9}])
    died = Person(death_date=date(2020, 1, 1))
    assert brought(tmp_path, "DEATH", *rows) == [Patient("9", Person()), Patient("7", died), Patient("8", died)]


def test_every_field_of_a_note_is_read(tmp_path: Path) -> None:
    row = {
        "note_id": "12",
        "person_id": "p1",
        "note_text": "No effusion.\nEnd ",
        "note_date": "2019-03-04",
        "note_title": " Visit ",
        "note_class_concept_id": 4,
        "note_type_concept_id": 5,
        "visit_occurrence_id": "77",
    }
    expected = Note("12", "No effusion.\nEnd ", "p1", "Letter", date(2019, 3, 4), "Visit", "x", "77")
    assert brought(tmp_path, "NOTE", row) == [expected]


@pytest.mark.parametrize(
    ("of_class", "of_type", "kind"), [(4, 5, "Letter"), (0, 5, "EHR note"), (9, 9, ""), ("", "", "")]
)
def test_the_type_of_a_note(tmp_path: Path, of_class: object, of_type: object, kind: str) -> None:
    row = {"note_id": 1, "person_id": 1, "note_text": "t"}
    (found,) = brought(tmp_path, "NOTE", row | {"note_class_concept_id": of_class, "note_type_concept_id": of_type})
    assert found.type == kind


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ({"note_text": ""}, "note_text", "empty"),
        ({"note_text": r"\N"}, "note_text", "empty"),
        ({"note_id": "NULL"}, "note_id", "empty"),
        ({"note_date": "1753-01-01"}, "date", "before 1850"),
        ({"person_id": ""}, "person_id", "empty"),
        ({"person_id": "1.23457E+11"}, "person_id", INEXACT),
        ({"person_id": "9007199254740994.0"}, "person_id", INEXACT),
        ({"visit_occurrence_id": "1e+17"}, "visit_occurrence_id", INEXACT),
        ({"note_date": "4.3.2019"}, "note_date", "not an ISO date"),
        ({"note_text": "x" * 60}, "text", "60 characters; at most 50 (ASPECTRA_NOTE_CHARACTERS)"),
    ],
)
def test_notes_that_are_rejected(tmp_path: Path, row: dict[str, Any], field: str, reason: str) -> None:
    table(tmp_path / "NOTE.csv", [{"note_id": 1, "person_id": 1, "note_text": "t"} | row])
    field = "text" if field == "note_text" else field
    assert items(tmp_path, note_characters=50) == [Rejected("NOTE.csv", 2, field, reason)]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_column_with_gaps_holds_the_same_ids(tmp_path: Path, form: str) -> None:
    """Data frames make floating-point numbers of it."""
    rows = [
        {"note_id": 1, "person_id": 7.0, "visit_occurrence_id": 77.0, "note_text": "t"},
        {"note_id": 2, "person_id": None, "visit_occurrence_id": None, "note_text": "t"},
    ]
    table(tmp_path / "PERSON.csv", [{"person_id": 7}])
    if form == "csv":
        table(tmp_path / "NOTE.csv", rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "NOTE.parquet")
    person, note, rejected = items(tmp_path)
    assert (person.patient_id, note.patient_id, note.encounter_id) == ("7", "7", "77")
    assert (rejected.field, rejected.reason) == ("person_id", "empty")


def test_a_floating_point_number_that_is_too_large_is_no_id_and_still_a_value(tmp_path: Path) -> None:
    row = {"person_id": 7.0, "measurement_concept_id": 1, "value_as_number": 1e20, "unit_source_value": "/L"}
    rows = [row, row | {"person_id": 2.0**53}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "MEASUREMENT.parquet")
    first, second = items(tmp_path)
    assert (first.patient_id, first.value) == ("7", 1e20)
    assert (second.field, second.reason) == ("person_id", INEXACT)


SOURCE = fact("I48.91", "icd10", "Fibrillation")


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({}, [fact()]),
        ({"condition_source_concept_id": 2, "condition_source_value": "I48.91"}, [fact(), SOURCE]),
        ({"condition_source_concept_id": 1}, [fact()]),
        ({"condition_source_concept_id": 0, "condition_source_value": "AF"}, [fact(), fact("AF", "local", "")]),
        ({"condition_concept_id": 0, "condition_source_value": "AF"}, [fact("AF", "local", "")]),
        ({"condition_concept_id": 0, "condition_source_concept_id": 2}, [SOURCE]),
        ({"condition_concept_id": 99}, [fact("99", "omop", "")]),
        ({"condition_concept_id": "NA", "condition_source_value": "NA"}, [fact("NA", "local", "")]),
        ({"condition_start_date": "2019-03-04"}, [fact(day=date(2019, 3, 4))]),
        ({"condition_start_date": "", "condition_start_datetime": "2019-03-04 10:00"}, [fact(day=date(2019, 3, 4))]),
        ({"visit_occurrence_id": 77}, [fact(encounter_id="77")]),
        (
            {"condition_concept_id": 0, "condition_source_value": ""},
            [Skipped("event without a concept and without a code of the source")],
        ),
        (
            {"condition_source_value": "x" * 256},
            [fact(), Rejected("CONDITION_OCCURRENCE.csv", 2, "code", "longer than 255 characters")],
        ),
    ],
)
def test_codes_of_an_event(tmp_path: Path, row: dict[str, Any], found: list[Any]) -> None:
    assert brought(tmp_path, "CONDITION_OCCURRENCE", condition(**row)) == found


def test_without_concepts_ids_stand_for_themselves(tmp_path: Path) -> None:
    row = condition(condition_source_concept_id=2, condition_source_value="I48.91")
    found = brought(tmp_path, "CONDITION_OCCURRENCE", row, concepts=False)
    assert found == [fact("1", "omop", ""), fact("2", "omop", ""), fact("I48.91", "local", "")]


@pytest.mark.parametrize(
    ("name", "prefix", "day"),
    [
        ("CONDITION_OCCURRENCE", "condition", "condition_start_date"),
        ("DRUG_EXPOSURE", "drug", "drug_exposure_start_date"),
        ("PROCEDURE_OCCURRENCE", "procedure", "procedure_date"),
        ("MEASUREMENT", "measurement", "measurement_date"),
    ],
)
def test_every_table_of_events(tmp_path: Path, name: str, prefix: str, day: str) -> None:
    row = {"person_id": "p1", f"{prefix}_concept_id": 1, f"{prefix}_source_concept_id": 2, day: "2019-03-04"}
    dated = {"day": date(2019, 3, 4)}
    assert brought(tmp_path, name, row) == [fact(**dated), fact("I48.91", "icd10", "Fibrillation", **dated)]


@pytest.mark.parametrize(
    ("row", "value", "unit"),
    [
        ({"value_as_number": "7.50", "unit_concept_id": 3, "unit_source_value": "gram"}, 7.5, "g/dL"),
        ({"value_as_number": "7.5", "unit_concept_id": 0, "unit_source_value": "gram"}, 7.5, "gram"),
        ({"value_as_number": "7.5", "operator_concept_id": 4172703}, 7.5, ""),
        ({"value_as_number": "5", "operator_concept_id": 4171756}, None, ""),
        ({"value_as_number": "5", "operator_concept_id": 0, "value_source_value": "<5"}, None, ""),
        ({"value_as_number": "NA"}, None, ""),
        ({"value_as_number": "-0.5"}, -0.5, ""),
    ],
)
def test_measured_values(tmp_path: Path, row: dict[str, Any], value: float | None, unit: str) -> None:
    assert brought(tmp_path, "MEASUREMENT", measured(**row)) == [fact(value=value, unit=unit)]


def test_what_is_no_number_rejects_its_row(tmp_path: Path) -> None:
    found = brought(tmp_path, "MEASUREMENT", measured(value_as_number="<5"), measured(value_as_number=1))
    assert found == [Rejected("MEASUREMENT.csv", 2, "value_as_number", "not a number"), fact(value=1.0)]
