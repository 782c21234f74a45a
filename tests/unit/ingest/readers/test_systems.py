"""Names of coding systems, by FHIR's address and by OMOP's vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers.systems import LONGEST, SYSTEMS, of_uri, of_vocabulary
from search_stack.core.codes import system_name
from search_stack.query.fact import fact_of


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("http://hl7.org/fhir/sid/icd-10", "icd10"),
        ("http://hl7.org/fhir/sid/icd-10-cm", "icd10"),
        ("http://fhir.de/CodeSystem/bfarm/icd-10-gm|2024", "icd10"),
        ("urn:oid:2.16.840.1.113883.6.90", "icd10"),
        ("http://www.cms.gov/Medicare/Coding/ICD10", "icd10pcs"),
        ("http://hl7.org/fhir/sid/icd-9-cm", "icd9"),
        ("http://snomed.info/sct", "snomed"),
        ("http://snomed.info/sct/900000000000207008/version/20240101", "snomed"),
        ("https://loinc.org/", "loinc"),
        ("http://www.nlm.nih.gov/research/umls/rxnorm", "rxnorm"),
        ("http://www.whocc.no/atc", "atc"),
        ("http://www.ama-assn.org/go/cpt", "cpt4"),
        ("http://hl7.org/fhir/sid/icd-100", "hl7.org-fhir-sid-icd-100"),
        ("https://Hospital.example/Lab Codes", "hospital.example-lab-codes"),
        ("urn:oid:1.2.276.0.1", "oid-1.2.276.0.1"),
        ("10.0.0.1/codes", "local-10.0.0.1-codes"),
        ("", "local"),
        ("://", "local"),
    ],
)
def test_addresses(uri: str, name: str) -> None:
    assert of_uri(uri) == name


@pytest.mark.parametrize(
    ("vocabulary", "name"),
    [
        ("ICD10CM", "icd10"),
        ("ICD10", "icd10"),
        ("ICD10PCS", "icd10pcs"),
        ("ICD9CM", "icd9"),
        ("ICD9Proc", "icd9proc"),
        ("SNOMED", "snomed"),
        ("RxNorm Extension", "rxnorm"),
        ("CPT4", "cpt4"),
        ("Cancer Modifier", "cancer-modifier"),
        ("", "local"),
    ],
)
def test_vocabularies(vocabulary: str, name: str) -> None:
    assert of_vocabulary(vocabulary) == name


def test_a_long_address_becomes_a_short_name_of_its_own() -> None:
    names = {of_uri(f"https://hospital.example/{'long/' * 20}{n}") for n in range(3)}
    assert len(names) == 3
    assert {len(name) for name in names} == {LONGEST}


def test_each_address_and_vocabulary_has_one_name_that_a_query_can_ask_for() -> None:
    uris = [uri.lower() for system in SYSTEMS for uri in system.uris]
    vocabularies = [v.lower() for system in SYSTEMS for v in system.vocabularies]
    assert len(set(uris)) == len(uris)
    assert len(set(vocabularies)) == len(vocabularies)
    for system in SYSTEMS:
        assert system_name(system.name) == system.name
        assert fact_of(f"{system.name}:x").system == system.name


def test_the_documentation_names_every_system() -> None:
    page = (Path(__file__).parents[4] / "docs" / "ingest.md").read_text(encoding="utf-8")
    table = page.partition("## Coding systems")[2].partition("\n## ")[0]
    assert not [system.name for system in SYSTEMS if f"`{system.name}`" not in table]
    assert not [v for system in SYSTEMS for v in system.vocabularies if v != "RxNorm Extension" and v not in table]
