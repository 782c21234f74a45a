"""From a note to its documents: what a passage holds for cohorts."""

from __future__ import annotations

from datetime import date

import pytest

from ingest.ledger import StoredNote
from search_stack.core.schema import Finding, Note, Passage
from search_stack.index.documents import LabelledPassage, document
from search_stack.index.passage import SORTED, UNDATED, IndexedPassage
from search_stack.language.labeller import Labeller
from tests import language

TEXT = "No pleural effusion. Small left pleural effusion."


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return language.labeller()


def made(labeller: Labeller, day: date | None, findings: list[Finding]) -> IndexedPassage:
    note = StoredNote(7, 2, "pending", 0, "", 0, 0, Note("n", TEXT, "p", date=day), 42)
    passage = Passage(0, 0, len(TEXT), TEXT, "", "")
    return document(note, LabelledPassage(passage, findings, [], "w"), [1.0, 0.0], labeller)


@pytest.mark.parametrize(
    ("day", "number"),
    [
        (date(1970, 1, 1), 0),
        (date(2020, 2, 29), 18_321),
        (date(1969, 12, 31), -1),
        (date(1, 1, 1), -719_162),
        (None, UNDATED),
    ],
)
def test_a_passage_holds_its_patients_number_and_its_day(labeller: Labeller, day: date | None, number: int) -> None:
    found = made(labeller, day, []).document()
    assert (found["patient_no"], found["day"], found["note_key"]) == (42, number, 7)
    assert found["date"] == (day.isoformat() if day else None)
    assert set(SORTED) <= set(found)


def test_no_day_is_taken_for_none() -> None:
    assert (date.min - date(1970, 1, 1)).days > UNDATED


def test_own_are_the_mentions_themselves_without_what_is_above_them(labeller: Labeller) -> None:
    lexicon = labeller.lexicon
    concept = lexicon.find("pleural effusion")
    assert concept
    above = set(lexicon.closure([concept.id])) - {concept.id}
    said = [
        Finding(concept.id, concept.name, concept.kind, begin, begin + 16, assertion)
        for begin, assertion in ((3, "absent"), (32, "present"), (32, "present"))
    ]
    found = made(labeller, None, said)
    assert found.own == [f"absent {concept.id}", f"present {concept.id}"]
    assert set(found.mentioned) == {concept.id} | above
    assert made(labeller, None, []).own == []


def test_a_drug_that_the_patient_is_allergic_to_is_not_there(labeller: Labeller) -> None:
    lexicon = labeller.lexicon
    concept = lexicon.find("penicillin")
    assert concept
    allergic, stopped = (
        Finding(concept.id, concept.name, concept.kind, 0, 10, "present", status=s) for s in ("allergy", "stopped")
    )
    found = made(labeller, None, [allergic])
    assert (found.present, found.own, found.status) == ([], ["allergy penicillin"], ["allergy penicillin"])
    assert found.mentioned == lexicon.closure(["penicillin"])
    found = made(labeller, None, [stopped])
    assert (found.own, found.status) == (["present penicillin"], ["stopped penicillin"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FAMILY HISTORY:\nNo family history of breast cancer.", "unaffected"),
        ("FAMILY HISTORY:\nNegative for breast cancer.", "unaffected"),
        ("No one in her family has breast cancer.", "unaffected"),
        ("FAMILY HISTORY:\nMother: breast cancer. No ovarian cancer.", "family"),
    ],
)
def test_what_relatives_are_said_not_to_have_does_not_run_in_the_family(
    labeller: Labeller, text: str, said: str
) -> None:
    found = made(labeller, None, [f for f in labeller.label(text).findings if f.concept == "breast-cancer"])
    assert found.own == [f"{said} breast-cancer"]
    assert ("breast-cancer" in found.family) is (said == "family")
    assert found.absent == []
    assert "breast-cancer" in found.mentioned


def test_where_a_mention_is_holds_for_what_that_lies_in_and_a_denial_where_it_says(labeller: Labeller) -> None:
    text = "Left lower lobe pneumonia. No pleural effusion on the right. Cough. A 12 mm nodule in the left breast."
    found = made(labeller, None, labeller.label(text).findings).placed
    assert [key for key in found if " pneumonia " in key] == [
        f"present pneumonia @{site}"
        for site in ("chest", "left", "left chest", "left lower lobe", "left lung", "lower lobe", "lung")
    ]
    assert [key for key in found if "pleural-effusion" in key] == ["absent pleural-effusion @right"]
    assert [key for key in found if "cough" in key] == ["present cough @"]
    graded = made(labeller, None, labeller.label("Severe cough. No mild fever. Mild left effusion.").findings).placed
    assert graded == [
        "absent fever @mild",
        "present cough @",
        "present cough @severe",
        *(f"present pleural-effusion @{site}" for site in ("left", "mild", "mild left")),
    ]
    measured = made(labeller, None, labeller.label(text).findings).measured
    assert {key.split()[1] for key in measured if "mm" in key and key.startswith("present")} >= {
        "nodule@left",
        "nodule",
    }


def test_of_a_vital_sign_only_the_number_is_told(labeller: Labeller) -> None:
    held = made(labeller, None, labeller.label("Pulse 130, BP 118/76. Sodium 128.").findings)
    assert {key.split(" ")[1] for key in held.measured} >= {"heart-rate", "blood-pressure", "sodium-measurement"}
    for told in (held.present, held.own, held.named):
        assert not [one for one in told if "heart-rate" in one or "blood-pressure" in one]
    assert "present heart-rate ># 00000000130.00000" in held.measured
    # Hyponatremia is told by the number, and its amount is one of sodium.
    assert "present sodium-measurement <# 00000000128.00000" in held.measured
