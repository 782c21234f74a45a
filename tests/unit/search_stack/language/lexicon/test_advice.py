"""What patients are told: restrictions, care at home, coming back; and what only sounds like it."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller

TOLD = {
    "safety-netting": "Strict return precautions were given; Told to return to the ER if worse; Come back to the ED for"
    " worsening pain",
    "lifting-restriction": "No heavy lifting for 6 weeks; No lifting or straining; Avoid heavy lifting",
    "driving-restriction": "No driving for 6 months; She was told not to drive",
    "pelvic-rest": "Pelvic rest; No intercourse for 6 weeks",
    "work-restriction": "Light duty",
    "bathing-restriction": "No tub baths",
    "sports-restriction": "No contact sports",
    "wound-care-instructions": "Keep your incision clean and dry",
    "limb-elevation": "Keep her leg elevated",
    "rest-and-ice": "Ice and elevation",
    "fluids-encouraged": "Push fluids; Drink plenty of fluids",
    "advice-to-quit-smoking": "Advised to quit smoking",
    "tobacco-use": "Advised to quit smoking",
    "smoking-cessation-counseling": "Smoking cessation was discussed",
    "weight-loss-counseling": "He was advised to lose weight",
    "work-certificate": "A return to work note was given",
    "return-to-work": "He returned to work",
    "npo-status": "NPO after midnight",
    "missed-appointment": "He missed his follow-up appointment",
    "home-physical-therapy": "Home PT",
    "breast-self-examination": "Breast self-exam",
    "head-injury-advice": "Head injury advice given",
    "showering-permitted": "May shower tomorrow",
    "diabetes-education": "Diabetic foot education",
    "cast-care": "Sling care instructions",
}
NOT_TOLD = {
    "work-certificate": "Social work note reviewed",
    "lifting-restriction": "He does no heavy lifting at work",
    "safety-netting": "He was told to return for further treatment; He returned to the ED",
    "return-to-work": "He was unable to return to work",
    "limb-elevation": "The leg was elevated and exsanguinated",
    "sports-restriction": "He plays no sports",
    "home-physical-therapy": "Nursing home physical therapy",
}


def pairs(of: dict[str, str]) -> list[tuple[str, str]]:
    return [(id, text) for id, texts in of.items() for text in texts.split("; ")]


@pytest.mark.parametrize(("id", "text"), pairs(TOLD))
def test_it_is_told(labeller: Labeller, id: str, text: str) -> None:
    assert id in {f.concept for f in labeller.label(f"{text}.").findings}


@pytest.mark.parametrize(("id", "text"), pairs(NOT_TOLD))
def test_it_only_sounds_like_it(labeller: Labeller, id: str, text: str) -> None:
    assert id not in {f.concept for f in labeller.label(f"{text}.").findings}


def test_what_is_restricted_is_there(labeller: Labeller) -> None:
    (one,) = labeller.label("No heavy lifting.").findings
    assert one.assertion == "present"
