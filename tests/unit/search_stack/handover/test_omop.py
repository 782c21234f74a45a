"""Rows of the OMOP Common Data Model 5.4, by hand."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from search_stack.handover.cover import Cover
from search_stack.handover.omop import TABLES, exists, modifiers, snippet, temporal, write_omop
from search_stack.handover.row import Row
from tests.unit.search_stack.handover.conftest import PASSAGE, TREE, finding, words

STANDARD = {
    "COHORT": "cohort_definition_id subject_id cohort_start_date cohort_end_date",
    "COHORT_DEFINITION": "cohort_definition_id cohort_definition_name cohort_definition_description "
    "definition_type_concept_id cohort_definition_syntax subject_concept_id cohort_initiation_date",
    "NOTE_NLP": "note_nlp_id note_id section_concept_id snippet offset lexical_variant note_nlp_concept_id "
    "note_nlp_source_concept_id nlp_system nlp_date nlp_datetime term_exists term_temporal term_modifiers",
}


def written(folder: Path, rows: list[Row], cover: Cover) -> dict[str, list[dict[str, str]]]:
    write_omop(folder, lambda: rows, cover)
    out = {}
    for name in TABLES:
        with (folder / f"{name}.csv").open(newline="") as file:
            out[name] = list(csv.DictReader(file))
    return out


def test_the_tables_have_the_columns_of_the_model() -> None:
    assert {name: " ".join(TABLES[name]) for name in STANDARD} == STANDARD


def test_every_table_by_hand(tmp_path: Path, rows: list[Row], cover: Cover) -> None:
    found = written(tmp_path, rows, cover)
    assert found["COHORT"] == [
        {
            "cohort_definition_id": "42",
            "subject_id": "12",
            "cohort_start_date": "2020-01-02",
            "cohort_end_date": "2021-05-06",
        }
    ]
    assert found["undated"] == [
        {"subject_id": "13", "patient_id": "13", "reason": "no evidence with a date"},
        {"subject_id": "14", "patient_id": "14", "reason": "no evidence"},
    ]
    (definition,) = found["COHORT_DEFINITION"]
    assert json.loads(definition.pop("cohort_definition_syntax")) == TREE
    assert definition == {
        "cohort_definition_id": "42",
        "cohort_definition_name": "query",
        "cohort_definition_description": "query",
        "definition_type_concept_id": "0",
        "subject_concept_id": "0",
        "cohort_initiation_date": "2024-05-06",
    }
    common = {
        "section_concept_id": "0",
        "note_nlp_concept_id": "0",
        "note_nlp_source_concept_id": "0",
        "nlp_system": "Aspectra 0.1.0 (labels v1)",
        "nlp_date": "2024-05-06",
        "nlp_datetime": "2024-05-06 07:08:09",
    }
    assert found["NOTE_NLP"] == [
        common
        | {
            "note_nlp_id": "1",
            "note_id": "77",
            "snippet": PASSAGE,
            "offset": "115",
            "lexical_variant": "pleural effusion",
            "term_exists": "N",
            "term_temporal": "present",
            "term_modifiers": "assertion=absent,status=recent,experiencer=patient,sites=left chest,"
            "trigger=No evidence of,concept=pleural-effusion,section=IMPRESSION,criterion=pleural effusion ruled out",
        },
        common
        | {
            "note_nlp_id": "2",
            "note_id": "78",
            "snippet": "Dizzy today.",
            "offset": "0",
            "lexical_variant": "Dizzy",
            "term_exists": "",
            "term_temporal": "",
            "term_modifiers": "criterion=dizzy",
        },
    ]
    assert [n["state"] for n in found["notes"]] == ["as found", "as found", "deleted"]
    assert [n["note_id"] for n in found["notes"]] == ["77", "78", ""]
    assert [(s["subject_id"], s["verdict"]) for s in found["subjects"]] == [("12", "include"), ("13", ""), ("14", "")]


@pytest.mark.parametrize("odd", ["A7", "007", "-1", "2147483648", "１２", ""])
def test_one_id_that_is_no_whole_number_has_all_take_the_ledgers(tmp_path: Path, cover: Cover, odd: str) -> None:
    rows = [finding(), finding(patient_id=odd, patient_no=2, note_id="x", note_key=6)]
    found = written(tmp_path, rows, cover)
    assert [(c["subject_id"], s["patient_id"]) for c, s in zip(found["COHORT"], found["subjects"], strict=True)] == [
        ("1", "12"),
        ("2", odd),
    ]
    assert [(n["note_id"], n["source_note_id"]) for n in found["notes"]] == [("5", "77"), ("6", "x")]
    assert [n["note_id"] for n in found["NOTE_NLP"]] == ["5", "6"]


@pytest.mark.parametrize(
    ("assertion", "status", "experiencer", "expected"),
    [
        ("present", "recent", "patient", ("Y", "present")),
        ("possible", "recent", "patient", ("Y", "present")),
        ("historical", "historical", "patient", ("Y", "past")),
        ("absent", "recent", "patient", ("N", "present")),
        ("absent", "historical", "patient", ("N", "past")),
        ("hypothetical", "hypothetical", "patient", ("N", "")),
        ("family", "recent", "family", ("N", "present")),
        ("present", "recent", "other", ("N", "present")),
    ],
)
def test_what_the_patient_has_or_had(assertion: str, status: str, experiencer: str, expected: tuple[str, str]) -> None:
    row = finding(assertion=assertion, status=status, experiencer=experiencer)
    assert (exists(row), temporal(row)) == expected


def test_modifiers_can_be_taken_apart_and_fit() -> None:
    said = modifiers(words(section="a=b, 5%\nc", criterion=""))
    assert said == "section=a%3Db%2C 5%25%0Ac"
    assert "sites=left knee; right hip," in modifiers(finding(sites="left knee; right hip"))
    assert modifiers(finding(criterion="x" * 3000)) == modifiers(finding(criterion=""))


def test_a_snippet_fits_and_holds_the_words() -> None:
    text = "a" * 400 + " fever " + "b" * 400
    row = finding(begin=501, end=506, words="fever", passage_begin=100, passage_end=100 + len(text), passage=text)
    assert len(snippet(row)) == 250
    assert " fever " in snippet(row)
    for place in (0, len(text) - 5):
        near = replace(row, begin=100 + place, end=105 + place)
        assert text[place : place + 5] in snippet(near)
        assert len(snippet(near)) == 250
    assert snippet(replace(row, passage="")) == ""


def test_without_words_of_notes_the_concept_is_named(tmp_path: Path, cover: Cover) -> None:
    bare = finding(words="", trigger="", passage="")
    (row,) = written(tmp_path, [bare], cover)["NOTE_NLP"]
    assert (row["snippet"], row["lexical_variant"]) == ("", "pleural effusion")
    assert "trigger" not in row["term_modifiers"]
