"""Sex and age that a note's own words say of its patient, and nobody else's."""

from __future__ import annotations

import pytest

from ingest.demo.generator import demo_notes
from search_stack.language.person import PersonRead, person_read

SAID = {
    "72 yr old retired bus driver\nDLBCL": PersonRead("", 72),
    "33 yo G2P1 @ 33+2, referred with headache": PersonRead("female", 33),
    "8 y boy, fell off a trampoline. Mother 39, well.": PersonRead("male", 8),
    "Seen after discharge. 68M. Lives with wife (66F).": PersonRead("male", 68),
    "M 54, chest pain": PersonRead("male", 54),
    "Well woman 33 y/o": PersonRead("female", 33),
    "Mrs A, 73, transfusion threshold reached": PersonRead("female", 73),
    "Re: Mr B\nSeen in clinic": PersonRead("male", None),
    "I reviewed this pleasant gentleman today.": PersonRead("male", None),
    "Age: 41 Sex: F": PersonRead("female", 41),
    "3-month-old girl with fever": PersonRead("female", 0),
    "18 month old with croup": PersonRead("", 1),
    "Male infant born to a 29-year-old woman.": PersonRead("male", None),
    "Denies cough. She walks. Her gait is normal. She lives alone; her son helps.": PersonRead("female", None),
}
NOT_THE_PATIENTS = (
    "Her 45-year-old brother has an MI.",
    "Father, a 70-year-old man, had a stroke at 52.",
    "Kidney from a 24-year-old male donor.",
    "Hit by a 30-year-old man on a bicycle.",
    "16F Foley placed, 24 F chest tube.",
    "Temp 99 F.",
    "10-year-old fracture of the wrist.",
    "Smoked for 20 years, quit at 45.",
    "Gestational age: 32",
    "Bone age: 11",
    "Wife reports that she found him down.",
    "A 65-year-old woman. The patient is a 40-year-old man.",
)


@pytest.mark.parametrize("text", SAID)
def test_what_a_note_says_of_its_patient(text: str) -> None:
    assert person_read(text) == SAID[text]


@pytest.mark.parametrize("text", NOT_THE_PATIENTS)
def test_what_is_said_of_others_or_of_two_is_nobodys(text: str) -> None:
    assert person_read(text) == PersonRead()


def test_of_invented_patients_nothing_is_read_that_is_not_so() -> None:
    """Who they are stands beside the notes of the demo; every patient's sex is read in one of theirs."""
    notes = list(demo_notes())
    known = {n.patient_id: n.person for n in notes if n.person.sex}
    read = set()
    for note in notes:
        if (person := known.get(note.patient_id)) is None:
            continue
        said = person_read(note.text)
        assert said.sex in ("", person.sex), note.note_id
        if said.sex:
            read.add(note.patient_id)
        if said.age is not None and person.birth_date and note.date:
            assert abs((note.date - person.birth_date).days / 365.25 - said.age - 0.5) < 1.6, note.note_id
    assert read == known.keys()
