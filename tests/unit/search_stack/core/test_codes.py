"""Codes: one spelling each, and what stands above them by their form and by a table."""

from __future__ import annotations

import pytest

from search_stack.core.codes import above, broader, code_name, system_name, unit_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ICD10", "icd10"),
        (" icd-10 ", "icd10"),
        ("ICD-10-CM", "icd10"),
        ("ICD10PCS", "icd10pcs"),
        ("ICD_9", "icd9"),
        ("SNOMED CT", "snomed"),
        ("snomed-ct", "snomed"),
        ("OPCS-4", "opcs4"),
        ("My  Lab/2", "my-lab-2"),
        ("icd-o", "icd-o"),
    ],
)
def test_a_system_has_one_spelling(typed: str, name: str) -> None:
    assert system_name(typed) == name
    assert system_name(name) == name


@pytest.mark.parametrize(
    ("system", "typed", "name"),
    [
        ("icd10", "i4891", "I48.91"),
        ("icd10", "I48.-", "I48"),
        ("icd10", "A17.0+", "A17.0"),
        ("icd10", "G01*", "G01"),
        ("icd10", "S72001A", "S72.001A"),
        ("icd10", "C7A.00", "C7A.00"),
        ("icd10", "I30-I52", "I30-I52"),  # a block, for a table of parents
        ("icd9", "42731", "427.31"),
        ("icd9", "E8120", "E812.0"),
        ("icd9", "v450", "V45.0"),
        ("icd9proc", "3722", "37.22"),
        ("opcs4", "k601", "K60.1"),
        ("atc", "b01aa03", "B01AA03"),
        ("loinc", "718-7", "718-7"),
        ("local", "hB  1", "hB 1"),
    ],
)
def test_a_code_has_one_spelling(system: str, typed: str, name: str) -> None:
    assert code_name(system, typed) == name
    assert code_name(system, name) == name


@pytest.mark.parametrize(
    ("system", "code", "up"),
    [
        ("icd10", "I48", []),
        ("icd10", "I48.91", ["I48", "I48.9"]),
        ("icd10", "S72.001A", ["S72", "S72.0", "S72.00", "S72.001"]),
        ("icd10", "I30-I52", []),
        ("icd9", "427.31", ["427", "427.3"]),
        ("icd9", "E812.0", ["E812"]),
        ("icd9proc", "37.22", ["37", "37.2"]),
        ("icd10pcs", "0JH6", ["0", "0J", "0JH"]),
        ("opcs4", "K60.1", ["K60"]),
        ("atc", "B01AA03", ["B", "B01", "B01A", "B01AA"]),
        ("atc", "B01", ["B"]),
        ("ops", "5-377.10", ["5", "5-37", "5-377", "5-377.1"]),
        ("ops", "5-377", ["5", "5-37"]),
        # A number says nothing by how it begins.
        ("loinc", "718-7", []),
        ("snomed", "38341003", []),
        ("rxnorm", "11289", []),
        ("local", "I48.91", []),
    ],
)
def test_only_whole_levels_of_a_system_stand_above_a_code(system: str, code: str, up: list[str]) -> None:
    assert broader(system, code) == up


def test_a_table_and_the_form_of_codes_add_up() -> None:
    parents = {
        ("icd10", "I48"): {"I30-I52"},
        ("icd10", "I30-I52"): {"IX"},
        ("snomed", "2"): {"1", "0"},
        ("snomed", "3"): {"2"},
    }
    assert above(("icd10", "I48.0"), parents) == {("icd10", c) for c in ("I48.0", "I48", "I30-I52", "IX")}
    assert above(("snomed", "3"), parents) == {("snomed", c) for c in "3210"}
    assert above(("loinc", "2"), parents) == {("loinc", "2")}


def test_a_circle_that_got_into_a_table_ends() -> None:
    parents = {("x", "1"): {"2"}, ("x", "2"): {"1", ""}}
    assert above(("x", "1"), parents) == {("x", "1"), ("x", "2")}


@pytest.mark.parametrize(("typed", "name"), [("g/dL", "g/dl"), ("mm Hg", "mmhg"), ("µg", "ug"), ("μg", "ug"), ("", "")])
def test_a_unit_has_one_spelling(typed: str, name: str) -> None:
    assert unit_name(typed) == name
