"""Mappings from columns to fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers import Columns, columns_of, load_columns, open_source
from ingest.readers.columns import bind
from search_stack.core.errors import AspectraError

MIMIC = ["ROW_ID", "SUBJECT_ID", "HADM_ID", "CHARTDATE", "CHARTTIME", "CATEGORY", "DESCRIPTION", "TEXT"]


def test_common_names_are_guessed_whatever_their_case() -> None:
    assert bind(Columns(), MIMIC, "f") == Columns(
        "ROW_ID", ("TEXT",), "SUBJECT_ID", "CATEGORY", "CHARTDATE", "DESCRIPTION", "HADM_ID"
    )


def test_a_guess_takes_no_column_that_serves_another_field() -> None:
    bound = bind(columns_of({"text": "Description"}), ["id", "description", "text"], "f")
    assert bound.text == ("description",)
    assert bound.title is None


def test_an_empty_name_switches_an_optional_field_off() -> None:
    assert not bind(columns_of({"date": ""}), ["id", "text", "date"], "f").date


def test_a_column_that_is_there_twice_is_an_error() -> None:
    with pytest.raises(AspectraError, match="more than once"):
        bind(columns_of({"text": "body"}), ["id", "body", "body"], "f")


JOINED = ["note_id", "patient_id", "date", "text", "patient_id", "sex"]


def test_a_guessed_column_that_is_there_twice_is_an_error() -> None:
    with pytest.raises(AspectraError, match=r"'patient_id'.* is there more than once.*--column patient_id="):
        bind(Columns(), JOINED, "f")
    with pytest.raises(AspectraError, match="column 'date', which is read as date,"):
        bind(Columns(), ["id", "text", "date", "Date", "date"], "f")


def test_a_column_that_is_named_or_not_read_may_stand_beside_two_of_a_guess() -> None:
    assert bind(columns_of({"patient_id": "sex"}), JOINED, "f").patient_id == "sex"
    assert not bind(columns_of({"patient_id": ""}), JOINED, "f").patient_id
    assert bind(Columns(), [*JOINED[:4], "unread", "unread"], "f").patient_id == "patient_id"


def test_a_name_is_no_title() -> None:
    """It may be the patient's."""
    assert bind(Columns(), ["id", "name", "text"], "f").title is None


def test_a_toml_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('note_id = "Key"\ntext = ["a", "b"]\ndate = "day"\ndate_format = "%d/%m/%y"\n')
    assert load_columns(path) == Columns("Key", ("a", "b"), date="day", date_format="%d/%m/%y")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('noteid = "x"', "unknown key 'noteid'.*note_id, text"),
        ("note_id = 3", "note_id must be a string"),
        ('note_id = ""', "note_id must be a string"),
        ("text = []", "text must be a column name or a list"),
        ('date_format = "%H:%M"', "date_format"),
        ('date_format = "%Q"', "date_format"),
        ("note_id = ", "not valid TOML"),
    ],
)
def test_a_wrong_mapping_file_is_named_with_its_key(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "m.toml"
    path.write_text(content)
    with pytest.raises(AspectraError, match=rf"m\.toml.*{message}"):
        load_columns(path)


def test_a_missing_mapping_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match=r"gone\.toml"):
        load_columns(tmp_path / "gone.toml")


FIRST_ROW = ["Jane Roe", "Pneumonia", "Ward-7"]
"""What stands in the place of a header that is missing, and looks like names."""
FOUND = "None of its 3 columns has a name that is known, such as note_id, text,"


@pytest.mark.parametrize("options", [{}, {"text": "REPORT"}])
def test_a_first_row_of_data_is_not_told(options: dict[str, object]) -> None:
    with pytest.raises(AspectraError) as e:
        bind(columns_of(options), FIRST_ROW, "f")
    assert FOUND in e.value.message
    assert not [word for word in FIRST_ROW if word in e.value.message + e.value.remedy]


@pytest.mark.parametrize("format", ["patients", "facts", "codes", "openi"])
def test_a_first_row_of_data_is_not_told_whatever_the_format(tmp_path: Path, format: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{','.join(FIRST_ROW)}\nJohn Doe,Fever,Ward-8\n")
    with pytest.raises(AspectraError) as e:
        open_source(path, format)
    assert "None of its 3 columns has a name that is known" in e.value.message
    assert not [word for word in FIRST_ROW if word in e.value.message + e.value.remedy]


def test_one_column_is_told_so() -> None:
    with pytest.raises(AspectraError, match="Its one column has no name that is known, such as"):
        bind(Columns(), ["Jane Roe"], "f")


def test_columns_are_told_where_one_is_known() -> None:
    with pytest.raises(AspectraError, match=r"note_id\. Its columns: NR, Text, KIND"):
        bind(Columns(), ["NR", "Text", "KIND"], "f")
    with pytest.raises(AspectraError, match=r"note_id\. Its columns: NR, FINDINGS"):
        bind(columns_of({"text": "findings"}), ["NR", "FINDINGS"], "f")
