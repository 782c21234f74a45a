"""Names as vocabularies write them, and as notes do."""

from __future__ import annotations

import pytest

from ingest.vocab.names import Names, cleaned, tidied


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Pneumonia", "Pneumonia"),
        ("  Foo   bar (disorder) ", "Foo bar"),
        ("Foo (bar)", "Foo (bar)"),
        ("Leydig cell tumor, malignant (morphologic abnormality)", "malignant Leydig cell tumor"),
        ("Pneumonia, unspecified", "Pneumonia"),
        ("Asthma NOS", "Asthma"),
        ("Asthma, NOS (disorder)", "Asthma"),
        ("Asthma (NOS)", "Asthma"),
        ("Asthma [Disease/Finding]", "Asthma"),
        ("[X]Other asthma, not elsewhere classified", "Other asthma"),
        ("Fracture, not otherwise specified", "Fracture"),
        ("Leukemia, Myeloid, Acute", "Acute Myeloid Leukemia"),
        ("Carcinoma, Renal Cell", "Renal Cell Carcinoma"),
        ("neoplasm of rectum, sigmoid and anus", "neoplasm of rectum, sigmoid and anus"),
        ("partial epilepsy, with impairment of consciousness", "partial epilepsy, with impairment of consciousness"),
        ("albinism; ocular", "ocular albinism"),
        ("2,4-dinitrophenol toxicity", "2,4-dinitrophenol toxicity"),
        ("Kidney", "Kidney"),
        ("Mucos nos", "Mucos"),
        ("(disorder)", "(disorder)"),
        ("", ""),
    ],
)
def test_a_name_is_cleaned(written: str, clean: str) -> None:
    assert cleaned(written) == clean


def test_cleaning_twice_changes_nothing() -> None:
    for written in ("Leukemia, Myeloid, Acute (disorder)", "Asthma, NOS", "Foo (bar)"):
        assert cleaned(cleaned(written)) == cleaned(written)


def test_words_in_another_order_are_one_name() -> None:
    assert tidied(["renal cell carcinoma", "Carcinoma, Renal Cell", "RENAL CELL CARCINOMA (disorder)"]) == Names(
        "renal cell carcinoma", (), ()
    )


def test_capitals_are_abbreviations_and_other_capitals_are_words() -> None:
    assert tidied(["systemic lupus erythematosus", "SLE", "LUPUS ERYTHEMATOSUS", "ACHM3", "MS", "ALL"]) == Names(
        "systemic lupus erythematosus", ("lupus erythematosus",), ("SLE", "ACHM3")
    )


def test_a_word_in_capitals_that_is_a_name_too_is_no_abbreviation() -> None:
    assert tidied(["COUGH", "Cough"]) == Names("Cough", (), ())


def test_an_abbreviation_in_parentheses_is_taken_out() -> None:
    assert tidied(["Human immunodeficiency virus (HIV) disease"]) == Names(
        "Human immunodeficiency virus disease", (), ("HIV",)
    )


def test_a_concept_known_by_its_abbreviation_alone_keeps_it_as_name() -> None:
    assert tidied(["GIST"]) == Names("GIST", (), ())


@pytest.mark.parametrize("name", ["", "12", "x", "disease", "Syndrome", "MS", "x" * 201])
def test_what_no_note_could_be_searched_for_is_no_name(name: str) -> None:
    assert tidied([name]).name == ""
    assert tidied([name, "pneumonia"]).name == "pneumonia"
