"""Who is consulted, sent to and come back to."""

from __future__ import annotations

import pytest

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.services import names, service_concepts, table

SAID = {
    "cardiology-referral": "referred to cardiology; cardiology referral; refer to cards; referred him to a cardiologist"
    "; referral to cardiology clinic",
    "dermatology-referral": "derm referral; refer patient to dermatology",
    "oncology-referral": "heme/onc referral; heme onc referral; referred to medical oncology",
    "hematology-referral": "heme/onc referral",
    "physical-therapy-referral": "referred to PT; refer her to physical therapy",
    "diabetes-education-referral": "referred to the diabetes educator",
    "hospice-referral": "hospice referral",
    "cardiology-follow-up": "f/u with cards; F/U with her cardiologist; cardiology follow-up; fu with cardiology;"
    " see cardiology in 2 weeks",
    "primary-care-follow-up": "follow up with his primary care physician; appointment with their PCP",
    "orthopedic-follow-up": "ortho clinic follow up; followup in orthopaedic clinic",
    "ophthalmology-consultation-act": "ophthalmology was consulted; consult to ophtho",
    "pain-consultation-act": "pain consult",
    "transplant-referral": "transplant referral",
    "pediatric-referral": "referred to pediatrics",
    "pediatric-endocrinology-referral": "referred to the Pediatric Endocrinology Department",
}
UNSAID = {
    "cardiology-referral": "referred by cardiology; referred pain; seen by cardiology",
    "surgery-follow-up": "chemotherapy followed by surgery; surgery appointment; see surgery in detail",
    "nephrology-follow-up": "renal follow up ultrasound",
    "psychiatry-consultation-act": "psychiatric evaluation",
    "pediatric-referral": "referred to the Pediatric Endocrinology Department",
    "primary-care-referral": "referred to me by his PCP",
}


def found(matcher: Matcher, text: str) -> set[str]:
    return {m.concept for m in matcher.mentions(text, 0, len(text))}


def pairs(of: dict[str, str]) -> list[tuple[str, str]]:
    return [(id, text) for id, texts in of.items() for text in texts.split("; ")]


@pytest.mark.parametrize(("id", "text"), pairs(SAID))
def test_a_service_is_named_in_many_ways(matcher: Matcher, id: str, text: str) -> None:
    assert id in found(matcher, text)


@pytest.mark.parametrize(("id", "text"), pairs(UNSAID))
def test_other_words_mean_no_such_act(matcher: Matcher, id: str, text: str) -> None:
    assert id not in found(matcher, text)


def test_every_name_is_found_as_itself(matcher: Matcher) -> None:
    assert [(c.id, p) for c in service_concepts() for p in c.phrases if c.id not in found(matcher, p)] == []


def test_what_is_never_meant_would_be_made() -> None:
    acts = table()["acts"].values()
    services = table()["services"].values()
    assert [n for one in services for n in one.get("never", ()) if all(n not in names(one, act) for act in acts)] == []


def test_an_act_is_a_kind_of_its_act(lexicon: Lexicon) -> None:
    wide = {"dermatology-referral": "specialist-referral", "urology-follow-up": "follow-up-appointment"}
    assert all(wide[id] in lexicon.ancestors(id) for id in wide)
    assert "cardiology-consultation-act" in lexicon.ancestors("cardiology-referral")
    assert "physical-therapy" in lexicon.ancestors("physical-therapy-referral")
    assert "surgery-referral" in lexicon.ancestors("hand-surgery-referral")
    assert "hospice" not in lexicon.ancestors("hospice-referral")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Will refer to dermatology.", "hypothetical"),
        ("She was referred to dermatology.", "present"),
        ("He declined referral to dermatology.", "absent"),
    ],
)
def test_how_far_a_referral_came(labeller: Labeller, text: str, says: str) -> None:
    (one,) = labeller.label(text).findings
    assert (one.concept, one.assertion) == ("dermatology-referral", says)
